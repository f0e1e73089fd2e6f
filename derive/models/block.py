"""A block: attention and feed-forward, each with a residual sum and a normalisation.

post-norm: N' = LN(X + MHA(X)), N'' = LN(N' + FFN(N'))             Vaswani et al. 2017, sect. 3.1
pre-norm:  R' = X + MHA(LN(X)), R'' = R' + FFN(LN(R'))             Xiong et al. 2020, table 1
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.exact import Matrix
from derive.models.layers import Made, feed_forward, normalise, sublayer
from derive.models.model import Axes
from derive.models.parts import Attention, attended
from derive.models.sizes import block_sizes, layer_scopes, norm_sizes, spare

Layer = Callable[[Derivation, str, str], Made]
"""layer(derivation, x, scope): one layer on the step x, and the name of what comes out."""


def derive_block(problem: Problem) -> Derivation:
    """`layers` blocks one on the other on H (n x d_model); a pre-norm stack ends with a norm N.

    Weights are named W_Q ... W_2, gamma1, beta1, gamma2, beta2, and L1.W_Q ... in a stack.
    InputError where heads do not divide the width or the mask does not fit.
    """
    d, x = Derivation.of(problem), "H"
    d, x = stacked(d, x, "", partial(block, mask=problem.conventions.mask))
    return d if problem.conventions.layers == 1 else finish(d, x, "")[0]


def stacked(d: Derivation, x: str, scope: str, layer: Layer, *, always: bool = False) -> Made:
    """The layers one on the other."""
    for own in layer_scopes(d.problem.conventions, scope, always=always):
        d, x = layer(d, x, own)
    return d, x


def finish(d: Derivation, x: str, scope: str) -> Made:
    """The last norm of a stack: after pre-norm layers always, after others where it has a gain."""
    is_pre = d.problem.conventions.norm == "pre"
    return normalise(d, x, scope) if is_pre or f"{scope}gamma" in d else (d, x)


def block(d: Derivation, x: str, scope: str, mask: str | Matrix | None) -> Made:
    """One block on the step x; the name of what comes out."""
    d, x = sublayer(d, x, scope, "1", lambda d, x: attended(d, Attention(x, x, scope, mask)))
    return sublayer(d, x, scope, "2", lambda d, x: feed_forward(d, x, scope))


def matrices(choices: Conventions, given: Collection[str]) -> Axes:
    """H, the weights of every layer, and the last norm of a stack."""
    found = {"H": ("n", "d_model")}
    for scope in layer_scopes(choices):
        found |= block_sizes(choices, given, scope)
    if choices.layers > 1:
        found |= norm_sizes(choices)
    return found | {"mask": ("n", "n")}


def optional(choices: Conventions, given: Collection[str]) -> frozenset[str]:
    """Biases, gains and W_O."""
    return spare(matrices(choices, given), "mask")
