"""What a calculation by hand, and one in floating point, differ by from the exact value."""

from __future__ import annotations

from derive.certify import Certifier
from derive.errors import Unproved
from derive.exact import Scalar, exp, number
from derive.exact.trace import Digits, Exponential, Power, Quotient, Sum, Value
from derive.numerals import Format
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import fraction, letter
from derive.theorems.theorem import Item, Tabled, Theorem, note, said

ROOT = number(2).sqrt()
POWERS = (ROOT, ROOT / 2, 3 * ROOT / 2)
"""The exponents of the third row of the head of the examples."""
HAND = number(2121, 1000)
SHOWN = Format(places=3)


def theorem() -> Theorem:
    """e^(x + d) = e^x e^d: an exponent that is off by d makes the power off by the factor e^d."""
    x, d = letter("x"), letter("delta")
    return Theorem(
        "rounding",
        statement=(
            *said("statement"),
            claim(Exponential(x + d), Exponential(x) * Exponential(d)),
        ),
        assumptions=said("assumptions"),
        proof=(*said("hand"), *_hand(), *said("factor"), *_factor(), *said("so")),
        example=(*said("example"), _table(), *said("weights"), *_weights()),
        breaks=(*said("double"), *_double(), note("never")),
        letters={"x": x, "delta": d, "e^delta": Exponential(d)},
    )


def _hand() -> tuple[Claim, ...]:
    exact = POWERS[2]
    return (
        claim(Value(exact), ("~", Digits("2.121"))),
        claim(Exponential(Value(exact)), ("~", digits(exp(exact), SHOWN))),
        claim(Exponential(Digits("2.121")), ("~", digits(exp(HAND), SHOWN))),
    )


def _factor() -> tuple[Claim, ...]:
    """The difference of the exponents, and of the powers."""
    gap = POWERS[2] - HAND
    lost = exp(POWERS[2]) - exp(HAND)
    x, rounded, form = POWERS[2], Digits("2.121"), Format(places=6)
    powers = Value(exp(x)) - Exponential(rounded)
    return (
        claim(Value(x) - rounded, ("~", digits(gap, form))),
        claim(powers, ("~", digits(lost, form))),
    )


def _table() -> Tabled:
    """Exponents rounded to three places, and what becomes of the powers."""
    rows, claims = [], []
    for x in POWERS:
        rounded = digits(x, SHOWN)
        hand = number(*_ratio(rounded))
        ends = digits(exp(x), Format(places=6)), digits(exp(hand), Format(places=6))
        rows.append((Value(x), rounded, *ends))
        claims += [
            claim(Exponential(Value(x)), ("~", ends[0])),
            claim(Exponential(rounded), ("~", ends[1])),
        ]
    return Tabled(("exponent", "rounded", "exact", "by hand"), tuple(rows), tuple(claims))


def _ratio(numeral: Digits) -> tuple[int, int]:
    from fractions import Fraction

    return Fraction(numeral.text).as_integer_ratio()


def _weights() -> tuple[Claim, ...]:
    """The third weight of the third row: exact, and from powers rounded by hand."""
    powers = [exp(x) for x in POWERS]
    exact = powers[2] / sum(powers, number(0))
    hand = [digits(exp(number(*_ratio(digits(x, SHOWN)))), SHOWN) for x in POWERS]
    quotient = Quotient(hand[2], Sum(tuple(hand)))
    found = number(*_ratio(hand[2])) / sum((number(*_ratio(x)) for x in hand), number(0))
    return (
        claim(quotient, ("~", digits(found, Format(places=6)))),
        claim(Value(exact), ("~", digits(exact, Format(places=6)))),
    )


def _double() -> tuple[Item, ...]:
    """The double nearest to sqrt(2), a fraction over a power of 2."""
    p, q = _nearest(ROOT)
    near = Quotient(fraction(p), Power(fraction(2), q.bit_length() - 1))
    gap = ROOT - number(p, q)
    return (
        claim(near, ("!=", Value(ROOT))),
        claim(near, ("~", digits(number(p, q), Format(places=20)))),
        claim(Value(ROOT), ("~", digits(ROOT, Format(places=20)))),
        claim(Value(ROOT) - near, ("~", digits(gap, Format(digits=3)))),
    )


def _nearest(x: Scalar) -> tuple[int, int]:
    found = Certifier().double(x)
    if found is None:
        raise Unproved(f"the double nearest to {x!r} is not proved")
    return found.as_integer_ratio()
