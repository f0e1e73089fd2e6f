"""What has to hold of the numbers of a key, so that it is worth working out and safe to mark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from flint import arb

from derive.exact.ball import precision
from derive.exact.names import label
from derive.ops import Exponential, Gain, Mix, Normalize, ScaleColumns, Softmax
from derive.step import Step
from derive.worksheet.blanks import Asked
from derive.worksheet.candidate import Candidate
from derive.worksheet.plan import Plan
from derive.worksheet.program import BITS
from derive.worksheet.widened import is_narrow

HALF, NEAR = arb(0.5), arb(1) / 1000
OUT = (Mix, Gain, Normalize, ScaleColumns)
"""What makes of every token something of its own."""
LEAST, APART = arb(1) / 100, arb(1) / 50
"""A number of the key that is not 0 is no smaller, and two rows of it differ by more somewhere."""
STEADY = arb(3) / 4
"""A deviation in a block is larger: with smaller ones hardly a tolerance is narrow enough."""
FADING = ("S", "scaled", "masked", "exp")
"""Gradients of what goes into a softmax are as small as the weights are."""


def small(c: Candidate) -> bool:
    """No entry of a step is nearly 0 and not 0; weights and powers of e may be as small as any."""
    steps = {one.step.name for one in c.program.asked if not _may_fade(one.step)}
    with precision(BITS):
        places = ((at, n) for at, n in c.program.by_place.items() if at[0] in steps)
        return not any(_is_small(c.worked.balls[n], c, at) for at, n in places)


def _may_fade(step: Step) -> bool:
    if isinstance(step.op, (Exponential, Softmax)):
        return True
    name = label(step.name)
    return name.before == "d" and name.base in FADING


def _is_small(value: arb, c: Candidate, at: tuple[str, int, int]) -> bool:
    least = LEAST.max(HALF / 10**c.plan.form.places)
    if not abs(value) < least:
        return False
    return not (_closer(c, *at) if value.contains(0) else value).is_zero()


def rows(c: Candidate) -> bool:
    """No two tokens come out alike, or nearly."""
    problem = c.plan.problem
    is_open = c.plan.constraints.tokens and not is_narrow(problem)
    if not is_open or problem.conventions.vectors != "rows":
        return True
    with precision(BITS):
        return all(_are_apart(c, one) for one in c.program.asked if isinstance(one.step.op, OUT))


def _are_apart(c: Candidate, one: Asked) -> bool:
    """Somewhere in every two rows that are asked as a whole."""
    nodes, (_, columns) = c.program.by_place, one.step.shape
    full = [i for i, often in Counter(i for i, _ in one.places).items() if often == columns]
    rows = [
        [c.worked.balls[nodes[one.step.name, i, j]] for j in range(1, columns + 1)] for i in full
    ]
    return all(
        any(abs(x - y) > APART for x, y in zip(a, b, strict=True)) for a, b in combinations(rows, 2)
    )


def steady(c: Candidate) -> bool:
    """No deviation in a block is small: whatever was rounded before would grow by it."""
    if c.plan.problem.model != "block" or is_narrow(c.plan.problem):
        return True
    with precision(BITS):
        found = (c.worked.balls[n] for n in c.program.divisors)
        return all(x is None or x > STEADY for x in found)


def alive(c: Candidate) -> bool:
    """Of what a ReLU takes in some is above 0 and some below, and nothing nearly 0."""
    if is_narrow(c.plan.problem):
        return True
    with precision(BITS):
        return all(_are_mixed(c, nodes) for nodes in c.program.bent)


def _are_mixed(c: Candidate, nodes: Sequence[int]) -> bool:
    found = [c.worked.balls[n] for n in nodes]
    if any(x is None for x in found):
        return True
    above = sum(bool(x > LEAST) for x in found)
    below = sum(bool(x < -LEAST) for x in found)
    return above + below == len(found) and 3 * above >= len(found) and 4 * below >= len(found)


def ties(c: Candidate) -> bool:
    """No digit of the key within a thousandth of a unit of a tie."""
    with precision(BITS):
        for at, place in c.program.by_place.items():
            is_off = _is_off(c.worked.balls[place], c.plan)
            if not (_is_off(_closer(c, *at), c.plan) if is_off is None else is_off):
                return False
    return True


def _closer(c: Candidate, name: str, i: int, j: int) -> arb:
    """An entry from its closed form, where what is whole is exactly so."""
    ball: arb = c.derivation.step(name).enclosure(BITS)[i - 1, j - 1]
    return ball


def _is_off(value: arb, plan: Plan) -> bool | None:
    """Whether it is far from every tie, None where it may be; a cut number that is whole is far."""
    unit, is_cut = value * 10**plan.form.places, plan.form.rounding == "truncate"
    x = unit if is_cut else unit - HALF
    gap = abs(x - (x.mid() + HALF).floor())
    if (gap > NEAR and gap < 1 - NEAR) or unit.is_integer():
        return True
    return False if gap < NEAR and not is_cut else None
