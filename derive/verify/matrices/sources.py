"""What a printed result may be worked out from: a definition, a sentence, another convention."""

from __future__ import annotations

import re

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.causes.mistakes import is_explained
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf, Node, Number
from derive.verify.known.rivals import by_value
from derive.verify.known.state import State
from derive.verify.matrices.between import meant
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.others import is_settled, is_turned, others
from derive.verify.matrices.own import own
from derive.verify.matrices.said import list_of
from derive.verify.numbers.called import called_for
from derive.verify.numbers.formulary import by_formula
from derive.verify.numbers.hundreds import percents
from derive.verify.numbers.joined import of_blocks
from derive.verify.numbers.ratios import divided
from derive.verify.numbers.running import summed_up
from derive.verify.numbers.scaling import added_up, measured, scaled
from derive.verify.numbers.smoothed import smoothed
from derive.verify.numbers.stated import normed, stated
from derive.verify.numbers.tempered import tempered
from derive.verify.numbers.updated import updated
from derive.verify.speech.roles import role
from derive.verify.values.evaluate import value
from derive.verify.values.formulas import names, replaced
from derive.verify.values.held import agreement, agrees, is_held
from derive.verify.values.judge import Judge
from derive.verify.values.operations import Unknown

WAYS = (
    smoothed, tempered, scaled, added_up, measured, called_for, divided, of_blocks, summed_up,
    percents,
)  # fmt: skip
"""What words may say of a list, in the order in which it is asked."""
INDICES = "ijkmnht"
"""Letters that count."""
_NUMBERED = re.compile(r"([^\W\d]+)_(\d{1,3})")
HALF, FEW = 0.5, 0.25
"""The part that agrees with another convention, or with the formula over a matrix, at the least."""


