"""The named choices of a derivation, each with its source.

Row vectors: H is n x d_model and Q = H W_Q.  Softmax runs along the last axis.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from derive.exact import NEG_INF, Matrix, NegativeInfinity, Scalar, number, symbol

MASK_MODES = ("add", "replace")
SHAPE_SYMBOLS = ("n", "d_model", "d_k", "d_v")


@dataclass(frozen=True)
class Conventions:
    """Scaled dot-product attention (Vaswani et al. 2017, eq. 1) and what may differ from it.

    scale: S is divided by it; it may speak of d_k, d_v, d_model and n.  Default sqrt(d_k).
    temperature: the scaled scores are divided by it as well.  Default 1.
    mask: None, "causal" (token i sees tokens 1 ... i), or an n x n_k matrix of 0 and -oo.
    mask_value: what stands where the mask forbids: -oo, or a number such as the -10^9 of code.
    mask_mode: "add" adds it to the score, "replace" puts it in the score's place.

    >>> Conventions(mask="causal").scale
    sqrt(d_k)
    """

    scale: Scalar = field(default_factory=lambda: symbol("d_k").sqrt())
    temperature: Scalar = field(default_factory=lambda: number(1))
    mask: str | Matrix | None = None
    mask_value: Scalar | NegativeInfinity = NEG_INF
    mask_mode: str = "add"


PRESETS: dict[str, dict[str, Any]] = {
    # Vaswani et al. 2017, section 3.2.1
    "vaswani": {"scale": "sqrt(d_k)"},
    # Radford et al. 2018: a decoder, so every layer is masked
    "gpt": {"scale": "sqrt(d_k)", "mask": "causal"},
    # Luong et al. 2015: plain dot products
    "unscaled": {"scale": "1"},
}
