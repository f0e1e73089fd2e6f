"""Which letters a derivation is written with: t for a power of e, Z_i for a denominator."""

from __future__ import annotations

from collections.abc import Container, Iterable
from math import gcd, lcm

from derive.derivation import Derivation
from derive.exact import Matrix, Scalar
from derive.exact.lowest import is_long
from derive.exact.monomial import ONE, Exponent, Monomial
from derive.exact.named import Names
from derive.exact.names import beside
from derive.exact.order import place_of
from derive.ops import Exponential, Softmax
from derive.step import Step

LETTERS = ("t", "u", "w", "t_1", "t_2", "t_3", "u_1", "u_2", "u_3")
Key = frozenset[tuple[Monomial, int]]
"""A denominator's terms, without their content."""
GENERATORS = 3
"""With more independent exponents than these, powers of e are written out."""
LONG_EXPONENT = 3
"""A sum of so many terms in an exponent is written as the entry of the step that it stands in."""
WIDE = 24
"""Denominators of so many terms in all would leave a row of weights no line to stand on."""
DEGREE = 200
"""And so are they where the powers of the letter would be higher than this."""


def names_of(derivation: Derivation) -> Names:
    """The names that shorten what every page of the derivation says."""
    softmaxes = [s for s in derivation.steps if isinstance(s.op, Softmax)]
    taken = frozenset().union(*(x.free_symbols for s in derivation.steps for x in _symbolic(s)))
    exponents = [m.exponent for s in softmaxes for x in _exponentials(s) for m in x.num]
    powers = _generators(exponents, taken)
    entries = dict(_entries(derivation)) if not powers else {}
    named: dict[Key, tuple[str, tuple[int, ...]]] = {}
    factors: dict[Key, Scalar] = {}
    for s in softmaxes:
        if beside(s.name, "Z") in derivation:
            for key, name, factor in _denominators(s, powers, entries):
                named.setdefault(key, name)
                if factor != 1:
                    factors.setdefault(key, factor)
    return Names(powers, entries, named, factors)


def _entries(derivation: Derivation) -> Iterable[tuple[Exponent, tuple[str, tuple[int, ...]]]]:
    """E_ij for every power of e with a long exponent; the last entry that is it names it."""
    for step in derivation.steps:
        if isinstance(step.op, Exponential):
            for i, row in enumerate(step.value.rows, 1):
                for j, x in enumerate(row, 1):
                    for m in x.num:
                        if len(m.exponent) >= LONG_EXPONENT:
                            yield m.exponent, (step.name, (i, j))


def _symbolic(step: Step) -> Iterable[Scalar]:
    return step.value if step.op is None and not hasattr(step.value, "parts") else ()


def _exponentials(step: Step) -> Matrix:
    return step.operands[0].exp()


def _generators(
    exponents: Iterable[Exponent], taken: frozenset[str]
) -> dict[Monomial, tuple[str, int, int]]:
    multiples: dict[Monomial, set[tuple[int, int]]] = {}
    for exponent in exponents:
        for m, p, q in exponent:
            multiples.setdefault(m, set()).add((p, q))
    if len(multiples) > GENERATORS:
        return {}
    free = iter(letter for letter in LETTERS if letter not in taken)
    steps = {m: _step(pairs) for m, pairs in multiples.items()}
    worth = [m for m in steps if _is_worth_a_letter(m, *steps[m], multiples[m])]
    ordered = sorted(worth, key=lambda m: (-len(multiples[m]), place_of(m)))
    return {m: (next(free), *steps[m]) for m in ordered}


def _step(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """The greatest rational of which all p/q are integer multiples."""
    every = list(pairs)
    q = lcm(*(own for _, own in every))
    p = gcd(*(p * (q // own) for p, own in every))
    g = gcd(p, q)
    return p // g, q // g


def _is_worth_a_letter(m: Monomial, p: int, q: int, pairs: set[tuple[int, int]]) -> bool:
    plain = m is ONE and q == 1 and p == 1
    return not plain and all(abs(a * q) <= DEGREE * p * b for a, b in pairs)


def _denominators(
    step: Step, powers: dict[Monomial, tuple[str, int, int]], entries: Container[Exponent]
) -> Iterable[tuple[Key, tuple[str, tuple[int, ...]], Scalar]]:
    """Z_i where it is long, its row would be, or symbols have to be written out in it."""
    exponentials = step.op.by_rows(_exponentials(step))  # type: ignore[union-attr]
    sums = exponentials.row_sums().rows
    is_wide = max(len(z.num) for (z,) in sums) * step.shape[1] >= WIDE
    for i, (z,) in enumerate(sums, 1):
        written_out = any(key not in powers for m in z.num for key, _, _ in m.exponent)
        is_wordy = (written_out and not z.is_number) or any(m.exponent in entries for m in z.num)
        is_wordy |= is_wide or is_long(z.num)
        if z.is_polynomial and len(z.num) > 1 and is_wordy:
            den = _lowest(step, i - 1, z) if is_wide and z.is_number else z
            yield frozenset(den.num.items()), (beside(step.name, "Z"), (i,)), z / den


def _lowest(step: Step, i: int, z: Scalar) -> Scalar:
    """The denominator of a row of weights: z, or z without a factor that all of the row has."""
    dens = (Scalar(x.den) for x in step.value.rows[i] if x != 0 and not x.is_polynomial)
    den = next((d / gcd(*d.num.values()) for d in dens), z)
    return den if len((z / den).num) == 1 and (z / den).is_polynomial else z
