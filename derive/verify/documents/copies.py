"""Text copied from a rendered page, where every formula stands twice: as read, and as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator

MOST = 3000
"""A line longer than this is not searched."""
TRIES = 600
"""So many pairs of a line are compared."""
_MARKUP = re.compile(
    r"\\[a-zA-Z]+(?:\{[bpvB]?matrix\})?|\\.|[{}^_&~√\s]|[\[\]()]"
    r"|[\u02c6-\u02dc\u0300-\u036f\u20d0-\u20ff\u200b-\u200f\u2060-\u2064]"
)
"""What is no ink: marks, brackets, accents, which stand in another place, and unseen signs."""
_SEEN = {
    "\\approx": "≈", "\\times": "×", "\\cdot": "·", "\\top": "T", "\\to": "→", "\\infty": "∞",
    "\\in": "∈", "\\sum": "∑", "\\prod": "∏", "\\rightarrow": "→", "\\Rightarrow": "⇒",
    "\\partial": "∂", "\\nabla": "∇", "\\ell": "ℓ", "\\odot": "⊙", "\\pm": "±", "\\neq": "≠",
    "\\le": "≤", "\\leq": "≤", "\\ge": "≥", "\\geq": "≥", "\\ldots": "…", "\\dots": "…",
    "\\cdots": "⋯", "\\mid": "|", "\\epsilon": "ε", "\\varepsilon": "ε", "\\phi": "φ",
    "\\varphi": "φ", "\\lambda": "λ", "\\vartheta": "θ", "\\prime": "'",
}  # fmt: skip
_GREEK = (
    "alpha beta gamma delta zeta eta theta iota kappa mu nu xi omicron pi rho sigma tau upsilon"
    " chi psi omega"
)
for _name in _GREEK.split():
    for _word, _size in ((_name, "SMALL"), (_name.title(), "CAPITAL")):
        _SEEN[f"\\{_word}"] = unicodedata.lookup(f"GREEK {_size} LETTER {_name}")
for _name in "ln log exp max min sin cos tan sinh cosh tanh arg lim det dim sup inf".split():
    _SEEN[f"\\{_name}"] = _name
_TOLD = re.compile(r"[=≈∈\d]|[^\x00-\x7f]")
_OF_NUMBERS = frozenset("0123456789.,")
_SAME = {"⋅": "·", "⊤": "T", "−": "-", "ϵ": "ε", "ϕ": "φ", "ϑ": "θ", "∣": "|", "∥": "|", "′": "'"}


def masked(text: str) -> str:
    """The text with the plain copy of each doubled formula blanked, at the same length."""
    lines = text.split("\n")
    return "\n".join(_line(line) if is_searched(line) else line for line in lines)


def is_searched(line: str) -> bool:
    """Whether a line is short enough, and may hold a formula: with a relation or a number."""
    return 3 <= len(line) <= MOST and bool(_TOLD.search(line))


def twins(text: str) -> dict[int, int]:
    """Where each character of a LaTeX copy stands in the plain copy before it."""
    found: dict[int, int] = {}
    start = 0
    for line in text.split("\n"):
        if is_searched(line):
            ink = _ink(line)
            for first, length in _doubles(line, ink):
                for k in range(first, first + length):
                    found[start + ink[k + length][1]] = start + ink[k][1]
        start += len(line) + 1
    return found


def _line(line: str) -> str:
    ink = _ink(line)
    made = line
    for start, length in _doubles(line, ink):
        begin, end = ink[start][1], ink[start + length][1]
        end = _opened(line, begin, end)
        if start == 0 and 2 * length == len(ink):
            begin = 0
        made = made[:begin] + " " * (end - begin) + made[end:]
    return made


def _doubles(line: str, ink: list[tuple[str, int]]) -> Iterator[tuple[int, int]]:
    """Where in the ink a plain copy begins that its LaTeX copy follows, and how long it is."""
    letters = "".join(letter for letter, _ in ink)
    relations = [place for place, letter in enumerate(letters) if letter in "=≈∈"]
    start = tries = 0
    while start < len(letters) - 1 and tries < TRIES:
        length = 0
        for length in _lengths(letters, start, relations):
            tries += 1
            is_same = letters.startswith(letters[start : start + length], start + length)
            if is_same and _is_copy(line, ink, start, length, len(letters)):
                yield start, length
                break
            if tries >= TRIES:
                return
        else:
            length = 0
        start += 2 * length or 1
        if not relations:
            return


def _lengths(letters: str, start: int, relations: list[int]) -> Iterator[int]:
    """How long what stands twice from here may be: as far as its first relation is from its copy.

    The longest comes first; a line that is one formula twice needs no relation.
    """
    whole, odd = divmod(len(letters), 2)
    if start == 0 and not odd and whole > 1 and letters[0] == letters[whole]:
        yield whole
    first = bisect_left(relations, start)
    if first == len(relations):
        return
    for place in range(len(relations) - 1, first, -1):
        length = relations[place] - relations[first]
        if length <= relations[first] - start or length < 2:
            return
        if 2 * length <= len(letters) - start and letters[start] == letters[start + length]:
            yield length


def _opened(line: str, begin: int, end: int) -> int:
    """Where the LaTeX copy begins: its opening marks are no ink."""
    while end > begin and (line[end - 1] in "\\{([^_ " or _is_command(line, end)):
        end = line.rfind("\\", begin, end) if _is_command(line, end) else end - 1
    return end


def _is_command(line: str, end: int) -> bool:
    return bool(re.search(r"\\[a-zA-Z]+\{?(?:[bpvB]?matrix\})?$", line[max(0, end - 40) : end]))


def _ink(line: str) -> list[tuple[str, int]]:
    """The characters that a rendered page shows, each with its place; brackets count as none."""
    ink: list[tuple[str, int]] = []
    last = 0
    for mark in _MARKUP.finditer(line):
        ink.extend((_SAME.get(line[i], line[i]), i) for i in range(last, mark.start()))
        if mark[0] in _SEEN:
            ink.extend((letter, mark.start()) for letter in _SEEN[mark[0]])
        last = mark.end()
    ink.extend((_SAME.get(line[i], line[i]), i) for i in range(last, len(line)))
    return ink


def _is_copy(line: str, ink: list[tuple[str, int]], start: int, length: int, count: int) -> bool:
    begin, middle = ink[start][1], ink[start + length][1]
    middle = _opened(line, begin, middle)
    last = start + 2 * length
    end = ink[last][1] if last < count else len(line)
    first, second = line[begin:middle], line[middle:end]
    if begin and line[begin - 1] in _OF_NUMBERS and line[begin] in _OF_NUMBERS:
        return False  # it begins inside a number
    if first[-1:].isspace() or "|" in first or "&" in first:
        return False  # entries of a row, which no page shows
    if "\\" in first or "{" in first or first.strip()[-1:] == ",":
        return False
    if first.count("$") > 1:
        return False  # two formulas, each by itself
    whole = start == 0 and last == count
    written = "\\" in second or "{" in second or "_" in second or "^" in second
    related = any(sign in first for sign in "=≈∈")
    if whole:
        return any(letter.isdigit() for letter in first)
    return related and (written or " = " in second)
