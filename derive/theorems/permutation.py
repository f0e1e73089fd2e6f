"""Self-attention without positions does not know the order of its tokens."""

from __future__ import annotations

from itertools import permutations

from derive.exact import Matrix, matrix
from derive.exact.trace import Grid
from derive.theorems.claim import Claim, claim
from derive.theorems.letters import GIVEN, free, head, of, softmax, weights
from derive.theorems.theorem import Item, Theorem, said
from derive.theorems.value import Setting

SWAP = matrix([[0, 1, 0], [1, 0, 0], [0, 0, 1]])
"""The first two tokens change places."""


def theorem() -> Theorem:
    """The output for P H is P O, for every permutation P; not under a causal mask."""
    p = of("P")
    turned = p @ of("S") @ p.T
    permuted, back = softmax(turned), p @ of("A") @ p.T
    whole = p @ of("A") @ of("V")
    return Theorem(
        "permutation",
        statement=(*said("statement"), claim(permuted @ p @ of("V"), whole, settings=EVERY)),
        assumptions=said("assumptions"),
        proof=(
            *said("rows"),
            *_projections(),
            *said("scores"),
            _scores(),
            *said("softmax"),
            claim(permuted, back, settings=EVERY),
            *said("values"),
            claim(back @ p @ of("V"), whole, p @ of("O"), settings=EVERY),
            *said("rest"),
        ),
        example=_example(),
        breaks=_causal(),
        letters={"P^T": p.T, "PH": p @ of("H"), "PO": p @ of("O"), "PSP^T": turned},
        example_of=head(),
    )  # fmt: skip


def _permutation(order: tuple[int, ...]) -> Matrix:
    return matrix([[int(j == i) for j in range(len(order))] for i in order])


def _setting(order: tuple[int, ...]) -> Setting:
    scores, values = free("S", 3, 3), free("V", 3, 2)
    found = {**weights(scores), "V": values, "P": _permutation(order)}
    return Setting({**found, "O": found["A"] @ values}, {"n": 3})


def _projected(order: tuple[int, ...]) -> Setting:
    given = {"H": free("H", 3, 2), **{f"W_{x}": free(f"W_{x}", 2, 2) for x in "QKV"}}
    made = {x: given["H"] @ given[f"W_{x}"] for x in "QKV"}
    scores = {"S": made["Q"] @ made["K"].T, "P": _permutation(order)}
    return Setting({**given, **made, **scores}, {"n": 3})


EVERY = tuple(map(_setting, permutations(range(3))))
PROJECTED = tuple(map(_projected, permutations(range(3))))
"""All six permutations of three tokens: of free scores and values, and of free inputs."""


def _projections() -> tuple[Claim, ...]:
    p, h = of("P"), of("H")
    return tuple(
        claim(p @ h @ of(f"W_{x}"), p @ of(x), settings=PROJECTED) for x in "QKV"
    )  # fmt: skip


def _scores() -> Claim:
    p, q, k = of("P"), of("Q"), of("K")
    return claim(p @ q @ (p @ k).T, p @ q @ k.T @ p.T, p @ of("S") @ p.T, settings=PROJECTED)


def _example() -> tuple[Item, ...]:
    """The head of the examples with its first two tokens exchanged."""
    plain, swapped = head(), head(H=SWAP @ GIVEN["H"])
    settings = (Setting({"P": SWAP, "O": plain.step("O").value}),)
    exact = Grid(swapped.step("O").value.rows)
    return (*said("example"), claim(of("P") @ of("O"), exact, settings=settings), *said("same"))


def _causal() -> tuple[Item, ...]:
    """Under a causal mask P O is not the output for P H; its last row still is."""
    plain, swapped = head("causal"), head("causal", H=SWAP @ GIVEN["H"])
    settings = (Setting({"P": SWAP, "O": plain.step("O").value}),)
    found, permuted = swapped.step("O").value, SWAP @ plain.step("O").value
    return (
        *said("causal"),
        claim(of("P") @ of("O"), permuted, ("!=", found), settings=settings),
        *said("last"),
        claim(permuted.pick((3,)), found.pick((3,)), is_shown=False),
    )  # fmt: skip
