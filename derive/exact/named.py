"""What is written by name: powers of e, and denominators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import gcd

from derive.exact.monomial import Exponent, Monomial
from derive.exact.scalar import Scalar
from derive.exact.terms import Terms


@dataclass(frozen=True)
class Names:
    """What is written by name: powers of e by generator or as entries, and denominators.

    `powers` maps an exponent's monomial m to (letter, p, q), the letter standing for e^(p m / q);
    `entries` maps a whole exponent to the entry of the step that is that power of e.
    `denominators` maps a sum (as a frozenset of its terms) to the step entry that is its name;
    `factors` maps it to what the entry is a multiple by, which the numerator is written with.
    """

    powers: Mapping[Monomial, tuple[str, int, int]] = field(default_factory=dict)
    entries: Mapping[Exponent, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    denominators: Mapping[frozenset[tuple[Monomial, int]], tuple[str, tuple[int, ...]]] = field(
        default_factory=dict
    )
    factors: Mapping[frozenset[tuple[Monomial, int]], Scalar] = field(default_factory=dict)


NO_NAMES = Names()


def primitive(den: Terms) -> frozenset[tuple[Monomial, int]]:
    """The terms of a denominator without their content: what its name is looked up by."""
    content = gcd(*den.values())
    return frozenset((m, c // content) for m, c in den.items())
