"""Tables whose columns are worked out from each other, as their heads say or their numbers show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from derive.verify.causes.changes import Changes
from derive.verify.columns.agreeing import Once, agreement, is_misprinted, misses_blank
from derive.verify.columns.looked import Looked, repeated
from derive.verify.columns.made import Source, in_series, warm
from derive.verify.columns.measured import Measured
from derive.verify.columns.sieve import Sieve
from derive.verify.columns.slips import OF_FORMULAS, OF_WEIGHTS, is_slip, passes_over, raised
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import (
    Binary,
    Headed,
    Leaf,
    Name,
    Negative,
    Node,
    Number,
    variants,
)
from derive.verify.grammar.parser import expression
from derive.verify.known.rivals import CERTAIN, is_telling, least, rivals
from derive.verify.known.state import State
from derive.verify.known.steps import quantity
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.recognition import Matches
from derive.verify.numbers.ratios import divided
from derive.verify.speech.hearing import heard
from derive.verify.speech.measures import EACH
from derive.verify.speech.roles import role
from derive.verify.tables.heads import (
    CUMULATIVE,
    Own,
    aligned,
    are_labels,
    are_quantities,
    are_steps,
    divisors,
    is_product,
    less_one,
    over_columns,
    spelt,
    spoken_step,
    symbol,
)
from derive.verify.values.evaluate import value
from derive.verify.values.formulas import stem
from derive.verify.values.judge import Judge

WIDEST = 12
"""A table of quantities has at most so many columns."""
LEAST = {"formula": 0.3, "word": 0.6}
"""The part of a column that agrees with the formula or the word over it, at the least."""
FEW, TELLING = 2, 5
"""So many, where a formula stands over the column; so many agreeing digits are no chance."""
_COUNTED = re.compile(r"\[?,?\s?\d{1,3}\]?")
"""What stands over the columns of a matrix that R or pandas prints: [,1], 0."""
UNARY = (
    "exp", "softmax", "shares", "exp less max", "log", "minus log", "log2", "squares", "less mean",
    "gelu", "gelu tanh", "normal cdf", "silu", "sigmoid", "tanh", "relu", "sqrt", "sin", "cos",
    "layernorm", "plogp",
)  # fmt: skip
SPOKEN = {
    "exp": ("exp", "exp less max"), "A": ("softmax", "shares"), "LN": ("layernorm",),
    "cumulative": ("cumulative",), "act": ("relu", "gelu", "gelu tanh", "silu", "sigmoid", "tanh"),
}  # fmt: skip


class Columns:
    """Judges the columns of tables."""

    def __init__(self, state: State, names: Meanings, matches: Matches) -> None:
        """Over what is known."""
        self.state, self.names, self.matches = state, names, matches
        self.once, self.measured, self.looked = Once(), Measured(state), Looked(state)
        self.changes = Changes(state.pool)

    def read(self, table: Headed, cells: list[list[Cell]], is_led: bool = False) -> bool:
        """Whether a table is one of quantities; its columns are then judged.

        is_led: whether one of them surely goes on from a table before.
        """
        if not 1 <= len(cells[0]) <= WIDEST or len(cells) < 2:
            return False
        self.once, self.measured = Once(), Measured(self.state)
        columns = [Grid([list(column)]) for column in zip(*cells, strict=True)]
        heads = aligned(table.heads, len(columns))
        if len(columns) == 1:
            return self.alone(columns[0], heads[0])
        if are_labels(heads, table.labels) or all(map(_COUNTED.fullmatch, heads)):
            return False
        is_told = are_quantities(heads, cells) or are_steps(heads)
        found: list[Source | None] = []
        outside = [*self.looked.columns(table.labels, len(cells)), *self.outside(len(cells))]
        own: Own = {}
        for place, (head, column) in enumerate(zip(heads, columns, strict=True)):
            node = expression(symbol(head))
            near = [*outside, *columns[:place]]
            measured = self.measured.source(head, column)
            source = measured and Source(measured, "", "word")
            source = source or self.source(node, head, column, near, own)
            found.append(source and replace(source, before=tuple(near)))
            if node is not None and not isinstance(node, Number):
                own[node.text if isinstance(node, Name) else node] = column
            own.setdefault(spelt(head) or head, column)
            if is_told:
                self.settle(column, head, found[-1])
        if is_told:
            return True
        is_led |= len(found) > 2 and found[0] is None and all(found[1:])
        if not is_led and not any(source and source.said for source in found):
            return False
        found = in_series(heads, found)
        for column, head, source in zip(columns, heads, found, strict=True):
            self.settle(column, head, source)
        return True

    def alone(self, column: Grid, head: str) -> bool:
        """Whether a single column is the step of which its head speaks; it is then judged."""
        if not spoken_step(head) or self.known(column.rows[0]) is not None:
            return False
        source = self.source(None, head, column, self.outside(column.shape[1]), {})
        if source is None or source.said != "word":
            return False
        self.settle(column, head, source)
        if spoken_step(head) == "A":
            self.state.pool.weigh(column)
        return True

    def outside(self, count: int) -> list[Grid]:
        """The vectors before the table that are as long as its columns."""
        run = self.state.runs.vector(count)
        rows = [
            g if g.shape[0] == 1 else self.state.runs.grid([row[0] for row in g.rows])
            for g in self.state.pool.recent()
            if g.shape in ((1, count), (count, 1))
        ]
        V = self.state.pool.of_role("V")
        turned = zip(*V.rows, strict=True) if V is not None and V.shape[0] == count else ()
        rows += [self.state.runs.grid(list(column)) for column in turned]
        return [*reversed(rows), *([run] if run is not None else [])]

    def source(
        self, node: Node | None, head: str, column: Grid, before: list[Grid], own: Own
    ) -> Source | None:
        """What a column is made from, if it agrees with that."""
        if isinstance(node, Name | None) and self.known(column.rows[0]) is not None:
            return None
        best: tuple[float, Source] | None = None
        sieve = Sieve(self.once, column)
        for source in self.sources(node, head, before, own):
            if not source.said and not sieve.may_be(source.made):
                continue
            is_formula, count = source.said == "formula", column.shape[1]
            if passes_over(source.made, own):
                continue
            share, digits = agreement(column, source.made, self.once, is_said=is_formula)
            if not source.said and digits >= CERTAIN and is_telling(source.made, count, digits):
                source = replace(source, said="digits")
            if share == 1 and (is_formula or digits >= TELLING):
                return source
            few = FEW if is_formula or is_product(head) else TELLING
            part = LEAST.get(source.said) or least(source.made, count, digits)
            is_certain = is_formula and share > 0 and digits >= TELLING
            is_known = digits >= few and (share >= part or is_certain)
            if not (is_known or (source.said == "word" and is_misprinted(column, source.made))):
                continue
            if not source.said and share < 1 and misses_blank(column, source.made):
                continue
            if best is None or share > best[0]:
                best = share, source
        return best[1] if best else self.slipped(node, head, column, own)

    def slipped(self, node: Node | None, head: str, column: Grid, own: Own) -> Source | None:
        """What is meant over a column all of which is that with one known mistake."""
        if node is not None and not isinstance(node, Name | Number):
            made = self.names.resolved(over_columns(node, own))
            if is_slip(column, made, OF_FORMULAS, self.changes):
                return Source(made, "", "formula")
        for grid in raised(own) if "A" in self.kinds(head) else ():
            made = self.once.made("softmax", grid)
            if is_slip(column, made, OF_WEIGHTS, self.changes):
                return Source(made, "", "word")
        return None

    def sources(
        self, node: Node | None, head: str, before: list[Grid], own: Own
    ) -> Iterator[Source]:
        """What the head says first, then what columns before could lead to."""
        if node is not None and not isinstance(node, Name | Number):
            made = self.names.resolved(over_columns(node, own))
            yield from (Source(way, "", "formula") for way in (made, *variants(made)))
        for divisor in divisors(head):
            for grid in reversed(before):
                yield Source(Binary("/", Leaf(grid), divisor), "", "formula")
        for grid in reversed(before):
            if (warmer := warm(head, grid)) is not None:
                yield warmer
            yield from (Source(made, "", "word") for made in less_one(head, grid))
        yield from self.functions(head, before)

    def kinds(self, head: str) -> tuple[str, ...]:
        """The quantities of which a head speaks."""
        if is_product(head):
            return ()
        kinds = (spoken_step(head), *heard(head), "cumulative" * bool(CUMULATIVE.search(head)))
        return (*kinds, role(stem(symbol(head)) or symbol(head)))

    def functions(self, head: str, before: list[Grid]) -> Iterator[Source]:
        """Functions of one column and signs between two, those first that the head speaks of."""
        spoken = [f for kind in self.kinds(head) for f in SPOKEN.get(kind, ())]
        spoken += [f for f, said in EACH.items() if f not in spoken and said.search(head)]
        for function in (*spoken, *(f for f in UNARY if f not in spoken)):
            for grid in reversed(before):
                said = "word" if function in spoken else ""
                yield Source(self.once.made(function, grid), "", said)
        said = "word" if is_product(head) else ""
        for place, a in enumerate(before):
            for b in before[:place]:
                product = self.once.made("*", b, a)
                yield Source(product, "", said)
                yield from (Source(self.once.made(s, b, a), "") for s in "+-/")
                yield from (Source(self.once.made(s, a, b), "") for s in "-/")
                yield Source(Negative(product), "", said)
            yield Source(Leaf(a), "")

    def settle(self, column: Grid, head: str, source: Source | None) -> None:
        """The verdicts on one column, which later lines may speak of."""
        name = head if role(head) else ""
        if source is not None:
            exact = value(source.made, "exact")
            others = (other.made for other in self.functions("", list(source.before)))
            ways = tuple(rivals(column, exact, others))
            self.state.judged(column.rows, exact, Judge(source.made, exact, ways), name)
            column.made = source.made
        elif (known := self.known(column.rows[0])) is not None:
            for cell, origin in zip(column.rows[0], known, strict=True):
                self.state.refer(cell, origin)
        elif not self.is_step(column, head):
            self.free(column, name)
        self.state.pool.add(column)
        self.once = Once()
        node = expression(symbol(head))
        if isinstance(node, Name) and node.text:
            self.state.pool.bind(node.text.rstrip("_").removesuffix("_i"), column)

    def is_step(self, column: Grid, head: str) -> bool:
        """Whether a column is a step of what is known, or an earlier one divided by a root."""
        if is_product(head):
            return False
        words, self.state.words = self.state.words, f"{self.state.words} {head}"
        match = self.matches.spoken_of(column, spoken_step(head), None)
        made = divided(self.state, column) if match is None else None
        self.state.words = words
        if match is not None:
            self.matches.by_match(column, match)
        elif made is not None:
            exact = value(made, "exact")
            self.state.judged(column.rows, exact, Judge(made, exact), "")
            column.made = made
        return match is not None or made is not None

    def known(self, cells: list[Cell]) -> list[Cell] | None:
        """What a column repeats."""
        pool = self.state.pool
        return pool.vector(cells) or self.state.runs.same(cells) or repeated(pool, cells)

    def free(self, column: Grid, name: str) -> None:
        """A column that nothing explains is declared."""
        for j, cell in enumerate(column.rows[0]):
            if cell.figure is not None:
                cell.verdict, cell.exact = "assumed", cell.figure.ball
                cell.is_rough = cell.figure.is_fraction
                cell.quantity = quantity(role(name), j, 0, (len(column.rows[0]), 1)) if name else ""
                self.state.claims.append(cell)
