"""What a program has defined where a line of it is read: its language, functions, variables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from derive.verify.grammar.nodes import Array, Function, Name, Negative, Node, Number, rebuilt

LARGEST = 2000
"""What a function stands for is no longer, in signs."""
DEEPEST = 100
"""Nor are its parts so deep inside of each other."""
AXES = frozenset(("axis", "dim", "dims"))
"""Keywords that say along which axis."""
SEVERAL = "?several"
"""Several results at once, as of return a, b."""
TEXT = "?text"
"""Words in quotes, and the values that are put into them."""
WORD = "?word"
"""Words in quotes by themselves."""


@dataclass(frozen=True)
class Routine:
    """A function: its parameters, with their values where left out, and its results."""

    parameters: tuple[str, ...]
    defaults: Mapping[str, Node]
    result: Node
    inner: Mapping[str, Node] = field(default_factory=dict)  # what is assigned inside

    def of(self, plain: list[Node], named: Mapping[str, Node | None]) -> Node | None:
        """The result for these arguments; None where they do not fit."""
        meant = dict(self.defaults)
        meant |= dict(zip(self.parameters, plain, strict=False))
        meant |= {name: value for name, value in named.items() if value is not None}
        if len(plain) > len(self.parameters) or set(self.parameters) - set(meant):
            return None
        made = put(self.result, meant)
        return made if size(made, LARGEST) < LARGEST and is_shallow(made) else None


@dataclass
class Scope:
    """What is defined so far."""

    language: str = ""
    is_program: bool = False  # whether a program came before
    is_torch: bool = False  # whether variances are of samples unless a call says otherwise
    functions: dict[str, Routine] = field(default_factory=dict)
    variables: set[str] = field(default_factory=set)
    axes: dict[str, Node] = field(default_factory=dict)  # names that stand for a whole number

    @property
    def dialect(self) -> str:
        """The language, or the library by whose conventions functions are called."""
        return "torch" if self.is_torch and self.first == 0 else self.language

    def axis(self, keyword: str, value: Node | None) -> Node | None:
        """What a keyword is given; of an axis, the number that a name or a list of one means."""
        if keyword not in AXES:
            return value
        value = self.axes.get(value.text, value) if isinstance(value, Name) else value
        match value:
            case Array((only,)):
                return only
        return value

    def assign(self, names: Sequence[str], values: Sequence[Node | None]) -> None:
        """Keeps what may stand for an axis; no other value of these names."""
        for name in names:
            self.axes.pop(name, None)
        pairs = zip(names, values, strict=False)
        self.axes.update((name, v) for name, v in pairs if isinstance(v, Number | Negative | Array))

    @property
    def first(self) -> int:
        """The number of the first entry."""
        return int(self.language in ("r", "julia", "matlab"))

    def calls(self, name: str) -> bool:
        """Whether a bracket behind a name holds arguments, not places: X(1, 2)."""
        is_place = name in self.variables and name not in self.functions
        return not (self.language == "matlab" and is_place)


_TORCH = re.compile(r"\bimport torch\b|\btorch\.")
_ARRAYS = re.compile(r"\bnumpy\b|\bnp\.|\btensorflow\b|\bjax\b")
_SPREAD = re.compile(
    r"\b(?:std|var)\((?![^()\n]*(?:unbiased\s*=\s*False|correction\s*=\s*0|,\s*False))"
)


def is_torch(text: str) -> bool:
    """Whether the programs of a text work with tensors of torch alone."""
    return bool(_TORCH.search(text)) and not _ARRAYS.search(text)


def is_numpy(text: str) -> bool:
    """Whether the programs of a text work with arrays of numpy and its kin alone."""
    return bool(_ARRAYS.search(text)) and not _TORCH.search(text)


def has_samples(text: str) -> bool:
    """Whether a program takes the variance of a sample, as torch does unless told otherwise."""
    return is_torch(text) and bool(_SPREAD.search(text))


def put(node: Node, meant: Mapping[str, Node]) -> Node:
    """An expression with names replaced by what they mean."""
    if isinstance(node, Name):
        return meant.get(node.text, node)
    return rebuilt(node, lambda part: put(part, meant))


def size(node: Node, most: int) -> int:
    """How many parts an expression has; at least `most` where these are too many to count."""
    count, waiting = 0, [node]
    while waiting and count < most:
        count += 1
        waiting.extend(waiting.pop().parts())
    return count


def is_shallow(node: Node) -> bool:
    """Whether the parts of an expression are not too deep inside of each other."""
    level = [node]
    for _ in range(DEEPEST):
        level = [part for one in level for part in one.parts()]
        if not level:
            return True
    return False


def functions_in(node: Node) -> set[str]:
    """The functions in an expression."""
    own = {node.name} if isinstance(node, Function) else set()
    return own.union(*map(functions_in, node.parts()))
