"""A normalisation by itself.

N = gamma (X - mu) / sqrt(var + eps) + beta                        Ba et al. 2016, eq. 4
"""

from __future__ import annotations

from collections.abc import Collection

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.models.layers import normalise
from derive.models.model import Axes
from derive.models.sizes import norm_sizes, spare


def derive_layernorm(problem: Problem) -> Derivation:
    """mu, var, sigma, xhat and N of each row of H (n x d_model), or ms, rms, xhat and N.

    gamma and beta are rows of d_model.  InputError where a row is constant and eps is 0.
    """
    return normalise(Derivation.of(problem), "H", "")[0]


def matrices(choices: Conventions, _given: Collection[str]) -> Axes:
    """H, gamma and beta."""
    return {"H": ("n", "d_model"), **norm_sizes(choices)}


def optional(choices: Conventions, given: Collection[str]) -> frozenset[str]:
    """gamma and beta."""
    return spare(matrices(choices, given))
