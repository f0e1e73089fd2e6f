"""The ways by hand through a derivation: what each step can come to when steps are rounded.

The rules of a derivation are written on a tape once (`derive.worksheet.tape`) and run on intervals
of integers (`derive.worksheet.ends`).  For a softmax the largest score may be subtracted first, as
is often taught; both ways are in the interval.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from derive.derivation import Derivation
from derive.exact import Matrix
from derive.exact.ball import precision
from derive.exact.names import beside
from derive.ops import Softmax
from derive.step import Step
from derive.worksheet.ends import BITS, Ends, Reached, hand
from derive.worksheet.tape import Node, Tape, run

Traced = Mapping[str, Matrix]
"""Steps by their names, with nodes of a tape."""
Rows = tuple[tuple[Reached, ...], ...]


class Trace(dict[str, Matrix]):
    """Every step of a derivation on a tape, each written when it is first asked for."""

    def __init__(self, derivation: Derivation, printed: Collection[str] = ()) -> None:
        """Nothing yet; printed: steps that stand on the sheet, and whose numbers are read there."""
        super().__init__()
        self.derivation, self.printed, self.tape = derivation, frozenset(printed), Tape()

    def __missing__(self, name: str) -> Matrix:
        # The earlier steps first, so that no step asks for another on its way.
        for step in self.derivation.steps:
            if step.name not in self:
                made = self.step(step, self)
                is_read = step.name in self.printed
                self[step.name] = self.tape.printed(step.name, made) if is_read else made
            if step.name == name:
                break
        return self[name]

    def step(self, step: Step, known: Traced) -> Matrix:
        """One step from what it rests on."""
        if step.op is None:
            return self.tape.given(step.name, step.shape)
        inputs = [known[x.name] for x in step.inputs]
        if isinstance(step.op, Softmax):
            return self._shares(step.op, inputs[0])
        return self.tape.exactly(step.op.rule(*inputs))

    def _shares(self, op: Any, scores: Matrix) -> Matrix:
        weights: Matrix = op.by_rows(Matrix(list(map(self.tape.shares, op.by_rows(scores).rows))))
        return weights

    def onwards(
        self, changed: Mapping[str, Matrix], needed: Collection[str] | None = None
    ) -> dict[str, Matrix]:
        """The steps that rest on changed ones, on the tape too; what is changed stays as it is.

        needed: the steps that are wanted, all where it is None.
        """
        found = {name: self.tape.exactly(matrix) for name, matrix in changed.items()}
        both = ChainMap(found, self)
        for step in self.derivation.derived:
            if step.name in found or not (needed is None or step.name in needed):
                continue
            if isinstance(step.op, Softmax) and (powers := _powers(step, found)):
                found[step.name] = self._divided(step.op, powers, both)
            elif any(x.name in found for x in step.inputs):
                found[step.name] = self.step(step, both)
        return found

    def _divided(self, op: Any, powers: tuple[str, str], known: Traced) -> Matrix:
        """The weights by way of the powers of e and their sums."""
        above, below = (op.by_rows(known[name]) for name in powers)
        return self.tape.exactly(op.by_rows(above.divide_rows(below)))


def _powers(step: Step, found: Traced) -> tuple[str, str] | None:
    """The powers of e and their sums that belong to a softmax, where one of them is changed."""
    names = beside(step.name, "exp"), beside(step.name, "Z")
    scores = step.inputs[0].name in found
    return names if not scores and any(name in found for name in names) else None


class ByHand:
    """What the steps of one derivation come to by hand."""

    def __init__(self, derivation: Derivation, places: int, printed: Collection[str] = ()) -> None:
        """places: to which is rounded, or to more; printed: as in `Trace`."""
        self.derivation, self.arithmetic = derivation, hand(places)
        self.trace = Trace(derivation, printed)

    def of(self, name: str) -> Rows:
        """A step."""
        return self._worked({name: self.trace[name]}, {})[name]

    def after(self, own: Mapping[str, Mapping[tuple[int, int], Ends]]) -> dict[str, Rows]:
        """The steps that rest on some with other entries, at places counted from 0."""
        changed, known = {}, dict[int, Reached]()
        for name, entries in own.items():
            rows = [list(row) for row in self.trace[name].rows]
            for (i, j), ends in entries.items():
                node = self.trace.tape.node("given", name, i, j)
                rows[i][j], known[node.place] = node, ends
            changed[name] = Matrix(rows)
        return self._worked(self.trace.onwards(changed), known)

    def _worked(self, found: Traced, known: Mapping[int, Reached]) -> dict[str, Rows]:
        tape = self.trace.tape
        registers = {**constants(tape, self.arithmetic, self.derivation), **known}
        filled = [registers.get(k) for k in range(len(tape.instructions))]
        nodes = [x.place for matrix in found.values() for x in matrix if isinstance(x, Node)]
        run(tape.code(tape.needed(nodes), self.arithmetic.operation), filled)
        return {name: _rows(matrix, filled) for name, matrix in found.items()}


def _rows(matrix: Matrix, registers: list[Any]) -> Rows:
    """The numbers at the nodes; what is -oo has no end."""
    return tuple(
        tuple(registers[x.place] if isinstance(x, Node) else None for x in row)
        for row in matrix.rows
    )


def read(tape: Tape, arithmetic: Any, derivation: Derivation) -> Iterator[tuple[int, Any]]:
    """The registers of what is printed."""
    for place, (name, operands) in enumerate(tape.instructions):
        if name == "printed":
            step, i, j = operands
            with precision(BITS):
                found = arithmetic.read(derivation.step(step).enclosure(BITS)[i, j])
            yield place, found


def constants(tape: Tape, arithmetic: Any, derivation: Derivation | None = None) -> dict[int, Any]:
    """The registers of what no instruction makes; the given entries are those of the derivation."""
    found = {} if derivation is None else dict(read(tape, arithmetic, derivation))
    for place, (name, operands) in enumerate(tape.instructions):
        if name == "index":
            found[place] = operands[0]
        elif name in ("exact", "wide"):
            found[place] = getattr(arithmetic, name)(operands[0])
        elif name == "given" and derivation is not None:
            step, i, j = operands
            if derivation.step(step).op is None:
                found[place] = arithmetic.exact(derivation.step(step).value[i, j])
    return found
