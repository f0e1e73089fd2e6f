"""Enclosures: exact values as balls of real numbers (Arb, through python-flint).

FLINT keeps one global working precision.  It is set and restored here and nowhere else, under a
lock, so that no other code meets a precision it did not choose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import RLock
from typing import Any

from flint import arb, ctx

from derive.exact.infinity import NegativeInfinity
from derive.exact.lowest import shifted
from derive.exact.monomial import ONE, Call, Constant, Letter, Monomial, Whole, monomial, negated
from derive.exact.scalar import Scalar
from derive.exact.terms import UNIT, Terms

_precision = RLock()
_BETWEEN = arb(0.5, 0.5)  # the unit interval

CONSTANTS: Mapping[str, Callable[[], arb]] = {"pi": arb.pi}
FUNCTIONS: Mapping[str, Callable[[arb], arb]] = {
    "sqrt": arb.sqrt,
    "exp": arb.exp,
    "log": arb.log,
    "sin": arb.sin,
    "cos": arb.cos,
    "tan": arb.tan,
    "tanh": arb.tanh,
    "erf": arb.erf,
    "relu": lambda x: x.nonnegative_part() if x.is_finite() else x,
    "step": lambda x: arb(1) if x > 0 else arb(0) if x <= 0 else _BETWEEN,
}


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """FLINT works with so many bits inside the block."""
    with _precision:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before


class Balls:
    """Encloses Scalars at the precision in force, remembering every monomial and denominator.

    A free symbol has no enclosure: TypeError.
    """

    def __init__(self) -> None:
        """To be used inside one `precision` block."""
        self._monomials: dict[Monomial, arb] = {ONE: arb(1)}
        self._atoms: dict[Any, arb] = {}
        self._sums: dict[int, tuple[Terms, arb]] = {}

    def enclose(self, x: Scalar | NegativeInfinity) -> arb:
        """A ball that contains x; not finite where the precision is too low to say more."""
        if isinstance(x, NegativeInfinity):
            return arb.neg_inf()
        top = self._sum(x.num)
        den = self._sums.get(id(x.den))
        if den is None:
            if x.is_polynomial:
                return top if x.den is UNIT else top / x.den[ONE]
            den = self._sums[id(x.den)] = x.den, self._sum(x.den)
        ball = top / den[1]
        return ball if ball.is_finite() else self._balanced(x)

    def _balanced(self, x: Scalar) -> arb:
        """A quotient divided above and below by its largest power of e, so that none overflows."""
        powers = [m for m in x.den if m.exponent]
        if not powers:
            return arb.nan()
        largest = max(powers, key=lambda m: self._exponent(m).mid())
        shift = monomial(exponent=negated(largest.exponent))
        return self._sum(shifted(x.num, shift)) / self._sum(shifted(x.den, shift))

    def _exponent(self, m: Monomial) -> arb:
        exponent = arb()
        for inner, p, q in m.exponent:
            exponent += self._sum({inner: p}) / q
        return exponent

    def _sum(self, terms: Terms) -> arb:
        known = self._monomials
        total = arb()
        for m, c in terms.items():
            ball = known.get(m)
            if ball is None:
                ball = known[m] = self._monomial(m)
            total += ball if c == 1 else ball * c
        return total

    def _monomial(self, m: Monomial) -> arb:
        ball = arb(m.root).sqrt() if m.root > 1 else arb(1)
        for atom, power in m.powers:
            ball *= integer_power(self._atom(atom), power)
        if m.exponent:
            ball *= self._exponent(m).exp()
        return ball

    def _atom(self, atom: Any) -> arb:
        if atom not in self._atoms:
            self._atoms[atom] = self._fresh(atom)
        return self._atoms[atom]

    def _fresh(self, atom: Any) -> arb:
        match atom:
            case Constant(name):
                return CONSTANTS[name]()
            case Call(function, argument):
                return FUNCTIONS[function](self.enclose(argument))
            case Letter(_, i, j, value, source):
                return self.enclose(value) if source is None else self._from(source, i, j, value)
            case Whole(value):
                return self.enclose(value)
        raise TypeError(f"{atom} has no numerical value")

    def _from(self, source: Any, i: int, j: int, value: Scalar) -> arb:
        try:
            ball: arb = source.enclosure(ctx.prec)[i - 1, j - 1]
        except TypeError:
            # Another entry there has a symbol, which this one has not.
            return self.enclose(value)
        return ball


def integer_power(ball: arb, power: int) -> arb:
    """The ball to an integer power; FLINT's own goes by logarithms, which 0 has not."""
    if power < 0:
        return 1 / integer_power(ball, -power)
    result, square = arb(1), ball
    while power:
        if power & 1:
            result *= square
        power >>= 1
        if power:
            square *= square
    return result


def endpoints(ball: arb) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Both ends as (mantissa, exponent of 2), exactly; None where the ball is not finite."""
    if not ball.is_finite():
        return None
    low, high = ball.lower(), ball.upper()
    return _dyadic(low), _dyadic(high)


def _dyadic(exact: arb) -> tuple[int, int]:
    mantissa, exponent = exact.man_exp()
    return int(mantissa), int(exponent)


LOOK_CLOSER = 512
"""At this precision a number that still touches 0 may be 0: then algebra is asked."""


def _resolved(x: Scalar) -> Scalar | None:
    from derive.exact.expand import resolved

    return resolved(x)


def sign(x: Scalar, most_bits: int = 4096) -> int | None:
    """-1 or 1 where balls prove it, 0 where algebra does, None where neither does."""
    if x.is_zero:
        return 0
    bits = 64
    while bits <= most_bits:
        if bits == LOOK_CLOSER and (known := _resolved(x)) is not None:
            p = known.num.get(ONE, 0)
            return (p > 0) - (p < 0)
        with precision(bits):
            ball = Balls().enclose(x)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
        bits *= 2
    return None
