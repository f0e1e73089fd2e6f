"""The derivation as a short program in NumPy or PyTorch, to be run and compared with the page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact.names import identifier_step, label
from derive.exact.write import Writer
from derive.step import Step
from derive.views.code_library import LIBRARIES, Library, Python
from derive.views.code_lines import Line

__all__ = ["LIBRARIES", "program"]

RESULTS = ("A", "P", "loss")
"""What is printed, besides the last step."""
CONSTANTS = ("divisor", "eps", "slope", "value")
"""The numbers that an operation may bring along."""


def program(derivation: Derivation, library: str) -> str:
    """A program that computes in double precision what the last step rests on, and prints it.

    Weights A, probabilities P and the loss are printed as well.  InputError where the problem has
    free symbols, which a program cannot print.
    """
    steps = needed(derivation)
    symbols = sorted(frozenset().union(*map(_symbols, steps)))
    if symbols:
        raise InputError(
            f"a program needs numbers, and this problem has the free symbol {symbols[0]}",
            hint="give it a value in the problem, or print the page instead",
        )
    body = "\n".join(_lines(steps, LIBRARIES[library]))
    head = ["import math", ""] if "math." in body else []
    title = derivation.problem.title or derivation.problem.name
    return "\n".join(
        [json.dumps(title, ensure_ascii=False), "", *head, LIBRARIES[library].imports, "", body, ""]
    )


def needed(derivation: Derivation) -> tuple[Step, ...]:
    """The steps that the last one rests on, in order: not those that only explain another."""
    names = {derivation.steps[-1].name}
    for step in reversed(derivation.steps):
        if step.name in names:
            names |= {x.name for x in step.inputs}
    return tuple(step for step in derivation.steps if step.name in names)


def _lines(steps: Sequence[Step], library: Library) -> Iterator[str]:
    writer = Writer(Python())
    for _, group in groupby(steps, key=_paragraph):
        for step in group:
            yield from Line(step, library, writer).lines()
        yield ""
    for step in steps:
        if step.name in RESULTS or step is steps[-1]:
            yield f"print({identifier_step(step.name)})"


def _paragraph(step: Step) -> Any:
    """What is given stands together, and so does every part, layer and head."""
    return step.op and (label(step.name).scopes, label(step.name).head)


def _symbols(step: Step) -> frozenset[str]:
    values = (getattr(step.op, name, None) for name in CONSTANTS) if step.op else step.value
    return frozenset().union(*(x.free_symbols for x in values if x is not None))
