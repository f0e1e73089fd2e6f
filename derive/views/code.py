"""The derivation as a short program in NumPy or PyTorch, to be run and compared with the page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, NegativeInfinity
from derive.exact.ink import POWER, Piece, Plain
from derive.exact.write import Writer
from derive.ops import Mask
from derive.step import Step


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
    """How a library says what the program needs."""

    imports: str
    array: str
    row_max: str
    exp: str
    row_sum: str
    infinity: str
    lower: str
    where: str


LIBRARIES = {
    "numpy": Library(
        imports="import numpy as np",
        array="np.array({}, dtype=float)",
        row_max="{}.max(axis=1, keepdims=True)",
        exp="np.exp",
        row_sum="{}.sum(axis=1, keepdims=True)",
        infinity="np.inf",
        lower="np.tril(np.ones(scaled.shape)) == 1",
        where="np.where",
    ),
    "torch": Library(
        imports="import torch",
        array="torch.tensor({}, dtype=torch.float64)",
        row_max="{}.amax(dim=1, keepdim=True)",
        exp="torch.exp",
        row_sum="{}.sum(dim=1, keepdim=True)",
        infinity="torch.inf",
        lower="torch.tril(torch.ones(scaled.shape)) == 1",
        where="torch.where",
    ),
}


def program(derivation: Derivation, library: str) -> str:
    """A program that computes every step in double precision and prints A and O.

    InputError for a model of more than one head, which has no program yet, and where the problem
    has free symbols, which a program cannot print.
    """
    if derivation.problem.model != "attention":
        raise InputError(
            f"there is no program for the model {derivation.problem.model} yet",
            expected='a problem of the model "attention"',
            hint="print the page instead, or its numbers with derive eval",
        )
    symbols = sorted(frozenset().union(*(_symbols(s.value) for s in derivation.steps if not s.op)))
    divisor = next(s.op.divisor for s in derivation.steps if s.name == "scaled")  # type: ignore[union-attr]
    symbols += sorted(divisor.free_symbols)
    if symbols:
        raise InputError(
            f"a program needs numbers, and this problem has the free symbol {symbols[0]}",
            hint="give it a value in the problem, or print the page instead",
        )
    body = "\n".join(_lines(derivation, LIBRARIES[library]))
    head = ["import math", ""] if "math." in body else []
    title = derivation.problem.title or derivation.problem.name
    return "\n".join(
        [json.dumps(title, ensure_ascii=False), "", *head, LIBRARIES[library].imports, "", body, ""]
    )


def _lines(derivation: Derivation, library: Library) -> Iterator[str]:
    writer = Writer(Python())
    for step in derivation.steps:
        if step.op is None:
            yield f"{step.name} = {library.array.format(_rows(step.value, writer, library))}"
    source = "context" if "context" in derivation else "H"
    scaled = derivation.step("scaled")
    yield ""
    yield "Q = H @ W_Q"
    yield f"K = {source} @ W_K"
    yield f"V = {source} @ W_V"
    yield "S = Q @ K.T"
    divisor = writer.piece(scaled.op.divisor)  # type: ignore[union-attr]
    yield f"scaled = S / {writer.bracketed(divisor, POWER)}"
    last = "scaled"
    if "masked" in derivation:
        yield from _mask(derivation.step("masked"), derivation, writer, library)
        last = "masked"
    yield f"E = {library.exp}({last} - {library.row_max.format(last)})  # the shift cancels in A"
    yield f"A = E / {library.row_sum.format('E')}"
    yield "O = A @ V"
    yield ""
    yield "print(A)"
    yield "print(O)"


def _mask(step: Step, derivation: Derivation, writer: Writer, library: Library) -> Iterator[str]:
    op = step.op
    assert isinstance(op, Mask)
    value = _entry(op.value, writer, library)
    if derivation.problem.conventions.mask == "causal":
        yield f"allowed = {library.lower}"
    else:
        rows = [
            [str(not isinstance(x, NegativeInfinity)) for x in row] for row in op.forbidden.rows
        ]
        table = "[" + ", ".join("[" + ", ".join(row) + "]" for row in rows) + "]"
        yield f"allowed = {library.array.format(table)} == 1"
    other = value if op.mode == "replace" else f"scaled + {value}"
    if isinstance(op.value, NegativeInfinity):
        other = f"-{library.infinity}"
    yield f"masked = {library.where}(allowed, scaled, {other})"


def _rows(matrix: Matrix, writer: Writer, library: Library) -> str:
    rows = ("[" + ", ".join(_entry(x, writer, library) for x in row) + "]" for row in matrix.rows)
    return "[" + ", ".join(rows) + "]"


def _entry(x: object, writer: Writer, library: Library) -> str:
    return f"-{library.infinity}" if isinstance(x, NegativeInfinity) else writer.text(x)


def _symbols(matrix: Matrix) -> frozenset[str]:
    return frozenset().union(*(x.free_symbols for x in matrix))
