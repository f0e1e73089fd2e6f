"""Displays: aligned lines, gathered lines and equations beside each other, as single formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from derive.read.latex.alphabet import RELATIONS
from derive.read.latex.source import Source
from derive.read.latex.tokens import Token, sign_of

ALIGNED = frozenset(
    "aligned align align* split alignedat eqnarray eqnarray* flalign flalign*".split()
)
GATHERED = frozenset(
    "gathered gather gather* equation equation* displaymath math multline multline*".split()
)
_OPENING = ("(", "[", "{", "\\{", "begin")
_CLOSING = (")", "]", "}", "\\}", "end")
_PUNCTUATION = (",", ".", ";")


def only(tokens: Sequence[Token], source: Source) -> list[Token]:
    """The one formula of a text; InputError where it has none or several."""
    if not _wrapper(tokens):
        return list(tokens)
    found = formulas(tokens)
    if len(found) == 1:
        return found[0]
    where = found[1][0] if found else tokens[0]
    hint = "give one formula at a time, or the whole text to read_formulas"
    raise source.error(f"{len(found)} formulas stand here", where.span, hint)


def formulas(tokens: Sequence[Token]) -> list[list[Token]]:
    """The formulas of a display, each closed by a stop, without the commas between them."""
    name = _wrapper(tokens)
    if name:
        inner = [t for t in tokens if t.kind != "wide"][1:-2]
        first, last = tokens.index(inner[0]) if inner else 1, len(tokens) - 2
        content = [*tokens[first:last], _stop(tokens[last])]
        if _wrapper(content):
            return formulas(content)
        if name in ALIGNED:
            return [f for line in _aligned(content) for f in _parted(line)]
        return [f for line in _split(content, "row") for f in _parted(line)]
    return _parted(list(tokens[:-1]))


def _wrapper(tokens: Sequence[Token]) -> str:
    """The environment round all tokens, if one is."""
    bare = [t for t in tokens if t.kind != "wide"]
    if len(bare) < 3 or bare[0].kind != "begin" or bare[0].text not in ALIGNED | GATHERED:
        return ""
    depth = 0
    for token in bare[:-2]:
        depth += (token.kind == "begin") - (token.kind == "end")
        if depth == 0:
            return ""
    closes = bare[-2].kind == "end" and bare[-2].text == bare[0].text
    return bare[0].text if closes else ""


def _aligned(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The equations of aligned lines; a line that opens with nothing goes on with the last."""
    going: list[Token] = []
    for row in _split(tokens, "row"):
        cells = list(_split([*row, _stop(tokens[-1])], "&"))
        for k in range(0, len(cells), 2):
            left, right = cells[k], cells[k + 1] if k + 1 < len(cells) else []
            if k == 0 and going and not _bare(left) and _goes_on(right):
                going = [*going, *_bare(right)]
                continue
            if going:
                yield going
            going = [*left, *right]
    if going:
        yield going


def _goes_on(right: Sequence[Token]) -> bool:
    bare = _bare(right)
    return bool(bare) and (sign_of(bare[0]) in RELATIONS or bare[0].kind in ("+", "-"))


def _bare(tokens: Sequence[Token]) -> list[Token]:
    return [t for t in tokens if t.kind != "wide"]


def _parted(line: Sequence[Token]) -> list[list[Token]]:
    """The formulas of a line that wide space parts, with the comma before it."""
    found: list[list[Token]] = []
    for part in _split([*line, _stop(line[-1])] if line else [], "wide"):
        part = list(part)
        while part and part[-1].kind in _PUNCTUATION:
            part.pop()
        if part:
            found.append([*part[:-1], _unpointed(part[-1]), _stop(part[-1])])
    return found


def _unpointed(token: Token) -> Token:
    """The last number of a sentence without the full stop behind it."""
    if token.kind != "number" or not token.text.endswith("."):
        return token
    return replace(token, text=token.text[:-1], end=token.end - 1)


def _split(tokens: Sequence[Token], kind: str) -> Iterator[list[Token]]:
    """The runs of tokens between those of a kind outside brackets; a stop ends the last."""
    depth, run = 0, list[Token]()
    for token in tokens:
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        if token.kind == "stop" or (token.kind == kind and depth == 0):
            if run or kind == "&":
                yield run
            run = []
        else:
            run.append(token)


def _stop(token: Token) -> Token:
    return Token("stop", "", token.end, token.end)
