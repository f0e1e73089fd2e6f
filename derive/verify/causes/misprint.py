"""Other inputs that give what is printed: one entry changed, or one whole factor."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, fmpq, fmpq_mat

from derive.exact.ball import endpoints
from derive.verify.causes.fitting import FEW, Printed, Rows, fits, rows_of
from derive.verify.causes.kinds import Cause
from derive.verify.grammar.figures import Figure, enclosed
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Leaf, Node, Number
from derive.verify.grammar.notation import rewritten

MOST = 64
"""So many entries of inputs are tried."""
NEAR = 5
"""So many units more or less are tried."""
MOST_OBJECTS = 24
"""So many results are worked out again with a changed input."""
Object = tuple[Grid, Node]


@dataclass
class Purse:
    """How many entries may still be worked out."""

    left: int

    def spend(self, printed: Printed) -> bool:
        """Whether one more value of a matrix may be worked out."""
        self.left -= printed.shape[0] * printed.shape[1]
        return self.left > 0


def entry(
    grid: Grid, made: Node, objects: Iterable[Object], purse: Purse
) -> tuple[Cause, list[Cell]] | None:
    """The one entry of the inputs that, changed, gives all that is printed, and what it explains.

    Everything that is printed and depends on the entry is worked out again with the change.
    """
    printed = Printed.of(grid)
    later = [(Printed.of(g), m) for g, m in objects if g is not grid]
    right = rows_of(made, "exact", {})
    if right is None or not printed.has_shape(right):
        return None
    for cell in list(inputs(made))[:MOST]:
        for changed in _changes(cell, printed, made, right) if purse.spend(printed) else ():
            swap = {id(cell): changed}
            if not purse.spend(printed) or not printed.explained(rows_of(made, "exact", swap)):
                continue
            explained = _consistent(swap, later)
            if explained is not None and cell.figure is not None:
                told = (cell.quantity or cell.figure.text, rewritten(cell.figure, changed))
                wrong = [c for c, _, _ in printed.wrong] + explained
                if len({id(c.origin or c) for c in wrong if c.verdict == "wrong"}) < FEW:
                    return None
                return ("input entry", (*told, cell.figure.text)), wrong
    return None


def _consistent(swap: dict[int, arb], later: list[tuple[Printed, Node]]) -> list[Cell] | None:
    """The wrong entries that become right with a change; None where right ones become wrong."""
    explained: list[Cell] = []
    for printed, made in later[:MOST_OBJECTS]:
        rows = rows_of(made, "exact", swap)
        if rows is None or not printed.has_shape(rows):
            continue
        for cell, i, j in printed.entries:
            before, after = fits(cell.figure, cell.exact), fits(cell.figure, rows[i][j])
            if before and not after and cell.verdict != "propagated":
                return None
            if after and not before:
                explained.append(cell)
    return explained


def inputs(node: Node) -> Iterator[Cell]:
    """The declared numbers an expression is made from, those of the last steps first."""
    seen: set[int] = set()
    for cell in _leaves(node):
        if cell.verdict == "assumed" and cell.figure is not None and id(cell) not in seen:
            seen.add(id(cell))
            yield cell


def _leaves(node: Node) -> Iterator[Cell]:
    """The numbers at the ends, level by level."""
    waiting, seen = deque([node]), set[int]()
    while waiting:
        match waiting.popleft():
            case Number(cell):
                yield cell.origin or cell
            case Leaf(grid) if id(grid) in seen:
                continue
            case Leaf(grid):
                seen.add(id(grid))
                if grid.made is not None:
                    waiting.append(grid.made)
                else:
                    yield from (cell.origin or cell for cell in grid.cells())
            case other:
                waiting.extend(other.parts())


def _changes(cell: Cell, printed: Printed, made: Node, right: Rows) -> Iterator[arb]:
    """Values to try for an entry: solved for where the result is linear in it, else misprints."""
    assert cell.figure is not None
    base = cell.figure.ball
    second = rows_of(made, "exact", {id(cell): base + 1})
    if second is not None and printed.has_shape(second):
        if any((second[i][j] - right[i][j]).contains(0) for _, i, j in printed.wrong):
            return  # a wrong number does not depend on it
        third = rows_of(made, "exact", {id(cell): base + 2})
        if third is not None and _is_linear(right, second, third):
            steps = _steps(printed, right, second, cell.figure)
            if steps:
                yield enclosed(cell.figure.value + steps * cell.figure.unit)
            return
    yield from (enclosed(x) for x in misprints(cell.figure))


def _is_linear(first: Rows, second: Rows, third: Rows) -> bool:
    triples = (zip(*rows, strict=True) for rows in zip(first, second, third, strict=True))
    return all((z - 2 * y + x).contains(0) for row in triples for x, y, z in row)


def _steps(printed: Printed, first: Rows, second: Rows, figure: Figure) -> int | None:
    """By how many units of its last place an entry has to change for the first wrong number."""
    for cell, i, j in printed.wrong:
        slope = second[i][j] - first[i][j]
        if slope.contains(0) or cell.figure is None:
            return None
        found = (cell.figure.ball - first[i][j]) / slope / enclosed(figure.unit)
        ends = endpoints(found)
        if ends is None:
            return None
        mantissa, exponent = ends[0]
        return round(Fraction(mantissa) * Fraction(2) ** exponent)
    return None


def misprints(figure: Figure) -> Iterator[Fraction]:
    """Numbers for which one may be a misprint: other signs, digits, or a few units more or less."""
    yield -figure.value
    for k in range(1, NEAR + 1):
        yield figure.value + k * figure.unit
        yield figure.value - k * figure.unit
    digits = str(abs(int(figure.value / figure.unit)))
    sign = -1 if figure.value < 0 else 1
    for k, digit in enumerate(digits):
        for other in "0123456789":
            if other != digit:
                yield sign * int(digits[:k] + other + digits[k + 1 :]) * figure.unit
        if digits[k : k + 2] != digits[k : k + 2][::-1]:
            swapped = digits[:k] + digits[k : k + 2][::-1] + digits[k + 2 :]
            yield sign * int(swapped) * figure.unit


# A whole factor


def factor(grid: Grid, made: Node) -> Cause | None:
    """The only factor that gives the printed product, where it differs from the declared."""
    match made:
        case Binary("@" | "", Leaf(a), Leaf(b)) if (
            grid.is_printed and b.is_printed and a.is_printed
        ):
            second = solved(_rationals(a), _rationals(grid))
            if second is not None and b.made is None and _is_likely(second, b):
                return _told(grid, b, second)
            turned = solved(_rationals(b).transpose(), _rationals(grid).transpose())
            if turned is not None and a.made is None and _is_likely(turned.transpose(), a):
                return _told(grid, a, turned.transpose())
    return None


def _told(grid: Grid, declared: Grid, found: fmpq_mat) -> Cause | None:
    text = str([[str(x) for x in row] for row in found.tolist()]).replace("'", "")
    return ("input misprint", (grid.name, declared.name, text)) if len(text) < 200 else None


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


def solved(a: fmpq_mat, product: fmpq_mat) -> fmpq_mat | None:
    """The X with a X = product, if there is exactly one."""
    if a.nrows() > 64 or a.ncols() > 64 or a.nrows() != product.nrows():
        return None
    square = a.transpose() * a
    try:
        found = square.inv() * (a.transpose() * product)
    except ZeroDivisionError:
        return None
    return found if a * found == product else None
