"""From the tree of a formula to SymPy, nothing evaluated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy

from derive.read.latex import adapter
from derive.read.latex.kinds import is_matrix
from derive.read.latex.nodes import (
    BigOperator,
    Call,
    Cases,
    Constant,
    Derivative,
    Every,
    Name,
    Negative,
    Node,
    Number,
    Power,
    Product,
    Relation,
    Sum,
)
from derive.read.latex.rewrite import ARITHMETIC, MOST, Piece
from derive.read.latex.source import Source

Shape = tuple[Any, Any] | None

RELATIONS: Mapping[str, Any] = {
    "=": sympy.Eq,
    "<": sympy.Lt,
    ">": sympy.Gt,
    r"\le": sympy.Le,
    r"\ge": sympy.Ge,
    r"\ne": sympy.Ne,
}
_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "oo": sympy.oo}


class Builder:
    """Builds the parts of one formula; equal parts are built once."""

    def __init__(
        self, source: Source, shapes: Mapping[str, Shape], indexed: Mapping[str, int]
    ) -> None:
        """`shapes` of the matrices by name; `indexed` names whose subscripts are indices."""
        self.source, self.shapes, self.indexed = source, shapes, indexed
        self.built: dict[Node, Any] = {}

    def build(self, node: Node) -> Any:
        """The unevaluated SymPy object."""
        if node not in self.built:
            self.built[node] = self._fresh(node)
        return self.built[node]

    def _fresh(self, node: Node) -> Any:
        if is_matrix(node):
            from derive.read.latex.matrices import matrix

            return matrix(self, node)
        if isinstance(node, Number):
            return sympy.Rational(node.value.numerator, node.value.denominator)
        if isinstance(node, Negative) and isinstance(node.inner, Number):
            return -self.build(node.inner)
        if isinstance(node, Constant):
            return _CONSTANTS[node.name]
        if isinstance(node, Name):
            return self._name(node)
        if isinstance(node, Power) and node.base == Constant(node.span, "e"):
            return sympy.exp(self.build(node.exponent), evaluate=False)
        if isinstance(node, ARITHMETIC):
            return self._arithmetic(node)
        return self._other(node)

    # Arithmetic

    def _arithmetic(self, node: Node) -> Any:
        if isinstance(node, (Sum, Product)) and len(node.children) > MOST:
            return self._long(node)
        piece = Piece()
        text = piece.write(node)
        bound = {letter: self.build(part) for letter, part in piece.bindings.items()}
        try:
            return _filled(adapter.parse(text), bound, {})
        except (adapter.Mismatch, TypeError, AttributeError) as error:
            hint = "write it in simpler steps"
            raise self.source.error("this is not understood", node.span, hint) from error

    def _long(self, node: Node) -> Any:
        kind = type(node)
        parts = [
            self.build(kind(node.span, node.children[k : k + MOST]))  # type: ignore[call-arg]
            if len(node.children[k : k + MOST]) > 1
            else self.build(node.children[k])
            for k in range(0, len(node.children), MOST)
        ]
        function = sympy.Add if kind is Sum else sympy.Mul
        flat = [x for part in parts for x in (part.args if isinstance(part, function) else (part,))]
        return function(*flat, evaluate=False)

    # Names and functions

    def _name(self, node: Name) -> Any:
        if node.base not in self.indexed or not node.index:
            return sympy.Symbol(node.name)
        from derive.read.latex.indices import split

        parts = split(node.index, self.indexed[node.base])
        if parts is None:
            hint = "part the indices with commas: a_{i,j}"
            raise self.source.error("it is not clear which indices these are", node.span, hint)
        return sympy.Indexed(sympy.IndexedBase(sympy.Symbol(node.base)), *map(_index, parts))

    def _other(self, node: Node) -> Any:
        match node:
            case Call():
                return self._call(node)
            case BigOperator():
                return self._big_operator(node)
            case Derivative(body=body, variable=variable):
                return sympy.Derivative(self.build(body), self.build(variable), evaluate=False)
            case Relation():
                return self.relation(node)
            case Cases(rows=rows):
                pairs = [(self.build(x), self.build(c) if c else True) for x, c in rows]
                return sympy.Piecewise(*pairs)
            case Every(relations=relations):
                return sympy.And(*map(self.build, relations), evaluate=False)
        raise TypeError(f"build: no rule for {type(node).__name__}")

    def relation(self, node: Relation) -> Any:
        """A relation that stays as it is, true or false."""
        left, right = self.build(node.left), self.build(node.right)
        return RELATIONS[node.sign](left, right, evaluate=False)

    def _call(self, node: Call) -> Any:
        arguments = [self.build(x) for x in node.arguments]
        if not node.is_known:
            return sympy.Function(node.function)(*arguments)
        if node.function == "log" and len(arguments) == 2:
            x, base = (sympy.log(a, evaluate=False) for a in arguments)
            return sympy.Mul(x, sympy.Pow(base, -1, evaluate=False), evaluate=False)
        if node.function == "det":
            return sympy.Determinant(arguments[0])
        function: Callable[..., Any] = getattr(sympy, node.function)
        return function(*arguments, evaluate=False)

    def _big_operator(self, node: BigOperator) -> Any:
        kind = sympy.Sum if node.kind == "sum" else sympy.Product
        if is_matrix(node.body):
            hint = "write the sum for an entry: \\sum_{k=1}^{n} A_{ik} B_{kj}"
            raise self.source.error("a sum of matrices is not read here", node.span, hint)
        limits = (sympy.Symbol(node.index), self.build(node.lower), self.build(node.upper))
        return kind(self.build(node.body), limits)


def _index(parts: Sequence[tuple[str, str]]) -> Any:
    """An index such as i, 2, i + 1, from its signed parts."""
    terms = [
        sympy.Mul(*(int(f) if f.isdigit() else sympy.Symbol(f) for f in factors.split()))
        * (-1 if sign == "-" else 1)
        for sign, factors in parts
    ]
    return sympy.Add(*terms)


def _filled(tree: Any, bound: Mapping[str, Any], done: dict[Any, Any]) -> Any:
    """The library's tree with every placeholder replaced, still unevaluated."""
    if isinstance(tree, sympy.Symbol):
        return bound[tree.name]
    if not tree.args:
        return tree
    if tree not in done:
        parts = [_filled(x, bound, done) for x in tree.args]
        if not isinstance(tree, (sympy.Add, sympy.Mul, sympy.Pow, sympy.exp)):
            raise adapter.Mismatch(f"{type(tree).__name__} was not asked for")
        done[tree] = tree.func(*parts, evaluate=False)
    return done[tree]
