"""What names stand before the numbers of an article: the signs and words that announce them."""

from __future__ import annotations

import re

from derive.verify.columns.tabled import lettered
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Headed, Name, Node, Number, literal
from derive.verify.grammar.parser import UNREAD
from derive.verify.known.letters import parted
from derive.verify.known.state import State
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.said import weights
from derive.verify.matrices.sides import is_vector, shown_by
from derive.verify.numbers.scaling import is_number
from derive.verify.speech.headings import alone_above
from derive.verify.speech.roles import COPULAS, indexed, role
from derive.verify.values.evaluate import has_value

REMARK = 24
"""A remark behind a name is no longer, in characters."""
REACH = 160
"""A heading is no further from what it announces, in characters."""
_SIZE = re.compile(
    r"(?<![\d.,])(\d{1,3})\s?(?:[·×⋅x*]|\\times|\\cdot|by|mal|на)\s?(\d{1,3})(?![\d.,]\d)"
)

PRODUCTS = {"W_Q": "Q", "W_K": "K", "W_V": "V", "W_O": "O"}
"""What is multiplied by weights."""


class Labels:
    """Keeps what was named last, and tells what it is the name of."""

    def __init__(self, state: State, names: Meanings) -> None:
        """Over what is known."""
        self.state, self.names = state, names

    def announce(self, side: Node, start: int) -> None:
        """A formula, or the name of a quantity, may be the heading of what comes next."""
        side = parted(self.state.pool, shown_by(side))
        if not isinstance(side, Name) and is_number(side):
            self.state.scale, self.state.scale_at = side, start
        if isinstance(side, Name) and is_vector(side):
            self.state.marked, self.state.marked_at = side, start
        if not isinstance(side, Name) or self.is_known(side.text):
            self.state.label, self.state.label_at, self.state.label_made = side, start, None
        elif isinstance(self.state.label, Name) and not self.is_copula(side):
            self.state.label = None

    def announced(self, start: int) -> Node | None:
        """The formula or name that stands shortly before."""
        if self.state.label is None or not 0 <= start - self.state.label_at <= REACH:
            return None
        return self.state.label

    def over(self, side: Node, cells: list[list[Cell]], start: int) -> Node | None:
        """What stands over a matrix, or before it: a sign, a word, or the corner of its table."""
        cornered = self.cornered(side, cells, start) or self.sized(cells, start)
        label = cornered or self.announced(start)
        label = self.multiplied(label, cells) or label
        label = weights(self.state, cells) or label or alone_above(self.state.words)
        is_matrix = min(len(cells), len(cells[0])) > 1
        if is_matrix and isinstance(label, Name) and role(label.text) == "Z":
            label = None  # it is the sum of others, not what its rows sum up to
        return label or lettered(side, self.state.pool)

    def multiplied(self, label: Node | None, cells: list[list[Cell]]) -> Name | None:
        """What comes of weights that have another shape than what is printed: by W_O: [...]"""
        known = self.state.pool.named.get(label.text) if isinstance(label, Name) else None
        if known is None or not isinstance(label, Name) or not self.state.is_output:
            return None
        made = PRODUCTS.get(role(label.text))
        return Name(made) if made and known.shape != (len(cells), len(cells[0])) else None

    def sized(self, cells: list[list[Cell]], start: int) -> Name | None:
        """The sign in the line above that tells the size of what is below: W_O is 4 by 4 ..."""
        before = self.state.words[self.state.marked_at - start :].strip()
        is_near = 0 < start - self.state.marked_at <= REACH and "\n" not in before
        sizes = [(int(n), int(m)) for n, m in _SIZE.findall(before)] if is_near else []
        return self.state.marked if (len(cells), len(cells[0])) in sizes else None

    def cornered(self, side: Node, cells: list[list[Cell]], start: int) -> Name | None:
        """The name in the corner of a table."""
        if not isinstance(side, Headed) or len(side.heads) != len(cells[0]) + 1:
            return None
        if len(side.heads) == len(side.items[0].parts()):
            return None  # it stands over numbers
        corner = side.heads[0].strip("$* ")
        made = self.state.label_made if self.announced(start) is not None else None
        if not role(corner) or (made is not None and has_value(self.names.resolved(made))):
            return None
        return Name(corner)

    def numbered(self, side: Number) -> bool:
        """A counting number behind a word, as in query 1: it numbers what comes next."""
        label, figure = self.state.label, side.cell.figure
        if not isinstance(label, Name) or figure is None or not figure.is_whole:
            return False
        gap = side.cell.start - self.state.label_at - len(label.text)
        if not 0 <= gap <= 1 or not 0 <= figure.value < 100 or indexed(label.text):
            return False
        self.state.label = Name(f"{label.text}_{int(figure.value)}")
        side.cell.verdict, side.cell.why = "unchecked", "prose"
        self.state.claims.append(side.cell)
        return True

    def names_of(self, sides: tuple[Node, ...], start: int) -> list[Name]:
        """The names of a chain; what stands before it may be one with a number or a remark."""
        first = sides[0]
        if isinstance(first, Number) and literal(sides[1]) and self.numbered(first):
            return [self.state.label] if isinstance(self.state.label, Name) else []
        if first in (Name(""), UNREAD) and self.is_remarked(start):
            return [self.state.marked] if self.state.marked is not None else []
        return [side for side in sides if isinstance(side, Name)]

    def is_remarked(self, start: int) -> bool:
        """Whether a remark stands between a name and its relation: x1 ("The") = (0.5, 1)."""
        label = self.state.marked
        if not isinstance(label, Name):
            return False
        return 0 <= start - self.state.marked_at - len(label.text) <= REMARK

    def is_copula(self, side: Name) -> bool:
        """Whether a word is the verb between a sign and what it is: the weights A are ..."""
        return side.text in COPULAS and is_vector(self.state.label)

    def is_known(self, name: str) -> bool:
        """Whether a name is that of a quantity, or has been given a meaning."""
        return bool(role(name) or indexed(name) or name in self.names.defined)
