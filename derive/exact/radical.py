"""Square roots of integers: squarefree parts, and denominators made rational."""

from __future__ import annotations

from functools import lru_cache
from math import isqrt, lcm

from derive.exact.terms import Terms, product

MOST_BITS = 128
"""Longer integers are not factored, and a root of one stays as it is."""
MOST_PRIMES, MOST_TERMS = 4, 16
"""A denominator with more is left as it is: each prime doubles its terms."""


def is_hard(n: int) -> bool:
    """Whether n >= 0 is too long to be factored, and no square."""
    return n.bit_length() > MOST_BITS and isqrt(n) ** 2 != n


def squarefree(n: int) -> tuple[int, int]:
    """(s, r) with n = s r^2 and s squarefree, n >= 0; ValueError for an n too hard to factor."""
    root = isqrt(n)
    if root * root == n:
        return 1, root
    if is_hard(n):
        raise ValueError(f"a number of {n.bit_length()} bits is not factored")
    from flint import fmpz

    s, r = 1, 1
    for prime, power in fmpz(n).factor():
        s *= int(prime) ** (power % 2)
        r *= int(prime) ** (power // 2)
    return s, r


def is_radical(den: Terms) -> bool:
    """Whether den lies in a number field small enough to take its conjugates one by one."""
    if len(den) > MOST_TERMS or any(m.powers or m.exponent for m in den):
        return False
    return len(_primes(lcm(*(m.root for m in den)))) <= MOST_PRIMES


def rationalised(num: Terms, den: Terms) -> tuple[Terms, Terms]:
    """Multiplied above and below by a conjugate of den: one prime under its roots less."""
    prime = _primes(next(m.root for m in den if m.root > 1))[0]
    conjugate = {m: -c if m.root % prime == 0 else c for m, c in den.items()}
    return product(num, conjugate), product(den, conjugate)


@lru_cache(1024)
def _primes(n: int) -> list[int]:
    from flint import fmpz

    return [int(prime) for prime, _ in fmpz(n).factor()]
