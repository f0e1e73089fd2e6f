"""Where the mathematics of a document stands: LaTeX, or Markdown as GitHub and notebooks do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.read.latex.displays import ALIGNED, GATHERED
from derive.read.latex.source import Span

_NAMES = "|".join(re.escape(name) for name in sorted(ALIGNED | GATHERED, key=len, reverse=True))
_ENVIRONMENT = rf"(?P<environment>\\begin\{{(?P<name>{_NAMES})\}}.*?\\end\{{(?P=name)\}})"
_BRACKETS = r"\\\[(?P<display>.*?)\\\]|\\\((?P<inline>.*?)\\\)"

_LATEX = re.compile(
    rf"""
      (?P<skip>%[^\n]*|\\verb\*?(?P<mark>[^a-zA-Z\s*]).*?(?P=mark)|\\\\|\\[$%]
        |\\begin\{{(?P<code>verbatim|lstlisting|minted|comment)\}}.*?\\end\{{(?P=code)\}})
    | {_ENVIRONMENT}
    | {_BRACKETS}
    | \$\$(?P<dollars>.+?)\$\$
    | \$(?P<dollar>(?:[^$\\\n]|\\.|\n(?!\s*\n))+?)\$
    """,
    re.VERBOSE | re.DOTALL,
)
_MARKDOWN = re.compile(
    rf"""
      ^(?P<indent>[ ]{{0,3}})(?P<fence>```+|~~~+)[ ]*math[ ]*\n
        (?P<fenced>.*?)^[ ]{{0,3}}(?P=fence)[ ]*$
    | (?P<skip>^[ ]{{0,3}}(?P<other>```+|~~~+).*?(?:^[ ]{{0,3}}(?P=other)[ ]*$|\Z)
        |<!--.*?-->|\\[$`\\])
    | \$`(?P<ticked>[^`\n]+)`\$
    | (?P<span>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))
    | {_ENVIRONMENT}
    | {_BRACKETS}
    | \$\$(?P<dollars>.+?)\$\$
    | (?<![\w$])\$(?![\s$])(?P<dollar>(?:[^$\\\n`]|\\.)+?)(?<!\s)\$(?![\d$])
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_CONTENT = ("environment", "display", "inline", "dollars", "dollar", "fenced", "ticked")


@dataclass(frozen=True)
class Region:
    """A stretch of mathematics; `is_display` where it stands on lines of its own."""

    span: Span
    is_display: bool


def regions(text: str, is_markdown: bool) -> Iterator[Region]:
    """The stretches of mathematics in order; code, comments and a preamble are passed over."""
    start, end = (0, len(text)) if is_markdown else _body(text)
    for match in (_MARKDOWN if is_markdown else _LATEX).finditer(text, start, end):
        group = next((name for name in _CONTENT if _has(match, name)), None)
        if group:
            yield Region(match.span(group), group not in ("inline", "dollar", "ticked"))


def _has(match: re.Match[str], name: str) -> bool:
    return match.groupdict().get(name) is not None


def _body(text: str) -> Span:
    """What stands between \\begin{document} and \\end{document}, or all of it."""
    begin = text.find(r"\begin{document}")
    end = text.find(r"\end{document}", begin + 1)
    start = begin + len(r"\begin{document}") if begin >= 0 else 0
    return start, end if end >= 0 else len(text)
