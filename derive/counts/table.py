"""The table: parts in groups, each with its shape, parameters and multiply-adds in letters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from derive.counts.architecture import Architecture
from derive.errors import InputError, nearest
from derive.exact import ZERO, Scalar, symbol

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True)
class Part:
    """One array of a model, what makes it, and what that costs; all sizes in letters.

    sublayer: "" or the sublayer it belongs to; name: the step it is; shape: its sides;
    parameters: trained numbers; multiply_adds: those of its matrix product, 0 where there is none.
    """

    sublayer: str
    name: str
    shape: tuple[Scalar, ...]
    parameters: Scalar = ZERO
    multiply_adds: Scalar = ZERO

    @property
    def path(self) -> str:
        """cross-attention.S"""
        return f"{self.sublayer}.{self.name}" if self.sublayer else self.name

    @property
    def letters(self) -> frozenset[str]:
        """The letters it is written with."""
        written = (*self.shape, self.parameters, self.multiply_adds)
        return frozenset().union(*(x.free_symbols for x in written))


@dataclass(frozen=True)
class Group:
    """Parts that stand in the model together, `times` over."""

    name: str
    parts: tuple[Part, ...]
    times: Scalar

    @property
    def parameters(self) -> Scalar:
        """Of one of them, in letters."""
        return sum((part.parameters for part in self.parts), ZERO)

    @property
    def multiply_adds(self) -> Scalar:
        """Of one of them, in letters."""
        return sum((part.multiply_adds for part in self.parts), ZERO)


@dataclass(frozen=True)
class ShapeTable:
    """Shapes, parameters and multiply-adds of every part of a model, in letters and in numbers.

    sizes: what each letter stands for, a number or a letter of one's own.

    >>> from derive import shapes
    >>> table = shapes("gpt-2")
    >>> table.parameters
    124439808
    >>> table.shape("layer.attention.S")
    (1, 12, 1024, 1024)
    """

    name: str
    title: str
    lang: str
    sizes: Mapping[str, Scalar]
    groups: tuple[Group, ...]
    architecture: Architecture | None = None

    def value(self, formula: Scalar) -> Scalar:
        """A formula with the sizes put in."""
        return formula.substitute(
            {k: x for k, x in self.sizes.items() if k in formula.free_symbols}
        )

    @property
    def symbolic(self) -> ShapeTable:
        """The same table, each letter standing for itself."""
        return replace(self, sizes={letter: symbol(letter) for letter in self.sizes})

    @property
    def parameter_formula(self) -> Scalar:
        """All parameters, in letters."""
        return sum((g.times * g.parameters for g in self.groups), ZERO)

    @property
    def multiply_add_formula(self) -> Scalar:
        """All multiply-adds, in letters."""
        return sum((g.times * g.multiply_adds for g in self.groups), ZERO)

    @property
    def parameters(self) -> int | sympy.Expr:
        """All parameters: an int, or a SymPy expression where sizes are letters."""
        return plain(self.value(self.parameter_formula))

    @property
    def multiply_adds(self) -> int | sympy.Expr:
        """All multiply-adds: an int, or a SymPy expression where sizes are letters."""
        return plain(self.value(self.multiply_add_formula))

    def __iter__(self) -> Iterator[tuple[str, Part]]:
        """(place, part) of every part, such as "decoder layer.cross-attention.S"."""
        for group in self.groups:
            for part in group.parts:
                yield f"{group.name}.{part.path}", part

    def part(self, place: str) -> Part:
        """The part at a place; InputError with the closest one where there is none."""
        found = dict(self)
        if place in found:
            return found[place]
        close = nearest(place, found)
        hint = f'did you mean "{close}"?' if close else ""
        raise InputError(f'there is no part "{place[:80]}"', expected=", ".join(found), hint=hint)

    def shape(self, place: str) -> tuple[Any, ...]:
        """The shape of a part: ints, or SymPy expressions where sizes are letters."""
        return tuple(plain(self.value(side)) for side in self.part(place).shape)


def plain(x: Scalar) -> int | sympy.Expr:
    """A whole number as an int, else the SymPy expression."""
    if x.is_rational and x.fraction[1] == 1:
        return x.fraction[0]
    from derive.exact.bridge import to_sympy

    return to_sympy(x)
