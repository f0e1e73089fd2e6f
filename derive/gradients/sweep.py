"""The reverse sweep: from a derivation and one of its numbers to gradients, step by step.

Each gradient has the shape of what it belongs to (denominator layout): the entry (i, j) of dX is
the derivative of the scalar by X_ij.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, matrix
from derive.exact.names import gradient_name
from derive.gradients.op import Gradient, Pull
from derive.gradients.structure import is_key_bias
from derive.step import Step


@dataclass(frozen=True)
class Sweep:
    """A derivation with the gradients of one scalar after its steps.

    of: the scalar in words; source: the step whose gradient is given; wrt: the names asked for.
    """

    derivation: Derivation
    forward: Derivation
    source: str
    wrt: tuple[str, ...]
    of: str

    def step(self, name: str) -> Step:
        """The gradient of the step of that name."""
        return self.derivation.step(gradient_name(name))


def sweep(d: Derivation, source: str, seed: Matrix, wrt: Sequence[str], of: str = "") -> Sweep:
    """The gradients of <seed, source> by the steps `wrt`, and of all steps in between.

    InputError for names that are not steps, and for a seed of another shape.
    """
    shape, targets = d.step(source).shape, tuple(d.step(name).name for name in wrt)
    if seed.shape != shape:
        raise InputError(
            "the seed is {} x {}".format(*seed.shape)
            + f", and {source} is {shape[0]} x {shape[1]}",
            expected="a number for each entry",
        )
    steps = [*d.steps, Step.given(gradient_name(source), matrix(seed.rows))]
    steps += _backwards(d, source, targets, steps)
    named = {step.name for step in steps}
    missing = [t for t in targets if gradient_name(t) not in named]
    steps += [Step.given(gradient_name(t), _zeros(d.step(t).shape)) for t in missing]
    return Sweep(Derivation(d.problem, tuple(steps)), d, source, targets, of or f"<G,{source}>")


def _backwards(
    d: Derivation, source: str, targets: Sequence[str], before: Sequence[Step]
) -> Iterator[Step]:
    """The gradient of every step on a way from a target to the source, the last step first."""
    between = _between(d, source, targets)
    named = {step.name: step for step in before}
    uses: dict[str, list[tuple[Pull, int]]] = {}
    for step in reversed(d.steps):
        if step.name not in between:
            continue
        if step.name != source:
            # A sum in the order in which the steps that use it are taken.
            op = Gradient(tuple(reversed(uses[step.name])))
            inputs = tuple(named[n] for n in op.names)
            known = _zeros(step.shape) if is_key_bias(step.name, uses) else None
            made = Step(gradient_name(step.name), op, inputs, known)
            named[made.name] = made
            yield made
        if step.op is not None:
            places = [k for k, x in enumerate(step.inputs) if x.name in between]
            pull = Pull(step, gradient_name(step.name), tuple(places))
            for place in places:
                uses.setdefault(step.inputs[place].name, []).append((pull, place))


def _between(d: Derivation, source: str, targets: Iterable[str]) -> set[str]:
    """The steps on a way from a target to the source."""
    after = set(targets)
    for step in d.steps:
        if any(x.name in after for x in step.inputs):
            after.add(step.name)
    before, waiting = {source}, [d.step(source)]
    while waiting:
        for x in waiting.pop().inputs:
            if x.name not in before:
                before.add(x.name)
                waiting.append(x)
    return after & before


def _zeros(shape: tuple[int, int]) -> Matrix:
    return matrix([[0] * shape[1]] * shape[0])
