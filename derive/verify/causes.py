"""Why a number is wrong: what was worked out with one change that gives what is printed.

A change to a whole matrix is blamed only where it gives every printed entry of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from flint import arb, fmpq, fmpq_mat

from derive.verify.article import Article
from derive.verify.evaluate import value
from derive.verify.figures import Figure, enclosed
from derive.verify.grids import Cell, Grid
from derive.verify.nodes import Binary, Function, Leaf, Node
from derive.verify.operations import Unknown

KINDS = (
    "not transposed", "other way round", "weights transposed", "weights copied",
    "first transposed", "other factor", "not scaled", "scaled by the width",
    "softmax of columns", "not exponentiated", "mask left out", "mask after softmax",
    "mask not declared", "input misprint", "row made to sum to one", "sign lost",
    "digits swapped", "rounded twice", "value of another entry",
)  # fmt: skip
"""All kinds of causes."""
Cause = tuple[str, tuple[str, ...]]
"""What kind it is, and what is put into its sentence."""


def blame(article: Article) -> None:
    """Gives the wrong numbers of an article their causes, where there are any."""
    for grid, made in _objects(article):
        wrong = [cell for cell in _printed(grid) if cell.verdict == "wrong" and cell.cause is None]
        if wrong:
            whole = _of_object(grid, made, article)
            for cell in wrong:
                cell.cause = whole or _of_entry(cell, grid)
    homes = {id(cell): grid for grid in article.state.pool.grids for cell in grid.cells()}
    for cell in article.state.claims:
        if cell.verdict == "wrong" and cell.cause is None:
            cell.cause = _of_entry(cell, homes.get(id(cell)) or Grid([[cell]]))


def _objects(article: Article) -> Iterator[tuple[Grid, Node]]:
    for step in article.state.steps.known.values():
        if step is not None and step.made is not None:
            yield step, step.made
    for grid in article.state.pool.grids:
        if grid.made is not None:
            yield grid, grid.made


def _printed(grid: Grid) -> Iterator[Cell]:
    """The printed numbers themselves; a step only refers to them."""
    for cell in grid.cells():
        if cell.figure is not None:
            yield cell.origin if cell.start < 0 and cell.origin is not None else cell


def _of_object(grid: Grid, made: Node, article: Article) -> Cause | None:
    for kind, node in changed(made, article):
        if _gives(node, grid):
            return kind, ()
    return _misprint(grid, made)


def _gives(node: Node, grid: Grid) -> bool:
    """Whether an expression gives every printed entry, and more than one."""
    try:
        rows = value(node, "exact").rows
    except (Unknown, ValueError):
        return False
    if (len(rows), len(rows[0])) != grid.shape:
        return False
    pairs = [
        (cell.figure, x)
        for row, values in zip(grid.rows, rows, strict=True)
        for cell, x in zip(row, values, strict=True)
        if cell.figure is not None
    ]
    return len(pairs) > 1 and all(f.is_rounded(x) or f.is_cut(x) for f, x in pairs)


def changed(made: Node, article: Article) -> Iterator[tuple[str, Node]]:
    """The expression with one mistake in it, each kind that is known."""
    match made:
        case Function("softmax", (Leaf(scores) as leaf,)):
            yield from _softmaxes(scores, leaf)
        case Binary("@", Leaf(a), Function("T", (Leaf(b),))):
            yield "not transposed", Binary("@", Leaf(a), Leaf(b))
            yield "other way round", Binary("@", Leaf(b), Function("T", (Leaf(a),)))
        case Binary("@" | "", Leaf(a), Leaf(b)):
            yield "weights transposed", Binary("@", Leaf(a), Function("T", (Leaf(b),)))
            yield "weights copied", Leaf(b)
            yield "first transposed", Binary("@", Function("T", (Leaf(a),)), Leaf(b))
            for name in ("W_Q", "W_K", "W_V", "K", "Q", "V", "H"):
                other = article.state.pool.of_role(name)
                if other is not None and other is not b:
                    yield "other factor", Binary("@", Leaf(a), Leaf(other))
        case Binary("/", Leaf(s), Function("sqrt", (width,))):
            yield "not scaled", Leaf(s)
            yield "scaled by the width", Binary("/", Leaf(s), width)


def _softmaxes(scores: Grid, leaf: Leaf) -> Iterator[tuple[str, Node]]:
    yield "softmax of columns", Function("softmax columns", (leaf,))
    yield "not exponentiated", Function("shares", (leaf,))
    inner = scores
    match scores.made:
        case Function("causal", (Leaf(free),)):
            yield "mask left out", Function("softmax", (Leaf(free),))
            yield "mask after softmax", Function("lower", (Function("softmax", (Leaf(free),)),))
            inner = free
        case _:
            yield "mask not declared", Function("softmax", (Function("causal", (leaf,)),))
    match inner.made:
        case Binary("/", Leaf(plain), Function("sqrt", (width,))):
            scaled: Node = Binary("/", Leaf(plain), width)
            raw: Node = Leaf(plain)
            if inner is not scores:
                scaled, raw = Function("causal", (scaled,)), Function("causal", (raw,))
            yield "not scaled", Function("softmax", (raw,))
            yield "scaled by the width", Function("softmax", (scaled,))


def _misprint(grid: Grid, made: Node) -> Cause | None:
    """The only second factor that gives the printed product, where it differs from the declared."""
    match made:
        case Binary("@" | "", Leaf(a), Leaf(b)) if (
            grid.is_printed and b.is_printed and a.is_printed
        ):
            found = _solved(_rationals(a), _rationals(grid))
            if found is None or not _is_likely(found, b):
                return None
            text = str([[str(x) for x in row] for row in found.tolist()]).replace("'", "")
            return ("input misprint", (grid.name, b.name, text)) if len(text) < 200 else None
    return None


def _is_likely(found: fmpq_mat, declared: Grid) -> bool:
    """Whether a matrix differs little from the declared one, and is printed as briefly."""
    units = [c.figure.unit for c in declared.cells() if c.figure]
    least = min(units, default=Fraction(1))
    given = [Fraction(int(x.p), int(x.q)) for row in found.tolist() for x in row]
    if len(given) != len(units) or any((x / least).denominator > 1 for x in given):
        return False
    changes = sum(
        c.figure is None or c.figure.value != x
        for c, x in zip(declared.cells(), given, strict=True)
    )
    return 0 < changes <= max(1, len(given) // 2)


def _rationals(grid: Grid) -> fmpq_mat:
    entries = [
        fmpq(c.figure.value.numerator, c.figure.value.denominator) for c in grid.cells() if c.figure
    ]
    return fmpq_mat(*grid.shape, entries)


def _solved(a: fmpq_mat, product: fmpq_mat) -> fmpq_mat | None:
    """The X with a X = product, if there is exactly one."""
    if a.nrows() > 64 or a.ncols() > 64:
        return None
    square = a.transpose() * a
    try:
        found = square.inv() * (a.transpose() * product)
    except ZeroDivisionError:
        return None
    return found if a * found == product else None


# One entry


def _of_entry(cell: Cell, grid: Grid) -> Cause | None:
    figure, exact = cell.figure, cell.exact
    if figure is None or exact is None or not exact.is_finite():
        return None
    if other := _forced(cell, grid):
        return "row made to sum to one", (other,)
    if figure.value and figure.is_rounded(-exact):
        return "sign lost", ()
    if _is_swapped(figure, exact):
        return "digits swapped", ()
    if _is_rounded_twice(figure, exact):
        return "rounded twice", ()
    if figure.weight > 1:
        for other_cell in grid.cells():
            known = other_cell.exact
            if (
                known is not None
                and other_cell.quantity != cell.quantity
                and figure.is_rounded(known)
            ):
                return "value of another entry", (other_cell.quantity,)
    return None


def _forced(cell: Cell, grid: Grid) -> str:
    """1 - 0.248 - 0.248, where the printed row is made to sum to one; else ""."""
    for row in grid.rows:
        cells = [c.origin if c.start < 0 and c.origin is not None else c for c in row]
        if cell not in cells or len(cells) < 2 or not all(c.figure for c in cells):
            continue
        if any(c.is_wrong for c in cells if c is not cell):
            continue
        others = [c.figure for c in cells if c is not cell and c.figure]
        total = sum((f.value for f in others), Fraction(0))
        if cell.figure and cell.figure.value == 1 - total and _is_share(grid):
            return " - ".join(["1", *(f.text for f in others)])
    return ""


def _is_share(grid: Grid) -> bool:
    """Whether every row sums to one exactly."""
    for row in grid.rows:
        exact = [c.exact for c in row]
        if any(x is None for x in exact):
            return False
        total = sum((x for x in exact if x is not None), arb(0))
        if not (total - 1).contains(0):
            return False
    return True


def _is_swapped(figure: Figure, exact: arb) -> bool:
    text = figure.text
    for k in range(len(text) - 1):
        if text[k].isdigit() and text[k + 1].isdigit() and text[k] != text[k + 1]:
            made = text[:k] + text[k + 1] + text[k] + text[k + 2 :]
            other = _same_unit(made, figure)
            if other is not None and other.is_rounded(exact):
                return True
    return False


def _same_unit(text: str, figure: Figure) -> Figure | None:
    from derive.verify.figures import figure as read

    found = read(text, comma="," in text and "." not in text)
    return found if found is not None and found.unit == figure.unit else None


def _is_rounded_twice(figure: Figure, exact: arb) -> bool:
    """Rounded to one or two places more, and then once again."""
    for more in (10, 100):
        fine = _nearest(exact, figure.unit / more)
        if fine is None:
            continue
        again = (Decimal(fine) / more).quantize(Decimal(1), rounding=ROUND_HALF_UP)
        if Fraction(int(again)) * figure.unit == figure.value:
            return True
    return False


def _nearest(exact: arb, unit: Fraction) -> int | None:
    scaled = exact / enclosed(unit)
    whole = (abs(scaled) + arb("0.5")).floor().unique_fmpz()
    return None if whole is None else int(whole) * (-1 if scaled < 0 else 1)
