"""With one projection for queries and keys, the largest score need not be a token's own."""

from __future__ import annotations

from derive.exact import matrix
from derive.exact.trace import Grid, Indexed, Value
from derive.numerals import Format
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import A, Q, S, fraction, free, head, of, total
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

QUERIES = free("Q", 3, 2)
FREE = (Setting({"Q": QUERIES, "S": QUERIES @ QUERIES.T}, {"n": 3, "d_k": 2}),)
ONE = matrix([[1, 0], [0, 1]])
DERIVED = head(H=matrix([[1, 0], [2, 1], [0, 1]]), W_K=ONE)


def theorem() -> Theorem:
    """S_ij = q_i.q_j may be larger than S_ii; it is not where all queries have one length."""
    return Theorem(
        "shared-diagonal",
        statement=said("statement"),
        assumptions=said("assumptions"),
        proof=(
            *said("angle"), _inner(), *said("distance"), _distance(),
            *said("cauchy"), _cauchy(), *said("equal"),
        ),
        example=_example(),
        breaks=(*said("unit"), note("own")),
        letters={"q_i": Indexed("q")["i"], "q_j": Indexed("q")["j"]},
    )  # fmt: skip


def _inner() -> Claim:
    one = total(Q["i", "c"] * Q["j", "c"], "c", "d_k")
    return claim(S["i", "j"], one, over="i:n j:n", settings=FREE)


def _distance() -> Claim:
    """|q_i - q_j|^2 = S_ii - 2 S_ij + S_jj."""
    gap = total((Q["i", "c"] - Q["j", "c"]) ** 2, "c", "d_k")
    scores = S["i", "i"] - fraction(2) * S["i", "j"] + S["j", "j"]
    return claim(gap, scores, over="i:n j:n", settings=FREE)


def _cauchy() -> Claim:
    """In two dimensions S_ii S_jj - S_ij^2 is a square."""
    area = Q["i", 1] * Q["j", 2] - Q["i", 2] * Q["j", 1]
    left = S["i", "i"] * S["j", "j"] - S["i", "j"] ** 2
    return claim(left, area**2, over="i:n j:n", settings=FREE)


def _example() -> tuple[Item, ...]:
    scores, found = DERIVED.step("S").value, DERIVED.step("A").value
    values = (Setting({"S": scores, "A": found}),)
    small, large = found[0, 0], found[0, 1]
    ends = [digits(x, Format(places=3)) for x in (small, large)]
    return (
        *said("example"),
        claim(of("S"), Grid(scores.rows), settings=values),
        *said("larger"),
        claim(S[1, 1], Value(scores[0, 0]), ("<", Value(scores[0, 1])), S[1, 2], settings=values),
        claim(A[1, 1], ("~", ends[0]), settings=values),
        claim(A[1, 2], ("~", ends[1]), settings=values),
        claim(A[1, 1], ("<", A[1, 2]), settings=values, is_shown=False),
    )
