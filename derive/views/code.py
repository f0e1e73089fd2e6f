"""The derivation as a short program in NumPy or PyTorch, to be run and compared with the page."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact.names import identifier_step, label
from derive.exact.write import Writer
from derive.gradients import Sweep
from derive.step import Step
from derive.views.code_library import LIBRARIES, Library, Python
from derive.views.code_lines import Line

__all__ = ["LIBRARIES", "program", "program_with_gradients"]

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
    printed = [s for s in steps if s.name in RESULTS or s is steps[-1]]
    shown = [f"print({identifier_step(step.name)})" for step in printed]
    return _program(derivation, steps, library, [*_lines(steps, LIBRARIES[library]), *shown])


def program_with_gradients(sweep: Sweep) -> str:
    """A program in PyTorch that computes the number of a sweep and its gradients by autograd.

    They are left in the list `gradients`, and printed.  InputError for free symbols.
    """
    d, torch = sweep.forward, LIBRARIES["torch"]
    seed = sweep.step(sweep.source)
    steps = needed(d, {sweep.source, *sweep.wrt})
    names = [identifier_step(name) for name in sweep.wrt]
    lines = [*_lines(steps, torch, sweep.wrt), *_objective(sweep, seed)]
    lines += [
        f"gradients = torch.autograd.grad(objective, [{', '.join(names)}], allow_unused=True,",
        "                                materialize_grads=True)",
        f"for name, gradient in zip({json.dumps(names)}, gradients):",
        '    print(f"d{name} =", gradient)',
    ]
    return _program(d, (*steps, seed), "torch", lines)


def _objective(sweep: Sweep, seed: Step) -> Iterator[str]:
    """The number: the one entry of a step, or the sum of G_ij Y_ij."""
    name = identifier_step(sweep.source)
    if list(seed.value) == [1]:
        yield f"objective = {name}.sum()"
        return
    written = Line(seed, LIBRARIES["torch"], Writer(Python())).array(seed.value)
    yield f"objective = ({written} * {name}).sum()"


def _program(
    derivation: Derivation, steps: Sequence[Step], library: str, lines: Iterable[str]
) -> str:
    symbols = sorted(frozenset().union(*map(_symbols, steps)))
    if symbols:
        raise InputError(
            f"a program needs numbers, and this problem has the free symbol {symbols[0]}",
            hint="give it a value in the problem, or print the page instead",
        )
    body = "\n".join(lines)
    head = ["import math", ""] if "math." in body else []
    title = derivation.problem.title or derivation.problem.name
    return "\n".join(
        [json.dumps(title, ensure_ascii=False), "", *head, LIBRARIES[library].imports, "", body, ""]
    )


def needed(derivation: Derivation, names: Collection[str] = ()) -> tuple[Step, ...]:
    """The steps that those of some names rest on, in order; without names, that the last one does.

    What only explains another step is left out.
    """
    names = set(names) or {derivation.steps[-1].name}
    for step in reversed(derivation.steps):
        if step.name in names:
            names |= {x.name for x in step.inputs}
    return tuple(step for step in derivation.steps if step.name in names)


def _lines(steps: Sequence[Step], library: Library, tracked: Collection[str] = ()) -> Iterator[str]:
    """A line or more for each step; PyTorch is to remember how those `tracked` are used."""
    writer = Writer(Python())
    for _, group in groupby(steps, key=_paragraph):
        for step in group:
            yield from Line(step, library, writer).lines()
            if step.name in tracked:
                yield f"{identifier_step(step.name)}.requires_grad_()"
        yield ""


def _paragraph(step: Step) -> Any:
    """What is given stands together, and so does every part, layer and head."""
    return step.op and (label(step.name).scopes, label(step.name).head)


def _symbols(step: Step) -> frozenset[str]:
    values = (getattr(step.op, name, None) for name in CONSTANTS) if step.op else step.value
    return frozenset().union(*(x.free_symbols for x in values if x is not None))
