"""What programs assign and print: a printout is judged by the expression that it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Function, Name, Node, Number, literal
from derive.verify.known.state import State
from derive.verify.matrices.assigned import fill
from derive.verify.matrices.between import meant
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.results import Results
from derive.verify.program import BEGINS, PRINTS, REMARKS
from derive.verify.program.places import number
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.held import agreement
from derive.verify.values.operations import Unknown

_REMARK = re.compile(r"(?:#+>?|%+)[^\S\n]*(?:->|=>|[=≈→:])?[-+\d.,;e\s\[\]()]*$")
"""What stands before a number that is a remark by itself."""
_OF_LINE = re.compile(r"\ufffc[^\S\n]*[#%]+[\s→=≈>-]*$")
"""The same where an assignment stood on the line."""
AHEAD = 24
"""So many of the values that wait to be printed are looked at."""
LEAST = 3
"""A remark has so many significant digits at the least to be what a line assigns."""
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
        self.is_read = False  # whether something that was shown has been printed
        self.calls = count()
        self.call = -1  # the call of which a value was met last

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
        if self.is_read:
            self.printed.clear()
        self.is_read, self.call = False, -2
        self.last.clear()
        call = next(self.calls)
        items = [self.waits(one, call) for value in values for one in self.spread(value)]
        if not any(item.source is None and _is_turn(item.made) for item in items):
            waiting += items
        del waiting[:-MOST]

    def begin(self, values: Sequence[Node]) -> None:
        """A cell or a transcript, in a language: nothing waits."""
        self.printed.clear()
        self.last.clear()
        self.remarks.clear()
        self.names.is_called_by_place = [v.text for v in values if isinstance(v, Name)] == [
            "matlab"
        ]

    def waits(self, expression: Node, call: int) -> Waiting:
        """A value, as it stands now."""
        made = self.names.standing(expression)
        return Waiting(expression, made, self.known(made), call)

    def known(self, made: Node) -> Node | None:
        """An expression over what is known, where that determines it."""
        source = self.names.resolved(made) if self.names.is_explicit(made) else None
        return source if source is not None and has_value(source) else None

    def spread(self, value_: Node) -> Iterator[Node]:
        """The entries of print(*x), one by one, where they can be counted."""
        match value_:
            case Function("?spread", (inner,)):
                source = self.waits(inner, -1).source
                size = max(value(source, "exact").shape) if source is not None else 0
                if not 0 < size <= AHEAD:
                    yield inner
                yield from (Function("at", (inner, number(k))) for k in range(min(size, AHEAD)))
            case _:
                yield value_

    def told(self, sides: tuple[Node, ...], is_output: bool, start: int) -> bool:
        """Whether a printout is judged, or a number in a remark; sides: its name, and itself."""
        cells = literal(sides[-1])
        waiting = [*self.printed, *self.last, *self.remarks]
        if not cells or not waiting:
            return False
        for item in waiting[:AHEAD]:
            item.source = item.source or self.known(item.made)  # what makes it is printed now
        found = self.agreed(cells, waiting) or self.joined(cells, [*self.printed, *self.last])
        for rows, items in found:
            self.settle(rows, items, waiting)
        self.is_read |= bool(found)
        if found:
            self.call = found[-1][1][-1].call
            return True
        if (own := self.of_line(sides, cells)) is not None:
            self.settle(cells, [own], waiting)
            return True
        if not (is_output or self.is_alone(sides, cells) or self.goes_on()):
            return False
        return self.first(cells, sides[:-1], start)

    def of_line(self, sides: tuple[Node, ...], cells: list[list[Cell]]) -> Waiting | None:
        """What was assigned by the line whose remark is this number and nothing else."""
        figure, item = cells[0][0].figure, next(iter(self.remarks[-1:]), None)
        if item is None or item.source is None or len(sides) > 1 or figure is None:
            return None
        is_its = _OF_LINE.search(self.state.words) is not None
        is_decimal = figure.weight >= LEAST and not figure.is_whole and len(cells[0]) == 1
        fits = self.results.sources.exact_of(item.source, cells) is not None
        return item if is_its and is_decimal and fits else None

    def is_alone(self, sides: tuple[Node, ...], cells: list[list[Cell]]) -> bool:
        """Whether no words stand before a number in a remark."""
        is_list = len(cells) * len(cells[0]) > 1 or isinstance(sides[-1], Array)
        return len(sides) == 1 and (is_list or bool(_REMARK.search(self.state.words)))

    def goes_on(self) -> bool:
        """Whether the value that comes next is shown by the same call as the last one met."""
        left = [item for item in (*self.printed, *self.last) if not item.is_passed]
        return bool(left) and left[0].call == self.call

    def first(self, cells: list[list[Cell]], names: tuple[Node, ...], start: int) -> bool:
        """The value that comes next, which nothing printed has agreed with."""
        left = [item for item in (*self.printed, *self.last) if not item.is_passed]
        left = [item for item in left if not isinstance(item.expression, Number)]
        if not left:
            return False
        item = left[0]
        if item.source is not None:
            if self.results.sources.exact_of(item.source, cells) is None:
                return False
            self.remove(item)
            recent = self.state.pool.recent()
            self.results.result(cells, meant(item.source, recent, cells), (), item.expression)
            return True
        if not names:
            self.remove(item)
            self.state.is_output = True
            self.state.label, self.state.label_at = item.expression, start
            self.state.label_made = item.made if item.made is not item.expression else None
        return False

    def next_shown(self) -> Node | None:
        """What is shown next, but for sizes and the like."""
        for item in (*self.printed, *self.last, *self.remarks):
            is_value = isinstance(item.expression, Name) or self.known(item.made) is not None
            if is_value and not item.is_passed:
                return item.expression
        return None

    def passed(self) -> Name | None:
        """The name that is shown next of what cannot be worked out, which waits no longer."""
        for item in (*self.printed, *self.last, *self.remarks):
            is_known = item.is_passed or self.known(item.made) is not None
            if not is_known and isinstance(item.expression, Name) and item.expression.text:
                self.remove(item)
                return item.expression
        return None

    def remove(self, item: Waiting) -> None:
        """A value waits no longer."""
        for waiting in (self.printed, self.last, self.remarks):
            if item in waiting:
                waiting.remove(item)

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

    def settle(self, rows: list[list[Cell]], items: list[Waiting], waiting: list[Waiting]) -> None:
        """Judges a printout by what it agrees with."""
        source, label = _beside(items), items[0].expression if len(items) == 1 else None
        if source is not None and value(source, "exact").shape != (len(rows), len(rows[0])):
            source = Function("T", (source,))
        self.results.result(rows, source, (), label)
        for item in waiting[: waiting.index(items[0])]:
            item.is_passed = True
        for item in items:
            waiting.remove(item)
            self.remove(item)

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
        exact = self.results.sources.exact_of(source, cells)
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
        return source is not None and self.results.sources.exact_of(source, [row]) is not None


def _is_turn(node: Node) -> bool:
    """Whether an expression speaks of one turn of a loop; past the last it has no value."""
    return any(isinstance(part, Function) and part.name == "turn" for part in node.inside())


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
    turned = (Function("T", (s,)) if n > 1 else s for s, n in zip(sources, rows, strict=True))
    return Function("beside", tuple(turned))
