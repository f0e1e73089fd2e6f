"""One attention head, step by step.

O = softmax(Q K^T / sqrt(d_k)) V                                  Vaswani et al. 2017, eq. 1
"""

from __future__ import annotations

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.exact import Matrix, Scalar, number
from derive.ops import (
    Contributions,
    Exponential,
    Linear,
    Mask,
    Mix,
    RowSums,
    Scale,
    Scores,
    Softmax,
    Transpose,
)
from derive.ops.mask import causal


def derive_attention(problem: Problem) -> Derivation:
    """Q, K, V, K^T, S, scaled, masked where there is a mask, exp, Z, A, C and O.

    H is n x d_model, W_Q and W_K have d_k columns, W_V has d_v; keys and values come from `context`
    where one is given.  InputError where a row is masked throughout under -oo.
    """
    source = "context" if "context" in problem.given else "H"
    d = (
        Derivation.of(problem)
        .then("Q", Linear(), "H", "W_Q")
        .then("K", Linear(), source, "W_K")
        .then("V", Linear(), source, "W_V")
        .then("K^T", Transpose(), "K")
        .then("S", Scores(), "Q", "K")
        .then("scaled", scale(problem), "S")
    )
    last = "scaled"
    if problem.conventions.mask is not None:
        d, last = d.then("masked", mask(problem), "scaled"), "masked"
    return (
        d.then("exp", Exponential(), last)
        .then("Z", RowSums(), "exp")
        .then("A", Softmax(), last)
        .then("C", Contributions(), "A", "V")
        .then("O", Mix(), "A", "V")
    )


def shapes(problem: Problem) -> dict[str, int]:
    """n, d_model, d_k and d_v of an attention head."""
    n, d_model = problem.given["H"].shape
    return {
        "n": n,
        "d_model": d_model,
        "d_k": problem.given["W_Q"].shape[1],
        "d_v": problem.given["W_V"].shape[1],
    }


def scale(problem: Problem) -> Scale:
    """The scores over scale times temperature."""
    choices: Conventions = problem.conventions
    numbers: dict[str, Scalar] = {name: number(size) for name, size in shapes(problem).items()}
    divisor = choices.scale.substitute(numbers) * choices.temperature.substitute(numbers)
    return Scale(divisor, choices.scale * choices.temperature)


def mask(problem: Problem) -> Mask:
    """The mask of the conventions, causal or given."""
    choices: Conventions = problem.conventions
    n = problem.given["H"].shape[0]
    m = problem.given.get("context", problem.given["H"]).shape[0]
    forbidden = choices.mask if isinstance(choices.mask, Matrix) else causal(n, m)
    return Mask(forbidden, choices.mask_value, choices.mask_mode)
