"""The groups of a whole model: embedding, layers, and what stands after them."""

from __future__ import annotations

from collections.abc import Iterator

from derive.counts.architecture import Architecture
from derive.counts.layers import Row, free, layer, linear, norm, parts_of
from derive.counts.letters import B, L, P, T, V, d_model, m, n
from derive.counts.table import Group, ShapeTable
from derive.exact import ZERO, Scalar, number

ONCE = number(1)


def table_of(a: Architecture) -> ShapeTable:
    """The table of an architecture; nothing is derived.

    A matrix that is used twice (shared embeddings, a tied head) is counted once, where it is first.
    """
    return ShapeTable(a.name, a.title, a.lang, a.sizes, tuple(_groups(a)), a)


def _groups(a: Architecture) -> Iterator[Group]:
    if a.is_crossed:
        shared = a.parts.embeddings == "shared"
        yield Group("source embedding", parts_of(_embedding(a, m)), ONCE)
        yield Group("encoder layer", layer(a, m), L)
        yield Group("encoder output", parts_of(_end(a, m)), ONCE)
        yield Group("target embedding", parts_of(_embedding(a, n, shared)), ONCE)
        yield Group("decoder layer", layer(a, n, keys=m), L)
        yield Group("output", parts_of(_output(a)), ONCE)
    else:
        yield Group("embedding", parts_of(_embedding(a, n)), ONCE)
        yield Group("layer", layer(a, n), L)
        yield Group("output", parts_of(_output(a)), ONCE)


def _embedding(a: Architecture, tokens: Scalar, is_shared: bool = False) -> Iterator[Row]:
    """Rows of a V x d_model matrix are looked up; positions and segments are added."""
    yield free("tokens", B, tokens)
    shape = (B, tokens, d_model)
    yield "embedding", shape, ZERO if is_shared else V * d_model, ZERO
    if a.parts.position_encoding == "sinusoidal":
        yield free("PE", *shape)
    elif a.parts.position_encoding == "learned":
        yield "positions", shape, P * d_model, ZERO
    if "T" in a.sizes:
        yield "segments", shape, T * d_model, ZERO
    if a.parts.embedding_norm:
        yield norm(a, "embedding norm", tokens)


def _end(a: Architecture, tokens: Scalar) -> Iterator[Row]:
    """What leaves a stack."""
    if a.parts.final_norm:
        yield norm(a, "final norm", tokens)
    yield free("hidden states", B, tokens, d_model)


def _output(a: Architecture) -> Iterator[Row]:
    yield from _end(a, n)
    if a.parts.head == "pooler":
        yield free("first token", B, d_model)
        yield "pooler", (B, d_model), d_model * d_model + d_model, B * d_model * d_model
        yield free("tanh", B, d_model)
    elif a.parts.head != "none":
        name, shape, weights, products = linear("logits", n, d_model, V, a.parts.head_bias)
        tied = d_model * V if a.parts.head == "tied" else ZERO
        yield name, shape, weights - tied, products
        yield free("probabilities", *shape)
