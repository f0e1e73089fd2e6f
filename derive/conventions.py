"""The named choices of a derivation: their alternatives, where each is from, and presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from derive.exact import NEG_INF, InputError, Matrix, NegativeInfinity, Scalar, number, symbol

MASK_MODES = ("add", "replace")
SHAPE_SYMBOLS = ("n", "d_model", "d_k", "d_v")
CHOICES = {
    "vectors": ("rows", "columns"),
    "mask_mode": MASK_MODES,
    "norm": ("post", "pre"),
    "normalization": ("layernorm", "rmsnorm"),
    "eps_place": ("inside", "outside"),
    "activation": ("relu", "leaky_relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu"),
    "positions": ("none", "sinusoidal", "learned", "rope", "alibi"),
    "layout": ("adjacent", "halves"),
}
"""The words that each convention of words may be."""
SYNONYMS = {"eps_place": {"deviation": "outside"}}
"""Other words for them: what is outside the root is added to the deviation."""
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

    vectors: "rows", so that H is n x d_model and Q = H W_Q, or "columns", so that H is
    d_model x n, Q = W_Q H and S = K^T Q (the model `attention` alone).

    scale: S is divided by it; it may speak of d_k, d_v, d_model and n.  Default sqrt(d_k).
    temperature: the scaled scores are divided by it as well.  Default 1.
    mask: None, "causal" (token i sees tokens 1 ... i), or an n x n_k matrix of 0 and -oo.
    mask_value: what stands where the mask forbids: -oo, or a number such as the -10^9 of code.
    mask_mode: "add" adds it to the score, "replace" puts it in the score's place.

    heads: how many heads share the width; kv_heads: how many of keys and values, None for as many.
    layers: how many blocks are stacked.
    norm: "post", after the residual sum, or "pre", before the sublayer.
    normalization: "layernorm" or "rmsnorm".
    eps: added to the variance inside the root, or with eps_place "outside" to the deviation.
    correction: 0 divides the squares by d, 1 by d - 1 (the sample variance).
    activation: of the feed-forward layer; swiglu and geglu have a gate.
    slope: of leaky_relu, below 0.
    positions: "none", "sinusoidal", "learned", "rope" or "alibi"; first_position is that of the
    first token, base that of the frequencies, layout how sines and cosines, or the pairs of a
    rotation, lie in the columns: "adjacent" or "halves".

    TABLE says where each is from.

    >>> Conventions(mask="causal").scale
    sqrt(d_k)
    """

    vectors: str = "rows"
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


def check_vectors(choices: Conventions, model: str) -> None:
    """InputError where vectors are columns in a model whose rules are written for rows."""
    if choices.vectors == "columns" and model != "attention":
        raise InputError(
            f'the model "{model}" is derived with vectors as rows only',
            expected='vectors = "rows", or model = "attention"',
            hint="with tokens as columns every matrix would be given transposed",
        )
    if choices.vectors == "columns" and choices.positions == "rope":
        message = "rope turns rows, and vectors are columns"
        raise InputError(message, expected='vectors = "rows", or other positions')


