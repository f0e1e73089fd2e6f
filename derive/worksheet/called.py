"""Names as people write them: scaled is S̃, S~ and "Scaled scores" too; O11 is O[1][1]."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import cache

from derive.derivation import Problem
from derive.exact.names import identifier_step, label, place, unicode_step
from derive.models import MODELS
from derive.places import entry_name
from derive.words import LANGUAGES, words

SEPARATOR = re.compile(r"[,，、](?![^\[\]]*\])")
"""Between names: a comma that stands in no brackets."""
_MARKS = str.maketrans({"~": "\u0303", "^": "", "{": "[", "}": "]"})
_INDICES = re.compile(
    r"(?:\[(\d{1,6})\]){1,2}"
    r"|[\[(](\d{1,6})[,;](\d{1,6})[\])]"
    r"|_?\[?\d{1,2}\]?"
    r"|_?(\d{1,6})[,_](\d{1,6})"
)
MOST_SIGNS = 80
"""No name is longer."""


def plain_name(text: str) -> str:
    """A name without spaces, and with its marks and indices as plain signs.

    >>> plain_name("S~") == plain_name("S̃"), plain_name("Kᵀ"), plain_name("O₁₁")
    (True, 'KT', 'O11')
    """
    found = unicodedata.normalize("NFKD", text.translate(_MARKS))
    return re.sub(r"\s", "", found)


def names_for(step: str) -> Iterator[str]:
    """All that a step is called: its name, its printed letter, and its words in each language."""
    yield from (step, unicode_step(step), identifier_step(step))
    found = label(step)
    if found.scopes or found.head or found.before:
        return
    for lang in LANGUAGES:
        for table in (words(lang)["steps"], words(lang)["columns"]):
            if found.base in table:
                number = f" {found.primes}" if found.primes else ""
                yield table[found.base]["heading"] + number


def blanks_of(text: str | None, problem: Problem) -> tuple[str, ...]:
    """Names with commas between them, each by the steps of a problem: "E,S~" is exp, scaled.

    What no step is called stands as it is.
    """
    asked = [name.strip() for name in SEPARATOR.split(text or "") if name.strip()]
    if all(label(name.partition("[")[0]).is_step for name in asked):
        return tuple(asked)
    steps = [step.name for step in MODELS[problem.model].derive(problem).steps]
    return tuple(_spelled(name, steps) for name in asked)


def _spelled(text: str, steps: Collection[str]) -> str:
    found = next(readings(text, steps), None)
    return found[0] + "".join(f"[{k}]" for k in found[1]) if found else text


@cache
def _known(step: str) -> tuple[str, ...]:
    return tuple(map(plain_name, names_for(step)))


def steps_called(text: str, steps: Collection[str]) -> list[str]:
    """The steps that are called so: the one of that very name, else by letter, else by words."""
    if text in steps:
        return [text]
    asked = plain_name(text)
    known = [(step, name) for step in steps for name in _known(step)]
    found = dict.fromkeys(step for step, name in known if name == asked)
    if not found and len(asked) > 1:
        low = asked.casefold()
        found = dict.fromkeys(step for step, name in known if name.casefold() == low)
    return list(found)


def readings(text: str, steps: Collection[str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(step, indices) for every way to read a name; the longest name of a step first.

    >>> list(readings("E11", ["exp", "A"]))
    [('exp', (1, 1))]
    """
    if len(text) > MOST_SIGNS:
        return
    plain = re.sub(r"\s", "", text)
    for name in steps_called(plain, steps):
        yield name, ()
    flat = plain_name(text)
    for cut in range(len(flat) - 1, 0, -1):
        if _INDICES.fullmatch(flat[cut:]):
            for name in steps_called(flat[:cut], steps):
                for indices in _indices(flat[cut:]):
                    if "[" in flat[cut:] or place(name, indices) is not None:
                        yield name, indices


def _indices(text: str) -> Iterator[tuple[int, ...]]:
    """[1][2], [1,2], 12 and 1_2 as numbers; of two digits side by side both readings."""
    numbers = tuple(map(int, re.findall(r"\d+", text)))
    digits = re.fullmatch(r"_?\[?(\d)(\d)\]?", text)
    if digits and "[" not in text.replace("_[", ""):
        yield int(digits[1]), int(digits[2])
    yield numbers


def blank_called(text: str, blanks: Collection[str]) -> str | None:
    """The blank that is called so; None where none is."""
    if text in blanks or len(text) > MOST_SIGNS:
        return text if text in blanks else None
    stem, dot, last = text.rpartition(".")
    if dot:
        steps = [blank.rpartition(".")[0] for blank in blanks]
        found = [f"{s}.{last}" for s in steps_called(stem, dict.fromkeys(steps))]
    else:
        steps = list(dict.fromkeys(blank.partition("[")[0] for blank in blanks))
        found = list(_entries(text, steps))
    held = list(dict.fromkeys(name for name in found if name in blanks))
    return held[0] if held else None


def _entries(text: str, steps: Collection[str]) -> Iterator[str]:
    for name, indices in readings(text, steps):
        at = place(name, indices)
        if at is not None:
            yield entry_name(name, *at)
