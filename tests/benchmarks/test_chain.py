"""The exact chain H W_Q (H W_K)^T of rationals, beside FLINT's bare integer matrices."""

import time
from fractions import Fraction
from math import lcm

import pytest
from benchmarks import heads
from benchmarks.table import Comparison, both_sides
from flint import fmpz_mat

pytestmark = pytest.mark.benchmark(timer=time.process_time)

HEAD = heads.rationals(64, 64, numerator=99, denominator=9)
H, W_Q, W_K = (heads.exact(HEAD[name]) for name in heads.NAMES[:3])


def integers(rows: list[list[Fraction]]) -> tuple[fmpz_mat, int]:
    """Numerators over the common denominator, and that."""
    den = lcm(*(x.denominator for row in rows for x in row))
    return fmpz_mat([[int(x * den) for x in row] for row in rows]), den


(H_INT, H_DEN), (Q_INT, Q_DEN), (K_INT, K_DEN) = (integers(HEAD[name]) for name in heads.NAMES[:3])


def bare_chain() -> tuple[fmpz_mat, int]:
    """The numerators of S over one denominator, which nobody reduces."""
    S = (H_INT * Q_INT) * (H_INT * K_INT).transpose()
    return S, H_DEN**2 * Q_DEN * K_DEN


def is_ours(result: tuple[fmpz_mat, int]) -> bool:
    """Whether the first and the last entry are what we find."""
    S, den = result
    ours = (H @ W_Q) @ (H @ W_K).T
    theirs = {k: Fraction(int(S[k, k]), den) for k in (0, 63)}
    return all(ours[k, k].fraction == x.as_integer_ratio() for k, x in theirs.items())


CHAIN = Comparison(
    "H W_Q (H W_K)^T of 64 x 64 rationals",
    "bare `fmpz_mat`",
    derive=lambda: (H @ W_Q) @ (H @ W_K).T,
    other=bare_chain,
    at_most=3,
    agrees=is_ours,
    rounds=51,
)


@both_sides({"chain": CHAIN})
def test_chain(comparison, side, timed):
    timed(comparison, side)
