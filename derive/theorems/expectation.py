"""Expectations: of polynomials in random letters by their moments, and over every outcome.

E is linear, and the expectation of a product of independent factors is the product of theirs.
                                                                  Kolmogorov 1933, chapter IV
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from derive.errors import Unproved
from derive.exact.monomial import Monomial, Symbol, monomial
from derive.exact.scalar import ZERO, Scalar, number
from derive.exact.terms import Terms

Powers = Mapping[str, int]
"""The powers of the random letters in a product."""


@dataclass(frozen=True)
class Law:
    """The joint law of random letters: the expectation of each product of their powers."""

    letters: frozenset[str]
    moment: Callable[[Powers], Scalar]

    def mean(self, x: Scalar) -> Scalar:
        """E x, of a polynomial in the random letters."""
        if self._is_random(x.den):
            raise Unproved("a random letter stands below a fraction stroke")
        top = sum((self._term(m, c) for m, c in x.num.items()), ZERO)
        return top / Scalar(x.den)

    def variance(self, x: Scalar) -> Scalar:
        """E x^2 - (E x)^2."""
        mean = self.mean(x)
        return self.mean(x * x) - mean * mean

    @property
    def functions(self) -> dict[str, Callable[[Any], Any]]:
        """E and Var, as terms name them."""
        return {"E": self.mean, "Var": self.variance}

    def _is_random(self, terms: Terms) -> bool:
        return bool(Scalar(terms).free_symbols & self.letters)

    def _term(self, m: Monomial, c: int) -> Scalar:
        random = {
            atom.name: power
            for atom, power in m.powers
            if isinstance(atom, Symbol) and atom.name in self.letters
        }
        others = tuple(
            (a, k) for a, k in m.powers if not (isinstance(a, Symbol) and a.name in random)
        )
        rest = Scalar({monomial(m.root, others, m.exponent): c})
        if rest.free_symbols & self.letters or min(random.values(), default=1) < 0:
            raise Unproved("the expectation is known of polynomials in the random letters alone")
        return rest * self.moment(random)


def independent(moments: Mapping[str, Sequence[Scalar]]) -> Law:
    """Independent letters; moments[x] are E 1, E x, E x^2 ...; Unproved beyond those given."""

    def moment(powers: Powers) -> Scalar:
        if any(k >= len(moments[name]) for name, k in powers.items()):
            raise Unproved("a moment is asked for that is not assumed to be known")
        return prod((moments[name][k] for name, k in powers.items()), start=number(1))

    return Law(frozenset(moments), moment)


def vectors(means: Mapping[str, Scalar], covariance: Callable[[str, str], Scalar]) -> Law:
    """Random vectors, a letter an entry, of which those with another first letter are independent.

    Known are the moments up to the second within each vector.
    """

    def moment(powers: Powers) -> Scalar:
        found = number(1)
        for first in {name[0] for name in powers}:
            found *= inner([n for n, k in powers.items() for _ in range(k) if n[0] == first])
        return found

    def inner(names: list[str]) -> Scalar:
        if len(names) > 2:
            raise Unproved("moments beyond the second are not assumed to be known")
        means_of = prod((means[name] for name in names), start=number(1))
        return means_of + covariance(*names) if len(names) == 2 else means_of

    return Law(frozenset(means), moment)


Outcomes = tuple[tuple[Scalar, Scalar], ...]
"""Every value of a discrete law, with its probability."""


def enumerated(entry: Outcomes, d: int) -> Callable[[Callable[[Scalar], Scalar]], Scalar]:
    """E f(q.k) over every outcome of 2d independent entries with the same law."""
    law: dict[Scalar, Scalar] = {number(0): number(1)}
    for _ in range(d):
        law = _combined(law, entry)
    return lambda f: sum((p * f(s) for s, p in law.items()), ZERO)


def _combined(law: Mapping[Scalar, Scalar], entry: Outcomes) -> dict[Scalar, Scalar]:
    """The law of the sum so far plus one more product, outcome by outcome."""
    found: dict[Scalar, Scalar] = {}
    for (s, p), ((q, p_q), (k, p_k)) in product(law.items(), _pairs(entry)):
        found[s + q * k] = found.get(s + q * k, ZERO) + p * p_q * p_k
    return found


def _pairs(entry: Outcomes) -> Iterator[tuple[tuple[Scalar, Scalar], tuple[Scalar, Scalar]]]:
    yield from product(entry, entry)
