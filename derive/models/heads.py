"""Multi-head attention: every head attends on its own columns, and W_O mixes what they found.

Y = [O^(1) | ... | O^(h)] W_O                                      Vaswani et al. 2017, sect. 3.2.2
"""

from __future__ import annotations

from collections.abc import Collection

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.models.model import Axes
from derive.models.parts import Attention, attend_in_heads
from derive.models.sizes import attention_sizes, spare


def derive_multihead(problem: Problem) -> Derivation:
    """Each head's steps, what it contributes to Y, the heads side by side (O), and Y.

    H is n x d_model; W_Q has heads x d_k columns, W_K and W_V have d_k and d_v for each of the
    kv_heads, W_O is (heads x d_v) x d_model.  Keys and values come from `context` where one is
    given.  InputError where heads do not divide the widths, or the mask does not fit.
    """
    source = "context" if "context" in problem.given else "H"
    at = Attention("H", source, mask=problem.conventions.mask)
    return attend_in_heads(Derivation.of(problem), at)


def matrices(choices: Conventions, given: Collection[str]) -> Axes:
    """Keys and values are as wide as the context where there is one."""
    rows, width = ("m", "d_in") if "context" in given else ("n", "d_model")
    return {
        "H": ("n", "d_model"),
        "context": ("m", "d_in"),
        # Nothing is added to what comes out, so that without W_O it may be of any width.
        **attention_sizes(choices, {*given, "W_O"}, source=width),
        "mask": ("n", rows),
    }


def optional(choices: Conventions, given: Collection[str]) -> frozenset[str]:
    """The context, the biases and W_O."""
    return spare(matrices(choices, given), "context", "mask")
