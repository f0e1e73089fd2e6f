"""Theorems about the mathematics of the Transformer: one file each, decided when a page is made.

>>> from derive.theorems import theorem
>>> theorem("row-sums").check()
"""

from __future__ import annotations

from importlib import import_module

from derive.errors import InputError, nearest
from derive.theorems.theorem import Theorem

ORDER = (
    "row-sums",
    "shift",
    "temperature",
    "gaps",
    "convex",
    "variance",
    "dice",
    "permutation",
    "shared-qk",
    "shared-diagonal",
    "key-bias",
    "value-bias",
    "heads",
    "residual",
    "sinusoid-shift",
    "frequency",
    "rope-distance",
    "cache",
    "mask-at-inference",
    "rounding",
)
"""Their names: those of their files, with hyphens."""


def theorem(name: str) -> Theorem:
    """The theorem of that name; InputError with the closest name where there is none."""
    if name not in ORDER:
        close = nearest(name, ORDER)
        raise InputError(
            f'there is no theorem "{name}"',
            expected="one of " + ", ".join(ORDER),
            hint=f'did you mean "{close}"?' if close else "derive theorem lists them",
        )
    module = import_module(f"derive.theorems.{name.replace('-', '_')}")
    found: Theorem = module.theorem()
    return found
