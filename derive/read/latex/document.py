"""Every formula of a document: what is understood, where it stands, and why the rest is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from derive.errors import InputError, Place
from derive.read.latex.alphabet import RELATIONS, SLASH, TIMES
from derive.read.latex.chain import Chain
from derive.read.latex.declare import Shapes, declared, shown
from derive.read.latex.displays import formulas
from derive.read.latex.macros import expanded
from derive.read.latex.reading import value
from derive.read.latex.regions import regions
from derive.read.latex.source import Source
from derive.read.latex.tokens import Token, sign_of, tokenize

MAX_FORMULAS = 5_000
_SIGNS = TIMES | SLASH | RELATIONS.keys() | {"+", "-", ",", ".", ";", ":"}
_LETTERS = frozenset(("H", "Q", "K", "V", "S", "A", "O"))


@dataclass(frozen=True)
class Formula:
    """A formula of a document: its text, its place, and its reading or the error."""

    text: str
    place: Place
    reading: Any = None
    error: InputError | None = None


@dataclass(frozen=True)
class Part:
    """The tokens of one formula, or the error that kept it from having any."""

    span: tuple[int, int]
    tokens: Sequence[Token] = ()
    error: InputError | None = None


def read_formulas(
    text: str,
    source: str = "",
    *,
    markdown: bool = False,
    matrices: Iterable[str] | Mapping[str, Any] = (),
) -> tuple[Formula, ...]:
    """The formulas of a LaTeX or Markdown document, in order.

    Names that the document sets equal to a matrix written out are matrices everywhere in it. Its
    own macros of up to two arguments are written out first. A document from a stranger is read by
    `derive.read.latex.worker.apart(read_formulas, ...)`, with limits of time and memory.
    """
    whole = expanded(Source(text, source))
    found = list(parts(whole, markdown))
    shapes = _shapes(found, whole) | declared(matrices)
    return tuple(_formula(part, whole, shapes) for part in found)


def parts(source: Source, markdown: bool) -> Iterator[Part]:
    """The formulas of a document as tokens; InputError where there are too many."""
    count = 0
    for region in regions(source.text, markdown):
        for part in _region(source, region.span):
            count += 1
            if count > MAX_FORMULAS:
                hint = "split the document"
                raise source.error("the document has too many formulas", part.span, hint)
            yield part


def _region(source: Source, span: tuple[int, int]) -> Iterator[Part]:
    try:
        tokens = tokenize(source, *span)
    except InputError as error:
        yield Part(span, error=error)
        return
    for formula in formulas(tokens):
        if any(_says(token) for token in formula):
            yield Part((formula[0].start, formula[-2].end), formula)


def _says(token: Token) -> bool:
    """Whether a token can be part of a value: a sign alone in a sentence is no formula."""
    return token.kind not in ("stop", "wide") and sign_of(token) not in _SIGNS


def _shapes(found: Iterable[Part], source: Source) -> Shapes:
    """The matrices a document writes out, with their shapes."""
    shapes: Shapes = {}
    for part in found:
        if not part.tokens or not shown(part.tokens):
            continue
        try:
            reading = value(part.tokens, source, {})
        except InputError:
            continue
        for name, shape in _matrices(reading):
            shapes.setdefault(name, shape)
    if len(_LETTERS & shapes.keys()) > 1:
        shapes.setdefault("M", shapes.get("S"))  # the mask is added to the scores
    return shapes


def _matrices(reading: Any) -> Iterator[tuple[str, Any]]:
    import sympy

    if not isinstance(reading, Chain):
        return
    for member in reading.members:
        if isinstance(member, sympy.MatrixSymbol):
            yield member.name, member.shape
        elif isinstance(member, sympy.Transpose) and isinstance(member.arg, sympy.MatrixSymbol):
            yield member.arg.name, member.arg.shape


def _formula(part: Part, source: Source, shapes: Shapes) -> Formula:
    text, place = source.written(part.span), source.place(part.span)
    if part.error:
        return Formula(text, place, error=part.error)
    try:
        return Formula(text, place, value(part.tokens, source, shapes))
    except InputError as error:
        return Formula(text, place, error=error)
