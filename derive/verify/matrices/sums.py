"""Sums among the operands: exponentials, or the terms of an entry of a product."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Binary, Function, Leaf, Node, Number, literal
from derive.verify.known.matching import Asked, matched
from derive.verify.known.state import State
from derive.verify.matrices.recognition import Matches
from derive.verify.values.align import terms
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.judge import Judge, follows

ENOUGH = 7
"""So many agreeing digits in a sum are no chance."""


class Sums:
    """Judges the terms of sums, without the sums themselves."""

    def __init__(self, state: State, matches: Matches) -> None:
        """Over what is known."""
        self.state, self.matches = state, matches

    def contributions(self, side: Node, done: set[int]) -> None:
        """A sum of printed terms, as entry (i, c) of a product: each term is a_ik b_kc."""
        for item in side.items if isinstance(side, Array) else (side,):
            found = terms(_summed(item))
            if len(found) < 2 or not all(isinstance(t, Number) for t in found):
                continue
            cells = [t.cell for t in found if isinstance(t, Number)]
            if self.summed(cells, done):
                continue
            for ways in self.products(len(cells)):
                if all(is_term(w, c) for w, c in zip(ways, cells, strict=True)):
                    for cell, way in zip(cells, ways, strict=True):
                        settled(self.state, Number(cell), way, done)
                    break

    def summed(self, cells: list[Cell], done: set[int]) -> bool:
        """The terms of a sum as a list: a vector printed before, or exponentials of one."""
        if self.state.assumes or any(cell.figure is None for cell in cells):
            return False
        known = [origin for c in cells if c.figure and (origin := self.state.pool.origin(c.figure))]
        if (run := self.state.runs.same(cells)) is not None:
            known = run
            for cell, origin in zip(cells, run, strict=True):
                self.state.refer(cell, origin)
            done.update(map(id, cells))
        if len(known) < len(cells):
            asked = Asked(("exp",), is_soft=True, tainted=self.state.pool.has_wrong)
            match = matched([cells], self.summands(len(cells)), asked)
            if match is None or (not match.is_whole and match.counts.digits < ENOUGH):
                return False
            self.matches.by_match(Grid([cells]), match)
            done.update(map(id, cells))
        self.state.summed_at = -1
        self.state.summed = known if len(known) == len(cells) else cells
        self.state.pool.summed = Grid([self.state.summed])
        self.state.pool.add(self.state.pool.summed)
        return True

    def summands(self, count: int) -> Iterator[Grid]:
        """What the last vectors of a length lead to, and the steps of a head."""
        for run in (*self.state.runs.vectors(), *self.state.pool.recent()):
            if run.shape[1] == count:
                for function in ("exp", "exp less max", "squares", "plogp"):
                    step = self.state.steps.unary(function, run, "exp")
                    if step is not None:
                        yield step
        yield from self.state.steps.all()

    def products(self, count: int) -> Iterator[list[Node]]:
        """For each entry of each product of `count` terms, the terms."""
        list(self.state.steps.all())
        for step in self.state.steps.latest():
            if not isinstance(step.made, Binary) or step.made.sign != "@":
                continue
            a, b = step.made.left, step.made.right
            turned = isinstance(b, Function)
            right = b.arguments[0] if isinstance(b, Function) else b
            if not isinstance(a, Leaf) or not isinstance(right, Leaf) or a.grid.shape[1] != count:
                continue
            rows = right.grid.rows
            for row in a.grid.rows:
                for c in range(len(rows) if turned else len(rows[0])):
                    column = rows[c] if turned else [r[c] for r in rows]
                    yield [
                        Binary("*", Leaf(Grid([[x]])), Leaf(Grid([[y]])))
                        for x, y in zip(row, column, strict=True)
                    ]


def is_term(way: Node, cell: Cell) -> bool:
    """Whether a printed term is the product of two entries, as printed or as they are exactly."""
    if cell.figure is None:
        return True
    exact = value(way, "exact").rows[0][0]
    if not (follows(way, cell.figure, 0, 0) or cell.figure.is_rounded(exact)):
        return False
    return not cell.figure.is_whole or exact.overlaps(cell.figure.ball)


def settled(state: State, target: Node, made: Node, done: set[int]) -> None:
    """Judges a printed part by the expression it works out."""
    cells = literal(target)
    if not cells or not has_value(made):
        return
    exact = value(made, "exact")
    if exact.shape != (len(cells), len(cells[0])):
        return
    state.judged(cells, exact, Judge(made, exact), "")
    for row in cells:
        for cell in row:
            state.pool.note(cell)
    done.update(id(cell) for row in cells for cell in row)


def _summed(node: Node) -> Node:
    """What is divided, as the sum in a mean."""
    return node.left if isinstance(node, Binary) and node.sign == "/" else node
