"""Letters with indices as parts of what bears the letter: x_2, A_23, row k_2; I is the identity."""

from __future__ import annotations

import re

from flint import arb

from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Name, Node
from derive.verify.known.pool import Pool
from derive.verify.speech.roles import indexed, role

_ENTRY = re.compile(r"(.*[^\d_]|[^\W\d]\w*_\d+(?=_))_?\{?(\d{1,2})(?:,(\d{1,2}))?\}?")
CONSTANTS = ("pi", "π")
_OF_TOKENS = ("q", "k", "v", "x")
"""Small letters of one token's vector, beside the capital of all."""
_PLACE = re.compile(r"_\{?(\d{1,2}?)(,?)(\d{1,2})\}?$")


def entry(pool: Pool, text: str) -> Grid | None:
    """x_2 of a vector x, A_23 or A_{2,3} of a matrix A, counted from 1."""
    found = _ENTRY.fullmatch(text)
    grid = pool.named.get(found[1]) if found else None
    if found is None or grid is None or _is_numbered(pool, found[1]):
        return None
    if found[3] is None and len(found[2]) == 1 and 1 in grid.shape:
        cells = list(grid.cells())
        place = int(found[2]) - 1
        return Grid([[cells[place]]]) if 0 <= place < len(cells) else None
    if found[3] is None and len(found[2]) != 2:
        return None
    i, j = (int(found[2]), int(found[3])) if found[3] else map(int, found[2])
    rows, columns = grid.shape
    return Grid([[grid.rows[i - 1][j - 1]]]) if 0 < i <= rows and 0 < j <= columns else None


def row(pool: Pool, text: str) -> Grid | None:
    """k_2 as the second row of K, where that is printed as a whole; the third with a k_0."""
    found = indexed(text) if text[:1] in _OF_TOKENS else None
    whole = pool.of_role(found[0]) if found else None
    if found is None or whole is None or 1 in whole.shape or pool.layout.startswith("columns"):
        return None
    place = found[1] - (not pool.is_from_nought)
    return whole.row(place) if 0 <= place < whole.shape[0] else None


def _is_numbered(pool: Pool, base: str) -> bool:
    """Whether q_1, q_2 ... are vectors of their own."""
    siblings = re.compile(rf"{re.escape(base)}_?\d+")
    found = [grid for name, grid in pool.named.items() if siblings.fullmatch(name)]
    return any(grid.shape != (1, 1) for grid in found)


def identity(pool: Pool) -> Grid | None:
    """The identity matrix of the size of the last square matrix."""
    size = next((g.shape[0] for g in reversed(pool.grids) if len(set(g.shape)) == 1), 0)
    if size < 2:
        return None
    rows = [[Cell(None, exact=arb(int(i == j))) for j in range(size)] for i in range(size)]
    return Grid(rows, "I")


def letter(pool: Pool, text: str) -> Grid | None:
    """What a letter means wherever it stands: pi, the identity, an entry of a known vector."""
    if text in CONSTANTS:
        return Grid([[Cell(None, exact=arb.pi())]])
    if text == "e":
        return Grid([[Cell(None, exact=arb(1).exp())]])
    return identity(pool) if text == "I" else entry(pool, text) or row(pool, text)


def parted(pool: Pool, side: Node) -> Node:
    """Kq as K q and QK^T as Q K^T, where both letters are known and the two together are not.

    An entry of what is turned is that with its indices changed round: (K^T)_12 is K_21.
    """
    match side:
        case Function("T", (Name(text, None),)) if entry(pool, text) and text not in pool.named:
            return Name(_PLACE.sub(r"_\2\3\1", text))
        case Function("T", (Name() as name,)) if isinstance(made := parted(pool, name), Binary):
            return Binary("", made.left, Function("T", (made.right,)))
    if not isinstance(side, Name) or len(side.text) != 2 or side.index is not None:
        return side
    first, second = side.text[0], side.text[1]
    is_known = side.text in pool.named or bool(role(side.text))
    if is_known or not all(pool.lookup(letter) for letter in (first, second)):
        return side
    return Binary("", Name(first), Name(second))


def is_other(text: str, name: str) -> bool:
    """Whether a letter is not the one by which a matrix was called, though of one meaning."""
    return len(text) == len(name) == 1 and text.lower() != name.lower() and text.isascii()
