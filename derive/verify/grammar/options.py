"""Calls by name, and what they say besides their argument: softmax(z, T = 2)."""

from __future__ import annotations

from derive.verify.grammar.nodes import Binary, Chain, Function, Name, Node

PRODUCTS = frozenset("MMULT PRODUITMAT matmul np.matmul torch.matmul np.dot".split())
TRANSPOSES = frozenset("TRANSPOSE MTRANS TRANSPONEREN TRANSPONER TRASPOSTA TRANSPOR".split())
TEMPERATURES = ("T", "tau", "τ", "temperature", "temp", "t")
"""What softmax may be said to be over."""


def with_options(function: str, items: tuple[Node, ...]) -> Node:
    """A function of its first argument; a temperature divides that of softmax."""
    for item in items[1:] if function == "softmax" else ():
        match item:
            case Chain((Name(text), given)) if text in TEMPERATURES:
                return Function(function, (Binary("/", items[0], given),))
    return Function(function, items[:1])


def call(text: str, arguments: tuple[Node, ...]) -> Node:
    """A call by name: products and transposes, as sheets and programs write them, are known."""
    if text in PRODUCTS and len(arguments) == 2:
        return Binary("@", *arguments)
    if text in TRANSPOSES and len(arguments) == 1:
        return Function("T", arguments)
    return Function("?" + text, arguments)
