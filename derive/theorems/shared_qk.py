"""One projection for queries and keys: symmetric scores, and weights that are not symmetric."""

from __future__ import annotations

from derive.exact import Matrix, exp, matrix, number
from derive.exact.trace import Grid, Value
from derive.theorems.claim import Claim, claim
from derive.theorems.letters import A, E, Q, S, Z, free, head, of, total, weights
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

QUERIES = free("Q", 3, 2)
FREE = (Setting({"Q": QUERIES, **weights(QUERIES @ QUERIES.T)}, {"n": 3, "d_k": 2}),)
TOKENS = matrix([[1, 0], [0, 1], [1, 1]])
DERIVED = head(W_K=matrix([[1, 0], [0, 1]]))
"""The head of the examples with W_K = W_Q."""


def theorem() -> Theorem:
    """S = S^T; A_ij Z_i = A_ji Z_j, so that A is symmetric only where the row sums agree."""
    return Theorem(
        "shared-qk",
        statement=(*said("statement"), claim(of("S"), of("S").T, settings=FREE), _balance()),
        assumptions=said("assumptions"),
        proof=(*said("symmetric"), _symmetric(), *said("balance"), _derived(), *said("so")),
        example=_example(),
        breaks=(*said("middle"), _middle(), note("not needed")),
        letters={"W^T": of("W_K").T, "A^T": of("A").T},
        example_of=DERIVED,
    )


def _symmetric() -> Claim:
    i, j = (total(Q[a, "c"] * Q[b, "c"], "c", "d_k") for a, b in ("ij", "ji"))
    return claim(S["i", "j"], i, j, S["j", "i"], over="i:n j:n", settings=FREE)


def _balance() -> Claim:
    left, right = A["i", "j"] * Z["i"], A["j", "i"] * Z["j"]
    return claim(left, right, over="i:n j:n", settings=FREE)


def _derived() -> Claim:
    left, right = A["i", "j"] * Z["i"], A["j", "i"] * Z["j"]
    return claim(left, E["i", "j"], E["j", "i"], right, over="i:n j:n", settings=FREE)


def _example() -> tuple[Item, ...]:
    scores, found = DERIVED.step("S").value, DERIVED.step("A").value
    sums = exp(DERIVED.step("scaled").value).row_sums().T
    share = sums / sum(sums, number(0))
    values = Setting({"S": scores, "A": found, "p": share})
    return (
        *said("example"),
        claim(of("S"), Grid(scores.rows), settings=(values,)),
        claim(of("A"), Grid(found.rows), settings=(values,)),
        *said("compare"),
        claim(Value(found[0, 2]), ("!=", Value(found[2, 0]))),
        *said("stationary"),
        claim(of("p"), Grid(share.rows), settings=(values,)),
        claim(of("p") @ of("A"), of("p"), settings=(values,)),
    )


def _middle() -> Claim:
    """S = H M H^T with a symmetric M = W_Q W_K^T."""
    h, middle = free("H", 3, 2), free("M", 2, 2)
    symmetric = Matrix([middle.rows[0], (middle[0, 1], middle[1, 1])])
    settings = (Setting({"H": h, "M": symmetric}, {"n": 3}),)
    m = of("M")
    product = of("H") @ m @ of("H").T
    return claim(product, (of("H") @ m @ of("H").T).T, settings=settings)
