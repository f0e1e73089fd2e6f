"""Calls by name, and what they say besides their argument: softmax(z, T = 2)."""

from __future__ import annotations

from derive.verify.grammar.nodes import Array, Binary, Chain, Function, Name, Node, Number

PRODUCTS = frozenset("MMULT PRODUITMAT matmul np.matmul torch.matmul np.dot".split())
TRANSPOSES = frozenset("TRANSPOSE MTRANS TRANSPONEREN TRANSPONER TRASPOSTA TRANSPOR".split())
TEMPERATURES = ("T", "tau", "τ", "temperature", "temp", "t")
"""What softmax may be said to be over."""
LISTED = frozenset("softmax sigmoid tanh relu gelu silu layernorm".split())
"""What is taken of all that stands in its brackets, where these are numbers: softmax(1, 2, 3)."""


def with_options(function: str, items: tuple[Node, ...]) -> Node:
    """A function of its first argument; a temperature divides that of softmax."""
    for item in items[1:] if function == "softmax" else ():
        match item:
            case Chain((Name(text), given)) if text in TEMPERATURES:
                return Function(function, (Binary("/", items[0], given),))
    if function in LISTED and len(items) > 1 and all(map(_is_numeric, items)):
        return Function(function, (Array(items, ","),))
    return Function(function, items[:1])


def _is_numeric(node: Node) -> bool:
    """Whether an argument is written in numbers alone: -0.7, 1/√2."""
    if isinstance(node, Array | Chain | Name):
        return False
    return isinstance(node, Number) or (bool(node.parts()) and all(map(_is_numeric, node.parts())))


def call(text: str, arguments: tuple[Node, ...]) -> Node:
    """A call by name: products and transposes, as sheets and programs write them, are known."""
    if text in PRODUCTS and len(arguments) == 2:
        return Binary("@", *arguments)
    if text in TRANSPOSES and len(arguments) == 1:
        return Function("T", arguments)
    return Function("?" + text, arguments)
