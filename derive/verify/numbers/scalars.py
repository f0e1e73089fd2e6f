"""Single numbers in running text: printed before, a sum, an entry of a step, a mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from flint import arb

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Name, Node, Number
from derive.verify.known.agreement import is_tainted
from derive.verify.known.roots import rounded
from derive.verify.numbers.measured import KINDS, Measured
from derive.verify.numbers.misprints import is_misdivided, is_slip, nearly_total
from derive.verify.numbers.onward import onward, told
from derive.verify.numbers.parts import SIGNS, are_shares, in_hundred, is_percent, shortened, weight
from derive.verify.numbers.running import begun
from derive.verify.speech.hearing import heard
from derive.verify.speech.measures import MEASURES, SINGLE, spoken
from derive.verify.speech.roles import role
from derive.verify.values.evaluate import value
from derive.verify.values.judge import Judge
from derive.verify.values.operations import Unknown

_WORD = re.compile(r"[^\W\d]\w*")
FOLLOWED = frozenset(("Z", "mean", "dot", "nll")) | SINGLE
"""What may be worked out from rounded numbers, and is then not the exact value."""
NEAR = 40
"""A number is no further behind what it was divided by, in characters."""
DOTS = frozenset(("O", "S", "logits"))
"""Words of what a product of two lists may be."""
BY = ("scaled",)
"""What words say that something is divided by the number behind them."""
FEW, MOST = 4, 10
"""Matrices of so many rows, and so many rows, are tried in pairs."""
BITS = re.compile(r"(?i)\bbits?\b|бит|比特|ビット|비트|log_?\{?2|2\s?(?:\^|\*\*)")
"""What says that 2 is the base."""
CLOSE, TELLING, NEXT = 24, 4, 2
"""So near is the word, so many digits has the number, that names what is measured of so many."""


class Scalars(Measured):
    """Judges the single numbers of an article."""

    def read(self, cell: Cell) -> None:
        """A number in running text: printed before, a sum, or an entry of a step."""
        figure = cell.figure
        if figure is None or cell.start < 0:
            return
        self.state.pool.figures.append(figure)
        self.state.last = cell
        label = self.state.label.text if isinstance(self.state.label, Name) else ""
        is_labelled = 0 <= cell.start - self.state.label_at <= len(label) + 3
        if is_labelled and self.measured(cell, role(label)):
            self.state.pool.note(cell)
            return
        if self.told(cell) or self.is_shortened(cell):
            return
        origin = self.state.pool.origin(figure)
        if origin is not None and origin.verdict != "unchecked":
            self.state.refer(cell, origin)
            self.state.runs.note(cell)
        elif not (figure.is_whole and figure.text[-1] != ".") and self.found(cell):
            self.state.pool.note(cell)
            self.state.runs.note(cell)
        elif (found := told(self.state, cell) or self.counted(cell)) is not None:
            self.put(cell, *found)
            self.state.pool.note(cell)
        elif not self.is_part(cell, figure):
            cell.verdict, cell.why = "unchecked", "prose"
            self.state.claims.append(cell)
            if figure.is_whole and figure.value > 1 and heard(self.state.words[-CLOSE:])[:1] == BY:
                self.state.scale, self.state.scale_at = Number(cell), cell.start

    def is_shortened(self, cell: Cell) -> bool:
        """Whether a number is the one just before with fewer places."""
        if (made := shortened(self.state, cell)) is None:
            return False
        exact = value(made, "exact")
        self.state.judged([[cell]], exact, Judge(made, exact), "")
        cell.quantity = self.state.runs.cells[-1].quantity
        return True

    def counted(self, cell: Cell) -> tuple[Grid, int, int] | None:
        """The entry that a whole number is of what the word just before says is measured."""
        kinds = spoken(self.state.sentence[-2 * CLOSE :])[:NEXT]
        if cell.figure is None or not cell.figure.is_whole:
            return None
        lists = [(kind, g) for kind in kinds for g in list(self.measured_of(kind))[:MOST]]
        made = (self.state.steps.unary(f, g, k) for k, g in lists for f in MEASURES[k][0])
        for step in (s for s in made if s is not None):
            for i, (target, *_) in enumerate(step.rows):
                if target.exact is not None and target.exact.overlaps(cell.figure.ball):
                    return step, i, 0
        return None

    def found(self, cell: Cell) -> bool:
        """Whether a number is the sum of the last list, or an entry of a step."""
        assert cell.figure is not None
        if self.spoken(cell) or self.divided(cell) or self.is_next(cell):
            return True
        is_part = is_percent(self.state, cell.figure)
        is_other = not KINDS.isdisjoint(spoken(self.state.sentence[-CLOSE:])[:1])  # no sum
        for grid in list(self.state.pool.recent())[: 0 if is_part or is_other else 2]:
            total = self.state.steps.unary("sum", grid)
            if total is not None and self.entry(cell, total):
                return True
        if cell.figure.weight < 3:
            return self.is_weight(cell, cell.figure.text[-1:] in SIGNS)
        steps = (s for s in self.state.steps.all() if s.made and not (is_other and s.name == "Z"))
        if is_part:
            return any(self.entry(cell, step) for step in steps if are_shares(step))
        if cell.figure.weight > 3 and any(self.entry(cell, step) for step in begun(self.state)):
            return True
        if (cell.figure.weight > 3 or DOTS & set(self.state.heard)) and self.is_dot(cell):
            return True
        return any(self.entry(cell, step) for step in steps)

    def follows(self, cell: Cell) -> bool:
        """Whether an operand is the sum of one of the last lists, or a logarithm of its entries."""
        if cell.figure is None or cell.figure.weight < FEW - 1 or self.state.assumes:
            return False
        for grid in list(self.state.pool.recent())[:FEW]:
            for function in ("sum", "minus log") if 1 in grid.shape else ():
                step = self.state.steps.unary(function, grid)
                if step is not None and self.entry(cell, step):
                    self.state.pool.note(cell)
                    return True
        return False

    def is_part(self, cell: Cell, figure: Figure) -> bool:
        """Whether a number before a percent sign, or the word for it, is a right part of 100."""
        if (part := in_hundred(self.state, figure)) is None:
            return False
        proxy, count = Cell(part, cell.start), len(self.state.claims)
        is_found = self.is_weight(proxy, True) or self.found(proxy)
        del self.state.claims[count:]
        if not is_found or proxy.is_wrong:
            return False
        cell.exact = None if proxy.exact is None else 100 * proxy.exact
        cell.verdict, cell.quantity = proxy.verdict, proxy.quantity
        self.state.claims.append(cell)
        return True

    def is_weight(self, cell: Cell, is_part: bool) -> bool:
        """Whether a number is a printed weight with other places."""
        known = weight(self.state, cell.figure, is_part) if cell.figure else None
        if known is not None:
            self.state.refer(cell, known)
        return known is not None

    def is_next(self, cell: Cell) -> bool:
        """Whether a number goes on with the entries of a step that stood just before it."""
        found = onward(self.state, cell)
        if found is not None:
            self.put(cell, *found)
        return found is not None

    def summed(self, cell: Cell) -> bool:
        """Whether a number that is called a sum is one of the last numbers or of a list."""
        for grid in (*self.state.runs.vectors(), *self.state.pool.recent()):
            total = self.state.steps.unary("sum", grid)
            if total is not None and self.entry(cell, total):
                return True
        if (total := nearly_total(self.state, cell)) is not None:
            self.put(cell, total, 0, 0)
        return total is not None

    def divided(self, cell: Cell) -> bool:
        """Whether a number is one of the last results, by the root that stands between them."""
        scale, at, figure = self.state.scale, self.state.scale_at, cell.figure
        is_plain = figure is None or (figure.weight < 2 and (figure.value or figure.is_whole))
        if scale is None or figure is None or is_plain or not at < cell.start < at + NEAR:
            return False
        cells = [c for c in self.state.runs.cells[-2 * FEW :] if c.start < at][-FEW:]
        return any(self.is_quotient(cell, figure, before, scale) for before in reversed(cells))

    def is_quotient(self, cell: Cell, figure: Figure, before: Cell, scale: Node) -> bool:
        """Whether a number is a result divided by this, which may be printed rounded."""
        made = Binary("/", Number(before), scale)
        exact, by_root = value(made, "exact"), rounded(self.state.pool, made)
        judge = Judge(made, exact, () if by_root is None else (by_root,))
        is_last = before is self.state.runs.cells[-1]
        if exact.shape != (1, 1) or not (
            judge.holds(figure, 0, 0)
            or (is_last and is_misdivided(self.state, figure, exact.rows[0][0], before))
        ):
            return False
        self.state.judged([[cell]], exact, judge, "scaled")
        for step in self.state.steps.all():
            if step.name == "scaled":
                self.same_value(step, cell)
        return True

    def spoken(self, cell: Cell) -> bool:
        """Whether a number is what the sentence says is measured of one of the last lists."""
        for kind in spoken(self.state.sentence):
            for grid in self.measured_of(kind):
                for function in MEASURES[kind][0]:
                    step = self.state.steps.unary(function, grid, kind)
                    if step is not None and self.entry(
                        cell, step, self.meant(function, grid, kind)
                    ):
                        return True
        return self.is_misprint(cell) or self.is_doubled(cell)

    def is_doubled(self, cell: Cell) -> bool:
        """Whether a perplexity is 2 to the loss printed last, where the loss is one to base e."""
        figure, last = cell.figure, self.state.runs.cells[-1:]
        if spoken(self.state.sentence)[:1] != ("perplexity",) or figure is None or not last:
            return False
        ball = last[0].figure.ball if last[0].figure is not None else None
        step = self.state.steps.unary("exp", self.state.runs.grid(last))
        losses = [x for x in (last[0].exact, ball) if x is not None and x > 0]
        is_twice = any(figure.is_rounded(arb(2) ** x) for x in losses)
        if not is_twice or step is None or figure.weight < TELLING or BITS.search(self.state.words):
            return False
        self.put(cell, step, 0, 0)
        return True

    def is_misprint(self, cell: Cell) -> bool:
        """Whether one digit apart stands what the word just before says is measured."""
        kind = next(iter(spoken(self.state.sentence[-CLOSE:])), "")
        figure = cell.figure
        if not kind or figure is None or figure.weight < TELLING:
            return False
        lists = list(self.measured_of(kind))[:NEXT]
        made = (self.state.steps.unary(f, g, kind) for g in lists for f in MEASURES[kind][0])
        for step in (s for s in made if s is not None):
            for i, (target, *_) in enumerate(step.rows):
                if target.exact is not None and is_slip(figure, step, target.exact):
                    self.put(cell, step, i, 0)
                    return True
        return False

    def meant(self, function: str, grid: Grid, kind: str) -> Grid | None:
        """The variance of all, where nothing says that it is one of a sample; None for others."""
        plain = function.removeprefix("sample ")
        if plain == function or self.state.is_sample:
            return None
        return self.state.steps.unary(plain, grid, kind)

    def is_dot(self, cell: Cell) -> bool:
        """Whether a number is the product of two of the last lists of one length."""
        lists = [
            Grid([row]) for g in self.state.pool.recent() if g.shape[0] <= FEW for row in g.rows
        ]
        is_said = bool(DOTS & set(self.state.heard))
        lists = [g for g in lists if g.shape[1] > 1 and (is_said or not g.has_wrong)]
        lists = [self.state.runs.grid(g.rows[0]) for g in lists][:MOST]
        for place, a in enumerate(lists):
            for b in lists[:place]:
                step = self.state.steps.against("dot", a, b)
                if step is not None and self.entry(cell, step):
                    return True
        return False

    def measured_of(self, kind: str) -> Iterator[Grid]:
        """The lists, or the single numbers, of which something may be measured."""
        if kind in SINGLE:
            yield from (self.state.runs.grid([cell]) for cell in reversed(self.state.runs.cells))
        if kind not in SINGLE or kind == "perplexity":
            yield from (*self.state.runs.vectors(), *self.state.pool.recent())
            known = map(self.state.pool.named.get, _WORD.findall(self.state.sentence))
            yield from (g for g in known if g is not None and g.shape[0] == 1 < g.shape[1])

    def entry(self, cell: Cell, step: Grid, right: Grid | None = None) -> bool:
        """Whether a number is an entry of a step, rounded or as its printed operands give it.

        right: the step that is meant, where the other is a mistake.
        """
        if cell.figure is None or step.made is None:
            return False
        for i, row in enumerate(step.rows):
            for j, target in enumerate(row):
                exact = target.exact
                if exact is None or not (
                    cell.figure.is_rounded(exact)
                    or (step.name in FOLLOWED and self.is_given(step, cell.figure, i, j))
                ):
                    continue
                self.put(cell, right or step, i, j)
                return True
        return False

    def is_given(self, step: Grid, figure: Figure, i: int, j: int) -> bool:
        """Whether the numbers as they are printed give these digits."""
        assert step.made is not None
        try:
            modes = ("printed", "loose") if is_tainted(step.made) else ("printed",)
            found = [value(step.made, mode).rows for mode in modes]
        except (Unknown, ValueError):
            return False
        inside = (rows for rows in found if i < len(rows) and j < len(rows[0]))
        return any(figure.is_rounded(rows[i][j]) for rows in inside)
