"""What has to hold of a drawn problem, from the cheapest condition to the dearest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

from flint import arb

from derive.derivation import Derivation, Problem
from derive.exact import Matrix, Scalar, matrix
from derive.exact.ball import precision
from derive.models import MODELS
from derive.ops import Mix
from derive.worksheet.blanks import Asked, asked
from derive.worksheet.difficulty import Difficulty, difficulty, powers, scores
from derive.worksheet.drawing import has_root
from derive.worksheet.draws import digest
from derive.worksheet.hand import by_hand
from derive.worksheet.keys import bounds
from derive.worksheet.plan import POOLS, Plan
from derive.worksheet.whole import Given, Rows, turned, whole_scores

BITS = 128
BAND = 0.1
"""By so much may the difficulty of a variant differ from the aim."""


@dataclass(frozen=True)
class Candidate:
    """A drawn problem, and what is found out about it."""

    plan: Plan
    given: Given
    aim: int | None = None

    @cached_property
    def content(self) -> str:
        """A mark of its numbers: alike where two problems are the same."""
        return digest(*self.given.items(), size=16)

    @cached_property
    def scores(self) -> list[Rows]:
        """The scores of each head, where they are whole."""
        return list(whole_scores(self.plan.problem, self.given))

    @cached_property
    def problem(self) -> Problem:
        """The problem with these numbers."""
        exact = {name: matrix(rows) for name, rows in self.given.items()}
        return replace(self.plan.problem, given=exact)

    @cached_property
    def derivation(self) -> Derivation:
        """Every step."""
        return MODELS[self.problem.model].derive(self.problem)

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """What is left blank."""
        return asked(self.derivation, self.plan.blank, self.plan.level)

    @cached_property
    def difficulty(self) -> Difficulty:
        """What it asks of a hand."""
        return difficulty(self.derivation)

    @cached_property
    def reached(self) -> Mapping[str, Matrix]:
        """What every step comes to by hand."""
        return by_hand(self.derivation, self.plan.form.places)


def _pool(c: Candidate) -> bool:
    return int(c.content[0], 16) % len(POOLS) == POOLS.index(c.plan.pool)


def _tokens(c: Candidate) -> bool:
    return not c.plan.constraints.tokens or _differ(_inputs(c))


def _inputs(c: Candidate) -> Rows:
    rows = c.given["H"]
    return rows if c.plan.problem.conventions.vectors == "rows" else turned(rows)


def _differ(rows: Rows) -> bool:
    return len(set(map(tuple, rows))) == len(rows)


def _alike(c: Candidate) -> bool:
    """No two queries have the same scores in every head, or they would have the same answers."""
    joined = [list(chain(*rows)) for rows in zip(*c.scores, strict=True)]
    return not c.plan.constraints.tokens or _differ(joined)


def _spread(c: Candidate) -> bool:
    most = c.plan.constraints.spread
    return all(max(row) - min(row) <= most for rows in c.scores for row in rows)


def _uneven(c: Candidate) -> bool:
    """In a head at most a third of the rows of scores are constant, so that there is to weigh."""
    return all(3 * sum(map(_is_constant, rows)) <= len(rows) for rows in c.scores)


def _is_constant(row: Sequence[int]) -> bool:
    return len(row) > 1 and len(set(row)) == 1


def _exponentials(c: Candidate) -> bool:
    most, mask = c.plan.constraints.exponentials, c.plan.problem.conventions.mask
    if c.scores and mask is None:
        return all(len(set(chain(*rows))) <= most for rows in c.scores)
    return all(len(powers(c.derivation, step.name)) <= most for step in scores(c.derivation))


def _rational(c: Candidate) -> bool:
    return not c.plan.constraints.rational or all(map(has_root, c.given["H"]))


def _difficulty(c: Candidate) -> bool:
    steps = c.difficulty.steps
    return c.aim is None or abs(steps - c.aim) <= max(2, BAND * c.aim)


def _whole(c: Candidate) -> bool:
    """At most a third of the output is whole, or it could be guessed."""
    for one in c.asked:
        if isinstance(one.step.op, Mix) and not one.step.is_deep:
            value = one.step.value
            found = sum(is_integer(value[i - 1, j - 1]) for i, j in one.places)
            if len(one.places) > 1 and 3 * found > len(one.places):
                return False
    return True


def is_integer(x: Scalar) -> bool:
    """Whether a closed value is a whole number."""
    return x.is_rational and x.fraction[1] == 1


def _ties(c: Candidate) -> bool:
    """No digit of the key within a thousandth of a unit of a tie."""
    unit, near = 10**c.plan.form.places, arb(1) / 1000
    half = arb(0) if c.plan.form.rounding == "truncate" else arb(0.5)
    with precision(BITS):
        for one in c.asked:
            value = one.step.enclosure(BITS)
            for i, j in one.places:
                x = value[i - 1, j - 1] * unit - half
                gap = abs(x - (x + arb(0.5)).floor())
                if not (gap > near or _is_whole(x + half)):
                    return False
    return True


def _is_whole(x: arb) -> bool:
    """Whether it is an integer, and so far from every tie; of a cut number it is one."""
    return bool(x.is_integer())


def _width(c: Candidate) -> bool:
    """The tolerance of every blank is finite, and no wider than asked."""
    most = c.plan.most_width
    for one in c.asked:
        for found in bounds(c.reached[one.step.name], one, c.plan.form.places):
            if found is None or (most is not None and found[1] - found[0] > most):
                return False
    return True


def _unique(c: Candidate) -> bool:
    if not c.plan.constraints.unique_key:
        return True
    places = c.plan.form.places
    return all(
        found is not None and found[0] == found[1]
        for one in c.asked
        for found in bounds(c.reached[one.step.name], one, places)
    )


CONDITIONS: Mapping[str, Callable[[Candidate], bool]] = {
    "tokens": _tokens,
    "rational": _rational,
    "uneven": _uneven,
    "spread": _spread,
    "alike": _alike,
    "pool": _pool,
    "exponentials": _exponentials,
    "difficulty": _difficulty,
    "whole": _whole,
    "ties": _ties,
    "width": _width,
    "unique-key": _unique,
}
"""Each by the name under which it is said to be the culprit, in the order in which it is asked."""
