"""What programs assign and print: a printout is judged by the expression that it shows."""

from __future__ import annotations

from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Name, Node
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.results import Results
from derive.verify.values.evaluate import has_value


class Printouts:
    """Judges the printouts of programs."""

    def __init__(self, state: State, names: Meanings, results: Results) -> None:
        """Over what is known."""
        self.state, self.names, self.results = state, names, results

    def assigned(self, name: Node, made: Node, start: int) -> None:
        """A line of a program: its name stands for its value from here on."""
        if isinstance(name, Name):
            self.names.assign(name.text, made)
            self.state.label, self.state.label_at, self.state.label_made = name, start, None

    def read(self, expression: Node, cells: list[list[Cell]], start: int) -> bool:
        """Whether a printout is judged; else the expression is what announces it."""
        made = self.names.standing(expression)
        source = self.names.resolved(made) if self.names.is_explicit(made) else None
        if source is not None and has_value(source) and self.results.exact_of(source, cells):
            self.results.result(cells, source, (), expression)
            return True
        self.state.is_output = True
        self.state.label, self.state.label_at = expression, start
        self.state.label_made = made if made is not expression else None
        return False
