"""One wide matrix cut by columns is the heads' own matrices; cutting the input is not."""

from __future__ import annotations

from derive.exact import Matrix, matrix
from derive.exact.trace import Beside, Grid
from derive.theorems.claim import Claim, claim
from derive.theorems.letters import free, of
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

H, WIDE = free("H", 2, 4), free("W", 4, 4)
LETTERS = {
    "H": H,
    "W_Q": WIDE,
    **{f"W_Q^({h})": WIDE.columns(cut) for h, cut in ((1, (1, 2)), (2, (3, 4)))},
    **{f"Q^({h})": (H @ WIDE).columns(cut) for h, cut in ((1, (1, 2)), (2, (3, 4)))},
}
OUTPUT = free("W", 4, 3)
OUTPUTS = {
    **{f"O^({h})": free(name, 2, 2) for h, name in ((1, "x"), (2, "y"))},
    **{f"W_O^({h})": OUTPUT.pick(cut) for h, cut in ((1, (1, 2)), (2, (3, 4)))},
    "W_O": OUTPUT,
}
SIZES = {"n": 2, "d_model": 4, "h": 2}
WHOLE = (Setting(LETTERS, SIZES),)
JOINED = (Setting(OUTPUTS, SIZES),)
INPUT = matrix([[1, 0, 1, 0], [0, 1, 0, 1]])
WEIGHT = matrix([[1, 0, 2, 0], [0, 1, 0, 0], [3, 0, 1, 0], [0, 0, 0, 1]])


def theorem() -> Theorem:
    """Q^(h) = H W_Q^(h) are the columns of H W_Q, and W_O sums what the heads send."""
    return Theorem(
        "heads",
        statement=(*said("statement"), _columns()),
        assumptions=said("assumptions"),
        proof=(*said("entry"), *_each(), *said("joined"), _output(), *said("between")),
        example=_example(),
        breaks=(*said("sliced"), *_sliced(), note("blocks")),
    )


def _columns() -> Claim:
    h, parts = of("H"), tuple(of(f"W_Q^({k})") for k in (1, 2))
    return claim(of("H") @ Beside(parts), Beside(tuple(h @ part for part in parts)), settings=WHOLE)


def _each() -> tuple[Claim, ...]:
    """Of each head, the columns of the wide product."""
    return tuple(claim(of(f"Q^({k})"), of("H") @ of(f"W_Q^({k})"), settings=WHOLE) for k in (1, 2))


def _output() -> Claim:
    joined = Beside((of("O^(1)"), of("O^(2)"))) @ of("W_O")
    apart = of("O^(1)") @ of("W_O^(1)") + of("O^(2)") @ of("W_O^(2)")
    return claim(joined, apart, settings=JOINED)


def _example() -> tuple[Item, ...]:
    settings = (_numbers(WEIGHT),)
    wide = INPUT @ WEIGHT
    return (
        *said("example"),
        claim(of("H"), Grid(INPUT.rows), settings=settings),
        claim(of("W_Q"), Grid(WEIGHT.rows), settings=settings),
        *said("cut"),
        claim(of("H") @ of("W_Q"), Grid(wide.rows), settings=settings),
        claim(of("H") @ of("W_Q^(1)"), Grid(wide.columns((1, 2)).rows), settings=settings),
        claim(of("H") @ of("W_Q^(2)"), Grid(wide.columns((3, 4)).rows), settings=settings),
    )


def _numbers(weight: Matrix) -> Setting:
    parts = {f"W_Q^({h})": weight.columns(cut) for h, cut in ((1, (1, 2)), (2, (3, 4)))}
    inputs = {f"H^({h})": INPUT.columns(cut) for h, cut in ((1, (1, 2)), (2, (3, 4)))}
    blocks = {f"B^({h})": weight.pick(cut).columns(cut) for h, cut in ((1, (1, 2)), (2, (3, 4)))}
    return Setting({"H": INPUT, "W_Q": weight, **parts, **inputs, **blocks}, SIZES)


def _sliced() -> tuple[Item, ...]:
    """Head 1 sees columns 1 and 2 of H alone, through the block of W_Q that they meet."""
    settings = (_numbers(WEIGHT),)
    part, block = INPUT.columns((1, 2)), WEIGHT.pick((1, 2)).columns((1, 2))
    wide = (INPUT @ WEIGHT).columns((1, 2))
    product = Grid(part.rows) @ Grid(block.rows)
    return (claim(product, Grid((part @ block).rows), ("!=", Grid(wide.rows)), settings=settings),)