Sources = Mapping[str, str]
"""Values as a problem file spells them, each with the paper or the program that it is from."""
TABLE: Mapping[str, Sources] = {
    "vectors": {
        "rows": "Vaswani et al. 2017, sect. 3.2.1; torch.nn.Linear",
        "columns": "Phuong and Hutter 2022, alg. 4; AI by Hand (Yeh)",
    },
    "softmax": {"each query": "Vaswani et al. 2017, eq. 1; torch.softmax(dim=-1)"},
    "scale": {
        "sqrt(d_k)": "Vaswani et al. 2017, eq. 1; torch scaled_dot_product_attention",
        "1": "Luong et al. 2015, sect. 3.1 (dot)",
        "d_k": "Yang et al. 2022 (maximal update parametrisation)",
    },
    "temperature": {
        "1": "Vaswani et al. 2017, eq. 1",
        "1/2": "any number: Hinton et al. 2015, eq. 1",
        "tau": "a letter: Hinton et al. 2015, eq. 1",
    },
    "mask": {
        "none": "Vaswani et al. 2017, sect. 3.1 (encoder)",
        "causal": "Vaswani et al. 2017, sect. 3.2.3; torch is_causal=True",
        '[["-oo", 0], [0, 0]]': "torch.nn.MultiheadAttention(attn_mask=...)",
    },
    "mask_value": {
        "-oo": "Vaswani et al. 2017, sect. 3.2.3; torch attn_mask",
        "-10^9": "The Annotated Transformer, attention",
        "-10^10": "GPT-2, model.py, mask_attn_weights",
    },
    "mask_mode": {
        "add": "BERT, modeling.py, attention_layer",
        "replace": "The Annotated Transformer; torch.Tensor.masked_fill",
    },
    "masked row": {
        "-oo": "0/0: an error here, NaN in torch.softmax",
        "replace": "uniform weights: The Annotated Transformer",
        "add": "the weights of no mask: BERT, modeling.py",
    },
    "heads": {
        "1": "Vaswani et al. 2017, sect. 3.2.1",
        "2": "Vaswani et al. 2017, sect. 3.2.2; torch.nn.MultiheadAttention",
    },
    "kv_heads": {
        "as heads": "Vaswani et al. 2017, sect. 3.2.2",
        "1": "one: Shazeer 2019; fewer than heads: Ainslie et al. 2023",
    },
    "layers": {
        "1": "torch.nn.TransformerEncoderLayer",
        "2": "Vaswani et al. 2017, sect. 3.1; torch.nn.TransformerEncoder",
    },
    "norm": {
        "post": "Vaswani et al. 2017, sect. 3.1; torch norm_first=False",
        "pre": "Radford et al. 2019, sect. 2.3; torch norm_first=True",
    },
    "normalization": {
        "layernorm": "Ba et al. 2016, eq. 4; torch.nn.LayerNorm",
        "rmsnorm": "Zhang and Sennrich 2019, eq. 4; torch.nn.RMSNorm",
    },
    "correction": {
        "0": "population: Ba et al. 2016, eq. 3; torch.nn.LayerNorm",
        "1": "sample: The Annotated Transformer, LayerNorm (x.std)",
    },
    "eps": {
        "1/100000": "torch.nn.LayerNorm(eps=1e-05); GPT-2, model.py, norm",
        "1/1000000": "The Annotated Transformer, LayerNorm",
        "0": "Ba et al. 2016, eq. 3",
    },
    "eps_place": {
        "inside": "torch.nn.LayerNorm, torch.nn.RMSNorm; GPT-2, model.py, norm",
        "outside": "added to the deviation: The Annotated Transformer, LayerNorm",
    },
    "activation": {
        "relu": "Vaswani et al. 2017, eq. 2; torch TransformerEncoderLayer",
        "leaky_relu": "Maas et al. 2013, eq. 2; torch.nn.LeakyReLU",
        "gelu": "Hendrycks and Gimpel 2016; torch.nn.GELU()",
        "gelu_tanh": "Hendrycks and Gimpel 2016; GPT-2, model.py, gelu",
        "silu": "Elfwing et al. 2018; torch.nn.SiLU",
        "swiglu": "Shazeer 2020, eq. 6; Llama, model.py, FeedForward",
        "geglu": "Shazeer 2020, eq. 6",
    },
    "slope": {
        "1/100": "torch.nn.LeakyReLU(negative_slope=0.01)",
        "1/5": "tf.nn.leaky_relu(alpha=0.2)",
    },
    "relu at 0": {"0": "the derivative there: torch.relu, tf.nn.relu"},
    "positions": {
        "none": "torch.nn.TransformerEncoderLayer",
        "sinusoidal": "Vaswani et al. 2017, sect. 3.5",
        "learned": "Gehring et al. 2017, sect. 3.1; GPT-2, model.py, wpe",
        "rope": "Su et al. 2021, eq. 34",
        "alibi": "Press et al. 2022, sect. 3",
    },
    "first_position": {
        "0": "The Annotated Transformer; Llama, model.py",
        "1": "Phuong and Hutter 2022, alg. 2",
    },
    "base": {
        "10000": "Vaswani et al. 2017, sect. 3.5; Su et al. 2021, sect. 3.2.2",
        "500000": "Llama 3, model.py, rope_theta",
    },
    "layout": {
        "adjacent": "Vaswani et al. 2017, sect. 3.5; Llama (Meta), model.py",
        "halves": "tensor2tensor; Llama (Hugging Face), rotate_half",
    },
    "loss": {"natural logarithm": "torch.nn.CrossEntropyLoss"},
    "gradients": {"shape of the variable": "denominator layout; torch.Tensor.grad"},
    "rounding": {
        "half-up": "decimal.ROUND_HALF_UP; what schools teach",
        "half-even": "IEEE 754, roundTiesToEven; Python's round",
        "truncate": "decimal.ROUND_DOWN",
    },
}
"""Every choice, its default first; those that are no field of Conventions hold for every problem,
but for the rounding, which an output chooses."""


@dataclass(frozen=True)
class Preset:
    """Conventions under one name, as a problem file spells them, and where they are written."""

    source: str
    values: Mapping[str, Any]


_ROWS = {"vectors": "rows", "scale": "sqrt(d_k)", "mask_value": "-oo", "mask_mode": "add"}
_LAYERNORM = {"normalization": "layernorm", "correction": 0, "eps_place": "inside"}
_SINES = {"positions": "sinusoidal", "first_position": 0, "base": 10_000, "layout": "adjacent"}
PRESETS: Mapping[str, Preset] = {
    "paper-2017": Preset(
        "Vaswani et al. 2017; of LayerNorm it says no more",
        {**_ROWS, "norm": "post", "normalization": "layernorm", "activation": "relu", **_SINES},
    ),
    "pytorch": Preset(
        "torch.nn.TransformerEncoderLayer, its defaults",
        {**_ROWS, "norm": "post", **_LAYERNORM, "eps": "1e-5", "activation": "relu",
         "positions": "none"},
    ),
    "annotated-transformer": Preset(
        "The Annotated Transformer (Rush 2018): attention, LayerNorm, SublayerConnection",
        {**_ROWS, "mask_value": "-1e9", "mask_mode": "replace", "norm": "pre", **_LAYERNORM,
         "correction": 1, "eps": "1e-6", "eps_place": "outside", "activation": "relu", **_SINES},
    ),
    "gpt-2": Preset(
        "Radford et al. 2019; GPT-2, model.py: mask_attn_weights, norm, gelu, wpe",
        {**_ROWS, "mask": "causal", "mask_value": "-1e10", "mask_mode": "replace", "norm": "pre",
         **_LAYERNORM, "eps": "1e-5", "activation": "gelu_tanh", "positions": "learned"},
    ),
    "llama": Preset(
        "Touvron et al. 2023 (Llama 2); Meta's model.py: RMSNorm, apply_rotary_emb",
        {**_ROWS, "mask": "causal", "norm": "pre", "normalization": "rmsnorm", "eps": "1e-5",
         "eps_place": "inside", "activation": "swiglu", **_SINES, "positions": "rope"},
    ),
    "ai-by-hand": Preset(
        "AI by Hand (Yeh): tokens are columns, S = K^T Q",
        {**_ROWS, "vectors": "columns"},
    ),
}  # fmt: skip
"""Each may be named in a problem file; what is written beside it wins."""
