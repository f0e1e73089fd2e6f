"""What programs assign and print: a printout is judged by the expression that it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Function, Name, Node, literal
from derive.verify.known.state import State
from derive.verify.matrices.assigned import fill
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.results import Results
from derive.verify.program import BEGINS, PRINTS, REMARKS
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.held import agreement
from derive.verify.values.operations import Unknown

AHEAD = 24
"""So many of the values that wait to be printed are looked at."""
MOST = 200
"""So many values wait at most."""
ENOUGH = 0.5
"""The part of a printout that agrees with a value, at the least, for it to be that one."""


@dataclass(eq=False)
class Waiting:
    """A value that is shown: its expression, what it stood for then, and what is known of it."""

    expression: Node
    made: Node
    source: Node | None
    call: int
    is_passed: bool = False


class Printouts:
    """Judges the printouts of programs."""

    def __init__(self, state: State, names: Meanings, results: Results) -> None:
        """Over what is known."""
        self.state, self.names, self.results = state, names, results
        self.printed: list[Waiting] = []
        self.last: list[Waiting] = []
        self.remarks: list[Waiting] = []
        self.calls = count()

    def assigned(self, name: Node, made: Node, start: int) -> None:
        """A line of a program: its name stands for its value from here on."""
        if isinstance(name, Name):
            self.names.assign(name.text, made)
            self.names.assigned[name.text] = start
            self.state.label, self.state.label_at, self.state.label_made = name, start, None

    def shows(self, values: Sequence[Node], how: tuple[str, ...]) -> None:
        """Values that a program shows from here on; only the last line stands for itself."""
        if how == BEGINS:
            self.begin(values)
            return
        self.remarks = [self.waits(value, -1) for value in values] if how == REMARKS else []
        if how == REMARKS:
            return
        waiting = self.printed if how == PRINTS else self.last
        self.last.clear()
        call = next(self.calls)
        items = [self.waits(value, call) for value in values]
        waiting += [item for item in items if item.source is not None or not _is_turn(item.made)]
        del waiting[:-MOST]

    def begin(self, values: Sequence[Node]) -> None:
        """A cell or a session, in a language: nothing waits."""
        self.printed.clear()
        self.last.clear()
        self.remarks.clear()
        self.names.is_called_by_place = [v.text for v in values if isinstance(v, Name)] == ["matlab"]

    def waits(self, expression: Node, call: int) -> Waiting:
        """A value, as it stands now."""
        made = self.names.standing(expression)
        source = self.names.resolved(made) if self.names.is_explicit(made) else None
        known = source if source is not None and has_value(source) else None
        return Waiting(expression, made, known, call)

    def next(self) -> list[Waiting]:
        """What may be printed next."""
        return self.printed or self.last or self.remarks

    def read(self, cells: list[list[Cell]], start: int) -> bool:
        """Whether a printout is judged; else the expression is what announces it."""
        waiting = self.next()
        if not waiting:
            return False
        found = self.agreed(cells, waiting) or self.joined(cells, waiting)
        if found:
            for rows, items in found:
                self.settle(rows, items, waiting)
            return True
        return waiting is not self.remarks and self.first(cells, waiting, start)

    def told(self, name: Node, side: Node) -> bool:
        """Whether a name with a number, as it is printed, shows a value that waits."""
        cells = literal(side)
        found = self.agreed(cells, self.printed) if cells and self.printed else []
        for rows, items in found:
            self.settle(rows, items, self.printed)
        return bool(found)

    def entry(self, place: Node, side: Node, count: Node) -> bool:
        """Whether a number is judged as one of so many entries of what was just assigned."""
        source, whole = self.names.resolved(place), self.remarks[0].source if self.remarks else None
        cells = literal(side)
        if whole is None or not cells or not has_value(source):
            return False
        shape = value(whole, "exact").shape
        if 1 not in shape or max(shape) != value(count, "exact").rows[0][0]:
            return False
        self.results.result(cells, source, (), place)
        fill(source, cells[0][0])
        return True

    def first(self, cells: list[list[Cell]], waiting: list[Waiting], start: int) -> bool:
        """The value that comes next, which nothing printed has agreed with."""
        left = [item for item in waiting if not item.is_passed]
        item = left[0] if left else None
        if item is None:
            return False
        waiting.remove(item)
        if item.source is not None and self.results.exact_of(item.source, cells) is not None:
            self.results.result(cells, item.source, (), item.expression)
            return True
        self.state.is_output = True
        self.state.label, self.state.label_at = item.expression, start
        self.state.label_made = item.made if item.made is not item.expression else None
        return False

    def settle(self, rows: list[list[Cell]], items: list[Waiting], waiting: list[Waiting]) -> None:
        """Judges a printout by what it agrees with."""
        source, label = _beside(items), items[0].expression if len(items) == 1 else None
        self.results.result(rows, source, (), label)
        for item in waiting[: waiting.index(items[0])]:
            item.is_passed = True
        for item in items:
            waiting.remove(item)

    def agreed(
        self, cells: list[list[Cell]], waiting: list[Waiting]
    ) -> list[tuple[list[list[Cell]], list[Waiting]]]:
        """One value that a printout agrees with, or one for each of its rows."""
        if (item := self.met(cells, waiting)) is not None:
            return [(cells, [item])]
        if len(cells) < 2:
            return []
        found: list[tuple[list[list[Cell]], list[Waiting]]] = []
        left = list(waiting)
        for row in cells:
            item = self.met([row], left)
            if item is None:
                return []
            left.remove(item)
            found.append(([row], [item]))
        return found

    def met(self, cells: list[list[Cell]], waiting: Sequence[Waiting]) -> Waiting | None:
        """The first value that a printout agrees with."""
        return next((w for w in waiting[:AHEAD] if self.share(cells, w.source) >= ENOUGH), None)

    def share(self, cells: list[list[Cell]], source: Node | None) -> float:
        """How much of a printout a value gives."""
        exact = self.results.exact_of(source, cells)
        return -1 if exact is None else agreement(cells, exact)

    def joined(
        self, cells: list[list[Cell]], waiting: list[Waiting]
    ) -> list[tuple[list[list[Cell]], list[Waiting]]]:
        """Each row as what one call prints: print(a, b)."""
        found: list[tuple[list[list[Cell]], list[Waiting]]] = []
        calls = iter(list(_by_call(waiting)))
        for row in cells:
            items = next((c for c in calls if self.is_row(row, c)), None)
            if items is None:
                return []
            found.append(([row], items))
        return found

    def is_row(self, row: list[Cell], items: list[Waiting]) -> bool:
        """Whether the values of a call have as many entries as a row."""
        source = _beside(items) if len(items) > 1 else None
        return source is not None and self.results.exact_of(source, [row]) is not None


def _is_turn(node: Node) -> bool:
    """Whether an expression speaks of one turn of a loop; past the last it has no value."""
    return (isinstance(node, Function) and node.name == "turn") or any(map(_is_turn, node.parts()))


def _by_call(waiting: Sequence[Waiting]) -> Iterator[list[Waiting]]:
    """The values of each call."""
    for call in dict.fromkeys(item.call for item in waiting[:AHEAD]):
        yield [item for item in waiting if item.call == call]


def _beside(items: Sequence[Waiting]) -> Node | None:
    """The values of several items as one row."""
    sources = [item.source for item in items if item.source is not None]
    if len(sources) < len(items):
        return None
    if len(sources) == 1:
        return sources[0]
    try:
        rows = [value(source, "exact").shape[0] for source in sources]
    except (Unknown, ValueError):
        return None
    turned = (
        Function("T", (s,)) if n > 1 else s for s, n in zip(sources, rows, strict=True)
    )
    return Function("beside", tuple(turned))
