"""The sizes of the matrices that a model's parts need, and which of them it can do without.

A size is named as a textbook names it: d_model, d_ff, n.  With h heads W_Q has "h d_k" columns, and
"1" is the height of a row.  A layer's or a part's name stands before the names of its matrices.
"""

from __future__ import annotations

from collections.abc import Collection

from derive.conventions import COUNTS, Conventions
from derive.errors import InputError
from derive.exact.names import label
from derive.models.model import Axes

GATED = {"swiglu": "silu", "geglu": "gelu"}
"""The activation of each feed-forward layer that has a gate."""
SPARE = frozenset({"b_Q", "b_K", "b_V", "b_O", "b_1", "b_2", "b_U", "W_O", "gamma", "beta"})
"""Letters that every part can do without."""


def layer_scopes(choices: Conventions, scope: str = "", *, always: bool = False) -> tuple[str, ...]:
    """What stands before the names of each layer: L1., L2. ...; of a single one nothing, or L1.

    InputError where there are more layers than a derivation can hold.
    """
    least, most = COUNTS["layers"]
    if not least <= choices.layers <= most:
        raise InputError(
            f"layers cannot be {choices.layers}", expected=f"an integer from {least} to {most}"
        )
    if choices.layers == 1 and not always:
        return (scope,)
    return tuple(f"{scope}L{k}." for k in range(1, choices.layers + 1))


def attention_sizes(
    choices: Conventions, given: Collection[str], scope: str = "", source: str = "d_model"
) -> Axes:
    """W_Q, W_K, W_V and W_O with their biases; `source` is the width of what is attended to."""
    h, g = choices.heads, choices.kv_heads or choices.heads
    # Without W_O the heads themselves are as wide as the model.
    values = each(g, "d_v") if f"{scope}W_O" in given or g != h else "d_model"
    return {
        f"{scope}W_Q": ("d_model", each(h, "d_k")),
        f"{scope}W_K": (source, each(g, "d_k")),
        f"{scope}W_V": (source, values),
        f"{scope}W_O": (each(h, "d_v"), "d_model"),
        f"{scope}b_Q": ("1", each(h, "d_k")),
        f"{scope}b_K": ("1", each(g, "d_k")),
        f"{scope}b_V": ("1", values),
        f"{scope}b_O": ("1", "d_model"),
    }


def each(heads: int, size: str) -> str:
    """The width of so many heads together: "d_k", "4 d_k"."""
    return size if heads == 1 else f"{heads} {size}"


def norm_sizes(choices: Conventions, scope: str = "", k: str = "") -> Axes:
    """gamma and beta, gamma alone for RMSNorm."""
    letters = ("gamma",) if choices.normalization == "rmsnorm" else ("gamma", "beta")
    return {f"{scope}{letter}{k}": ("1", "d_model") for letter in letters}


def feed_forward_sizes(choices: Conventions, scope: str = "") -> Axes:
    """Two layers with their biases, or the three of a gated one."""
    if choices.activation in GATED:
        wide = {f"{scope}{name}": ("d_model", "d_ff") for name in ("W_g", "W_u")}
        return {**wide, f"{scope}W_d": ("d_ff", "d_model")}
    return {
        f"{scope}W_1": ("d_model", "d_ff"),
        f"{scope}b_1": ("1", "d_ff"),
        f"{scope}W_2": ("d_ff", "d_model"),
        f"{scope}b_2": ("1", "d_model"),
    }


def block_sizes(choices: Conventions, given: Collection[str], scope: str = "") -> Axes:
    """A block: attention, feed-forward and two norms."""
    return {
        **attention_sizes(choices, given, scope),
        **norm_sizes(choices, scope, "1"),
        **feed_forward_sizes(choices, scope),
        **norm_sizes(choices, scope, "2"),
    }


def decoder_block_sizes(
    choices: Conventions, given: Collection[str], scope: str = "", source: str = "d_model"
) -> Axes:
    """A decoder block: two attentions, feed-forward and three norms."""
    return {
        **attention_sizes(choices, given, f"{scope}self."),
        **norm_sizes(choices, scope, "1"),
        **attention_sizes(choices, given, f"{scope}cross.", source),
        **norm_sizes(choices, scope, "2"),
        **feed_forward_sizes(choices, scope),
        **norm_sizes(choices, scope, "3"),
    }


def embedding_sizes(choices: Conventions, scope: str = "", text: str = "n") -> Axes:
    """The embedding, and learned positions: a row each, or a table to pick from."""
    sizes: dict[str, tuple[str, str]] = {f"{scope}W_E": ("vocabulary", "d_model")}
    if choices.positions == "learned":
        sizes[f"{scope}PE"] = (text, "d_model")
        sizes[f"{scope}W_P"] = ("positions", "d_model")
    return sizes


def output_sizes() -> Axes:
    """What makes scores of words; without W_U the embedding does."""
    return {"W_U": ("d_model", "vocabulary"), "b_U": ("1", "vocabulary")}


def spare(axes: Axes, *others: str) -> frozenset[str]:
    """The names that a part can do without, and those of the others that it knows."""
    return frozenset(name for name in axes if label(name).base in SPARE or name in others)
