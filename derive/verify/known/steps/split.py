"""Heads that each take columns of their own of one matrix of queries, keys and values."""

from __future__ import annotations

from collections.abc import Iterator

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf
from derive.verify.known.steps.head import LAYOUTS, Heads, Triple, is_blank
from derive.verify.speech.roles import indexed

COUNTS = (2, 3, 4)
"""So many heads are tried."""
MOST = 16
"""So many matrices are stacked at most."""
OWN = frozenset("W_Q W_K W_V Q K V".split())
"""What makes the heads that are told apart such with matrices of their own."""


class Splits(Heads):
    """The steps of such heads, and of what they make together."""

    def of_splits(self) -> Iterator[Grid | None]:
        """The steps of each head, where the article speaks of heads and names none with weights."""
        if not self.pool.is_headed or self.pool.heads(OWN):
            return
        q, k, v = (self.projection(kind) for kind in "QKV")
        if q is None or k is None or v is None or len({q.shape[1], k.shape[1], v.shape[1]}) > 1:
            return
        for count in COUNTS:
            if q.shape[1] % count == 0 and q.shape[0] > 1:
                yield from self.split(q, k, v, count)

    def split(self, q: Grid, k: Grid, v: Grid, count: int) -> Iterator[Grid | None]:
        """Those of so many heads, side by side, and times W_O."""
        outputs = []
        for place in range(count):
            q_, k_, v_ = (self.cut(grid, count, place) for grid in (q, k, v))
            found = list(self.head(Triple(q_, k_, v_)))
            known = {"Q": q_, "K": k_, "V": v_}
            known |= {s.name: s for s in reversed(found) if s is not None and s.made is not None}
            known |= {s.name: s for s in found if s is not None and s.made and not is_blank(s)}
            self.split_off[count, place + 1] = known
            yield from map(self.surely, found)
            made = [step for step in found if step is not None and step.name == "O"]
            begun = [step for step in made if not is_blank(step)]
            outputs += (begun or made)[:1]
        if len(outputs) == count:
            together = Function("beside", tuple(map(Leaf, outputs)))
            beside = self.step("concat", together, "beside", *map(id, outputs))
            yield beside
            W = self.pool.of_role("W_O")
            for layout in LAYOUTS[:2] if beside is not None and W is not None else ():
                if beside is not None and W is not None:
                    yield self.laid_out("MHA", beside, W, layout)

    def weighted(self, A: Grid, V: Grid) -> Iterator[Grid | None]:
        """Each weight times its value: those of one value for all queries, or of one query."""
        for j, row in enumerate(V.rows[:MOST] if A.shape[1] == V.shape[0] else ()):
            column = Leaf(Grid([[weights[j]] for weights in A.rows]))
            made = Binary("@", column, Leaf(Grid([row])))
            yield self.step("weighted", made, "weighted", id(A), id(V), j)
        for i, weights in enumerate(A.rows[:MOST] if A.shape[1] == V.shape[0] else ()):
            made = Binary("*", Leaf(Grid([[cell] for cell in weights])), Leaf(V))
            yield self.step("weighted", made, "weighted by", id(A), id(V), i)

    def of_one_head(self, name: str) -> Grid | None:
        """Q2, S2 or Z2 of the second head, where the heads share one matrix by its columns."""
        found = indexed(name) if self.pool.is_headed and name[:1].isupper() else None
        if found is None or self.pool.heads(OWN):
            return None
        kind, head = found
        stamp = len(self.pool.grids), len(self.pool.named), len(self.pool.roles)
        if stamp != self.split_at:  # a name that means nothing is asked for again and again
            list(self.of_splits())
            self.split_at = stamp
        q, width = self.projection("Q"), self.pool.scale_width()
        known = [count for count, place in self.split_off if place == head]
        told = [count for count in known if q is not None and count * width == q.shape[1]]
        count = next(iter(told or known), 0)
        return self.split_off[count, head].get(kind) if count else None

    def cut(self, grid: Grid, count: int, place: int) -> Grid:
        """The columns of one head; the same matrix each time."""
        key = (id(grid), count, place)
        if key not in self.cuts:
            width = grid.shape[1] // count
            rows = [row[place * width : (place + 1) * width] for row in grid.rows]
            self.cuts[key] = Grid(rows, grid.name)
        return self.cuts[key]
