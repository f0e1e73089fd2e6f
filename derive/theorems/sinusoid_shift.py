"""Sinusoidal positions: a step of k positions is one rotation, the same everywhere.

PE_{p+k} = PE_p R_k                                               Vaswani et al. 2017, sect. 3.5
"""

from __future__ import annotations

from derive.exact import Matrix, Scalar, cos, matrix, number, sin, symbol
from derive.exact.addition import added
from derive.exact.angles import angle
from derive.exact.trace import Function, Grid, Row, Value
from derive.numerals import Format
from derive.ops import Sinusoid
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import applied, fraction, letter, of
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

P, STEP, OMEGA = symbol("p"), symbol("k"), symbol("omega")
BY_ADDITION = (Setting(reduced=added),)


def theorem() -> Theorem:
    """PE_{p+k} = PE_p R_k for every p and k, pair by pair."""
    return Theorem(
        "sinusoid-shift",
        statement=(*said("statement"), _row_claim()),
        assumptions=said("assumptions"),
        proof=(*said("addition"), *_addition(), *said("pair", "whole"), *_whole()),
        example=_example(),
        breaks=(*said("alone"), *_alone(), note("learned")),
        letters={"R_k": letter("R_k"), "e_p": Row("E", "p"), "k w": Value(STEP * OMEGA)},
    )  # fmt: skip


def _pair(a: Scalar) -> Matrix:
    return matrix([[sin(a), cos(a)]])


def _turn(a: Scalar) -> Matrix:
    return matrix([[cos(a), -sin(a)], [sin(a), cos(a)]])


def _row_claim() -> Claim:
    here, step = P * OMEGA, STEP * OMEGA
    product = Grid(_pair(here).rows) @ Grid(_turn(step).rows)
    return claim(Grid(_pair(here + step).rows), product, settings=BY_ADDITION)


def _addition() -> tuple[Claim, ...]:
    a, b = P * OMEGA, STEP * OMEGA
    sine = Value(sin(a) * cos(b) + cos(a) * sin(b))
    cosine = Value(cos(a) * cos(b) - sin(a) * sin(b))
    return (
        claim(Value(sin(a + b)), sine, settings=BY_ADDITION),
        claim(Value(cos(a + b)), cosine, settings=BY_ADDITION),
    )


def _blocks(step: Scalar | int, d: int, base: int) -> Matrix:
    """R_k: a rotation for each pair, zeros elsewhere."""
    rows = [[number(0)] * d for _ in range(d)]
    for i in range(d // 2):
        turn = _turn(angle(step, i, base, d))
        for a in range(2):
            for b in range(2):
                rows[2 * i + a][2 * i + b] = turn[a, b]
    return matrix(rows)


def _whole() -> tuple[Claim, ...]:
    """Four columns, base 10000: the rows that the operation itself makes, at the letter p."""
    here, there = (applied(Sinusoid(1, 4, start=p)) for p in (P, P + STEP))  # type: ignore[arg-type]
    blocks = _blocks(STEP, 4, 10000)
    values, places = {"E": here.below(there), "R_k": blocks}, {"p": 1, "p+k": 2}
    settings = (Setting(values, places=places, reduced=added),)
    return (
        claim(of("R_k"), blocks, settings=settings),
        claim(Row("E", "p"), here, settings=settings),
        claim(Row("E", "p+k"), Row("E", "p") @ of("R_k"), settings=settings),
    )


def _example() -> tuple[Item, ...]:
    """From position 2 to position 3, in two columns."""
    here, there, turn = _pair(number(2)), _pair(number(3)), _turn(number(1))
    shown = Grid((tuple(digits(x, Format(places=3)) for x in there),))
    product = Grid(here.rows) @ Grid(turn.rows)
    return (
        *said("example"),
        claim(Grid(there.rows), product, ("~", shown), settings=BY_ADDITION),
        *said("again"),
        claim(
            Grid(_pair(number(7)).rows), Grid(_pair(number(6)).rows) @ Grid(turn.rows),
            settings=BY_ADDITION,
        ),
    )  # fmt: skip


def _alone() -> tuple[Claim, ...]:
    """At p = 0 a lone sine is 0, and no multiple of 0 is sin 1."""
    sine = Function("sin", fraction(0)) * letter("r")
    return claim(sine, fraction(0)), claim(Function("sin", fraction(1)), (">", fraction(0)))
