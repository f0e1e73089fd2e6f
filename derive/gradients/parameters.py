"""Temperature and eps as quantities: the steps that use them take them as inputs.

scaled = S / (sqrt(d_k) tau) becomes scaled = (S / sqrt(d_k)) / tau with tau a given number, and
sigma = sqrt(var + eps) takes eps from a given number; the values stay what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import matrix
from derive.op import Op
from derive.ops import Deviation, LiftedDeviation, Scale, Temper
from derive.step import Step

PARAMETERS = ("temperature", "eps")


def with_parameters(d: Derivation, names: Sequence[str]) -> Derivation:
    """The derivation in which those of PARAMETERS that are asked for are given, one entry each.

    InputError where no step uses one.
    """
    for name in names:
        if name in PARAMETERS and name not in d:
            d = _with(d, name)
    return d


def _with(d: Derivation, name: str) -> Derivation:
    value = getattr(d.problem.conventions, name)
    given = Step.given(name, matrix([[value]]))
    made: dict[str, Step] = {}
    for step in d.steps:
        if step.op is None:
            made[step.name] = step
            continue
        for new, op, inputs in _split(step, name, d):
            made[new] = Step(new, op, tuple(given if x == name else made[x] for x in inputs))
    if not any(given in step.inputs for step in made.values()):
        raise InputError(
            f"no step of this derivation has {'an eps' if name == 'eps' else 'a temperature'}",
            expected="a quantity that it depends on",
        )
    first = next(i for i, s in enumerate(d.steps) if s.op is not None)
    steps = list(made.values())
    return Derivation(d.problem, (*steps[:first], given, *steps[first:]))


def _split(step: Step, name: str, d: Derivation) -> Iterator[tuple[str, Op, tuple[str, ...]]]:
    """The step, or what stands in its place: (name, operation, inputs)."""
    inputs, op = tuple(x.name for x in step.inputs), step.op
    choices = d.problem.conventions
    if name == "temperature" and isinstance(op, Scale):
        plain = step.name.replace("scaled", "plain")
        divisor = op.divisor / choices.temperature
        yield plain, Scale(divisor, choices.scale), inputs
        yield step.name, Temper(), (plain, name)
    elif name == "eps" and isinstance(op, Deviation):
        yield step.name, LiftedDeviation(op.place), (*inputs, name)
    else:
        assert op is not None
        yield step.name, op, inputs
