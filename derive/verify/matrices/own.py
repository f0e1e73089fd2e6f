"""Activations as an article defines them, where that is not what their names mean elsewhere."""

from __future__ import annotations

from fractions import Fraction

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.nodes import Array, Function, Leaf, Name, Node, Number, literal, rebuilt
from derive.verify.matrices.names import Meanings
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.formulas import Definition, applied

_NAMES = frozenset("gelu silu relu sigmoid tanh".split())
_SIGMOIDS = frozenset(("?σ", "?sigma"))
_TRIED = (Fraction(7, 10), Fraction(-13, 10))
"""Where a definition is compared with what the name means elsewhere."""


def note(names: Meanings, sides: tuple[Node, ...]) -> None:
    """Remember swish(x) = x σ(2x), where it is understood and differs from what is usual."""
    match sides:
        case (Function(name, (Name(letter),)), *_, made) if name in _NAMES and not literal(made):
            found = (letter,), _spelt(made)
            if any(_differs(names, name, found, x) for x in _TRIED):
                names.functions[_key(name)] = found


def own(names: Meanings, source: Node) -> Node | None:
    """An activation by the definition of the article, entry by entry; None where it has none."""
    match source:
        case Function(name, (inner,)) if (found := names.functions.get(_key(name))) is not None:
            cells = inner.grid.rows if isinstance(inner, Leaf) else literal(inner)
            if cells is None or len(cells) * len(cells[0]) == 1:
                return _made(names, found, inner) if _is_number(inner) else None
            rows = [[_made(names, found, Number(cell)) for cell in row] for row in cells]
            return Array(tuple(Array(tuple(row)) for row in rows))
    return None


def _key(name: str) -> str:
    return f"own {name}"


def _is_number(inner: Node) -> bool:
    return has_value(inner) and value(inner, "exact").shape == (1, 1)


def _made(names: Meanings, found: Definition, x: Node) -> Node:
    return names.resolved(applied(found, (x,)) or x)


def _differs(names: Meanings, name: str, found: Definition, x: Fraction) -> bool:
    number = Number(Cell(Figure(str(x), x, Fraction(1, 10))))
    made, usual = _made(names, found, number), Function(name, (number,))
    if not has_value(made) or value(made, "exact").shape != (1, 1):
        return False
    return not value(made, "exact").rows[0][0].overlaps(value(usual, "exact").rows[0][0])


def _spelt(node: Node) -> Node:
    """The sigmoid in place of its letter."""
    if isinstance(node, Function) and node.name in _SIGMOIDS:
        return Function("sigmoid", tuple(map(_spelt, node.arguments)))
    return rebuilt(node, _spelt)
