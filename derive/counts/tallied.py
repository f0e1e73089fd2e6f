"""Matrices without entries that count the multiply-adds of the products made of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any

from derive.exact import Matrix
from derive.exact.blank import Blank

if TYPE_CHECKING:
    from derive.step import Step


class Tallied(Blank):
    """A blank matrix; every matrix product of it and of what is made of it is entered in a list."""

    def __init__(self, rows: int, columns: int, products: list[int]) -> None:
        """Of that shape; `products` takes the multiply-adds."""
        super().__init__(rows, columns)
        self.products = products

    def __matmul__(self, other: Matrix) -> Tallied:
        self.products.append(self.shape[0] * self.shape[1] * other.shape[1])
        return _with(self.products, super().__matmul__(other))

    def after(self, left: Matrix) -> Tallied:
        """left @ self."""
        self.products.append(left.shape[0] * self.shape[0] * self.shape[1])
        return _with(self.products, super().after(left))


def _with(products: list[int], found: Any) -> Any:
    """A blank result with the list to go on with; anything else as it is."""
    if not isinstance(found, Blank) or isinstance(found, Tallied):
        return found
    return Tallied(found.shape[0], found.shape[1], products)


def _carrying(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a blank matrix, its result going on with the list."""

    @wraps(method)
    def carried(self: Tallied, *arguments: Any) -> Any:
        return _with(self.products, method(self, *arguments))

    return carried


# All of the vocabulary, so that a word added to it is carried along.
for _name, _word in vars(Blank).items():
    if _name not in vars(Tallied) and isinstance(_word, FunctionType):
        setattr(Tallied, _name, _carrying(_word))
Tallied.T = property(_carrying(Blank.T.fget))  # type: ignore[attr-defined,assignment]


def multiply_adds(step: Step) -> int:
    """Of a step, from the shapes of its inputs: its rule is run on matrices without entries."""
    if step.op is None:
        return 0
    products: list[int] = []
    step.op.rule(*(Tallied(x.shape[0], x.shape[1], products) for x in step.inputs))
    return sum(products)
