"""An entry in full: its closed form in the inputs, every letter of a step written out.

What takes lines is written along the line, (a + b)/(c + d), so that it breaks like a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from derive.certify import Certifier, Format
from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import NegativeInfinity, Scalar
from derive.exact.extent import Extent
from derive.exact.monomial import (
    ONE,
    Atom,
    Call,
    Constant,
    Exponent,
    Letter,
    Monomial,
    Symbol,
    Whole,
    monomial,
)
from derive.exact.names import superscript
from derive.exact.order import in_order
from derive.exact.scalar import sum_of
from derive.exact.terms import Terms
from derive.exact.trace import Digits, Value
from derive.numerals import numeral
from derive.places import parse_place
from derive.render.blocks import Text
from derive.step import Step
from derive.views.entries import is_integer
from derive.words import phrase

MOST_TERMS = 6000
"""A longer formula is not written out."""
TERMS_A_PAGE = 300
FEW = 20
"""So few terms are no matter to speak of."""
SHORT = 4
"""A function of no more terms stands in one piece."""
Piece = str | Value
OPENINGS = {"sqrt": "√(", "relu": "max(0, ", "log": "ln("}


def checked(derivation: Derivation, place: str) -> Scalar | NegativeInfinity:
    """The entry of that name, to be written out in full.

    InputError where there is none, where it is given, and where it is too long.
    """
    name, _, _ = parse_place(place)
    step, x = derivation.step(name), derivation.exact(place)
    if step.op is None:
        raise InputError(f"{place} is given, so there is nothing to write out")
    terms = Extent().terms(x)
    if terms > MOST_TERMS:
        count, pages = plain_count(terms), plain_count(-(-terms // TERMS_A_PAGE))
        raise InputError(
            f"{place} written out in the inputs has {count} terms, about {pages} pages",
            expected=f"at most {MOST_TERMS:,} terms",
            hint=f"--steps {name} shows it in the letters of the steps before it",
        )
    return x


def in_full(derivation: Derivation, place: str, form: Format, lang: str) -> Iterator[Text]:
    """How many terms the entry has, and the entry with its decimals."""
    name, i, j = parse_place(place)
    x = checked(derivation, place)
    letter = derivation.step(name).entries[i - 1, j - 1]
    count = f"{Extent().terms(x):,}"
    yield Text((phrase("written out", lang), letter, phrase("has terms", lang, count)))
    pieces = _joined([letter, " = ", *Unrolled(derivation.names.entries).pieces(x)])
    digits = None if is_integer(x) else Certifier().certify(x, form).digits
    yield Text((*pieces, *((" ≈ ", Digits(digits)) if digits else ())), is_ragged=True)


def would_be(step: Step, extent: Extent, lang: str) -> Iterator[Text]:
    """Of a step in letters that stand for numbers: how many terms its last entry would have."""
    # Behind a causal mask the last row alone has seen every token.
    if step.is_deep and (terms := extent.terms(step.value.rows[-1][-1])) > FEW:
        count = f"{terms:,}" if terms < 10**5 else Digits(numeral(terms, 1, Format(digits=2)))
        yield Text(
            (
                phrase("written out", lang),
                step.entries.rows[-1][-1],
                phrase("would have", lang),
                count,
                phrase("terms", lang),
            )
        )


def plain_count(n: int) -> str:
    """The number with commas, or as 3.1e40 where it is long."""
    return f"{n:,}" if n < 10**9 else numeral(n, 1, Format(digits=2))


@dataclass(frozen=True)
class Unrolled:
    """Scalars as pieces of a line: texts, and mathematics short enough to stand in one piece.

    named: the exponents that the page writes by a letter, which are written out here.
    """

    named: Mapping[Exponent, Any]

    def pieces(self, x: Scalar | NegativeInfinity) -> Iterator[Piece]:
        """The whole of x."""
        if isinstance(x, NegativeInfinity) or not x.num:
            yield Value(x)
        elif x.is_polynomial:
            yield from self.sum(x.num, x.den[ONE])
        else:
            yield from self.over(x)

    def over(self, x: Scalar) -> Iterator[Piece]:
        """A numerator over a denominator of several terms."""
        if len(x.num) > 1:
            yield from ("(", *self.sum(x.num), ")")
        else:
            yield from self.sum(x.num)
        yield from ("/(", *self.sum(x.den), ")")

    def sum(self, terms: Terms, d: int = 1) -> Iterator[Piece]:
        """The terms, each over the integer d."""
        for k, (m, c) in enumerate(in_order(terms)):
            yield (" + " if c > 0 else " − ") if k else ("−" if c < 0 else "")
            yield from self.term(m, abs(c), d)

    def term(self, m: Monomial, c: int, d: int) -> Iterator[Piece]:
        """What is plain in one piece, then the other factors, and what is divided by."""
        plain = tuple((a, p) for a, p in m.powers if self.is_plain(a))
        others = [(a, p) for a, p in m.powers if not self.is_plain(a)]
        exponent = m.exponent if self.is_plain_exponent(m.exponent) else ()
        head = sum_of([(monomial(m.root, plain, exponent), c, d)])
        above = [tuple(self.power(a, p)) for a, p in others if p > 0]
        if m.exponent != exponent:
            above.append(tuple(self.exponential(m.exponent)))
        if head != 1 or not above:
            above.insert(0, (Value(head),))
        for k, factor in enumerate(above):
            yield from (("·", *factor) if k else factor)
        for a, p in others:
            if p < 0:
                yield from ("/", *self.power(a, -p))

    def is_plain(self, atom: Atom) -> bool:
        """Whether the atom is short and holds no letter of a step."""
        match atom:
            case Symbol() | Constant():
                return True
            case Call(_, value) | Whole(value):
                parts = (*value.num, *value.den)
                return len(parts) <= SHORT and all(map(self.is_plain_monomial, parts))
        return False

    def is_plain_monomial(self, m: Monomial) -> bool:
        """Whether all of it is."""
        return all(self.is_plain(a) for a, _ in m.powers) and self.is_plain_exponent(m.exponent)

    def is_plain_exponent(self, exponent: Exponent) -> bool:
        """Whether the power of e is short, and no letter of a step."""
        is_short = len(exponent) <= SHORT and exponent not in self.named
        return is_short and all(self.is_plain_monomial(inner) for inner, _, _ in exponent)

    def power(self, atom: Atom, p: int) -> Iterator[Piece]:
        """An atom that is written out, to a positive power."""
        match atom:
            case Letter(value=value) | Whole(value):
                yield from ("(", *self.pieces(value), ")")
            case Call(function, value):
                yield from (OPENINGS.get(function, f"{function}("), *self.pieces(value), ")")
        yield superscript(str(p)) if p > 1 else ""

    def exponential(self, exponent: Exponent) -> Iterator[Piece]:
        """e to a sum that is written out."""
        yield "exp("
        for k, (m, p, q) in enumerate(exponent):
            yield (" + " if p > 0 else " − ") if k else ("−" if p < 0 else "")
            yield from self.term(m, abs(p), q)
        yield ")"


def _joined(pieces: list[Any]) -> Iterator[Any]:
    """Texts beside each other as one."""
    text = ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            continue
        if text:
            yield text
        text = ""
        yield piece
    if text:
        yield text
