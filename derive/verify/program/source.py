"""The logical lines of a program: joined where a bracket is open, without comments and prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.program.tokens import SEMICOLONS

LONGEST = 2000
"""A longer line is not read as a program."""
_PROMPT = re.compile(r"(?:>>>|>>|\.\.\.|In \[\d+\]:|julia>|octave:\d+>|>|\+|       )[ \t]?")
_PROMPTED = re.compile(r"^(?:>>> |>> |> |In \[\d+\]:|julia> |octave:\d+> )", re.M)
_DEFINES = re.compile(r"(?:def|class|function|import|from)\b")
"""What begins a part of a program that no prompt needs to stand before."""
_BARE = re.compile(r"""(?:[^#"']|"[^"]*"|'[^']*')*""")
_TURNED = re.compile(r"""(?:[^#"']|"[^"]*"|(?<![\w)\]'.])'[^'\n]*'|')*""")
_PERCENT = re.compile(r"""(?:[^%"']|"[^"]*"|(?<![\w)\]'.])'[^'\n]*'|')*""")
ENDINGS = {"py": "python", "r": "r", "jl": "julia", "m": "matlab"}
"""The languages of sources, by the ending of the file."""
_SIGNS = (
    ("r", re.compile(r"<-\s|%\*%")),
    ("julia", re.compile(r"^julia> |\bprintln\(|^using \w|\w\.\([^)\n]*\) \./|\bround\.\(", re.M)),
    ("matlab", re.compile(r"^octave:\d+> |^>> |^\s*(?:disp|fprintf)\(|\w\(:,|^%%? .*\n[^\n]*;$",
                          re.M)),
    ("python", re.compile(r"^>>> |^import |^from \w+ import|\bnp\.|\btorch\.", re.M)),
)  # fmt: skip
"""What stands in programs of one language alone."""
_OTHER = re.compile(r"\(\*|:=|\[\[|\\begin")


@dataclass(frozen=True)
class Line:
    """A line, where it stands, and how far it is indented."""

    text: str
    start: int
    end: int
    indent: int = 0

    @property
    def is_inside(self) -> bool:
        """Whether it is part of a block such as a loop."""
        return self.indent > 0


def language_of(text: str, ending: str = "") -> str:
    """The language of a program, by the ending of its file or by its signs; "" where none shows."""
    named = ENDINGS.get(ending, "")
    if named and not (named == "matlab" and _OTHER.search(text)):
        return named
    return next((language for language, signs in _SIGNS if signs.search(text)), "")


def has_prompts(text: str) -> bool:
    """Whether a text is a transcript, in which lines of a program stand behind prompts."""
    return bool(_PROMPTED.search(text))


def lines(text: str, language: str = "") -> Iterator[Line]:
    """The lines of a program; where there are prompts, those behind them alone."""
    margin = _margin(text)
    is_transcript, is_plain = has_prompts(text), False
    joined, first, depth, indent = "", 0, 0, 0
    for found in re.finditer(r"[^\n]+", text):
        is_plain = bool(_DEFINES.match(found[0])) or (is_plain and found[0][:1].isspace())
        prompt = _PROMPT.match(found[0]) if is_transcript and not is_plain else None
        if is_transcript and prompt is None and not (depth or is_plain):
            continue
        shift = prompt.end() if prompt else 0
        bare = bared(found[0][shift:], language)
        if not joined:
            first, indent = found.start(), len(bare) - len(bare.lstrip()) - margin
        joined += bare + "\n"
        depth = max(0, depth + sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}")))
        if depth and len(joined) < LONGEST:
            continue
        if joined.strip() and len(joined) <= LONGEST:
            end = found.start() + shift + len(bare)
            for part in parted(joined.strip(), language):
                yield Line(part, first, end, indent)
        joined, depth = "", 0


def _margin(text: str) -> int:
    """How many blanks begin every line."""
    every = [line for line in text.split("\n") if line.strip()]
    return min((len(line) - len(line.lstrip()) for line in every), default=0)


_SPLIT = re.compile(r"""((?:[^;"'([{]|"[^"]*"|'[^']*'|[(\[{][^;]*[)\]}])+);?\s*""")


def parted(line: str, language: str) -> list[str]:
    """The statements of one line: a = 1; b = 2."""
    if ";" not in line or "\n" in line or language not in ("", "python"):
        return [line]
    found = [m[1].strip() for m in _SPLIT.finditer(line)]
    return found if "; ".join(found) == re.sub(r";\s*", "; ", line).strip("; ") else [line]


def bared(line: str, language: str = "") -> str:
    """A line without its comment."""
    signs = {"matlab": _PERCENT, "julia": _TURNED}.get(language, _BARE)
    found = signs.match(line)
    return (found[0] if found else line).rstrip()


_WRAPPED = re.compile(r"(np\.float(?:16|32|64)\()([-+.\w]+)\)")


def unwrapped(text: str) -> str:
    """np.float64(0.5) as 0.5, at the same place."""
    return _WRAPPED.sub(lambda m: f"{' ' * len(m[1])}{m[2]} ", text)


def uncommented(text: str, language: str) -> str:
    """The text with the percent signs of comments blanked, and the rows of matrices parted."""
    if language not in SEMICOLONS:
        return text
    made = []
    for line in text.split("\n"):
        count = len(bared(line, language))
        rest = re.sub(r"^\s*%+", lambda m: " " * len(m[0]), line[count:])
        made.append(line[:count] + rest)
    return _ROWS.sub(_parted_rows, "\n".join(made))


_ROWS = re.compile(r"\[[^\[\]]*\n[^\[\]]*\]")


def _parted_rows(found: re.Match[str]) -> str:
    """A matrix whose rows stand in lines, with semicolons between them."""
    return re.sub(r"(?<=[\d.)'])([ \t]*)\n(?=[ \t]*[-+\w(.])", lambda m: m[1] + ";", found[0])
