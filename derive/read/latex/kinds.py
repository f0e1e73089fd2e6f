"""Which parts of a formula are matrices."""

from __future__ import annotations

from derive.read.latex.nodes import (
    Grid,
    MatrixName,
    Negative,
    Node,
    Power,
    Product,
    Quotient,
    Softmax,
    Sum,
    Transpose,
)


def is_matrix(node: Node) -> bool:
    """Whether the value is a matrix, as far as names and brackets tell."""
    match node:
        case Grid() | MatrixName() | Transpose() | Softmax():
            return True
        case Sum() | Product() | Negative():
            return any(map(is_matrix, node.children))
        case Quotient(top=inner) | Power(base=inner):
            return is_matrix(inner)
    return False
