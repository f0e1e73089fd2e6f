"""Values and terms written in an ink.

`Writer` knows the ink and the names agreed for this derivation (t for a power of e, Z_1 for a
denominator); it never changes a value, it only spells it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import gcd
from typing import Any

from derive.exact.infinity import NegativeInfinity
from derive.exact.ink import ATOM, POWER, PRODUCT, SUM, Latex, Piece
from derive.exact.lowest import factors
from derive.exact.monomial import (
    IS_BELOW,
    ONE,
    Call,
    Constant,
    Letter,
    Monomial,
    Symbol,
    Whole,
)
from derive.exact.named import NO_NAMES, Names, primitive
from derive.exact.names import shown
from derive.exact.order import in_order, in_place
from derive.exact.scalar import Scalar, sum_of
from derive.exact.terms import Terms
from derive.exact.trace import Entry, Term

Values = Callable[[Entry], Any]


def write(x: Any, ink: Latex, names: Names = NO_NAMES) -> str:
    """A Scalar or a Term in an ink."""
    return Writer(ink, names).text(x)


class Writer:
    """Spells Scalars and Terms in one ink, remembering the spelling of each monomial."""

    def __init__(self, ink: Latex, names: Names = NO_NAMES, values: Values | None = None) -> None:
        """`values` gives the value to put in for an entry, or None to leave its letter."""
        self.ink = ink
        self.names = names
        self.values = values
        self._monomials: dict[Monomial, str] = {}
        self._inline: Writer | None = None
        self.entries: dict[Entry, Piece] = {}
        self._sums: dict[int, tuple[Terms, Piece, dict[Monomial, int]]] = {}
        self._equal: dict[frozenset[tuple[Monomial, int]], tuple[Piece, dict[Monomial, int]]] = {}

    @property
    def inline(self) -> Writer:
        """The writer of exponents."""
        if self._inline is None:
            self._inline = type(self)(self.ink.inline, self.names, self.values)
        return self._inline

    def text(self, x: Any) -> str:
        """The spelling."""
        return self.piece(x)[0]

    def piece(self, x: Any) -> Piece:
        """The spelling and how tightly it binds."""
        if isinstance(x, Scalar):
            return self._scalar(x)
        if isinstance(x, NegativeInfinity):
            return self.ink.minus + self.ink.infinity, SUM
        return self._term(x)

    def bracketed(self, piece: Piece, level: int) -> str:
        """The text, in brackets where it binds less than `level`."""
        return piece[0] if piece[1] >= level else self.ink.group(piece[0])

    # --- scalars

    def _scalar(self, x: Scalar) -> Piece:
        if not x.num:
            return "0", ATOM
        if x.is_polynomial:
            return self._polynomial(x.num, x.den[ONE])
        if all(c < 0 for c in x.num.values()):
            text, level = self._scalar(-x)
            return self.ink.minus + self.bracketed((text, level), PRODUCT), SUM
        if self.names.factors and primitive(x.den) in self.names.factors:
            return self._over_name(x)
        top, bottom = self._sum(x.num, x.den), self._denominator(x.den)
        return self.ink.fraction(top, bottom)

    def _over_name(self, x: Scalar) -> Piece:
        """Over an entry that is a multiple of the denominator, the numerator as much larger."""
        key = primitive(x.den)
        top = (Scalar(x.num) * self.names.factors[key]).num
        content = gcd(*x.den.values())
        common = gcd(content, *top.values())
        top = {m: c // common for m, c in top.items()}
        return self.ink.fraction(self._sum(top, x.den), self._named(key, content // common))

    def _polynomial(self, num: Terms, d: int) -> Piece:
        if len(num) == 1:
            ((m, c),) = num.items()
            text, level = self._fraction_term(m, abs(c), d)
            if c > 0:
                return text, level
            return self.ink.minus + self.bracketed((text, level), PRODUCT), SUM
        if d == 1:
            return self._sum(num), SUM
        if sum(c % d != 0 for c in num.values()) > 1:
            return self.ink.fraction((self._plain_sum(num), SUM), (str(d), ATOM))
        terms = [(c, self._fraction_term(m, abs(c), d)) for m, c in in_order(num)]
        return self._signed([(c, self.bracketed(p, PRODUCT)) for c, p in terms]), SUM

    def _fraction_term(self, m: Monomial, c: int, d: int) -> Piece:
        g = gcd(c, d)
        c, d = c // g, d // g
        below = [(atom, -power) for atom, power in in_place(m.powers) if power < 0]
        top = self._factors(c, m)
        if d == 1 and not below:
            return top
        names = [self._power(atom, power) for atom, power in below]
        bottom = [str(d)] * (d > 1) + names
        tight = len(bottom) == 1
        return self.ink.fraction(top, (self.ink.juxtaposed(bottom), ATOM if tight else PRODUCT))

    def _factors(self, c: int, m: Monomial) -> Piece:
        factors = self._positive_factors(m)
        if not factors:
            return str(c), ATOM
        if c != 1:
            factors.insert(0, str(c))
        level = POWER if len(factors) == 1 else PRODUCT
        return self.ink.juxtaposed(factors), level

    def _positive_factors(self, m: Monomial) -> list[str]:
        factors = [self.ink.root(str(m.root))] if m.root > 1 else []
        factors += [self._power(atom, power) for atom, power in in_place(m.powers) if power > 0]
        return factors + self._exponentials(m)

    def _exponentials(self, m: Monomial) -> list[str]:
        if m.exponent in self.names.entries:
            step, place = self.names.entries[m.exponent]
            return [self.ink.entry(step, tuple(map(str, place)))]
        named, rest = [], []
        for key, p, q in m.exponent:
            letter, p0, q0 = self.names.powers.get(key, ("", 0, 1))
            if p0 and (p * q0) % (q * p0) == 0:
                named.append(self._named_power(letter, p * q0 // (q * p0)))
            else:
                rest.append((key, p, q))
        if not rest:
            return named
        return [*named, self.ink.exponential(self.inline.text(sum_of(rest)))[0]]

    def _named_power(self, letter: str, k: int) -> str:
        return letter if k == 1 else self.ink.power(letter, self._integer(k))

    def _integer(self, k: int) -> str:
        return str(k) if k >= 0 else self.ink.minus + str(-k)

    def _power(self, atom: Any, power: int) -> str:
        piece = self._atom(atom)
        if power == 1:
            return self.bracketed(piece, PRODUCT)
        return self.ink.power(self.bracketed(piece, ATOM), str(power))

    def _atom(self, atom: Any) -> Piece:
        match atom:
            case Symbol(name):
                return lettered(self.ink.symbol(name))
            case Constant(name):
                return self.ink.constants[name], ATOM
            case Letter(step, row, column):
                return lettered(self.ink.entry(step, indices(step, row, column)))
            case Call(function, argument):
                return self.call(function, argument), ATOM
            case Whole(value):
                return self._scalar(value)
        raise TypeError(f"write: no rule for {type(atom).__name__}")

    def call(self, function: str, argument: Any) -> str:
        """A named function of a value or a term: a root, max(0, x), erf(x)."""
        text = self.text(argument)
        if function == "sqrt":
            return self.ink.root(text)
        inside = {"relu": f"0, {text}", "step": f"{text} > 0"}.get(function, text)
        return self.ink.function(function, inside)

    # --- sums

    def _sum(self, terms: Terms, like: Terms | None = None) -> Any:
        """The sum; with `like`, a numerator over that denominator, as a piece."""
        if like is None:
            return self._plain_sum(terms)
        if len(terms) == 1:
            ((m, c),) = terms.items()
            return self._spelled(m, c), ATOM if m is ONE else PRODUCT
        return self._plain_sum(terms, self._order(like)), SUM

    def _plain_sum(self, terms: Terms, order: Mapping[Monomial, int] | None = None) -> str:
        if order is not None and terms.keys() <= order.keys():
            items = sorted(terms.items(), key=lambda item: order[item[0]])
            if items[0][1] < 0:
                items = in_order(terms)
        else:
            items = in_order(terms)
        if self.names.entries:
            places = self.names.entries
            items = sorted(items, key=lambda item: places.get(item[0].exponent, ("", (0, 0)))[1])
        (m, c), *rest = items
        text = self._spelled(m, abs(c)) if c > 0 else self.ink.minus + self._spelled(m, -c)
        plus, minus = " + ", f" {self.ink.minus} "
        return text + "".join(
            [plus + self._spelled(m, c) if c > 0 else minus + self._spelled(m, -c) for m, c in rest]
        )

    def _spelled(self, m: Monomial, c: int) -> str:
        if m.traits & IS_BELOW and m.powers:
            return self._fraction_term(m, c, 1)[0]
        text = self._monomials.get(m)
        if text is None:
            text = self._monomials[m] = "" if m is ONE else self._fraction_term(m, 1, 1)[0]
        if c == 1:
            return text or "1"
        return self.ink.juxtaposed((str(c), text)) if text else str(c)

    def _signed(self, terms: Sequence[tuple[int, str]]) -> str:
        (c, first), *rest = terms
        parts = [first if c > 0 else self.ink.minus + first]
        for c, text in rest:
            parts.append(f" + {text}" if c > 0 else f" {self.ink.minus} {text}")
        return "".join(parts)

    def _denominator(self, den: Terms) -> Piece:
        return self._known(den)[1]

    def _order(self, den: Terms) -> Mapping[Monomial, int]:
        return self._known(den)[2]

    def _known(self, den: Terms) -> tuple[Terms, Piece, dict[Monomial, int]]:
        # Keyed by identity: the entries of a row share one denominator. The object is kept alive.
        if id(den) not in self._sums:
            self._sums[id(den)] = den, *self._equal_to(den)
        return self._sums[id(den)]

    def _equal_to(self, den: Terms) -> tuple[Piece, dict[Monomial, int]]:
        key = frozenset(den.items())
        if key not in self._equal:
            order = {m: i for i, (m, _) in enumerate(in_order(den))}
            self._equal[key] = self._named_or_spelled(den), order
        return self._equal[key]

    def _named_or_spelled(self, den: Terms) -> Piece:
        content, key = gcd(*den.values()), primitive(den)
        if key in self.names.denominators:
            return self._named(key, content)
        found = factors(den)
        return self._factored(*found) if found else (self._plain_sum(den), SUM)

    def _factored(
        self, content: int, common: Monomial, found: Sequence[tuple[Terms, int]]
    ) -> Piece:
        """2 a (2t + 1)^2."""
        texts = [str(content)] * (content != 1)
        texts += [self._spelled(common, 1)] * (common is not ONE)
        for part, power in found:
            piece = self._known(part)[1]
            if power == 1:
                texts.append(self.bracketed(piece, PRODUCT))
            else:
                texts.append(self.ink.power(self.bracketed(piece, ATOM), str(power)))
        return self.ink.juxtaposed(texts), PRODUCT if len(texts) > 1 else POWER

    def _named(self, key: frozenset[tuple[Monomial, int]], content: int) -> Piece:
        step, place = self.names.denominators[key]
        name = self.ink.entry(step, tuple(map(str, place)))
        if content == 1:
            return name, ATOM
        return self.ink.juxtaposed((str(content), name)), PRODUCT

    def _term(self, x: Term) -> Piece:
        from derive.exact.write_terms import SPELLINGS

        if type(x) not in SPELLINGS:
            raise TypeError(f"write: no rule for {type(x).__name__}")
        return SPELLINGS[type(x)](self, x)


def lettered(text: str) -> Piece:
    """W^{Q}_{12} has a superscript already, so that a power of it needs brackets."""
    return text, POWER if "^" in text else ATOM


def indices(step: str, row: int, column: int) -> tuple[str, ...]:
    """The indices an entry is written with."""
    return tuple(map(str, shown(step, row, column)))
