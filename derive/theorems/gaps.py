"""Ratios of weights are powers of e of the gaps; differences of weights are always smaller."""

from __future__ import annotations

from derive.exact import Matrix, Scalar, number
from derive.exact.trace import Exponential, Grid, Indexed, Term, Value
from derive.numerals import Format
from derive.ops import Softmax
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import A, S, applied, fraction, free, letter, row_of, softmax, weights
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

FREE = (Setting(weights(free("S", 2, 3)), {"n": 2, "m": 3}),)


def theorem() -> Theorem:
    """A_ij / A_ik = e^(S_ij - S_ik), and |A_ij - A_ik| < |S_ij - S_ik| / 2 unless both are 0."""
    return Theorem(
        "gaps",
        statement=(*said("statement"), _ratio(), *said("smaller")),
        assumptions=said("assumptions"),
        proof=(
            *said("quotient"),
            _difference(),
            *said("series"),
            _coefficient(),
            *said("positive"),
        ),
        example=(*said("example"), *_shrinks(row_of(1, 0)), *said("far"), *_shrinks(row_of(3, 0))),
        breaks=(*said("plain"), *_plain(), note("scale"), *_unscaled()),
        letters={"gap": S["i", "j"] - S["i", "k"], "S_ij": S["i", "j"], "e^g": _e(letter("g"))},
    )


def _e(x: Term) -> Exponential:
    return Exponential(x)


def _ratio() -> Claim:
    gap = S["i", "j"] - S["i", "k"]
    return claim(A["i", "j"] / A["i", "k"], _e(gap), over="i:n j:m k:m", settings=FREE)


def _difference() -> Claim:
    """A_ij - A_ik = (A_ij + A_ik) (e^g - 1) / (e^g + 1)."""
    power = _e(S["i", "j"] - S["i", "k"])
    share = (power - fraction(1)) / (power + fraction(1))
    both = A["i", "j"] + A["i", "k"]
    left = A["i", "j"] - A["i", "k"]
    return claim(left, both * share, over="i:n j:m k:m", settings=FREE)


def _coefficient() -> Claim:
    """Of g^n/n! in g (e^g + 1) / 2 - (e^g - 1), for n > 1: g e^g holds n of it."""
    n = letter("n")
    return claim(n / fraction(2) - fraction(1), (n - fraction(2)) / fraction(2))


def _shrinks(scores: Matrix) -> tuple[Claim, ...]:
    exact = applied(Softmax(), scores)
    gap, found = scores[0, 0] - scores[0, 1], exact[0, 0] - exact[0, 1]
    rounded = Grid((tuple(digits(x, Format(places=3)) for x in exact),))
    half = ("<", Value(gap / 2))
    return (
        claim(softmax(scores), exact, ("~", rounded)),
        _ratio_of(exact, gap),
        claim(
            Indexed("A")[1, 1] - Indexed("A")[1, 2],
            Value(found),
            ("~", digits(found, Format(places=3))),
            half,
            settings=(Setting({"A": exact}),),
        ),
    )


def _ratio_of(weights: Matrix, gap: Scalar) -> Claim:
    quotient = Indexed("A")[1, 1] / Indexed("A")[1, 2]
    power = gap.exp()
    rounded = ("~", digits(power, Format(places=3)))
    return claim(quotient, Value(power), rounded, settings=(Setting({"A": weights}),))


def _plain() -> tuple[Item, ...]:
    """Scores 1/10 and 1/20, in the ratio 2, have weights in the ratio e^(1/20)."""
    ratio: Scalar = number(1, 20).exp()
    return (claim(Value(ratio), ("~", digits(ratio, Format(places=3))), ("<", fraction(2))),)


def _unscaled() -> tuple[Claim, ...]:
    """The ratio at a gap of 1 and of 10."""
    return tuple(
        claim(Value(x), ("~", digits(x, Format(places=1))))
        for x in (number(1).exp(), number(10).exp())
    )
