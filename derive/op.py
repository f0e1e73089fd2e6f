"""What an operation is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from derive.exact import Matrix
from derive.exact.trace import Term


@dataclass(frozen=True)
class Mistake:
    """A rule that people mistake for the right one."""

    name: str
    rule: Callable[..., Matrix]


class Op(Protocol):
    """An operation on matrices; its sentences are looked up by its class's name."""

    @property
    def examples(self) -> tuple[tuple[Matrix, ...], ...]:
        """Input matrices, small, on which every law is tried."""

    @property
    def mistakes(self) -> tuple[Mistake, ...]:
        """Wrong rules that are often met."""

    @property
    def rowwise(self) -> int:
        """Of so many first inputs, row i of the result needs row i alone."""

    @property
    def rule(self) -> Callable[..., Matrix]:
        """rule(*inputs): the result, in the vocabulary of `derive.exact`."""

    @property
    def pullback(self) -> Callable[..., tuple[Matrix, ...]]:
        """pullback(seed, result, *inputs): the gradient of <seed, result>, shaped as each input."""

    @property
    def formula(self) -> Callable[..., tuple[Any, Any] | None]:
        """formula(result, *inputs), to be indexed with letters: entry i, j and what it is."""

    @property
    def notation(self) -> Callable[..., Term]:
        """notation(*inputs): the rule in matrix notation."""
