"""The table of a derivation: the shapes of its steps and the products they take, no value derived.

The letters of an attention head are those of its matrices: H is n x d_model, W_Q is d_model x d_k.
What other models have is counted in numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from derive.counts.letters import LETTERS, d_context, d_k, d_model, d_v, m, n
from derive.counts.table import Group, Part, ShapeTable
from derive.counts.tallied import multiply_adds
from derive.exact import ZERO, Scalar, number

if TYPE_CHECKING:
    from derive.derivation import Derivation
    from derive.step import Step

Shape = tuple[Scalar, ...]
ONE = number(1)
SELF = {
    "H": (n, d_model),
    "W_Q": (d_model, d_k),
    "W_K": (d_model, d_k),
    "W_V": (d_model, d_v),
}
CROSS = SELF | {"context": (m, d_context), "W_K": (d_context, d_k), "W_V": (d_context, d_v)}
RULES: Mapping[str, Callable[..., Shape]] = {
    # operation: the shape of its result from those of its inputs
    "Contributions": lambda a, v: (a[0] * a[1], v[1]),
    "Linear": lambda x, w: (x[0], w[1]),
    "Mix": lambda a, v: (a[0], v[1]),
    "RowSums": lambda x: (x[0], ONE),
    "Scores": lambda q, k: (q[0], k[0]),
    "Transpose": lambda x: (x[1], x[0]),
    **dict.fromkeys(("Exponential", "Mask", "Scale", "Softmax"), lambda x: x),
}
PRODUCTS: Mapping[str, Callable[..., Scalar]] = {
    # operation: the multiply-adds of its matrix product; the others have none
    "Linear": lambda x, w: x[0] * x[1] * w[1],
    "Mix": lambda a, v: a[0] * a[1] * v[1],
    "Scores": lambda q, k: q[0] * q[1] * k[0],
}
PARAMETERS = ("W_", "b_", "gamma", "beta")
"""How the names of trained matrices begin."""


def table_of_steps(derivation: Derivation) -> ShapeTable:
    """Shape, parameters and multiply-adds of every step; each step is asked for its shape only."""
    problem = derivation.problem
    parts = list(_lettered(derivation) if is_head(derivation) else map(_counted, derivation.steps))
    found = dict(_sizes(parts, derivation))
    sizes = {letter: found[letter] for letter in LETTERS if letter in found}
    count = sum(step.op is None for step in derivation.steps)
    groups = (Group("given", tuple(parts[:count]), ONE), Group("steps", tuple(parts[count:]), ONE))
    return ShapeTable(problem.name, problem.title, problem.lang, sizes, groups)


def is_head(derivation: Derivation) -> bool:
    """Whether the letters of every step are known: a single head without biases."""
    return derivation.problem.conventions.vectors == "rows" and all(
        step.name in CROSS if step.op is None else type(step.op).__name__ in RULES
        for step in derivation.steps
    )


def _lettered(derivation: Derivation) -> Iterator[Part]:
    letters: dict[str, Shape] = dict(CROSS if "context" in derivation else SELF)
    for step in derivation.steps:
        name, inputs = type(step.op).__name__, [letters[x.name] for x in step.inputs]
        if step.op is not None:
            letters[step.name] = RULES[name](*inputs)
        products = PRODUCTS[name](*inputs) if name in PRODUCTS else ZERO
        yield _part(step, letters[step.name], products)


def _counted(step: Step) -> Part:
    return _part(step, tuple(map(number, step.shape)), number(multiply_adds(step)))


def _part(step: Step, shape: Shape, products: Scalar) -> Part:
    is_trained = step.op is None and step.name.rpartition(".")[2].startswith(PARAMETERS)
    return Part("", step.name, shape, shape[0] * shape[1] if is_trained else ZERO, products)


def _sizes(parts: list[Part], derivation: Derivation) -> Iterator[tuple[str, Scalar]]:
    """What each letter stands for, where a side is that letter alone."""
    for part, step in zip(parts, derivation.steps, strict=True):
        for side, size in zip(part.shape, step.shape, strict=True):
            if step.op is None and not side.is_rational:
                yield min(side.free_symbols), number(size)
