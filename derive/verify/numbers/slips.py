"""A number of running text that is one printed shortly before, but for a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from flint import arb

from derive.verify.grammar.figures import Figure, enclosed
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function
from derive.verify.known.state import State
from derive.verify.speech.hearing import heard

REACH = 700
"""What is meant was printed no further before, in characters."""
RECENT = 3
"""So many of the last matrices are looked at."""
RIGHT = ("correct", "propagated", "truncated")
LEAST = 3
"""A number has at least so many significant digits."""


CLOSE = 24
"""The name of a list stands so near before one of its numbers, in characters."""
_SIZE = re.compile(
    r"(?i)\babs|magnitude|absolut|betrag|amount|size|\||绝对|絕對|絶対|大小|модул|절댓값|moduł"
)
"""What says that only the size of a number is meant."""


SUPPOSED = re.compile(
    r"(?i)\bif\b|would|instead|suppose|assum|more than|less than|below|above|threshold|\bwenn\b"
    r"|statt|würde|annahme|\bsi\b|seuil|umbral|если|порог|бы\b|如果|假如|假设|假設|阈值|もし|仮に|閾値"
    r"|만약|임계|nếu|eğer|यदि|अगर|إذا|לו\b|jeśli|soglia|limiar"
    r"|chapter|section|earlier|previous|paper|kapitel|abschnitt|chapitre|cap[ií]tulo|capitolo|глав"
    r"|раздел|[章节節篇]|論文|论文|앞서"
)
"""What says that a number is only supposed, or a bound, or stands elsewhere."""


def slipped(state: State, cell: Cell, beside: Sequence[Cell], sentence: str = "") -> bool:
    """Whether a number is an earlier result with two digits swapped; it is then judged.

    Or with the other sign, where what stands beside it repeats the same row, or its name stands
    right before it: what is meant may be the negative else.
    """
    figure = cell.figure
    if figure is None or cell.verdict != "unchecked":
        return False
    if figure.weight < LEAST:
        return figure.weight == LEAST - 1 and _is_weight(state, cell, beside, sentence)
    repeated = {id(c.origin) for c in beside if c.origin is not None}
    meant = {}
    for place, grid in enumerate(state.pool.recent()):
        is_named = _is_named(grid, figure.text, sentence)
        is_near = place < RECENT and _is_near(grid, cell)
        for row in grid.rows if is_near or is_named else ():
            is_said = is_named or any(id(c.origin or c) in repeated for c in row)
            for c in row:
                if (
                    c.verdict in RIGHT
                    and c.exact is not None
                    and _is_slip(figure, c.exact, is_said)
                ):
                    meant[str(c.exact)] = c
    if len(meant) != 1:
        return False
    (target,) = meant.values()
    return judged(cell, target, beside)


def judged(cell: Cell, target: Cell, beside: Sequence[Cell]) -> bool:
    """Whether a number is meant to be another one, and is wrong."""
    origin = target.origin or target
    if any(c.origin in (origin, target) for c, after in pairwise(beside) if after is cell):
        return False  # the right one stands right before it
    cell.exact, cell.quantity, cell.verdict, cell.why = origin.exact, origin.quantity, "wrong", ""
    cell.made, cell.at = origin.made, origin.at
    return True


def _is_weight(state: State, cell: Cell, beside: Sequence[Cell], sentence: str) -> bool:
    """Whether a sentence that speaks of weights tells one of the last ones, its two digits swapped.

    None of the others may have these digits, and nothing may only be supposed.
    """
    near = (g for g in state.pool.recent() if 1 in g.shape and _is_near(g, cell))
    last, figure = next(filter(_is_shares, near), None), cell.figure
    if last is None or figure is None or figure.is_whole or SUPPOSED.search(sentence):
        return False
    known = [(c, c.exact) for c in last.cells() if c.verdict in RIGHT and c.exact is not None]
    meant = [c for c, exact in known if _is_slip(figure, exact, False)]
    is_other = any(figure.is_rounded(exact) for _, exact in known)
    if len(meant) != 1 or is_other or "A" not in heard(sentence):
        return False
    return judged(cell, meant[0], beside)


def _is_shares(grid: Grid) -> bool:
    """Whether a list was worked out as the weights of something."""
    made = next(grid.cells()).made or grid.made
    is_soft = isinstance(made, Function) and made.name in ("softmax", "shares")
    return is_soft or next(grid.cells()).quantity.startswith("A[")


def _is_named(grid: Grid, number: str, sentence: str) -> bool:
    """Whether the name of a list stands right before a number, whose sign is meant too."""
    before, _, behind = sentence.partition(number)
    if len(grid.name) < LEAST or (not behind and number not in sentence) or _SIZE.search(sentence):
        return False
    return grid.name.lower() in before[-CLOSE:].lower()


def _is_near(grid: Grid, cell: Cell) -> bool:
    """Whether a matrix was printed shortly before a number."""
    places = [c.start for c in grid.cells() if c.start >= 0]
    return bool(places) and 0 < cell.start - max(places) < REACH


def _is_slip(figure: Figure, exact: arb, may_turn: bool) -> bool:
    if figure.is_rounded(exact):
        return False
    count = int(figure.value / figure.unit)
    turned = [-count] if may_turn else []
    return any(_holds(value, figure, exact) for value in (*turned, *_swapped(figure, count)))


def _swapped(figure: Figure, count: int) -> Iterator[int]:
    """A number with two digits beside each other swapped, in units of the last place."""
    digits, sign = str(abs(count)).zfill(len(str(figure.unit.denominator)) - 1), figure.side
    for place in range(len(digits) - 1):
        a, b = digits[place], digits[place + 1]
        if a != b:
            yield sign * int(digits[:place] + b + a + digits[place + 2 :])


def _holds(count: int, figure: Figure, exact: arb) -> bool:
    return bool(exact.is_finite() and not abs(exact - enclosed(count * figure.unit)) > figure.half)
