"""A block: attention and feed-forward, each with a residual sum and a normalisation.

post-norm: N' = LN(X + MHA(X)), N'' = LN(N' + FFN(N'))             Vaswani et al. 2017, sect. 3.1
pre-norm:  R' = X + MHA(LN(X)), R'' = R' + FFN(LN(R'))             Xiong et al. 2020, table 1
"""

from __future__ import annotations

from derive.derivation import Derivation, Problem
from derive.models.parts import Attention, attend_in_heads, feed_forward, normalise, residual


def derive_block(problem: Problem) -> Derivation:
    """`layers` blocks one on the other; a stack of pre-norm blocks ends with a last norm N."""
    layers = problem.conventions.layers
    d, x = Derivation.of(problem), "H"
    for k in range(1, layers + 1):
        d, x = block(d, x, "" if layers == 1 else f"L{k}.", problem.conventions.mask)
    if layers > 1 and problem.conventions.norm == "pre":
        d, x = normalise(d, x, "")
    return d


def block(d: Derivation, x: str, scope: str, mask) -> tuple[Derivation, str]:
    """One block on the step x; the name of what comes out."""
    is_pre = d.problem.conventions.norm == "pre"
    return (pre_norm if is_pre else post_norm)(d, x, scope, mask)


def post_norm(d: Derivation, x: str, scope: str, mask) -> tuple[Derivation, str]:
    """Normalised after each residual sum."""
    d = attend_in_heads(d, Attention(x, x, scope, mask))
    d = residual(d, f"{scope}R1", x, output(d, scope))
    d, normal = normalise(d, f"{scope}R1", scope, "1")
    d = feed_forward(d, normal, scope)
    d = residual(d, f"{scope}R2", normal, f"{scope}F")
    return normalise(d, f"{scope}R2", scope, "2")


def pre_norm(d: Derivation, x: str, scope: str, mask) -> tuple[Derivation, str]:
    """Normalised before each sublayer, so that the sums run through untouched."""
    d, normal = normalise(d, x, scope, "1")
    d = attend_in_heads(d, Attention(normal, normal, scope, mask))
    d = residual(d, f"{scope}R1", x, output(d, scope))
    d, normal = normalise(d, f"{scope}R1", scope, "2")
    d = feed_forward(d, normal, scope)
    return residual(d, f"{scope}R2", f"{scope}R1", f"{scope}F"), f"{scope}R2"


def output(d: Derivation, scope: str) -> str:
    """What an attention gives: Y, or O where there is no W_O."""
    return f"{scope}Y" if f"{scope}Y" in d else f"{scope}O"
