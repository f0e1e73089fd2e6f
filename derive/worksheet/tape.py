"""A calculation written down once and run on many numbers: instructions without a branch.

A rule run on matrices of nodes leaves its operations on a tape.  What is the same twice stands
there once, so that what mistakes have in common is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import add, mul, sub
from typing import Any

from derive.exact import Matrix, NegativeInfinity, Scalar

Instruction = tuple[str, tuple[Any, ...]]
INPUTS = ("given", "printed", "exact", "wide", "index")
"""Instructions without operands: an entry that is given, constants, and a place in a row."""
WHOLE: Mapping[str, Callable[[int, int], int]] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "neg": lambda x, _: -x,
}
"""What keeps whole numbers whole."""
Code = Sequence[tuple[int, Callable[[Any, Any], Any] | None, Any, int]]
"""(result, operation, left, right); without an operation the row of the registers in `left`."""


class Node:
    """A number on a tape, by its place there."""

    __slots__ = ("place", "tape")
    is_zero = False

    def __init__(self, tape: Tape, place: int) -> None:
        """To be made by the tape."""
        self.tape, self.place = tape, place

    def __add__(self, other: Any) -> Any:
        if isinstance(other, NegativeInfinity):
            return other
        return self._with("add", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Node:
        return self._with("sub", other)

    def __rsub__(self, other: Any) -> Node:
        return self.tape.of(other)._with("sub", self)

    def __mul__(self, other: Any) -> Node:
        return self._with("mul", other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Node:
        """By what is known, such as a root of d_k, in a way of its own."""
        return self._with("over" if isinstance(other, Scalar) else "div", other)

    def __rtruediv__(self, other: Any) -> Node:
        return self.tape.of(other)._with("div", self)

    def __neg__(self) -> Node:
        return self._with("neg", self)

    def __pow__(self, power: int) -> Node:
        return self._with(f"power:{power}", self)

    def exp(self) -> Node:
        """e to this."""
        return self._with("exp", self)

    def apply(self, function: str) -> Node:
        """A named function of this."""
        return self._with("exp" if function == "exp" else f"apply:{function}", self)

    def _with(self, name: str, other: Any) -> Node:
        return self.tape.node(name, self.place, self.tape.of(other).place)


class Tape:
    """Instructions in the order in which they are written, each once."""

    def __init__(self) -> None:
        """Empty."""
        self.instructions: list[Instruction] = []
        self._places: dict[Instruction, int] = {}

    def node(self, name: str, *operands: Any) -> Node:
        """What an instruction comes to."""
        key = name, operands
        if key not in self._places:
            self._places[key] = len(self.instructions)
            self.instructions.append(key)
        return Node(self, self._places[key])

    def of(self, x: Any) -> Node:
        """An operand: a node as it is, else a constant."""
        if isinstance(x, Node):
            return x
        if isinstance(x, NegativeInfinity):
            raise ValueError("-oo is only added")
        return self.node("wide" if isinstance(x, Scalar) else "exact", x)

    def given(self, name: str, shape: tuple[int, int]) -> Matrix:
        """The entries of what is given under a name."""
        rows, columns = shape
        return Matrix(
            [[self.node("given", name, i, j) for j in range(columns)] for i in range(rows)]
        )

    def printed(self, name: str, matrix: Matrix) -> Matrix:
        """A step whose numbers stand on the sheet: a node for each entry, -oo as it is."""
        return Matrix(
            [
                [x if isinstance(x, NegativeInfinity) else self.node("printed", name, i, j)
                 for j, x in enumerate(row)]
                for i, row in enumerate(matrix.rows)
            ]
        )  # fmt: skip

    def exactly(self, matrix: Matrix) -> Matrix:
        """The same with nodes for constants; -oo as it is."""
        return matrix.map(
            lambda x: x if isinstance(x, (Node, NegativeInfinity)) else self.node("exact", x)
        )

    def shares(self, row: Sequence[Any]) -> list[Node]:
        """The softmax of a row; 0 where it is -oo."""
        seen = [k for k, x in enumerate(row) if not isinstance(x, NegativeInfinity)]
        packed = self.node("row", *(row[k].place for k in seen))
        every = self.node("shares", packed.place, packed.place).place
        found = {
            k: self.node("item", every, self.node("index", at).place) for at, k in enumerate(seen)
        }
        return [found[k] if k in found else self.node("exact", 0) for k in range(len(row))]

    def needed(self, places: Iterable[int], known: frozenset[int] = frozenset()) -> list[int]:
        """The places on the way to some, in order, without those that are known."""
        waiting, found = [p for p in places if p not in known], set[int]()
        while waiting:
            place = waiting.pop()
            if place not in found:
                found.add(place)
                waiting += [p for p in self._operands(place) if p not in known]
        return sorted(found)

    def whole(self) -> set[int]:
        """The places of whole numbers, where what is given is whole."""
        found: set[int] = set()
        for place, (name, operands) in enumerate(self.instructions):
            is_constant = name == "exact" and isinstance(operands[0], int)
            made = name in WHOLE and found.issuperset(operands)
            if name == "given" or is_constant or made:
                found.add(place)
        return found

    def _operands(self, place: int) -> tuple[int, ...]:
        name, operands = self.instructions[place]
        return () if name in INPUTS else operands

    def code(self, places: Iterable[int], operation: Callable[[str], Any]) -> Code:
        """The instructions at these places, but for those without operands, bound to arithmetic."""
        found: list[Any] = []
        for place in places:
            name, operands = self.instructions[place]
            if name == "row":
                found.append((place, None, operands, 0))
            elif name not in INPUTS:
                found.append((place, operation(name), *operands))
        return found


def run(code: Code, registers: list[Any]) -> None:
    """Fill the registers; what rests on a number without an end has none, and is None."""
    for place, operation, left, right in code:
        if operation is None:
            registers[place] = tuple([registers[k] for k in left])
        else:
            x, y = registers[left], registers[right]
            registers[place] = None if x is None or y is None else operation(x, y)
