"""What a problem fixes: its inputs and every step of its derivation, as known matrices.

An article is then checked against these, whatever it declares itself, so that one which prints
results alone can be checked, and an input that is printed otherwise is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from derive.derivation import Derivation, Problem
from derive.errors import InputError
from derive.exact import Matrix, NegativeInfinity
from derive.exact.ball import precision
from derive.exact.ink import PLAIN
from derive.exact.names import label
from derive.exact.write import write
from derive.ops import (
    Exponential,
    Linear,
    Mask,
    Mix,
    Residual,
    RowMeans,
    RowSums,
    Scale,
    Scores,
    Softmax,
    Transpose,
)
from derive.step import Step
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Node, Ruled
from derive.verify.known.agreement import Counts
from derive.verify.known.matching import Asked, Match, matched
from derive.verify.known.placements import Place, placements
from derive.verify.known.steps.made import quantity, whole
from derive.verify.speech.roles import indexed, role

BITS = 240
ALSO = {"mu": "mean", "sigma": "std", "xhat": "LN", "N": "LN", "context": "M", "Y": "O"}
"""What articles call the letters of a derivation."""


@dataclass(frozen=True)
class Fixed:
    """The matrices of a problem by the names of its steps."""

    problem: Problem
    grids: dict[str, Grid]

    @classmethod
    def by(cls, problem: Problem) -> Fixed:
        """Those of the derivation of a problem.  InputError where it has letters for numbers."""
        letters = sorted({s for m in problem.given.values() for x in m for s in _symbols(x)})
        if letters:
            raise InputError(
                f"the problem has letters: {', '.join(letters[:4])}",
                expected="a problem whose matrices are numbers",
            )
        from derive.models import MODELS

        derivation: Derivation = MODELS[problem.model].derive(problem)
        grids: dict[str, Grid] = {}
        with precision(BITS):
            for step in derivation.steps:
                grids[step.name] = _grid(step, grids)
        return cls(problem, grids)

    def bound(self) -> Iterator[tuple[str, Grid]]:
        """What names in formulas mean: the first step of each letter."""
        seen: set[str] = set()
        for name, grid in self.grids.items():
            base = label(name).base
            if base not in seen and grid.shape != (1, 1):
                seen.add(base)
                yield base, grid

    def match(
        self, grid: Grid, name: str, index: int | None, heard: tuple[str, ...]
    ) -> Match | None:
        """The step that a printed matrix is: by its name, whatever it says, or by its numbers."""
        found = indexed(name)
        kind = role(name) or (found[0] if found else "")
        number = found[1] if found else None
        own = [g for n, g in self.grids.items() if n == name] or list(self.called(kind, number))
        is_row = number and grid.shape[0] == 1 and all(g.shape[0] > 1 for g in own)
        row = index if index is not None else number - 1 if number and is_row else None
        best = _best(grid, own, row) if own else None
        if grid.shape == (1, 1):
            is_sure = best is not None and (best.step.shape == (1, 1) or best.is_whole)
            return best if is_sure else None  # one number by a word alone may be any
        if best is not None:
            return best
        wanted = (kind, *heard) if kind else heard
        return matched(grid.rows, self.grids.values(), Asked(wanted, None, self.sure, True))

    @property
    def sure(self) -> frozenset[int]:
        """All of them."""
        return frozenset(map(id, self.grids.values()))

    def called(self, kind: str, number: int | None) -> Iterator[Grid]:
        """The steps of a quantity, of one head where its number is told."""
        if not kind:
            return
        every = [(label(n), g) for n, g in self.grids.items() if g.name == kind]
        head = [g for found, g in every if number is not None and found.head == str(number)]
        yield from head or (g for _, g in every)

    def as_json(self) -> dict[str, Any]:
        """The problem as it is told in a report."""
        given = {name: _texts(matrix) for name, matrix in self.problem.given.items()}
        return {
            "name": self.problem.name or self.problem.source,
            "model": self.problem.model,
            "given": given,
        }

    def conventions(self) -> dict[str, str | None]:
        """Scale and mask, as a report tells them."""
        choices = self.problem.conventions
        mask = choices.mask if choices.mask is None or isinstance(choices.mask, str) else "given"
        return {"scale": write(choices.scale, PLAIN), "mask": mask}


def _symbols(x: Any) -> frozenset[str]:
    return getattr(x, "free_symbols", frozenset())


def _texts(matrix: Matrix) -> list[list[str]]:
    return [[write(x, PLAIN) for x in row] for row in matrix.rows]


def _best(grid: Grid, own: list[Grid], row: int | None) -> Match | None:
    """The placement in one of these with which most agrees; None where none has the shape."""
    total = sum(cell.figure is not None for cell in grid.cells())
    best: Match | None = None
    for step in own:
        for places in placements(grid.rows, step, row):
            agreed = sum(map(bool, _agreements(grid, step, places)))
            if best is None or agreed > best.counts.agreed:
                best = Match(step, places, Counts(agreed), max(1, total), True)
    return best


def _agreements(grid: Grid, step: Grid, places: tuple[tuple[Place, ...], ...]) -> Iterator[bool]:
    for cells, targets in zip(grid.rows, places, strict=True):
        for cell, (i, j) in zip(cells, targets, strict=True):
            exact = step.rows[i][j].exact
            if cell.figure is not None and exact is not None:
                yield cell.figure.is_rounded(exact) or cell.figure.is_cut(exact)


# From steps to grids


def _grid(step: Step, known: dict[str, Grid]) -> Grid:
    balls = step.enclosure(BITS)
    name = ALSO.get(label(step.name).base, label(step.name).base)
    rows = [
        [
            Cell(None, exact=x, quantity=quantity(step.name, i, j, balls.shape))
            for j, x in enumerate(row)
        ]
        for i, row in enumerate(balls.rows)
    ]
    return Grid(rows, name, _node(step, [Leaf(known[s.name]) for s in step.inputs]))


@dataclass(frozen=True)
class _Given:
    """The rule of what is given: a matrix of nothing."""

    matrix: Matrix

    def rule(self) -> Matrix:
        return self.matrix


def _node(step: Step, leaves: list[Leaf]) -> Node:
    """A step as an expression over those before it."""
    match step.op:
        case None:
            return Ruled(_Given(step.value), ())
        case Linear() | Mix():
            return Binary("@", leaves[0], leaves[1])
        case Scores("rows"):
            return Binary("@", leaves[0], Function("T", (leaves[1],)))
        case Residual():
            return Binary("+", leaves[0], leaves[1])
        case Scale() if (width := _square(step.op)) is not None:
            return Binary("/", leaves[0], Function("sqrt", (whole(width),)))
        case Mask() if _is_causal(step.op, step.shape):
            return Function("causal", (leaves[0],))
    for kind, name in _FUNCTIONS.items():
        if type(step.op) is kind and getattr(step.op, "along", "rows") == "rows":
            return Function(name, (leaves[0],))
    return Ruled(step.op, tuple(leaves))


_FUNCTIONS: dict[type, str] = {
    Softmax: "softmax",
    Exponential: "exp",
    RowSums: "sum",
    RowMeans: "mean",
    Transpose: "T",
}


def _square(op: Scale) -> int | None:
    """n where scores are divided by its root."""
    square = op.divisor**2
    if op.divisor == 1 or not square.is_rational or square.fraction[1] != 1:
        return None
    return int(square.fraction[0])


def _is_causal(op: Mask, shape: tuple[int, int]) -> bool:
    """Whether a mask forbids, by -oo, what comes later and nothing else."""
    if op.mode != "add" or not isinstance(op.value, NegativeInfinity):
        return False
    return all(
        isinstance(x, NegativeInfinity) == (j > i)
        for i, row in enumerate(op.forbidden.rows)
        for j, x in enumerate(row)
    )
