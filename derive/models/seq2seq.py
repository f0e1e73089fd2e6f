"""An encoder and a decoder: the translation model of 2017.

The encoder reads the source once; the decoder, word by word, attends to what it has written and to
what the encoder made of the source.                                Vaswani et al. 2017, fig. 1
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.errors import InputError
from derive.models.block import block, finish, stacked
from derive.models.decoder import causal_unless_given, decoder_block
from derive.models.language import embed, predict, score
from derive.models.layers import Made
from derive.models.model import Axes
from derive.models.sizes import (
    block_sizes,
    decoder_block_sizes,
    embedding_sizes,
    layer_scopes,
    norm_sizes,
    output_sizes,
    spare,
)


def derive_seq2seq(problem: Problem) -> Derivation:
    """The training view: every word of the target foretold from those before it, at once.

    `tokens` are the source, `targets` the text to be written, from the word that starts it to the
    one that ends it: the decoder reads all but the last (teacher forcing) and is compared with all
    but the first.  enc.H_E, enc.L1 ..., dec.H_E, dec.L1.self ..., dec.L1.cross ..., logits, P, L,
    loss, PPL.  Both share W_E, unless enc.W_E and dec.W_E are given; without W_U the decoder's
    embedding scores the words.  InputError where the target has fewer than two words.
    """
    target = problem.targets or ()
    if len(target) < 2:
        raise InputError(
            f"the target {'holds one word' if target else 'is empty'}",
            expected="the word that starts it, and those that should follow",
        )
    d, memory = encode(Derivation.of(causal_unless_given(problem)))
    return score(decode(d, memory, target[:-1]), "P", target[1:])


def derive_written(problem: Problem, written: Sequence[str]) -> Derivation:
    """The inference view: what follows the words that have been written, without a target."""
    d, memory = encode(Derivation.of(causal_unless_given(problem)))
    return decode(d, memory, written)


def encode(d: Derivation) -> Made:
    """The source read by a stack of blocks in which every word sees all."""
    d, x = embed(d, d.problem.tokens, "enc.")
    d, x = stacked(d, x, "enc.", partial(block, mask=None), always=True)
    return finish(d, x, "enc.")


def decode(d: Derivation, memory: str, written: Sequence[str]) -> Derivation:
    """The scores and probabilities of what follows each word written."""
    d, x = embed(d, written, "dec.", what="the target")
    layer = partial(decoder_block, memory=memory, mask=d.problem.conventions.mask)
    d, x = stacked(d, x, "dec.", layer, always=True)
    d, x = finish(d, x, "dec.")
    return predict(d, x)


def matrices(choices: Conventions, given: Collection[str]) -> Axes:
    """The embeddings, the weights of both stacks, their last norms, and the output's."""
    found: dict[str, tuple[str, str]] = {}
    for scope, text in (("", "n"), ("enc.", "n"), ("dec.", "m")):
        found |= embedding_sizes(choices, scope, text)
    found = {name: sizes for name, sizes in found.items() if name not in ("PE", "W_P")}
    for scope in layer_scopes(choices, "enc.", always=True):
        found |= block_sizes(choices, given, scope)
    found |= norm_sizes(choices, "enc.")
    for scope in layer_scopes(choices, "dec.", always=True):
        found |= decoder_block_sizes(choices, given, scope)
    return {**found, **norm_sizes(choices, "dec."), **output_sizes(), "mask": ("m", "m")}


def optional(choices: Conventions, given: Collection[str]) -> frozenset[str]:
    """Biases, gains, W_O and W_U, one of the ways to embed, and one to place."""
    both = {"enc.W_E", "dec.W_E"}
    tables = {"W_E"} if both <= set(given) else both
    for scope in ("enc.", "dec."):
        tables |= {f"{scope}PE"} if f"{scope}W_P" in given else {f"{scope}W_P"}
    return spare(matrices(choices, given), "W_U", "mask", *tables)
