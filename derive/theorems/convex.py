"""Each output row is a convex combination of the value rows."""

from __future__ import annotations

from derive.exact import Matrix, Scalar
from derive.exact.trace import Grid, Indexed, Value
from derive.numerals import Format
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import (
    A,
    O,
    V,
    column,
    fraction,
    free,
    head,
    of,
    total,
    weights,
)
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

LETTERS = weights(free("S", 2, 3))
VALUES = free("V", 3, 2)
MIXED = {**LETTERS, "V": VALUES, "O": LETTERS["A"] @ VALUES, "M": column("M", 2).T}
FREE = (Setting(MIXED, {"n": 2, "m": 3, "d_v": 2}),)
M = Indexed("M")


def theorem() -> Theorem:
    """O_i = sum_j A_ij V_j with weights that are not negative and sum to 1."""
    return Theorem(
        "convex",
        statement=(*said("statement"), _mixture(), *said("between")),
        assumptions=said("assumptions"),
        proof=(*said("above"), _above(), *said("sign", "below", "constant"), _constant()),
        example=(*said("example"), *_between()),
        breaks=(*said("residual"), *_outside(), note("cancel"), *_negative()),
        letters={"M_c": M["c"], "O_ic": O["i", "c"], "V_jc": V["j", "c"]},
    )


def _mixture() -> Claim:
    return claim(
        O["i", "c"], total(A["i", "j"] * V["j", "c"], "j", "m"), over="i:n c:d_v", settings=FREE
    )


def _above() -> Claim:
    """M_c - O_ic = sum_j A_ij (M_c - V_jc), because the weights sum to 1."""
    each = total(A["i", "j"] * (M["c"] - V["j", "c"]), "j", "m")
    spread = M["c"] * total(A["i", "j"], "j", "m") - O["i", "c"]
    return claim(M["c"] - O["i", "c"], spread, each, over="i:n c:d_v", settings=FREE)


def _constant() -> Claim:
    same = total(A["i", "j"] * M["c"], "j", "m")
    apart = M["c"] * total(A["i", "j"], "j", "m")
    return claim(same, apart, M["c"], over="i:n c:d_v", settings=FREE)


def _between() -> tuple[Claim, ...]:
    """The values, and the smallest <= each output <= the largest, column by column."""
    d = head()
    values, outputs = d.step("V").value, d.step("O").value
    settings = (Setting({"O": outputs, "V": values}, {"n": 3}),)
    rounded = [[digits(x, Format(places=3)) for x in row] for row in outputs.rows]
    return (
        claim(of("V"), values, settings=settings),
        claim(of("O"), ("~", Grid(tuple(map(tuple, rounded)))), settings=settings),
        *(_bounds(values, c, settings) for c in (1, 2)),
    )


def _bounds(values: Matrix, c: int, settings: tuple[Setting, ...]) -> Claim:
    one = [row[c - 1] for row in values.rows]
    low, high = min(one, key=_whole), max(one, key=_whole)
    return claim(Value(low), ("<=", O["i", c]), ("<=", Value(high)), over="i:n", settings=settings)


def _whole(x: Scalar) -> int:
    return x.fraction[0]


def _outside() -> tuple[Claim, ...]:
    """H_31 + O_31 is larger than every V_j1."""
    d = head()
    found = d.step("H").value[2, 0] + d.step("O").value[2, 0]
    setting = Setting({name: d.step(name).value for name in "HO"})
    rounded = digits(found, Format(places=3))
    both = Indexed("H")[3, 1] + O[3, 1]
    return (claim(both, ("~", rounded), (">", fraction(2)), settings=(setting,)),)


def _negative() -> tuple[Item, ...]:
    """Weights 2 and -1 sum to 1, and leave the hull."""
    mixed = fraction(2) * fraction(1) - fraction(1) * fraction(0)
    return (claim(mixed, fraction(2), (">", fraction(1)), is_dotted=True),)
