"""Forward mode: how every step changes when inputs change along given directions.

The tangent of Y = f(X, ...) is the derivative of f along the tangents of its inputs: the rule of f
run on dual numbers.  Run over a reverse sweep it gives Hessian-vector products (Pearlmutter 1994).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, matrix
from derive.exact.dual import Dual
from derive.exact.trace import Apply, Beside, Term
from derive.op import Mistake, Op
from derive.step import Step


@dataclass(frozen=True, eq=False)
class Tangent:
    """Inputs X_1 ... X_k of an operation, then the tangents of those that `moved` counts from 0."""

    op: Op
    moved: tuple[int, ...]

    rowwise = 0
    examples: tuple[tuple[Matrix, ...], ...] = ()
    mistakes: tuple[Mistake, ...] = ()

    def rule(self, *inputs: Matrix) -> Matrix:
        """The rule of the operation on dual numbers."""
        values = inputs[: len(inputs) - len(self.moved)]
        tangents = dict(zip(self.moved, inputs[len(values) :], strict=True))
        found = self.op.rule(*(Dual(x, tangents.get(k)) for k, x in enumerate(values)))
        assert isinstance(found, Dual)
        return found.change

    def pullback(self, seed: Matrix, result: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        """A tangent is differentiated forwards again."""
        raise NotImplementedError

    def notation(self, *inputs: Term) -> Term:
        """D f (X, X')."""
        return Apply("D", Beside(inputs))

    def formula(self, result: Any, *inputs: Any) -> tuple[Term, Term]:
        """There is none but that of the operation."""
        raise NotImplementedError


def tangent_name(name: str, mark: str = "t") -> str:
    """The name of a step's tangent: tA of A, L2.tA^(1) of L2.A^(1)."""
    place = name.rfind(".") + 1
    return f"{name[:place]}{mark}{name[place:]}"


def pushed(d: Derivation, directions: Mapping[str, Matrix], mark: str = "t") -> Derivation:
    """The derivation with the tangents of all steps that change along the directions.

    A direction has the shape of the step that it belongs to; that of a derived step counts as its
    whole change.  `mark` begins the names of tangents; tangents of what has tangents already, for a
    second derivative, need another one.  InputError for names that are no steps, and for another
    shape.

    >>> from derive import builtin, derive
    >>> from derive.exact import matrix
    >>> d = pushed(derive(builtin("head")), {"W_V": matrix([[1, 0], [0, 0]])})
    >>> d.step("tV").value
    Matrix([[1, 0], [0, 0], [1, 0]])
    """
    tangents = {name: _given(d.step(name), m, mark) for name, m in directions.items()}
    steps = []
    for step in d.steps:
        steps.append(step)
        moved = tuple(k for k, x in enumerate(step.inputs) if x.name in tangents)
        if step.op is not None and moved and step.name not in tangents:
            changes = (tangents[step.inputs[k].name] for k in moved)
            op, inputs = Tangent(step.op, moved), (*step.inputs, *changes)
            tangents[step.name] = Step(tangent_name(step.name, mark), op, inputs)
        if step.name in tangents:
            steps.append(tangents[step.name])
    return Derivation(d.problem, tuple(steps))


def _given(step: Step, direction: Matrix, mark: str) -> Step:
    if direction.shape != step.shape:
        shapes = "{} x {}".format(*direction.shape), "{} x {}".format(*step.shape)
        raise InputError(
            f"the direction is {shapes[0]}, and {step.name} is {shapes[1]}",
            expected="one number for each entry",
        )
    return Step.given(tangent_name(step.name, mark), matrix(direction.rows))
