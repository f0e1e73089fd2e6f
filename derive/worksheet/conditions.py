"""What has to hold of a drawn problem, from the cheapest condition to the dearest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from flint import arb

from derive.derivation import Derivation, Problem
from derive.exact import Matrix, Scalar, matrix
from derive.exact.ball import precision
from derive.ops import Mix
from derive.step import Step
from derive.worksheet.blanks import Asked
from derive.worksheet.difficulty import Difficulty, difficulty, powers, scores, work
from derive.worksheet.drawing import Drawn, has_root
from derive.worksheet.draws import digest
from derive.worksheet.ends import bounds_of
from derive.worksheet.plan import POOLS, Plan
from derive.worksheet.program import BITS, Program, Run, program_of
from derive.worksheet.whole import Given, Rows, Whole, turned, whole_scores

HALF, NEAR = arb(0.5), arb(1) / 1000
BAND = 0.1
"""By so much may the difficulty of a variant differ from the aim."""


@dataclass(frozen=True)
class Aim:
    """The difficulty that is aimed at, and that of the scores alone; None before it is known."""

    steps: int | None = None
    of_scores: int | None = None


@dataclass(frozen=True)
class Scored:
    """What the first scores of a drawn problem rest on, and what is found out about them."""

    plan: Plan
    drawn: Drawn
    aim: Aim = field(default_factory=lambda: Aim())

    @property
    def program(self) -> Program:
        """What it has in common with the other variants."""
        return program_of(self.plan)

    @cached_property
    def scores(self) -> list[Rows]:
        """The scores of each head, where they are whole."""
        if "W_Q" in self.plan.problem.given:
            return whole_scores(self.plan.problem, self.drawn)
        tally = self.program.tally
        return [self.whole[name] for name, _ in tally.scores] if tally.is_possible else []

    @cached_property
    def spans(self) -> list[list[int]]:
        """By how much the scores of each row differ, by head."""
        return [[max(row) - min(row) for row in rows] for rows in self.scores]

    @cached_property
    def whole(self) -> Whole:
        """The steps that rest on nothing else, as long as they are whole."""
        return Whole(self.program.derivation, self.drawn.all())

    @cached_property
    def difficulty(self) -> Difficulty:
        """What they ask of a hand, where they are whole."""
        return self.program.tally.of_scores(self.whole)


@dataclass(frozen=True)
class Candidate:
    """A drawn problem, and what is found out about it."""

    scored: Scored
    drawn: Drawn

    @property
    def plan(self) -> Plan:
        """What it is drawn for."""
        return self.scored.plan

    @property
    def scores(self) -> list[Rows]:
        """The scores of each head, where they are whole."""
        return self.scored.scores

    @cached_property
    def given(self) -> Given:
        """All its matrices, in the order of the problem."""
        every = self.drawn.all()
        return {s.name: every[s.name] for s in self.program.derivation.steps if s.op is None}

    @cached_property
    def content(self) -> str:
        """A mark of its numbers: alike where two problems are the same."""
        return digest(*self.given.items(), size=16)

    @cached_property
    def problem(self) -> Problem:
        """The problem with these numbers."""
        exact = {name: self.exact[name] for name in self.plan.problem.given}
        return replace(self.plan.problem, given=exact)

    @cached_property
    def exact(self) -> Mapping[str, Matrix]:
        """What is given, as matrices."""
        return {name: matrix(rows) for name, rows in self.given.items()}

    @cached_property
    def derivation(self) -> Derivation:
        """Every step."""
        return again(self.program.derivation, self.problem, self.exact)

    @property
    def program(self) -> Program:
        """What it has in common with the other variants."""
        return program_of(self.plan)

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """What is left blank."""
        return tuple(replace(x, step=self.derivation.step(x.step.name)) for x in self.program.asked)

    @cached_property
    def whole(self) -> Whole:
        """The steps before the powers of e."""
        found = Whole(self.program.derivation, self.scored.whole)
        found.update(self.drawn.all())
        return found

    @cached_property
    def difficulty(self) -> Difficulty:
        """What it asks of a hand."""
        tally = self.program.tally
        if self.program.trace.printed:
            return work(self.derivation, {one.step.name for one in self.program.asked})
        if not tally.is_possible:
            return difficulty(self.derivation)
        return tally.of(self.whole, self.scored.difficulty)

    @cached_property
    def worked(self) -> Run:
        """What its blanks come to, by hand and in balls."""
        return Run(self.program, self.whole, lambda: self.derivation)

    def bounds(self) -> list[tuple[int, int] | None]:
        """The least and the largest right answer to every blank."""
        nodes = self.program.by_place.values()
        return [bounds_of(self.worked.hand[place]) for place in nodes]


def _pool(c: Candidate) -> bool:
    return int(c.content[0], 16) % len(POOLS) == POOLS.index(c.plan.pool)


def again(derivation: Derivation, problem: Problem, known: Mapping[str, Matrix]) -> Derivation:
    """The same steps from other numbers of the same shapes; known: all that is given."""
    made: dict[str, Step] = {}
    for step in derivation.steps:
        inputs = tuple(made[x.name] for x in step.inputs)
        given = known[step.name] if step.op is None else None
        made[step.name] = Step(step.name, step.op, inputs, given)
    return Derivation(problem, tuple(made.values()))


def _tokens(c: Scored) -> bool:
    return not c.plan.constraints.tokens or _differ(_inputs(c))


def _inputs(c: Scored) -> Rows:
    given = c.plan.problem.given
    rows = c.drawn[next(name for name in ("H", "H_E", "W_E") if name in given)]
    return rows if c.plan.problem.conventions.vectors == "rows" else turned(rows)


def _differ(rows: Rows) -> bool:
    return len(set(map(tuple, rows))) == len(rows)


def _alike(c: Scored) -> bool:
    """No two queries have the same scores in every head, or they would have the same answers."""
    joined = [list(chain(*rows)) for rows in zip(*c.scores, strict=True)]
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
    return not tally.is_possible or all(len(found) <= most for found in tally.powers(c.whole))


def _exponentials_of_all(c: Candidate) -> bool:
    """Where scores are not whole numbers all has to be drawn before they are known."""
    most = c.plan.constraints.exponentials
    tally = c.program.tally
    are_turned = c.plan.problem.conventions.positions == "sinusoidal"
    return tally.is_possible or are_turned or not tally.scores or all(
        len(powers(c.derivation, step.name)) <= most for step in scores(c.derivation)
    )


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


def _whole(c: Candidate) -> bool:
    """At most a third of the output is whole, or it could be guessed."""
    for one in c.program.asked:
        if isinstance(one.step.op, Mix) and len(one.places) > 1 and 3 * _integers(c, one) > len(
            one.places
        ):
            return False
    return True


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


def _ties(c: Candidate) -> bool:
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


def _width(c: Candidate) -> bool:
    """The tolerance of every blank is finite, and no wider than asked."""
    most = c.plan.most_width
    return all(
        found is not None and found[1] - found[0] <= most for found in c.bounds()
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
    "pool": _pool,
    "exponentials": _exponentials_of_all,
    "difficulty": _difficulty,
    "whole": _whole,
    "ties": _ties,
    "width": _width,
    "unique-key": _unique,
}
"""And of the whole problem.

Each by the name under which it is said to be the culprit, in the order in which it is asked.
"""
ORDER = (*OF_SCORES, *(name for name in OF_ALL if name not in OF_SCORES), "derivation")
