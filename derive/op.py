"""What an operation is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from derive.exact import Matrix
from derive.exact.trace import Term


@dataclass(frozen=True)
class Mistake:
    """A rule that people mistake for the right one."""

    name: str
    rule: Any


class Op(Protocol):
    """An operation on matrices; its sentences are looked up by its class's name.

    examples: tuples of input matrices, small, on which every law is tried.
    mistakes: wrong rules that are often met.
    """

    examples: tuple[tuple[Matrix, ...], ...]
    mistakes: tuple[Mistake, ...]

    def rule(self, *inputs: Matrix) -> Matrix:
        """The result, in the vocabulary of `derive.exact`."""

    def pullback(self, seed: Matrix, result: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        """The gradient of <seed, result> for each input, in the shape of that input."""

    def formula(self, result: Any, *inputs: Any) -> tuple[Term, Term]:
        """Entry i, j of the result, and what it is; arguments are indexed with letters."""

    def notation(self, *inputs: Term) -> Term:
        """The rule in matrix notation."""
