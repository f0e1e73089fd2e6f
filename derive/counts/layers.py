"""The parts of a layer: attention, feed-forward, and the residual sum and norm around each.

Shapes are those of a batch, (B, n, d_model) and, by head, (B, h, n, d_k).  A linear map from a
wide to b wide has a b weights, b biases where it has biases, and takes a b multiply-adds a token;
a bias is where the sum starts and takes none.
"""

from __future__ import annotations

from collections.abc import Iterator

from derive.counts.architecture import GATED, Architecture
from derive.counts.letters import B, d_ff, d_k, d_model, h, h_kv
from derive.counts.letters import d_v as own_d_v
from derive.counts.table import Part
from derive.exact import ZERO, Scalar

Row = tuple[str, tuple[Scalar, ...], Scalar, Scalar]
"""(name, shape, parameters, multiply-adds)"""


def linear(name: str, tokens: Scalar, before: Scalar, after: Scalar, has_bias: bool) -> Row:
    """(B, tokens, before) times (before, after)."""
    weights = before * after
    return name, (B, tokens, after), weights + after * has_bias, B * tokens * weights


def attention(a: Architecture, tokens: Scalar, keys: Scalar, is_masked: bool) -> Iterator[Row]:
    """Multi-head attention of `tokens` queries over `keys` keys    (Vaswani et al. 2017, 3.2.2).

    With fewer key/value heads than heads, K and V are narrower and each serves several heads.
    """
    groups = h_kv if "h_kv" in a.sizes else h
    d_v = own_d_v if "d_v" in a.sizes else d_k
    bias = a.parts.attention_bias
    scores = (B, h, tokens, keys)
    yield linear("Q", tokens, d_model, h * d_k, bias)
    yield linear("K", keys, d_model, groups * d_k, bias)
    yield linear("V", keys, d_model, groups * d_v, bias)
    yield free("Q by heads", B, h, tokens, d_k)
    yield free("K by heads", B, groups, keys, d_k)
    yield free("V by heads", B, groups, keys, d_v)
    if a.parts.position_encoding == "rope":
        yield free("Q rotated", B, h, tokens, d_k)
        yield free("K rotated", B, groups, keys, d_k)
    yield free("K^T", B, groups, d_k, keys)
    yield "S", scores, ZERO, B * h * tokens * keys * d_k
    yield free("scaled", *scores)
    if a.parts.position_encoding == "alibi":
        yield free("biased", *scores)
    if is_masked:
        yield free("masked", *scores)
    yield free("A", *scores)
    yield "O", (B, h, tokens, d_v), ZERO, B * h * tokens * keys * d_v
    yield free("heads", B, tokens, h * d_v)
    yield linear("Y", tokens, h * d_v, d_model, bias)


def feed_forward(a: Architecture, tokens: Scalar) -> Iterator[Row]:
    """act(x W_1 + b_1) W_2 + b_2  (Vaswani et al. 2017, eq. 2), or gated  (Shazeer 2020)."""
    bias = a.parts.ffn_bias
    is_gated = a.parts.ffn in GATED
    if is_gated:
        yield linear("gate", tokens, d_model, d_ff, bias)
        yield free("activation", B, tokens, d_ff)
    yield linear("U", tokens, d_model, d_ff, bias)
    yield free("gated" if is_gated else "activation", B, tokens, d_ff)
    yield linear("F", tokens, d_ff, d_model, bias)


def norm(a: Architecture, name: str, tokens: Scalar) -> Row:
    """LayerNorm has a gain and a bias for each feature, RMSNorm a gain."""
    vectors = 2 if a.parts.norm == "layernorm" else 1
    return name, (B, tokens, d_model), vectors * d_model, ZERO


def layer(a: Architecture, tokens: Scalar, keys: Scalar | None = None) -> tuple[Part, ...]:
    """A layer; with `keys` a decoder layer whose cross-attention looks at so many."""
    is_decoder = a.kind == "decoder" or keys is not None
    own = "self-attention" if a.is_crossed else "attention"
    sublayers: list[tuple[str, Iterator[Row]]] = [(own, attention(a, tokens, tokens, is_decoder))]
    if keys is not None:
        sublayers.append(("cross-attention", attention(a, tokens, keys, is_masked=False)))
    sublayers.append(("feed-forward", feed_forward(a, tokens)))
    return tuple(
        Part(name, *row)
        for k, (name, rows) in enumerate(sublayers, 1)
        for row in _around(a, k, tokens, rows)
    )


def _around(a: Architecture, k: int, tokens: Scalar, rows: Iterator[Row]) -> Iterator[Row]:
    """Post-norm is norm(x + sublayer(x)), pre-norm x + sublayer(norm(x))."""
    if a.parts.norm_place == "pre":
        yield norm(a, f"N{k}", tokens)
    yield from rows
    yield free(f"R{k}", B, tokens, d_model)
    if a.parts.norm_place == "post":
        yield norm(a, f"N{k}", tokens)


def free(name: str, *shape: Scalar) -> Row:
    """Entry by entry, or the same numbers in another order: no parameters, no products."""
    return name, shape, ZERO, ZERO


def parts_of(rows: Iterator[Row]) -> tuple[Part, ...]:
    """Rows that belong to no sublayer."""
    return tuple(Part("", *row) for row in rows)
