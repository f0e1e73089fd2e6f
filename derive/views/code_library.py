"""How Python, NumPy and PyTorch spell what a program needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from derive.exact.ink import Piece, Plain


class Python(Plain):
    """Expressions of Python's own floats."""

    name = "python"
    constants: ClassVar[Mapping[str, str]] = {"pi": "math.pi"}

    def root(self, text: str) -> str:
        """The square root."""
        return f"math.sqrt({text})"

    def exponential(self, exponent: str) -> Piece:
        """e to the exponent."""
        text, level = super().exponential(exponent)
        return ("math.e" if exponent == "1" else f"math.{text}"), level

    def function(self, name: str, argument: str) -> str:
        """A function's value."""
        return f"math.{name}({argument})"


@dataclass(frozen=True)
class Library:
    """The short name of a library, and patterns for what the two libraries say differently."""

    name: str
    imports: str
    array: str
    count: str
    across: str
    down: str
    row_max: str
    column_max: str
    erf: str
    relu: str
    layers: str

    def call(self, function: str, argument: str) -> str:
        """A function that both libraries have: exp, log, sqrt, sin, cos, tanh, hstack."""
        return f"{self.name}.{function}({argument})"

    def row_sums(self, x: str) -> str:
        """The column of the row sums."""
        return f"{x}.sum({self.across})"

    def column_sums(self, x: str) -> str:
        """The row of the column sums."""
        return f"{x}.sum({self.down})"

    def row_means(self, x: str) -> str:
        """The column of the row means."""
        return f"{x}.mean({self.across})"


LIBRARIES = {
    "numpy": Library(
        name="np",
        imports="import numpy as np",
        array="np.array({}, dtype=float)",
        count="np.arange({})",
        across="axis=1, keepdims=True",
        down="axis=0, keepdims=True",
        row_max="{}.max(axis=1, keepdims=True)",
        column_max="{}.max(axis=0, keepdims=True)",
        erf="np.vectorize(math.erf)({})",
        relu="np.maximum({}, 0)",
        layers="np.stack([{}], axis=2)",
    ),
    "torch": Library(
        name="torch",
        imports="import torch",
        array="torch.tensor({}, dtype=torch.float64)",
        count="torch.arange({}, dtype=torch.float64)",
        across="dim=1, keepdim=True",
        down="dim=0, keepdim=True",
        row_max="{}.amax(dim=1, keepdim=True)",
        column_max="{}.amax(dim=0, keepdim=True)",
        erf="torch.erf({})",
        relu="torch.relu({})",
        layers="torch.stack([{}], dim=2)",
    ),
}
