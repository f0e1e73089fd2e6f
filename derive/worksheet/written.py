"""Blanks that are answered in words, letters or shapes, and what is right there."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from derive.exact.ink import PLAIN, UNICODE
from derive.exact.names import label
from derive.exact.trace import Name
from derive.exact.write import Writer
from derive.worksheet.blanks import printed
from derive.worksheet.called import names_for
from derive.worksheet.planted import planted
from derive.worksheet.search import Variant
from derive.worksheet.shaping import CELLS, Line, matching_of, shapes_of

FORMULAS = "abcdefgh"
_SIGNS = str.maketrans({"×": "x", "*": "x", "，": ",", "（": "(", "）": ")", "·": "", "_": ""})
_MARK = re.compile(r"[(\[]?([a-z]|\d{1,2})[)\].]{0,2}")
"""A letter or a number in brackets, or with a bracket or a full stop behind it."""
_BY = re.compile(r"(?<=[\w)])(?:\s+by\s+|\s*乘以?\s*)(?=[\w(])", re.IGNORECASE)
_SHAPE = re.compile(r"[(\[]?(.+?)[,x](.+?)[)\]]?")


BY_HEAD = ("{0}{1}", "{0}({1})", "{0} of head {1}", "head {1} {0}", "{0} head {1}", "头{1}的{0}")


@dataclass(frozen=True)
class Written:
    """A blank: what is right there, the first as the key has it.

    is_open: whether another answer may be right as well, so that a person has to look at it.
    """

    id: str
    accepts: tuple[str, ...]
    points: int = 1
    is_open: bool = False


def written(variant: Variant) -> tuple[Written, ...]:
    """The blanks of a sheet that are not numbers with a tolerance, in their order."""
    return tuple(KINDS[variant.plan.kind](variant)) if variant.plan.kind in KINDS else ()


def _shapes(variant: Variant) -> Iterator[Written]:
    for line in shapes_of(variant).lines:
        for cell in CELLS:
            if cell in line.hidden:
                yield Written(f"{line.name}.{cell}", _accepted(line, cell), 1, cell == "formula")


def _accepted(line: Line, cell: str) -> tuple[str, ...]:
    letters, numbers = (" x ".join(map(str, side)) for side in (line.letters, line.numbers))
    plain, unicode = (Writer(ink) for ink in (PLAIN, UNICODE))
    found = {
        "letters": (letters,),
        "numbers": (numbers,),
        "name": (line.name, unicode.text(Name(line.name))),
        "formula": (unicode.text(line.step.notation), plain.text(line.step.notation)),
    }
    return tuple(dict.fromkeys(found[cell]))


def spellings(line: Line, cell: str) -> tuple[str, ...]:
    """The ways to type a shape in letters or in numbers: n x d_k, n×dk, (n, d_k) ..."""
    sides = [str(side) for side in getattr(line, cell)]
    ways = [sides, [side.replace("_", "") for side in sides]]
    found = (
        text
        for rows, columns in ways
        for sign in "x×*"
        for text in (f"{rows} {sign} {columns}", f"{rows}{sign}{columns}")
    )
    tuples = (f"({a}{comma}{b})" for a, b in ways for comma in (", ", ","))
    return tuple(dict.fromkeys((*found, *tuples)))


def _match(variant: Variant) -> Iterator[Written]:
    matching = matching_of(variant)[1]
    for line in matching.lines:
        formula, shape = matching.answer(line)
        yield Written(f"{line.name}.formula", (FORMULAS[formula],))
        yield Written(f"{line.name}.shape", (str(shape + 1),))


def _mistake(variant: Variant) -> Iterator[Written]:
    slip = planted(variant).slip
    names = [slip.letter, *(s.name for s in slip.steps), *_by_head(slip.letter)]
    names += [Writer(UNICODE).text(Name(name)) for name in names]
    names += [called for name in tuple(names) for called in names_for(name)]
    names += [name.replace("\u0303", "~") for name in names if "\u0303" in name]
    every = [step.name for step in printed(variant.candidate.derivation, variant.candidate.asked)]
    numbers = [every.index(name) + 1 for name in dict.fromkeys(names) if name in every]
    names += [text.format(k) for k in numbers for text in ("step {}", "{}", "第{}步", "步骤{}")]
    is_one_of_heads = bool(label(slip.letter).head)
    yield Written("step", tuple(dict.fromkeys(names)), 1, is_one_of_heads)
    yield Written("mistake", (slip.name,), 1, True)


def _by_head(letter: str) -> Iterator[str]:
    """How people write the step of a head: Q1, Q(1), Q of head 1."""
    base, head = label(letter).base, label(letter).head
    if head:
        yield from (way.format(base, head) for way in BY_HEAD)


def _explain(variant: Variant) -> Iterator[Written]:
    for one in variant.candidate.asked:
        yield Written(f"{one.step.name}.operation", (type(one.step.op).__name__,), 1, True)
        yield Written(f"{one.step.name}.why", ("",), 1, True)


def _stays(_variant: Variant) -> Iterator[Written]:
    """Which steps and entries have stayed, and why, is for a person to mark."""
    yield Written("stays", ("",), 1, True)


KINDS: Mapping[str, Callable[[Variant], Iterator[Written]]] = {
    "shapes": _shapes,
    "match": _match,
    "find-mistake": _mistake,
    "explain": _explain,
    "what-if": _stays,
}
"""The kinds that have such blanks."""


def plain(text: str) -> str:
    """An answer without spaces, signs and cases that make no difference.

    >>> plain("(3, 2)") == plain("3 × 2") == plain("3x2")
    True
    """
    said = _BY.sub("x", unicodedata.normalize("NFC", text))
    found = re.sub(r"\s", "", said.translate(_SIGNS)).casefold()
    if (mark := _MARK.fullmatch(found)) is not None:
        return mark[1]
    shape = _SHAPE.fullmatch(found)
    return f"{shape[1]}x{shape[2]}" if shape else found


def is_right(text: str, accepts: tuple[str, ...]) -> bool:
    """Whether an answer is one of those that are right."""
    return plain(text) in map(plain, accepts)
