"""What is differentiated: one number of a derivation, and the gradient that it starts from.

loss, or any other step of one entry       1
O[1][1], one entry                         1 there, 0 elsewhere
<G,O>, the sum of G_ij O_ij                G, given or in letters g_ij
mse(O), the mean of (O_ij - T_ij)^2        L and loss are added to the steps; T is given
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, grid, matrix, symbol
from derive.ops import Mean, SquaredError
from derive.places import entry_name, parse_place
from derive.step import Step

FORMS = 'a step of one entry such as "loss", an entry such as "O[1][1]", "<G,O>" or "mse(O)"'
OUTSIDE = ("H", "context", "PE", "target")
"""What is given and not trained."""


@dataclass(frozen=True)
class Target:
    """A number: <seed, source>, or what `text` calls it."""

    derivation: Derivation
    source: str
    seed: Matrix
    text: str


def target(d: Derivation, of: str = "", seed: Matrix | None = None) -> Target:
    """The number that `of` speaks of; without it the loss, or else the last step's first entry.

    seed: G of <G,O>, or what mse(O) compares with.  InputError where `of` is a matrix, is no step,
    or needs a seed and has none.
    """
    text = of.strip() or default(d)
    if found := re.fullmatch(r"<\s*G\s*,\s*(\S+?)\s*>", text):
        step = d.step(found[1])
        return Target(d, step.name, _fitting(seed, step) or _letters(step), f"<G,{step.name}>")
    if found := re.fullmatch(r"mse\(\s*(\S+?)\s*\)", text):
        return _mean_square(d, d.step(found[1]), seed)
    if seed is not None:
        raise InputError(
            f"a seed is given, and {text} needs none", expected='--of "<G,O>" or "mse(O)"'
        )
    if "[" not in text:
        return _single(d, text)
    name, i, j = parse_place(text)
    d.exact(text)  # tells of a place outside
    rows, columns = d.step(name).shape
    unit = grid(rows, columns, lambda k, m: int((k, m) == (i, j)))
    return Target(d, name, matrix(unit.rows), entry_name(name, i, j))


def default(d: Derivation) -> str:
    """The loss, or else the first entry of the last step."""
    return "loss" if "loss" in d else entry_name(d.derived[-1].name, 1, 1)


def trained(d: Derivation, source: str) -> tuple[str, ...]:
    """The given matrices that a step depends on and that are weights, in their order."""
    needed, waiting = set(), [d.step(source)]
    while waiting:
        step = waiting.pop()
        if step.name not in needed:
            needed.add(step.name)
            waiting.extend(step.inputs)
    given = [s.name for s in d.steps if s.op is None and s.name in needed]
    return tuple(n for n in given if n.rpartition(".")[2] not in OUTSIDE) or tuple(given)


def _single(d: Derivation, name: str) -> Target:
    step = d.step(name)
    if step.shape != (1, 1):
        rows, columns = step.shape
        raise InputError(
            f"{name} is a matrix, {rows} x {columns}, and a gradient is that of one number",
            expected=FORMS,
            hint=f'"{name}[1][1]", or "<G,{name}>" for a sum of its entries with weights G',
        )
    return Target(d, name, matrix([[1]]), name)


def _mean_square(d: Derivation, step: Step, seed: Matrix | None) -> Target:
    if seed is None:
        raise InputError(f"mse({step.name}) compares with nothing", expected="a seed: the target T")
    wanted = _fitting(seed, step)
    assert wanted is not None
    if "loss" in d:
        raise InputError("this derivation has a loss of its own", expected='--of "loss"')
    steps = (*d.steps, Step.given("target", wanted))
    made = Derivation(d.problem, steps).then("L", SquaredError(), step.name, "target")
    return Target(made.then("loss", Mean(), "L"), "loss", matrix([[1]]), f"mse({step.name})")


def _fitting(seed: Matrix | None, step: Step) -> Matrix | None:
    if seed is not None and seed.shape != step.shape:
        shapes = "{} x {}".format(*seed.shape), "{} x {}".format(*step.shape)
        raise InputError(
            f"the seed is {shapes[0]}, and {step.name} is {shapes[1]}",
            expected="one number for each entry",
        )
    return seed


def _letters(step: Step) -> Matrix:
    rows, columns = step.shape
    return grid(rows, columns, lambda i, j: symbol(f"g_{i}_{j}" if max(i, j) > 9 else f"g_{i}{j}"))
