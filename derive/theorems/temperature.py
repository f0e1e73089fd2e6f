"""The limits of the weights as the temperature falls to 0 and grows without bound."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from derive.exact import Matrix, Scalar, matrix, number, symbol
from derive.exact.trace import Exponential, Grid, Indexed
from derive.ops import Softmax
from derive.ops.mask import Mask, causal
from derive.theorems.claim import Claim, claim
from derive.theorems.letters import S, applied, column, free, head, letter, of, row_of, total
from derive.theorems.limits import toward_infinity, toward_zero
from derive.theorems.theorem import Item, Tabled, Theorem, note, said
from derive.theorems.value import Setting

TAU = symbol("tau")
LETTERS = {
    "S": free("S", 2, 3),
    "A": applied(Softmax(), free("S", 2, 3) / TAU),
    "c": column("c", 2),
}
FREE = (Setting(LETTERS, {"n": 2, "m": 3}),)
SHOWN = ((1, 0, 1), (1, 1, 2), (2, 1, 3), (5, 5, 5), (-1, 2, 2))


def theorem() -> Theorem:
    """To 0: uniform over the largest scores, ties shared; to infinity: uniform over the allowed."""
    return Theorem(
        "temperature",
        statement=said("statement"),
        assumptions=said("assumptions"),
        proof=(*said("shift"), _shifted(), *said("zero", "infinity")),
        example=(*said("example"), _table(), *_head()),
        breaks=(*said("ties"), note("never")),
        letters={
            "c_i": Indexed("c")["i"],
            "power": Exponential((S["i", "k"] - Indexed("c")["i"]) / letter("tau")),
        },
    )


def _shifted() -> Claim:
    """Every power divided by e^{c_i / tau}, where c_i will be the largest score of the row."""
    c, tau, over = Indexed("c")["i"], letter("tau"), partial(total, index="k", upper="m")
    plain = Exponential(S["i", "j"] / tau) / over(Exponential(S["i", "k"] / tau))
    moved = Exponential((S["i", "j"] - c) / tau) / over(Exponential((S["i", "k"] - c) / tau))
    return claim(Indexed("A")["i", "j"], plain, moved, over="i:n j:m", settings=FREE)


def _table() -> Tabled:
    rows, claims = [], []
    for scores in SHOWN:
        row = row_of(*scores)
        ends = [_limit(row, limit) for limit in (toward_zero, toward_infinity)]
        rows.append((Grid(row.rows), *(Grid(end.rows) for end in ends)))
        claims += [_tends(row / TAU, Grid(e.rows), k) for e, k in zip(ends, LIMITS, strict=True)]
    return Tabled(("scores", "to zero", "to infinity"), tuple(rows), tuple(claims))


LIMITS = (toward_zero, toward_infinity)


def _limit(scores: Matrix, limit: Callable[[str], Callable[[Scalar], Scalar]]) -> Matrix:
    """What the largest score's share is: 1 over the number of those that count, else 0."""
    top = max(x.fraction for x in scores) if limit is toward_zero else None
    counts = [top is None or x.fraction == top for x in scores]
    return matrix([[number(int(c), sum(counts)) for c in counts]])


def _tends(scores: Matrix, end: Grid, limit: Callable[[str], Callable[[Scalar], Scalar]]) -> Claim:
    weights = {"A": applied(Softmax(), scores)}
    return claim(of("A"), ("->", end), settings=(Setting(weights, limit=limit("tau")),))


def _head() -> tuple[Item, ...]:
    """The head of the examples, and the same under a causal mask."""
    scores = head().step("scaled").value / TAU
    masked = applied(Mask(causal(3, 3)), scores)
    half, third = number(1, 2), number(1, 3)
    full = matrix([[half, 0, half], [0, 0, 1], [0, 0, 1]])
    seen = matrix([[1, 0, 0], [half, half, 0], [0, 0, 1]])
    flat = matrix([[1, 0, 0], [half, half, 0], [third, third, third]])
    return (
        *said("head"),
        _tends(scores, Grid(full.rows), toward_zero),
        *said("masked zero"),
        _tends(masked, Grid(seen.rows), toward_zero),
        *said("masked infinity"),
        _tends(masked, Grid(flat.rows), toward_infinity),
    )
