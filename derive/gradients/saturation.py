"""How the gradient behind a softmax of two keys shrinks, with and without 1/sqrt(d_k).

With scores delta apart after scaling, and sqrt(d_k) delta before it, the derivative of a weight by
its raw score is a (1 - a) = 1/(e^{gap/2} + e^{-gap/2})^2, times 1/sqrt(d_k) where scores are
scaled (the variance argument is that of Vaswani et al. 2017, sect. 3.2.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derive.errors import Undecided
from derive.exact import Scalar, number, symbol
from derive.exact.range import Zero, zeros

DELTA = "delta"


@dataclass(frozen=True)
class Saturation:
    """Both derivatives as functions of delta, and where they are equal.

    far: up to there no other crossing was found, and there is none.
    """

    d_k: int
    unscaled: Scalar
    scaled: Scalar
    crossover: Zero
    far: Fraction

    @property
    def ratio(self) -> Scalar:
        """Scaled over unscaled."""
        return self.scaled / self.unscaled


def slope(gap: Scalar) -> Scalar:
    """a (1 - a) of two keys whose scores are so far apart."""
    return 1 / (gap.exp() + 2 + (-gap).exp())


def saturation(d_k: int) -> Saturation:
    """For heads of that size, at least 2.  Undecided where the crossing is not isolated."""
    root, delta = number(d_k).sqrt(), symbol(DELTA)
    far = Fraction(4)
    # 1/scaled - 1/unscaled, times -1: its sign is that of scaled - unscaled.
    f = _cosh(root * delta) - root * _cosh(delta)
    change = root * (_sinh(root * delta) - _sinh(delta))
    found = zeros(f, change, DELTA, Fraction(0), far)
    if found.open or len(found.found) != 1:
        raise Undecided(f"where scaling begins to help for d_k = {d_k}")
    return Saturation(d_k, slope(root * delta), slope(delta) / root, found.found[0], far)


def _cosh(x: Scalar) -> Scalar:
    """4 cosh(x/2)^2."""
    return x.exp() + 2 + (-x).exp()


def _sinh(x: Scalar) -> Scalar:
    """2 sinh x, the derivative of that."""
    return x.exp() - (-x).exp()
