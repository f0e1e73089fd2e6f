"""What a model is: a composition of operations, and the matrices that it needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem

Axes = Mapping[str, tuple[str, str]]
"""The names of the two sizes of each matrix, in the order of a textbook."""


@dataclass(frozen=True)
class Model:
    """A composition of operations.

    matrices(conventions, given): the sizes of every matrix it can use, where `given` names those
    that a problem states; optional(conventions, given): the names it can do without.
    """

    derive: Callable[[Problem], Derivation]
    matrices: Callable[[Conventions, Collection[str]], Axes]
    optional: Callable[[Conventions, Collection[str]], frozenset[str]]
