"""Denominators of sinusoids in running text: for i = 1 the denominator is 100."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary
from derive.verify.known.state import State
from derive.verify.known.steps.made import whole

_DENOMINATOR = re.compile(
    r"(?i)(?:d[eé]nomin\w+|\bnenner|знаменат\w+|分母|분모|mẫu số|payda\w*|mianownik\w*|noemer)"
    r"[^\d.;。；]{0,16}$"
)
_INDEX = re.compile(r".*\bi\$?\s*=\s*\$?(\d{1,3})\b", re.S)


def denominator(state: State, cell: Cell) -> tuple[Grid, int, int] | None:
    """base^(2i/d), where a sentence says what i is and a number is that, or has i/d for 2i/d."""
    width, base = state.pool.number("d_model") or state.pool.named.get("d"), state.pool.base
    index, figure = _INDEX.match(state.words), cell.figure
    if figure is None or index is None or width is None or not (base and state.said.is_paired):
        return None
    count = width.near[0][0]
    if not _DENOMINATOR.search(state.words) or width.shape != (1, 1) or not count.is_integer():
        return None
    if count <= 0:
        return None
    power = Binary("/", whole(2 * int(index[1])), whole(int(count)))
    step = state.steps.step("den", Binary("^", whole(base), power), "den", index[1], count)
    exact = step.rows[0][0].exact if step is not None else None
    if step is None or exact is None:
        return None
    is_meant = figure.is_rounded(exact) or figure.is_rounded(exact.sqrt())
    return (step, 0, 0) if is_meant else None
