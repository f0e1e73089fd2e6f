"""The addition theorems: sines and cosines of sums, written in those of the summands.

cos(a + b) = cos a cos b - sin a sin b,  sin(a + b) = sin a cos b + cos a sin b,
sin^2 a = 1 - cos^2 a
"""

from __future__ import annotations

from functools import reduce

from derive.exact.functions import call
from derive.exact.monomial import ONE, Call, Monomial, monomial
from derive.exact.scalar import ZERO, Scalar, number
from derive.exact.terms import Terms, integer

MOST_TURNS = 32
"""A multiple of an angle is written out up to so many times the angle."""
Turn = tuple[Scalar, Scalar]
"""(cos a, sin a)."""


def added(x: Scalar) -> Scalar:
    """x with every sine and cosine of a sum written out, and no power of a sine above the first.

    Equal values may still be written differently where angles are related otherwise, so that a
    difference which comes out as 0 is 0, and one which does not is undecided.

    >>> from derive.exact import cos, sin, symbol
    >>> p, k = symbol("p"), symbol("k")
    >>> added(sin(p + k) - sin(p) * cos(k) - cos(p) * sin(k))
    0
    """
    return _terms(x.num) / _terms(x.den)


def _terms(terms: Terms) -> Scalar:
    return sum((_term(m, c) for m, c in terms.items()), ZERO)


def _term(m: Monomial, c: int) -> Scalar:
    found = Scalar({monomial(m.root, (), m.exponent): c})
    for atom, power in m.powers:
        if isinstance(atom, Call) and atom.function in ("sin", "cos") and power > 0:
            cosine, sine = _turn(atom.argument)
            found *= (cosine if atom.function == "cos" else sine) ** power
        else:
            found *= Scalar({monomial(powers=((atom, power),)): 1})
    return _without_squares(found)


def _turn(angle: Scalar) -> Turn:
    """Cosine and sine of a sum, summand by summand."""
    if not angle.is_polynomial:
        return call("cos", angle), call("sin", angle)
    d = angle.den[ONE]
    turns = (_multiple(Scalar({m: c}) / Scalar(integer(d))) for m, c in angle.num.items())
    return reduce(_after, turns, (number(1), ZERO))


def _multiple(angle: Scalar) -> Turn:
    """Of k times an angle, by turning k times."""
    ((m, c),) = angle.num.items()
    once = Scalar({m: 1}) / Scalar(angle.den)
    if abs(c) > MOST_TURNS:
        return call("cos", angle), call("sin", angle)
    turn = call("cos", once), call("sin", once) * (1 if c > 0 else -1)
    return reduce(_after, [turn] * abs(c))


def _after(a: Turn, b: Turn) -> Turn:
    cosine = a[0] * b[0] - a[1] * b[1]
    sine = a[1] * b[0] + a[0] * b[1]
    return _without_squares(cosine), _without_squares(sine)


def _without_squares(x: Scalar) -> Scalar:
    """sin^2 a as 1 - cos^2 a, as often as it stands there."""
    found = ZERO
    for m, c in x.num.items():
        term = Scalar({monomial(m.root, (), m.exponent): c})
        for atom, power in m.powers:
            if isinstance(atom, Call) and atom.function == "sin" and power > 1:
                cosine = call("cos", atom.argument)
                term *= (1 - cosine * cosine) ** (power // 2)
                power %= 2
            term *= Scalar({monomial(powers=((atom, power),)): 1}) if power else number(1)
        found += term
    return found / Scalar(x.den)
