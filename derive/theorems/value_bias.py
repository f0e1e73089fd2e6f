"""A bias on the values passes through attention unchanged."""

from __future__ import annotations

from derive.exact import Matrix, matrix, number
from derive.exact.trace import Grid, Indexed
from derive.theorems.claim import Claim, claim
from derive.theorems.letters import A, O, V, fraction, free, head, of, row, total, weights
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

B = Indexed("b_V")
SCORES, VALUES, BIAS = free("S", 2, 3), free("V", 3, 2), row("b", 2)
MADE = weights(SCORES)
FREE = (
    Setting(
        {**MADE, "V": VALUES, "b_V": BIAS, "O": MADE["A"] @ VALUES},
        {"n": 2, "m": 3, "d_v": 2},
    ),
)
JOINED = (
    Setting(
        {"O": free("O", 3, 2), "b_V": BIAS, "W_O": free("W", 2, 2), "1": Matrix([[number(1)]] * 3)},
        {"n": 3},
    ),
)


def theorem() -> Theorem:
    """A (V + 1 b) = A V + 1 b, which W_O turns into the bias b W_O of the output."""
    return Theorem(
        "value-bias",
        statement=(*said("statement"), _passes()),
        assumptions=said("assumptions"),
        proof=(*said("sum"), _proof(), *said("output"), _output()),
        example=_example(),
        breaks=(*said("dropped"), *_dropped(), note("norm")),
        letters={"A_ij": A["i", "j"]},
        example_of=head(),
    )


def _passes() -> Claim:
    each = total(A["i", "j"] * (V["j", "c"] + B["c"]), "j", "m")
    return claim(each, O["i", "c"] + B["c"], over="i:n c:d_v", settings=FREE)


def _proof() -> Claim:
    each = total(A["i", "j"] * (V["j", "c"] + B["c"]), "j", "m")
    apart = total(A["i", "j"] * V["j", "c"], "j", "m") + B["c"] * total(A["i", "j"], "j", "m")
    return claim(each, apart, O["i", "c"] + B["c"], over="i:n c:d_v", settings=FREE)


def _output() -> Claim:
    one, b, w = of("1"), of("b_V"), of("W_O")
    return claim((of("O") + one @ b) @ w, of("O") @ w + one @ b @ w, settings=JOINED)


def _example() -> tuple[Item, ...]:
    """The head of the examples with the bias (10, -1)."""
    d, bias = head(), matrix([[10, -1]])
    found = d.step("A").value @ (d.step("V").value + bias)
    settings = (Setting({"O": d.step("O").value, "b_V": bias, "1": Matrix([[number(1)]] * 3)}),)
    return (
        *said("example"),
        claim(of("O"), Grid(d.step("O").value.rows), settings=settings),
        *said("moved"),
        claim(of("O") + of("1") @ of("b_V"), Grid(found.rows), settings=settings),
    )


def _dropped() -> tuple[Item, ...]:
    """Weights 1/2, 1/4 of which a third is dropped: only 3/4 of the bias arrives."""
    kept = fraction(1, 2) * B[1] + fraction(1, 4) * B[1]
    return (claim(kept, fraction(3, 4) * B[1], settings=(Setting({"b_V": BIAS}),)),)
