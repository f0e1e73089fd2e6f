"""An architecture: its sizes by letter, and the choices that say which parts it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from derive.exact import Scalar

KINDS = ("encoder-decoder", "encoder", "decoder")
SIZES = {
    # key of a file: (letter, the largest number that is taken)
    "batch": ("B", 1_000_000),
    "length": ("n", 10_000_000),
    "target_length": ("n", 10_000_000),
    "layers": ("L", 1_000),
    "d_model": ("d_model", 1_000_000),
    "heads": ("h", 10_000),
    "kv_heads": ("h_kv", 10_000),
    "d_k": ("d_k", 100_000),
    "d_v": ("d_v", 100_000),
    "d_ff": ("d_ff", 10_000_000),
    "vocabulary": ("V", 100_000_000),
    "positions": ("P", 10_000_000),
    "segments": ("T", 1_000_000),
}
"""In an encoder-decoder `length` is that of the source, m: the keys of cross-attention."""
GATED = ("swiglu", "geglu")
CHOICES = {
    # key of a file: what it may be, the first by default
    "position_encoding": ("sinusoidal", "learned", "rope", "alibi", "none"),
    "norm": ("layernorm", "rmsnorm"),
    "norm_place": ("post", "pre"),
    "final_norm": (False, True),
    "embedding_norm": (False, True),
    "ffn": ("relu", "gelu", "silu", *GATED),
    "attention_bias": (False, True),
    "ffn_bias": (True, False),
    "embeddings": ("shared", "separate"),
    "head": ("tied", "untied", "pooler", "none"),
    "head_bias": (False, True),
}


@dataclass(frozen=True)
class Parts:
    """Which parts there are; the fields are the keys of CHOICES.

    embeddings: of source and target, one matrix or two; head: "tied" logits use the embedding
    transposed; a "pooler" is a d_model x d_model layer on the first token.
    """

    position_encoding: str = "sinusoidal"
    norm: str = "layernorm"
    norm_place: str = "post"
    final_norm: bool = False
    embedding_norm: bool = False
    ffn: str = "relu"
    attention_bias: bool = False
    ffn_bias: bool = True
    embeddings: str = "shared"
    head: str = "tied"
    head_bias: bool = False


@dataclass(frozen=True)
class Published:
    """A count as it was published, rounded to a multiple of `rounded_to`."""

    parameters: int
    rounded_to: int = 1
    source: str = ""

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest whole count that is rounded to it."""
        half = self.rounded_to // 2
        return self.parameters - half, self.parameters + max(half - 1, 0)


@dataclass(frozen=True)
class Architecture:
    """A model by its sizes, none of its values known.

    kind: one of KINDS; sizes: a Scalar for each letter it has, a number or a letter.
    """

    name: str
    kind: str
    sizes: Mapping[str, Scalar]
    parts: Parts = field(default_factory=Parts)
    title: str = ""
    lang: str = "en"
    published: Published | None = None

    @property
    def is_crossed(self) -> bool:
        """Whether there is a decoder that looks at an encoder."""
        return self.kind == "encoder-decoder"
