"""Softmax ignores a number that is added to a whole row of scores."""

from __future__ import annotations

from derive.exact import Matrix, number
from derive.exact.trace import Exponential, Grid, Indexed, Power
from derive.numerals import Format
from derive.ops import Softmax
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import (
    A,
    S,
    applied,
    column,
    fraction,
    free,
    of,
    row_of,
    softmax,
    total,
    weights,
)
from derive.theorems.theorem import Theorem, note, said
from derive.theorems.value import Setting

ONES = Matrix([[number(1)]] * 3)
LETTERS = {**weights(free("S", 2, 3)), "c": column("c", 2), "1": ONES}
FREE = (Setting(LETTERS, {"n": 2, "m": 3}),)
SMALL, LARGE = row_of(1, 0, 1), row_of(1001, 1000, 1001)


def theorem() -> Theorem:
    """softmax(S + c 1^T) = softmax(S), also for the row maximum."""
    shifted = softmax(of("S") + of("c") @ of("1").T)
    doubled, moved = row_of(2, 0, 2), row_of(1, 1, 1)
    return Theorem(
        "shift",
        statement=(*said("statement"), claim(shifted, softmax(of("S")), settings=FREE)),
        assumptions=said("assumptions"),
        proof=(*said("power"), _proof(), *said("cancels")),
        example=(*said("example"), *_large(), *said("overflow"), _overflow(), *said("safe")),
        breaks=(
            *said("scaled"),
            claim(softmax(doubled), ("!=", softmax(SMALL))),
            *said("column"),
            claim(softmax(moved), ("!=", softmax(SMALL))),
            note("double"),
        ),
    )


def _proof() -> Claim:
    c = Indexed("c")["i"]
    score, factor = Exponential(S["i", "j"]), Exponential(c)
    whole = total(Exponential(S["i", "k"]), "k", "m")
    moved = Exponential(S["i", "j"] + c) / total(Exponential(S["i", "k"] + c), "k", "m")
    apart = (factor * score) / (factor * whole)
    return claim(moved, apart, score / whole, A["i", "j"], over="i:n j:m", settings=FREE)


def _large() -> tuple[Claim, ...]:
    exact = applied(Softmax(), SMALL)
    rounded = Grid((tuple(digits(x, Format(places=3)) for x in exact),))
    return (claim(softmax(LARGE), softmax(SMALL), exact, ("~", rounded)),)


def _overflow() -> Claim:
    return claim(Exponential(fraction(1001)), (">", Power(fraction(2), 1024)))
