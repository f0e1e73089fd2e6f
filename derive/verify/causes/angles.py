"""Sinusoids and rotations with other bases, positions, indices, layouts and signs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from flint import arb

from derive.exact.enclosure import Enclosures
from derive.verify.causes.wrong import ruled
from derive.verify.grammar.grids import matrix_of
from derive.verify.grammar.nodes import Binary, Function, Node, Number, rebuilt, takes

BASES = (10, 100, 1000, 10_000, 100_000)


def _twice(i: int) -> int:
    return 2 * i


@dataclass(frozen=True)
class Angles:
    """How angles are made: position times base^(-index(i) / d), pair i of d / 2."""

    base: arb
    start: int
    halves: bool = False
    index: Callable[[int], int] = _twice
    sign: int = 1
    swapped: bool = False
    turned: int = -1  # the one pair that is turned backwards
    is_added: bool = False  # whether x cos + y sin stands in place of x cos - y sin
    width: int = 0  # the d of the exponent, where it is another
    is_in_degrees: bool = False

    def angle(self, position: int, i: int, width: int) -> arb:
        """The angle of a pair."""
        found = position * (-arb(self.index(i)) / (self.width or width) * self.base.log()).exp()
        return found * arb.pi() / 180 if self.is_in_degrees else found

    def places(self, i: int, width: int) -> tuple[int, int]:
        """The columns of a pair."""
        return (i, i + width // 2) if self.halves else (2 * i, 2 * i + 1)

    def encoding(self, n: int, width: int) -> Enclosures:
        """Sine and cosine of each angle."""
        made = [[arb(0)] * width for _ in range(n)]
        for p in range(n):
            for i in range(width // 2):
                angle = self.angle(self.start + p, i, width)
                both = (self.sign * angle.sin(), angle.cos())
                for column, x in zip(
                    self.places(i, width), both[::-1] if self.swapped else both, strict=True
                ):
                    made[p][column] = x
        return matrix_of(made)

    def rotated(self, x: Enclosures) -> Enclosures:
        """Each pair of a row turned."""
        if x.shape[1] == 1:
            return self.rotated(x.T).T
        made = []
        for p, row in enumerate(x.rows):
            out, width = list(row), len(row)
            for i in range(width // 2):
                a, b = self.places(i, width)
                angle = self.angle(self.start + p, i, width)
                sign = -self.sign if i == self.turned else self.sign
                c, s = angle.cos(), sign * angle.sin()
                first = row[b] * s if self.is_added else -row[b] * s
                out[a], out[b] = row[a] * c + first, row[a] * s + row[b] * c
            made.append(out)
        return matrix_of(made)


def changed(node: Node) -> Iterator[tuple[str, tuple[str, ...], Node]]:
    """Positional encodings and rotations with one thing changed."""
    match node:
        case Function(name, (n, d, base, first)) if name.startswith("sinusoids"):
            size = _whole(n), _whole(d)
            for kind, values, angles in _others(angles_of(name, base, first), size[1], False):
                yield kind, values, ruled(lambda a=angles: a.encoding(*size))
        case Function(name, (x, base, first)) if name.startswith("rotary"):
            for kind, values, angles in _others(angles_of(name, base, first), 8, True):
                yield kind, values, ruled(angles.rotated, x)
        case Binary("+" | "-" as sign, a, b):
            yield from _component(sign, a, b)


def _component(sign: str, a: Node, b: Node) -> Iterator[tuple[str, tuple[str, ...], Node]]:
    """x cos θ - y sin θ, or x sin θ + y cos θ, with the sine turned, or in degrees."""
    has_sine = [takes(part, "sin") for part in (a, b)]
    if sum(has_sine) != 1 or not takes(a if has_sine[1] else b, "cos"):
        return
    turned = Binary("+" if sign == "-" else "-", a, b) if has_sine[1] else Binary("-", b, a)
    if has_sine[1] or sign == "+":
        yield "turned backwards", (), turned
    yield "angles in degrees", (), Binary(sign, _in_degrees(a), _in_degrees(b))


def _in_degrees(node: Node) -> Node:
    """An expression whose sines and cosines are those of degrees."""
    made = rebuilt(node, _in_degrees)
    match made:
        case Function("sin" | "cos" as name, parts):
            return Function(f"{name} degrees", parts)
    return made


def angles_of(name: str, base: Node, first: Node) -> Angles:
    """The angles of sinusoids or rotations, by their name and operands."""
    return Angles(_number(base), _whole(first), name.endswith("halves"))


def _others(
    right: Angles, width: int, is_rotation: bool
) -> Iterator[tuple[str, tuple[str, ...], Angles]]:
    for other in (right.start - 1, right.start + 1):
        kind = f"positions from {int(other > right.start)}"
        yield kind, (), replace(right, start=max(other, 0))
    yield "other index of angles", ("i/d",), replace(right, index=lambda i: i)
    yield "other index of angles", ("2(i+1)/d",), replace(right, index=lambda i: 2 * i + 2)
    yield "other index of angles", ("4i/d",), replace(right, index=lambda i: 4 * i)
    for base in BASES:
        if right.base != base:
            yield "other base of angles", (str(base),), replace(right, base=arb(base))
    yield "halves and pairs", (), replace(right, halves=not right.halves)
    yield "turned backwards", (), replace(right, sign=-1)
    yield "angles in degrees", (), replace(right, is_in_degrees=True)
    if not is_rotation:
        yield "sine and cosine swapped", (), replace(right, swapped=True)
        for other in (width - 2, width + 2):
            yield "other index of angles", (f"2i/{other}",), replace(right, width=other)
        return
    yield "sine added", (), replace(right, is_added=True)
    for i in range(width // 2):
        yield "sign of one block", (str(i + 1),), replace(right, turned=i)


def _number(node: Node) -> arb:
    match node:
        case Number(cell) if cell.exact is not None:
            return cell.exact
        case Number(cell) if cell.figure is not None:
            return cell.figure.ball
    return arb(10_000)


def _whole(node: Node) -> int:
    found = _number(node).unique_fmpz()
    return 0 if found is None else int(found)