class Sources:
    """Finds what a result is made from."""

    def __init__(self, state: State, names: Meanings) -> None:
        """Over what is known."""
        self.state, self.names = state, names

    def is_astray(self, cells: list[list[Cell]], source: Node) -> bool:
        """Whether pairs are turned by other angles than are supposed, for all that is printed."""
        if not is_turned(source) or is_settled(self.state, cells, source):
            return False
        known = (g for g in self.state.pool.grids if g.made is not None and is_turned(g.made))
        return not any(g.made and is_settled(self.state, g.rows, g.made) for g in known)

    def is_plausible(self, cells: list[list[Cell]], exact: Enclosures, source: Node | None) -> bool:
        """Whether a formula explains a matrix, right or with one known mistake throughout."""
        figures = [cell.figure for row in cells for cell in row]
        values = [x for row in exact.rows for x in row]
        pairs = [(f, x) for f, x in zip(figures, values, strict=True) if f is not None]
        agreed = [f for f, x in pairs if (f.is_rounded(x) or f.is_cut(x)) and f.value]
        telling = sum(f.value != 0 for f, _ in pairs)
        if len(agreed) >= FEW * telling:
            return True
        return source is not None and is_explained(cells, source, self.state.pool, True)

    def length(self, cells: list[list[Cell]], source: Node | None) -> Node | None:
        """What |a| = 5.0 is worked out from, where a is a vector that is known."""
        if source is not None or len(cells) * len(cells[0]) > 1 or self.state.is_output:
            return None
        step = normed(self.state, cells[0][0])
        return step.made if step is not None else None

    def stated(self, grid: Grid) -> Node | None:
        """What a named number must be by its sentence: The mean is μ = 4.25."""
        is_one = grid.shape == (1, 1) and not self.state.is_output
        step = stated(self.state, grid.rows[0][0]) if is_one else None
        return step.made if step is not None else None

    def spoken(self, grid: Grid) -> Node | None:
        """What a list is by the words of its sentence."""
        made = next(filter(None, (way(self.state, grid) for way in WAYS)), None)
        return made or list_of(self.state, self.names, grid) or updated(self.state, grid)

    def by_definition(self, name: str, cells: list[list[Cell]]) -> Node | None:
        """What the article says that a name stands for, where the numbers as printed give this."""
        made = self.names.defined.get(name) or self.assigned(name, cells)
        if made is not None and self.names.is_beside(name, cells[0][0].start):
            return self.names.resolved(made)
        square = self.state.pool.named.get(f"{name}^2") if cells[0][0].figure else None
        if made is None and square is not None and square.shape == (1, 1):
            return Function("sqrt", (Leaf(square),))
        if made is None or self.state.assumes:
            return self.at_index(name, cells)
        source = self.names.resolved(made)
        if len(cells) == len(cells[0]) == 1:
            return by_formula(self.state, role(name), cells[0][0], source)
        exact = self.exact_of(source, cells)
        if exact is None:
            return None
        return source if is_held(cells, source, exact) else None

    def at_index(self, name: str, cells: list[list[Cell]]) -> Node | None:
        """What a formula with an index gives for a number: θ_1 by θ_i = 10000^(-2i/d)."""
        found, figure = _NUMBERED.fullmatch(name), cells[0][0].figure
        if found is None or figure is None or len(cells) * len(cells[0]) > 1:
            return None
        number = Number(Cell(None, exact=arb(int(found[2]))))
        for letter in INDICES:
            made = self.names.defined.get(f"{found[1]}_{letter}")
            if made is not None and letter in names(made):
                source = self.names.resolved(replaced(made, {letter: number}))
                exact = self.exact_of(source, cells)
                return source if exact and Judge(source, exact).holds(figure, 0, 0) else None
        return None

    def assigned(self, name: str, cells: list[list[Cell]]) -> Node | None:
        """What a line of a program gave to a name, where no number of it is printed yet."""
        grid = None if self.state.fixed else self.state.pool.named.get(name)
        shape = (len(cells), len(cells[0]))
        if grid is None or grid.shape not in (shape, shape[::-1] if 1 in shape else shape):
            return None
        source = None if any(c.figure for c in grid.cells()) else grid.made
        made = source and meant(source, self.state.pool.recent(), cells)
        return Function("T", (made,)) if made is not None and grid.shape != shape else made

    def by_convention(
        self, source: Node | None, cells: list[list[Cell]]
    ) -> tuple[Node | None, Enclosures | None]:
        """What a result is made from and its value, by the convention it agrees with best."""
        exact = self.exact_of(source, cells)
        best, most = (source, exact), agreement(cells, exact)
        if source is None or most == 1:
            return best
        if (made := own(self.names, source)) and (found := self.exact_of(made, cells)):
            return made, found
        for other in others(self.state, source):
            found = self.exact_of(other, cells)
            share = agreement(cells, found)
            if share > most and (share == 1 or exact is None or share >= HALF):
                best, most = (other, found), share
            elif not most and best[0] is source and found and self.is_held(cells, other, found):
                best = other, found
        return best

    def is_held(self, cells: list[list[Cell]], source: Node, exact: Enclosures) -> bool:
        """Whether half of what is printed holds, perhaps by what was printed on the way."""
        put = by_value(source, self.state.pool.recent())
        return is_held(cells, source, exact) or (put is not None and is_held(cells, put, exact))

    def exact_of(self, source: Node | None, cells: list[list[Cell]]) -> Enclosures | None:
        """The exact value where it has the shape of what is printed."""
        if source is None:
            return None
        try:
            exact = value(source, "exact")
        except (Unknown, ValueError):
            return None
        if any(x.is_nan() for row in exact.rows for x in row):
            return None
        shape = (len(cells), len(cells[0]))
        if exact.shape == shape:
            return exact
        return exact.T if exact.shape == shape[::-1] and 1 in shape else None

    def led(self, source: Node, cells: list[list[Cell]]) -> Node | None:
        """An arrow is an equality where both sides agree; else it only leads on."""
        source_, exact = self.by_convention(source, cells)
        return source_ if exact is not None and agrees(cells, exact) else None
