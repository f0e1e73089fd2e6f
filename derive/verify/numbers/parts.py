"""Parts of a whole in running text: percentages, and weights printed with other places."""

from __future__ import annotations

import re
from dataclasses import replace

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf, Node
from derive.verify.grammar.scales import scales, unit
from derive.verify.known.state import State
from derive.verify.known.steps.made import whole
from derive.verify.speech.hearing import heard

NEAR = 2
"""So many of the last lists may hold the weights."""
ALIKE = 1e-9
"""Floats that add up to one are no further off."""
CLOSE = 32
"""What is printed with fewer places again stands no further behind, in characters."""
_WORD = re.compile(r"[^\W\d_]{2,}|[\u3040-\uffef(（]")
_AND = re.compile(
    r"(?i)\b(?:and|und|et|y|e|и|і|och|en|ve|và|dan|then|plus)\b|[和与與と及]|그리고|[+×·*/=^]"
)
"""What leads on to another number."""
SIGNS = "%％٪"
_PERCENT = re.compile(
    r"[-−]?[\d.,٫]+(?:\\,|[\s$~}]){0,4}\\?(?:[%％٪]|per ?cents?\b|prozent\b|pour ?cents?\b"
    r"|por ?cien\w*|por cento|percento|per cento|procent\w*|процент\w*|відсот\w*|パーセント|퍼센트"
    r"|phần trăm|yüzde|प्रतिशत|في المئة)",
    re.I,
)
"""A number with a percent sign that stands apart from it, or with the word for it."""


def in_hundred(state: State, figure: Figure) -> Figure | None:
    """The part that a number is before a percent sign which stands apart from it."""
    if figure.weight < 2 or not _PERCENT.match(state.behind):
        return None
    return replace(figure, value=figure.value / 100, unit=figure.unit / 100)


def is_percent(state: State, figure: Figure) -> bool:
    """Whether a percent sign, or the word for it, stands behind a number."""
    return figure.text[-1:] in SIGNS or in_hundred(state, figure) is not None


def are_shares(step: Grid) -> bool:
    """Whether each row of a step adds up to one, so that percentages may speak of it."""
    return all(abs(sum(row) - 1) < ALIKE for row in step.near)


def weight(state: State, figure: Figure, is_part: bool) -> Cell | None:
    """The printed weight that a number with other places is, where words speak of weights."""
    if figure.weight < 2 or not (is_part or "A" in heard(state.sentence)):
        return None
    lists = [state.pool.of_role("A"), *list(state.pool.recent())[:NEAR]]
    for known in (cell for grid in lists if grid is not None for cell in grid.cells()):
        is_right = known.figure is not None and known.verdict in ("correct", "propagated")
        if is_right and known.exact is not None and figure.is_rounded(known.exact):
            return known
    return None


def shortened(state: State, cell: Cell) -> Node | None:
    """The result just before that a number is with fewer places: 1.245, or 1.25 for short; 1.2M."""
    before, figure = next(iter(state.runs.cells[-1:]), None), cell.figure
    known = before.figure if before is not None and before.exact is not None else None
    if before is None or known is None or figure is None or figure.weight < 2:
        return None
    gap = cell.start - before.start
    between = state.words[-gap:].partition(known.text)[2] if 0 < gap <= CLOSE else ""
    if not _WORD.search(between) or _AND.search(between):
        return None
    for scale in cell.scales or scales(unit(state.behind, len(figure.text))):
        is_shorter = figure.unit * scale > known.unit and not (scale == 1 and figure.is_whole)
        if is_shorter and abs(figure.value * scale - known.value) <= figure.unit * scale / 2:
            made = Leaf(Grid([[before]]))
            return made if scale == 1 else Binary("/", made, whole(scale))
    return None
