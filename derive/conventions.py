"""The named choices of a derivation, each with its source.

Row vectors: H is n x d_model and Q = H W_Q.  Softmax runs along the last axis.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from derive.exact import NEG_INF, InputError, Matrix, NegativeInfinity, Scalar, number, symbol

MASK_MODES = ("add", "replace")
SHAPE_SYMBOLS = ("n", "d_model", "d_k", "d_v")
CHOICES = {
    "mask_mode": MASK_MODES,
    "norm": ("post", "pre"),
    "normalization": ("layernorm", "rmsnorm"),
    "eps_place": ("inside", "outside"),
    "activation": ("relu", "leaky_relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu"),
    "positions": ("none", "sinusoidal", "learned", "rope", "alibi"),
    "layout": ("adjacent", "halves"),
}
"""The words that each convention of words may be."""
COUNTS = {
    "heads": (1, 64),
    "kv_heads": (1, 64),
    "layers": (1, 96),
    "correction": (0, 1),
    "first_position": (0, 10**6),
    "base": (2, 10**9),
}
"""The least and the largest value of each convention that is an integer."""


@dataclass(frozen=True)
class Conventions:
    """Scaled dot-product attention (Vaswani et al. 2017, eq. 1) and what may differ from it.

    scale: S is divided by it; it may speak of d_k, d_v, d_model and n.  Default sqrt(d_k).
    temperature: the scaled scores are divided by it as well.  Default 1.
    mask: None, "causal" (token i sees tokens 1 ... i), or an n x n_k matrix of 0 and -oo.
    mask_value: what stands where the mask forbids: -oo, or a number such as the -10^9 of code.
    mask_mode: "add" adds it to the score, "replace" puts it in the score's place.

    heads: how many heads share the width; kv_heads: how many of keys and values, None for as many
    (Shazeer 2019; Ainslie et al. 2023).
    layers: how many blocks are stacked.
    norm: "post", after the residual sum (Vaswani et al. 2017), or "pre", before the sublayer.
    normalization: "layernorm" (Ba et al. 2016) or "rmsnorm" (Zhang and Sennrich 2019).
    eps: added to the variance inside the root, or with eps_place "outside" to the deviation.
    correction: 0 divides the squares by d, 1 by d - 1 (the sample variance).
    activation: of the feed-forward layer; swiglu and geglu have a gate (Shazeer 2020).
    slope: of leaky_relu, below 0.
    positions: "none", "sinusoidal", "learned", "rope" or "alibi"; first_position is that of the
    first token, base that of the frequencies, layout how sines and cosines, or the pairs of a
    rotation, lie in the columns: "adjacent" or "halves".

    >>> Conventions(mask="causal").scale
    sqrt(d_k)
    """

    scale: Scalar = field(default_factory=lambda: symbol("d_k").sqrt())
    temperature: Scalar = field(default_factory=lambda: number(1))
    mask: str | Matrix | None = None
    mask_value: Scalar | NegativeInfinity = NEG_INF
    mask_mode: str = "add"
    heads: int = 1
    kv_heads: int | None = None
    layers: int = 1
    norm: str = "post"
    normalization: str = "layernorm"
    eps: Scalar = field(default_factory=lambda: number(1, 100_000))
    eps_place: str = "inside"
    correction: int = 0
    activation: str = "relu"
    slope: Scalar = field(default_factory=lambda: number(1, 100))
    positions: str = "none"
    first_position: int = 0
    base: int = 10_000
    layout: str = "adjacent"

    def __post_init__(self) -> None:
        """InputError for a word that a convention does not know."""
        for name, words in CHOICES.items():
            if (value := getattr(self, name)) not in words:
                message = f"{name} cannot be {str(value)[:40]!r}"
                raise InputError(message, expected=" or ".join(words))


PRESETS: dict[str, dict[str, Any]] = {
    # Vaswani et al. 2017, section 3.2.1
    "vaswani": {"scale": "sqrt(d_k)"},
    # Radford et al. 2018: a decoder, so every layer is masked
    "gpt": {"scale": "sqrt(d_k)", "mask": "causal"},
    # Luong et al. 2015: plain dot products
    "unscaled": {"scale": "1"},
}
