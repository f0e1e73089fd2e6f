"""What has to hold of a drawn problem, from the cheapest condition to the dearest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from flint import arb

from derive.exact import Scalar
from derive.exact.ball import precision
from derive.ops import (
    Affine,
    Concat,
    Exponential,
    Linear,
    Mix,
    Softmax,
)
from derive.step import Step
from derive.worksheet.blanks import Asked
from derive.worksheet.candidate import Candidate, Scored
from derive.worksheet.difficulty import powers, scores
from derive.worksheet.drawing import has_root
from derive.worksheet.plan import POOLS
from derive.worksheet.program import BITS
from derive.worksheet.telling import alive, rows, small, steady, ties
from derive.worksheet.whole import Rows, turned

HALF = arb(0.5)
SQUARED = 3
"""The tolerance of a mean of squares may be so many times as wide as others."""
BAND = 0.1
"""By so much may the difficulty of a variant differ from the aim."""


def _pool(c: Candidate) -> bool:
    return int(c.content[0], 16) % len(POOLS) == POOLS.index(c.plan.pool)


def _tokens(c: Scored) -> bool:
    """No two tokens alike, and none 0, which would meet every key with the same score."""
    rows = _inputs(c)
    return not c.plan.constraints.tokens or (_differ(rows) and all(map(any, rows)))


def _inputs(c: Scored) -> Rows:
    given = c.plan.problem.given
    rows = c.drawn[next(name for name in ("H", "H_E", "W_E") if name in given)]
    return rows if c.plan.problem.conventions.vectors == "rows" else turned(rows)


def _differ(rows: Rows) -> bool:
    return len(set(map(tuple, rows))) == len(rows)


def _alike(c: Scored) -> bool:
    """No two queries weigh the keys alike in every head, or they would have the same answers.

    Weights rest on what scores differ by along a row.
    """
    joined = [[x - row[0] for row in rows for x in row] for rows in zip(*c.scores, strict=True)]
    return not c.plan.constraints.tokens or _differ(joined)


def _spread(c: Scored) -> bool:
    most = c.plan.constraints.spread
    return all(max(spans) <= most for spans in c.spans)


def _uneven(c: Scored) -> bool:
    """In a head at most a third of the rows of scores are constant, so that there is to weigh."""
    return all(
        3 * spans.count(0) <= len(spans) or len(rows[0]) < 2
        for rows, spans in zip(c.scores, c.spans, strict=True)
    )


def _exponentials(c: Scored) -> bool:
    most, tally = c.plan.constraints.exponentials, c.program.tally
    if not tally.is_possible:
        return all(len(found) <= most for found in c.turned)
    return all(len(found) <= most for found in tally.powers(c.whole))


def _exponentials_of_all(c: Candidate) -> bool:
    """Where scores are not whole numbers all has to be drawn before they are known."""
    most = c.plan.constraints.exponentials
    tally = c.program.tally
    are_turned = c.plan.problem.conventions.positions == "sinusoidal"
    return (
        tally.is_possible
        or bool(c.scored.turned)
        or are_turned
        or not tally.scores
        or all(len(powers(c.derivation, step.name)) <= most for step in scores(c.derivation))
    )


def _spread_of_part(c: Candidate) -> bool:
    """Of scores that stand on the sheet, or are worked out from what does; e^24 is no exercise."""
    if not c.program.trace.printed:
        return True
    most = 2 * c.plan.constraints.spread
    asked = [one.step for one in c.asked if isinstance(one.step.op, (Exponential, Softmax))]
    return all(_span(step.inputs[0]) <= most for step in asked)


def _span(step: Step) -> float:
    """By how much the scores of a row differ at most, about."""
    with precision(BITS):
        rows = step.enclosure(BITS).rows
        found = [[float(x.mid()) for x in row if x.is_finite()] for row in rows]
    return max(max(row) - min(row) if row else inf for row in found)


def _rational(c: Scored) -> bool:
    return not c.plan.constraints.rational or all(map(has_root, _inputs(c)))


def _difficulty_of_scores(c: Scored) -> bool:
    """Twice the band, for the rest can make up for it."""
    steps, aim = c.aim.steps, c.aim.of_scores
    if steps is None or aim is None:
        return True
    return abs(c.difficulty.steps - aim) <= max(4, 2 * BAND * steps)


def _difficulty(c: Candidate) -> bool:
    steps, aim = c.difficulty.steps, c.scored.aim.steps
    return aim is None or abs(steps - aim) <= max(2, BAND * aim)


def _values(c: Candidate) -> bool:
    """No column of values is one number throughout, which no weights would change."""
    whole = c.program.tally.whole
    steps = (s for s in c.program.derivation.derived if s.name in c.program.needed)
    values = (s.inputs[1].name for s in steps if isinstance(s.op, Mix))
    return all(
        len({*column}) > 1
        for name in values
        if name in whole
        for column in turned(c.whole[name])
        if len(column) > 1
    )


def _whole(c: Candidate) -> bool:
    """At most a third of the output is whole, or it could be guessed."""
    return all(
        len(one.places) < 2 or 3 * _integers(c, one) <= len(one.places)
        for one in c.program.asked
        if isinstance(one.step.op, Mix) or _is_projected(one.step)
    )


def _is_projected(step: Step) -> bool:
    """Whether it is what the heads see, once more times a weight."""
    is_linear = isinstance(step.op, (Linear, Affine))
    return is_linear and isinstance(step.inputs[0].op, (Mix, Concat))


def _integers(c: Candidate, one: Asked) -> int:
    """How many entries of a step are whole; balls say which are not."""
    nodes, name = c.program.by_place, one.step.name
    with precision(BITS):
        balls = {p: c.worked.balls[nodes[name, *p]] for p in one.places}
        around = {p: x for p, x in balls.items() if x.contains_integer()}
    if 3 * len(around) <= len(one.places):
        return 0
    if (mixed := c.program.mixed.get(name)) is not None:
        return sum(
            mixed.is_whole(c.whole, i - 1, j - 1, _nearest(x)) for (i, j), x in around.items()
        )
    step = c.derivation.step(name)
    return 0 if step.is_deep else sum(is_integer(step.value[i - 1, j - 1]) for i, j in around)


def _nearest(x: arb) -> int:
    return int((x.mid() + HALF).floor().unique_fmpz() or 0)


def is_integer(x: Scalar) -> bool:
    """Whether a closed value is a whole number."""
    return x.is_rational and x.fraction[1] == 1


def _width(c: Candidate) -> bool:
    """The tolerance of every blank is finite, and no wider than asked; of a square thrice that."""
    most, squares = c.plan.most_width, c.program.squares
    return all(
        found is not None and found[1] - found[0] <= (SQUARED * most if is_square else most)
        for found, is_square in zip(c.bounds(), squares, strict=True)
    )


def _unique(c: Candidate) -> bool:
    if not c.plan.constraints.unique_key:
        return True
    return all(found is not None and found[0] == found[1] for found in c.bounds())


OF_SCORES: Mapping[str, Callable[[Scored], bool]] = {
    "tokens": _tokens,
    "rational": _rational,
    "uneven": _uneven,
    "spread": _spread,
    "alike": _alike,
    "exponentials": _exponentials,
    "difficulty": _difficulty_of_scores,
}
"""What is asked of the scores, before the rest is drawn."""
OF_ALL: Mapping[str, Callable[[Candidate], bool]] = {
    "values": _values,
    "pool": _pool,
    "exponentials": _exponentials_of_all,
    "spread": _spread_of_part,
    "difficulty": _difficulty,
    "whole": _whole,
    "steady": steady,
    "alive": alive,
    "rows": rows,
    "small": small,
    "ties": ties,
    "width": _width,
    "unique-key": _unique,
}
"""And of the whole problem.

Each by the name under which it is said to be the culprit, in the order in which it is asked.
"""
WISHED = ("small", "rows", "alive", "steady")
"""What is only wished for: an honest problem may have nothing else."""
ORDER = (*OF_SCORES, *(name for name in OF_ALL if name not in OF_SCORES), "derivation")
