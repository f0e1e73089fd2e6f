"""A decoder block: masked self-attention, cross-attention to a memory, and feed-forward.

post-norm: N' = LN(X + Self(X)), N'' = LN(N' + Cross(N', M)), N''' = LN(N'' + FFN(N''))
pre-norm:  R' = X + Self(LN(X)), R'' = R' + Cross(LN(R'), M), R''' = R'' + FFN(LN(R''))
                                                                   Vaswani et al. 2017, sect. 3.1
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.exact import Matrix
from derive.models.block import finish, stacked
from derive.models.layers import Made, feed_forward, sublayer
from derive.models.model import Axes
from derive.models.parts import Attention, attended
from derive.models.sizes import decoder_block_sizes, layer_scopes, norm_sizes, spare


def derive_decoder(problem: Problem) -> Derivation:
    """`layers` decoder blocks on H (n x d_model), whose keys come also from `context` (m x d_in).

    The self-attention is causal unless the conventions give its mask as a matrix; the
    cross-attention sees all of the context.  Weights are named self.W_Q ..., cross.W_Q ..., W_1,
    gamma1 to gamma3, and in a stack L1.self.W_Q ...  InputError as for a block.
    """
    problem = causal_unless_given(problem)
    d, x = Derivation.of(problem), "H"
    layer = partial(decoder_block, memory="context", mask=problem.conventions.mask)
    d, x = stacked(d, x, "", layer)
    return d if problem.conventions.layers == 1 else finish(d, x, "")[0]


def causal_unless_given(problem: Problem) -> Problem:
    """The problem whose tokens see only those before them, unless a matrix says what they see."""
    if problem.conventions.mask is not None:
        return problem
    return replace(problem, conventions=replace(problem.conventions, mask="causal"))


def decoder_block(
    d: Derivation, x: str, scope: str, memory: str, mask: str | Matrix | None
) -> Made:
    """One decoder block on the step x; the name of what comes out."""
    own, other = f"{scope}self.", f"{scope}cross."
    d, x = sublayer(d, x, scope, "1", lambda d, x: attended(d, Attention(x, x, own, mask)))
    d, x = sublayer(d, x, scope, "2", lambda d, x: attended(d, Attention(x, memory, other)))
    return sublayer(d, x, scope, "3", lambda d, x: feed_forward(d, x, scope))


def matrices(choices: Conventions, given: Collection[str]) -> Axes:
    """H, the context, the weights of every layer, and the last norm of a stack."""
    found = {"H": ("n", "d_model"), "context": ("m", "d_in")}
    for scope in layer_scopes(choices):
        found |= decoder_block_sizes(choices, given, scope, "d_in")
    if choices.layers > 1:
        found |= norm_sizes(choices)
    return found | {"mask": ("n", "n")}


def optional(choices: Conventions, given: Collection[str]) -> frozenset[str]:
    """Biases, gains and W_O."""
    return spare(matrices(choices, given), "mask")
