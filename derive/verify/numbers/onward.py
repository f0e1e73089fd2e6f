"""Numbers in a sentence that go on with the entries of a step: a·b is 1.4, a·c 0.5 and b·c 0.98."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.known.state import State
from derive.verify.numbers.angles import angle
from derive.verify.numbers.denominators import denominator
from derive.verify.numbers.stated import stated
from derive.verify.speech.roles import indexed

REACH = 100
"""A number goes on with those that stand no further before it, in characters."""
CLOSE = 24
"""The next entry of a row stands no further behind, in characters."""
FEWEST = 2
"""So many entries stand before it, and so many digits has it, at the least."""


def onward(state: State, cell: Cell) -> tuple[Grid, int, int] | None:
    """The first entry that is not printed yet and has the digits of a number: step, row, column."""
    last, figure = state.runs.cells[-FEWEST:], cell.figure
    names = {c.quantity.partition("[")[0] for c in last if "[" in c.quantity}
    if len(last) < FEWEST or len(names) != 1 or figure is None or figure.is_whole:
        return None
    if figure.weight < FEWEST or not 0 < cell.start - last[-1].start <= REACH:
        return None
    for step in state.steps.all():
        if step.made is None or step.name not in names:
            continue
        for i, row in enumerate(step.rows):
            for j, x in enumerate(row):
                if x.figure is None and x.exact is not None and figure.is_rounded(x.exact):
                    return step, i, j
    return None


def told(state: State, cell: Cell) -> tuple[Grid, int, int] | None:
    """What the sentence says that a number is, or the row that it goes on with: 4.113, 1."""
    found = angle(state, cell) or denominator(state, cell) or following(state, cell)
    if found is not None:
        return found
    step = stated(state, cell)
    return None if step is None else (step, 0, 0)


def following(state: State, cell: Cell) -> tuple[Grid, int, int] | None:
    """The next entry of the row of the number right before, where that is this whole number."""
    last, figure = next(iter(state.runs.cells[-1:]), None), cell.figure
    if last is None or figure is None or not 0 < cell.start - last.start <= CLOSE:
        return None
    for step in state.steps.latest() if figure.is_whole and "[" in last.quantity else ():
        for i, row in enumerate(step.rows if step.made is not None else ()):
            for j, x in enumerate(row[:-1]):
                exact = row[j + 1].exact
                if x.quantity != last.quantity or exact is None or x.exact is not last.exact:
                    continue
                if exact.is_finite() and (exact - figure.ball).contains(0):
                    return step, i, j + 1
    return None


def note_measured(state: State, cell: Cell, name: str) -> None:
    """Keeps that a mean, variance or deviation of all was worked out of a numbered vector."""
    kind, number = indexed(name) or ("", 0)
    vector = state.pool.rows["H"].get(number) if kind in ("mean", "std", "var") else None
    step = state.steps.unary(kind, vector) if vector is not None else None
    target = step.rows[0][0] if step is not None else cell
    if step is None or target.exact is None or cell.exact is None:
        return
    if not target.exact.overlaps(cell.exact):
        return
    state.measured.add(kind)
    state.pool.is_population |= kind != "mean"
    if target.figure is None:
        target.figure, target.verdict, target.origin = cell.figure, cell.verdict, cell
        target.root = cell.root
