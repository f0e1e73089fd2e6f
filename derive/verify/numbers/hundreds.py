"""Shares of a whole: lists that add up to 1, and the same as percentages without a sign."""

from __future__ import annotations

import re
from fractions import Fraction

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf, Node, Number
from derive.verify.known.state import State
from derive.verify.numbers.scaling import agreement

_PERCENT = re.compile(
    r"(?i)%|per ?cent|prozent|pour ?cent|por ?c[ei]ent|persen|procent|процент|відсот|yüzde|百分"
    r"|パーセント|퍼센트|백분율|phần trăm|ποσοστ|τοις εκατό|אחוז|درصد|بالمئة|المائة|प्रतिशत"
    r"|ร้อยละ|เปอร์เซ็น"
)
LEAST, TELLING = 0.5, 4
"""The part of a list that agrees, and its digits, at the least."""
WHOLE = 100


def percents(state: State, grid: Grid) -> Node | None:
    """The hundredfold shares that a list is, where words say so or it adds up to 100."""
    figures = [cell.figure for cell in grid.cells() if cell.figure]
    if grid.shape == (1, 1) or not all(0 <= f.value <= WHOLE for f in figures):
        return None
    total = sum((f.value for f in figures), Fraction(0))
    if not (_PERCENT.search(state.words) or abs(total - WHOLE) <= 1):
        return None
    hundred = Number(Cell(None, exact=arb(WHOLE)))
    lists = (g for g in state.pool.recent() if g.shape == grid.shape and is_probable(g))
    found = [Binary("*", Leaf(g), hundred) for g in lists]
    shares = [(*agreement(grid, made), made) for made in found]
    share, digits, best = max(shares, key=lambda way: way[:2], default=(0, 0, None))
    return best if share >= LEAST and digits >= TELLING else None


def is_probable(grid: Grid) -> bool:
    """Whether the numbers of a list are probabilities, as far as their digits say."""
    figures = [cell.figure for cell in grid.cells() if cell.figure]
    total = sum((f.value for f in figures), Fraction(0))
    room = sum((f.unit for f in figures), Fraction(0)) / 2
    is_list = 1 in grid.shape and len(figures) > 1
    return is_list and min(f.value for f in figures) >= 0 and abs(total - 1) <= room
