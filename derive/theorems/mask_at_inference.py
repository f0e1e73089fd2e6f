"""Dropping the causal mask at inference changes what was computed in training."""

from __future__ import annotations

from derive.derivation import Derivation
from derive.exact import Matrix, matrix
from derive.exact.trace import Exponential, Grid, Row
from derive.numerals import Format
from derive.ops import Mask, Softmax
from derive.ops.mask import causal
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import A, O, S, V, applied, fraction, free, head, letter, of, total
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

SCORES, VALUES = free("S", 3, 3), free("V", 3, 2)


def _setting(scores: Matrix) -> Setting:
    """Row n of three, under one kind of scores."""
    weights = applied(Softmax(), scores)
    values = {"S": SCORES, "V": VALUES, "A": weights, "O": weights @ VALUES}
    return Setting(values, {"n": 3, "d_v": 2}, indices={"n": 3})


BOTH = (_setting(applied(Mask(causal(3, 3)), SCORES)), _setting(SCORES))
"""With the mask and without it."""
UNIT = matrix([[1, 0], [0, 1]])
FORM = Format(places=3)


def theorem() -> Theorem:
    """In one layer the last row is the same without the mask; in two it is not."""
    return Theorem(
        "mask-at-inference",
        statement=said("statement"),
        assumptions=said("assumptions"),
        proof=(*said("last"), _last(), *said("same", "earlier", "second")),
        example=_example(),
        breaks=(*said("one token"), note("off")),
        letters={"n": letter("n"), "A_nj": A["n", "j"], "O_nc": O["n", "c"]},
        example_of=head("causal"),
    )


def _last() -> Claim:
    """Row n sees everything, with the mask and without it."""
    whole = total(Exponential(S["n", "k"]), "k", "n")
    above = total(Exponential(S["n", "j"]) * V["j", "c"], "j", "n")
    return claim(O["n", "c"], (fraction(1) / whole) * above, over="c:d_v", settings=BOTH)


# --- numbers: two layers of the head of the examples


def _layers(mask: str | None) -> tuple[Derivation, Derivation]:
    """The head on H, and once more on what came out, with H W_Q = H W_K = H W_V = H."""
    first = head(mask)
    return first, head(mask, H=first.step("O").value, W_Q=UNIT, W_K=UNIT, W_V=UNIT)


def _example() -> tuple[Item, ...]:
    (one, two), (one_free, two_free) = _layers("causal"), _layers(None)
    outputs = [d.step("O").value for d in (one, one_free, two, two_free)]
    masked, free_, deep, deep_free = outputs
    return (
        *said("masked"),
        _exact(masked),
        *said("dropped"),
        _exact(free_),
        claim(Grid(masked.rows[2:]), Grid(free_.rows[2:]), is_shown=False),
        claim(Grid(masked.rows[:2]), ("!=", Grid(free_.rows[:2])), is_shown=False),
        *said("deep"),
        _rounded(deep.pick((3,))),
        *said("deep dropped"),
        _rounded(deep_free.pick((3,))),
        claim(Grid(deep.rows[2:]), ("!=", Grid(deep_free.rows[2:])), is_shown=False),
        *said("so"),
    )


def _exact(output: Matrix) -> Claim:
    return claim(of("O"), output, settings=(Setting({"O": output}),))


def _rounded(row: Matrix) -> Claim:
    """The last row of O in the second layer, in decimals."""
    shown = Grid((tuple(digits(x, FORM) for x in row),))
    return claim(Row("O", "n"), ("~", shown), settings=(Setting({"O": row}, indices={"n": 1}),))
