"""A language model: from the words of a text to the probability of every next word.

P = softmax(X W_U), where X comes out of a stack of causal blocks on H = W_E[t] + PE
loss = mean of -ln P_{i, y_i},  PPL = exp(loss)                     Radford et al. 2018, sect. 3.1
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.errors import InputError
from derive.models.block import block, finish, stacked
from derive.models.decoder import causal_unless_given
from derive.models.layers import Made
from derive.models.model import Axes
from derive.models.parts import project
from derive.models.positions import add_positions
from derive.models.sizes import (
    block_sizes,
    embedding_sizes,
    layer_scopes,
    norm_sizes,
    output_sizes,
    spare,
)
from derive.models.text import numbers_of
from derive.ops import CrossEntropy, Embed, Exponential, Mean, Rows, RowSums, Scores, Softmax


def derive_language_model(problem: Problem) -> Derivation:
    """H_E, PE and H, the layers L1, L2 ..., logits, P, and L, loss and PPL where they can be told.

    W_E is vocabulary x d_model, one row for each word of `vocabulary`; without W_U (d_model x
    vocabulary) the embedding scores the words, W_U = W_E^T.  Layers are causal unless the
    conventions give the mask as a matrix, and pre-norm ones end with a norm N.  The loss compares
    each position with its target, or else each but the last with the word that follows (P_y).
    InputError for a word outside the vocabulary, an empty text or targets of another length.
    """
    problem = causal_unless_given(problem)
    d, x = embed(Derivation.of(problem), problem.tokens, "")
    layer = partial(block, mask=problem.conventions.mask)
    d, x = stacked(d, x, "", layer, always=True)
    d, x = finish(d, x, "")
    d = predict(d, x)
    d, known, following = compared(d)
    return score(d, known, following) if following else d


def embed(
    d: Derivation, words: Sequence[str], scope: str, start: int = 0, what: str = "the text"
) -> Made:
    """Each word's row of the embedding, and its position where the conventions add one."""
    table = f"{scope}W_E" if f"{scope}W_E" in d else "W_E"
    d = d.then(f"{scope}H_E", Embed(numbers_of(words, d.problem, what)), table)
    if d.problem.conventions.positions in ("sinusoidal", "learned"):
        return add_positions(d, f"{scope}H_E", scope, start)
    return d, f"{scope}H_E"


def predict(d: Derivation, x: str, scope: str = "") -> Derivation:
    """The score of every word at every position, and its probability."""
    name = f"{scope}logits"
    if "W_U" in d:
        d = project(d, name, x, "W_U", "b_U")
    else:
        table = "dec.W_E" if "dec.W_E" in d else "W_E"
        d = d.then(name, Scores(), x, table)
    return probabilities(d, name, scope)


def probabilities(d: Derivation, scores: str, scope: str) -> Derivation:
    """exp, Z and P, the softmax of the scores."""
    d = d.then(f"{scope}exp", Exponential(), scores)
    return d.then(f"{scope}Z", RowSums(), f"{scope}exp").then(f"{scope}P", Softmax(), scores)


def compared(d: Derivation) -> tuple[Derivation, str, tuple[str, ...]]:
    """The step whose rows have a target, and the targets: those given, or the text from word 2."""
    tokens, targets = d.problem.tokens, d.problem.targets
    if targets is None:
        if len(tokens) < 2:
            return d, "P", ()
        return d.then("P_y", Rows(1, len(tokens) - 1), "P"), "P_y", tokens[1:]
    if len(targets) not in (0, len(tokens)):
        raise InputError(
            f"{len(targets)} target{'s' * (len(targets) != 1)} for {len(tokens)} tokens",
            expected="the word that follows each token",
        )
    numbers_of(targets, d.problem, "the target")
    return d, "P", targets


def score(d: Derivation, known: str, following: Sequence[str]) -> Derivation:
    """L at every position, its mean and the perplexity."""
    targets = numbers_of(following, d.problem, "the target")
    d = d.then("L", CrossEntropy(targets), known).then("loss", Mean(), "L")
    return d.then("PPL", Exponential(), "loss")


def matrices(choices: Conventions, given: Collection[str]) -> Axes:
    """The embedding, the weights of every layer, the last norm, and the output's."""
    found: dict[str, tuple[str, str]] = {**embedding_sizes(choices)}
    for scope in layer_scopes(choices, always=True):
        found |= block_sizes(choices, given, scope)
    return {**found, **norm_sizes(choices), **output_sizes(), "mask": ("n", "n")}


def optional(choices: Conventions, given: Collection[str]) -> frozenset[str]:
    """Biases, gains, W_O and W_U, and one of the two forms of learned positions."""
    other = {"PE"} if "W_P" in given else {"W_P"}
    return spare(matrices(choices, given), "W_U", "mask", *other)
