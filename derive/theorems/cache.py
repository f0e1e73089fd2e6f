"""A causal row rests on the rows up to its own, so it can be computed once and kept."""

from __future__ import annotations

from functools import cache

from derive.conventions import Conventions
from derive.derivation import Problem
from derive.exact import Matrix, number
from derive.exact.trace import Exponential, Grid, Value
from derive.models.cache import row_by_row
from derive.ops import Mask, Softmax
from derive.ops.mask import causal
from derive.theorems.claim import Claim, claim
from derive.theorems.letters import (
    GIVEN,
    A,
    O,
    S,
    V,
    applied,
    fraction,
    free,
    head,
    letter,
    of,
    total,
)
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

SCORES, VALUES = free("S", 3, 3), free("V", 3, 2)
WEIGHTS = applied(Softmax(), applied(Mask(causal(3, 3)), SCORES))
LETTERS = {"S": SCORES, "V": VALUES, "A": WEIGHTS, "O": WEIGHTS @ VALUES}
FREE = (Setting(LETTERS, {"n": 3, "d_v": 2}),)
SEEN = tuple(
    Setting(LETTERS, {"n": 3}, indices={"i": i, "j": j}) for i in (1, 2, 3) for j in range(1, i + 1)
)
HIDDEN = tuple(
    Setting(LETTERS, {"n": 3}, indices={"i": i, "j": j}) for i in (1, 2) for j in range(i + 1, 4)
)
"""The places that row i sees, and those that it does not."""


def theorem() -> Theorem:
    """Row i of the masked forward speaks of rows 1 ... i alone."""
    return Theorem(
        "cache",
        statement=(*said("statement"), _output(), _weights()[0]),
        assumptions=said("assumptions"),
        proof=(
            *said("weights"), *_weights(), *said("output"), _cut(),
            *said("layers"), _whole_model(), *said("induction"),
        ),
        example=_example(),
        breaks=(*said("unmasked"), *_unmasked(), note("kept")),
        letters={"count": Value(number(len(_agreements()))), "i": letter("i")},
        example_of=head("causal"),
    )  # fmt: skip


def _powers() -> tuple[Exponential, Exponential]:
    return Exponential(S["i", "j"]), Exponential(S["i", "k"])


def _output() -> Claim:
    seen = total(A["i", "j"] * V["j", "c"], "j", "i")
    return claim(O["i", "c"], seen, over="i:n c:d_v", settings=FREE)


def _weights() -> tuple[Claim, ...]:
    """The sums stop at i, because every power after it is e^(-oo) = 0."""
    one, every = _powers()
    return (
        claim(A["i", "j"], one / total(every, "k", "i"), settings=SEEN),
        claim(A["i", "j"], fraction(0), settings=HIDDEN),
    )


def _cut() -> Claim:
    whole, seen = (total(A["i", "j"] * V["j", "c"], "j", upper) for upper in "ni")
    return claim(O["i", "c"], whole, seen, over="i:n c:d_v", settings=FREE)


# --- a whole model, step by step


@cache
def _agreements() -> tuple[bool, ...]:
    """Every step of every position against the masked forward, with letters for all that came in.

    Of the problem only shapes are used: three words, two columns, one block.
    """
    choices = Conventions(mask="causal", layers=1)
    weights = {f"L1.{name}": GIVEN["W_Q"] for name in ("W_Q", "W_K", "W_V", "W_1", "W_2")}
    words = ("x", "y", "z")
    given = {"W_E": GIVEN["H"], **weights}
    problem = Problem("text", given, choices, words, model="language-model", vocabulary=words)
    return tuple(agreement.holds for agreement in row_by_row(problem))


def _whole_model() -> Claim:
    """As many steps agree as there are."""
    steps = _agreements()
    return claim(fraction(sum(steps)), fraction(len(steps)), is_shown=False)


# --- numbers


def _example() -> tuple[Item, ...]:
    """The head under a causal mask: two tokens, and then a third."""
    two, three = _first(2, "causal"), _first(3, "causal")
    return (
        *said("example"),
        claim(of("O"), two, settings=_as(two)),
        *said("third"),
        claim(of("O"), three, settings=_as(three)),
        claim(Grid(three.rows[:2]), Grid(two.rows), is_shown=False),
    )


def _unmasked() -> tuple[Item, ...]:
    """Without a mask the third token changes the rows of the first two."""
    two, three = _first(2, None), _first(3, None)
    return (
        claim(of("O"), two, settings=_as(two)),
        claim(of("O"), three, settings=_as(three)),
        claim(Grid(three.rows[:2]), ("!=", Grid(two.rows)), is_shown=False),
    )


def _first(count: int, mask: str | None) -> Matrix:
    """O of the head of the examples, for its first tokens."""
    return head(mask, H=GIVEN["H"].pick(range(1, count + 1))).step("O").value


def _as(output: Matrix) -> tuple[Setting, ...]:
    return (Setting({"O": output}),)
