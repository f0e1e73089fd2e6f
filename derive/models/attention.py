"""One attention head, step by step.

O = softmax(Q K^T / sqrt(d_k)) V                                  Vaswani et al. 2017, eq. 1
"""

from __future__ import annotations

from collections.abc import Collection

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.models.model import Axes
from derive.models.parts import Attention, attend


def derive_attention(problem: Problem) -> Derivation:
    """Q, K, V, K^T, S, scaled, masked where there is a mask, exp, Z, A, C and O.

    H is n x d_model, W_Q and W_K have d_k columns, W_V has d_v; keys and values come from `context`
    where one is given.  With vectors as columns all of these are turned over: Q = W_Q H, S = K^T Q.
    InputError where a row is masked throughout under -oo.
    """
    source = "context" if "context" in problem.given else "H"
    return attend(Derivation.of(problem), Attention("H", source, mask=problem.conventions.mask))


def matrices(choices: Conventions, given: Collection[str]) -> Axes:
    """Keys and values are as wide as the context where there is one."""
    rows, width = ("m", "d_in") if "context" in given else ("n", "d_model")
    axes = {
        "H": ("n", "d_model"),
        "context": ("m", "d_in"),
        "W_Q": ("d_model", "d_k"),
        "W_K": (width, "d_k"),
        "W_V": (width, "d_v"),
        "mask": ("n", rows),
    }
    return axes if choices.vectors == "rows" else {name: (b, a) for name, (a, b) in axes.items()}


def optional(_conventions: Conventions, _given: Collection[str]) -> frozenset[str]:
    """The context, and the mask, which is a convention."""
    return frozenset({"context", "mask"})
