"""What all variants of a plan have in common: its steps, its blanks, and their calculation as code.

The rules, and what mistakes make of them, are written on one tape when the plan is first met; every
variant runs it on its own numbers: on intervals of integers for the ways by hand, and on balls for
proved digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any

from derive.derivation import Derivation
from derive.exact import Matrix
from derive.exact.ball import precision
from derive.ops import Deviation, Mask, MeanSquares, Mix, Relu, Scale, Softmax, Variance
from derive.places import entry_name
from derive.step import Step
from derive.worksheet.blanks import Asked, asked, way_to
from derive.worksheet.bound import Bound
from derive.worksheet.deriving import blanks_of, derived, printed, worked_by_hand
from derive.worksheet.difficulty import Tally
from derive.worksheet.drawing import for_scores
from derive.worksheet.ends import Reached, hand
from derive.worksheet.fixed import fixed
from derive.worksheet.hand import Trace, read
from derive.worksheet.mistakes import Slip, slips
from derive.worksheet.on_balls import OnBalls
from derive.worksheet.pencil import Pencil
from derive.worksheet.plan import Plan
from derive.worksheet.tape import Node, run
from derive.worksheet.whole import Whole, is_whole_mean

BITS = 128
Place = tuple[str, int, int]
"""A step, a row and a column, counted from 1."""


@dataclass(frozen=True)
class Traced:
    """A mistake on the tape: the entries it is made at, and the blanks that it changes."""

    slip: Slip
    made: tuple[int, ...]
    blanks: Mapping[str, int]


@dataclass(frozen=True)
class Mixed:
    """The names of scores and values, and by scores which are not masked; empty where all are."""

    scores: str
    values: str
    masks: Mapping[str, Sequence[int]]

    def is_whole(self, whole: Whole, i: int, j: int, value: int) -> bool:
        """Whether entry (i, j), from 0, of the mean is this number."""
        scores, values = whole[self.scores][i], [row[j] for row in whole[self.values]]
        seen = self.masks.get(self.scores)
        if seen:
            seen = seen[i * len(scores) : (i + 1) * len(scores)]
            scores, values = list(compress(scores, seen)), list(compress(values, seen))
        return is_whole_mean(value, scores, values)


class Program:
    """The code of a plan."""

    def __init__(self, plan: Plan) -> None:
        """InputError for blanks that the problem has not."""
        self.plan = plan
        self.derivation: Derivation = derived(plan)
        self.fixed = fixed(plan, self.derivation)
        self.asked: tuple[Asked, ...] = asked(
            self.derivation, blanks_of(plan), plan.level, self.fixed
        )
        self.trace = Trace(self.derivation, printed(plan, self.derivation, self.asked))
        self.blanks: Mapping[str, int] = dict(self._blanks({}))
        self.by_place: Mapping[Place, int] = dict(self._places())

    def _blanks(self, found: Mapping[str, Matrix]) -> Iterator[tuple[str, int]]:
        """The places of the blanks on the tape; with `found` of those in these steps only."""
        for one in self.asked:
            if found and one.step.name not in found:
                continue
            matrix = found.get(one.step.name) or self.trace[one.step.name]
            for i, j in one.places:
                x = matrix[i - 1, j - 1]
                if isinstance(x, Node):
                    yield entry_name(one.step.name, i, j), x.place

    def _places(self) -> Iterator[tuple[Place, int]]:
        for one in self.asked:
            for i, j in one.places:
                yield (one.step.name, i, j), self.blanks[entry_name(one.step.name, i, j)]

    @cached_property
    def slips(self) -> tuple[Traced, ...]:
        """The mistakes that can be made."""
        needed = self.needed
        every = slips(self.derivation, self.made)
        return tuple(t for slip in every if (t := self._traced(slip, needed)))

    @cached_property
    def made(self) -> set[str]:
        """The steps at which mistakes can be made."""
        return worked_by_hand(self.plan, self.derivation, self.asked)

    def _traced(self, slip: Slip, needed: set[str]) -> Traced | None:
        """None where its shapes do not fit."""
        try:
            made = {step.name: slip.rule(step, self.trace) for step in slip.steps}
        except (ValueError, ArithmeticError, IndexError):
            return None
        if not all(made[s.name].shape == s.shape for s in slip.steps):
            return None
        changed = self.trace.onwards(made, needed)
        entries = [x for s in slip.steps for x in changed[s.name]]
        nodes = tuple(x.place for x in entries if isinstance(x, Node))
        return Traced(slip, nodes, dict(self._blanks(changed)))

    @cached_property
    def squares(self) -> tuple[bool, ...]:
        """Of each blank whether it is a mean of squares, on which an error counts twice."""
        kinds = {s.name: isinstance(s.op, (Variance, MeanSquares)) for s in self.derivation.steps}
        return tuple(kinds[name] for name, _, _ in self.by_place)

    @cached_property
    def bent(self) -> tuple[tuple[int, ...], ...]:
        """The nodes of what each ReLU on the way takes in, none where that is known as a whole."""
        steps = (s for s in self.derivation.derived if s.name in self.needed)
        inputs = (self.trace[s.inputs[0].name] for s in steps if isinstance(s.op, Relu))
        return tuple(tuple(x.place for x in m if isinstance(x, Node)) for m in inputs)

    @cached_property
    def divisors(self) -> tuple[int, ...]:
        """The nodes of the deviations on the way, by which rounding errors are divided."""
        steps = (s for s in self.derivation.derived if s.name in self.needed)
        found = (self.trace[s.name] for s in steps if isinstance(s.op, Deviation))
        return tuple(x.place for m in found for x in m if isinstance(x, Node))

    @cached_property
    def needed(self) -> set[str]:
        """The steps on the way to the blanks."""
        return way_to(self.derivation, {one.step.name for one in self.asked})

    @cached_property
    def whole(self) -> Mapping[str, tuple[int, ...]]:
        """The nodes of what is given and of the steps before the powers of e that are whole."""
        whole = () if self.trace.printed else self.tally.whole
        steps = (s for s in self.derivation.steps if s.op is None or s.name in whole)
        return {step.name: tuple(x.place for x in self.trace[step.name]) for step in steps}

    @cached_property
    def mixed(self) -> Mapping[str, Mixed]:
        """Means by weights of scores and values that are whole, a row for each query."""
        found: dict[str, Mixed] = {}
        for step in self.derivation.derived:
            if isinstance(step.op, Mix) and isinstance(step.inputs[0].op, Softmax):
                scores, values = step.inputs[0].inputs[0], step.inputs[1].name
                is_whole = self.tally.is_possible and values in self.tally.whole
                if step.inputs[0].op.along == "rows" and is_whole and _is_algebraic(scores):
                    found[step.name] = Mixed(scores.name, values, dict(self.tally.scores))
        return found

    @cached_property
    def tally(self) -> Tally:
        """How the work by hand is counted."""
        return Tally(self.derivation, for_scores(self.plan))

    @cached_property
    def hand(self) -> Bound:
        """By hand, at the places of the plan."""
        return Bound(self, hand(self.plan.form.places))

    @cached_property
    def balls(self) -> Bound:
        """On balls."""
        with precision(BITS):
            return Bound(self, OnBalls())

    @cached_property
    def pencil(self) -> Bound:
        """By a hand that rounds after every operation."""
        return Bound(self, Pencil(self.plan.form.places))


class Run:
    """A program run on the numbers of one variant."""

    def __init__(
        self, program: Program, whole: Whole, derivation: Callable[[], Derivation]
    ) -> None:
        """whole: what is given and the steps that are whole."""
        self.program, self.whole, self.derivation = program, whole, derivation

    def registers(self, bound: Bound) -> list[Any]:
        """What is known before anything is worked out."""
        found = bound.registers(self.whole)
        trace = self.program.trace
        if trace.printed:
            for place, x in read(trace.tape, bound.arithmetic, self.derivation()):
                found[place] = x
        return found

    @cached_property
    def hand(self) -> list[Reached]:
        """What the blanks come to by hand, in the registers of their nodes."""
        found = self.registers(self.program.hand)
        run(self.program.hand.blanks, found)
        return found

    @cached_property
    def balls(self) -> list[Any]:
        """And as balls."""
        with precision(BITS):
            found = self.registers(self.program.balls)
            run(self.program.balls.blanks, found)
        return found

    def written(self) -> list[Any]:
        """What a hand writes in the blanks that rounds after every operation, in units."""
        found = self.registers(self.program.pencil)
        run(self.program.pencil.blanks, found)
        return found

    @cached_property
    def mistakes(self) -> Sequence[Reached]:
        """Mistakes by hand."""
        run(self.program.hand.mistakes, self.hand)
        return self.hand

    @cached_property
    def mistakes_exactly(self) -> Sequence[Any]:
        """Mistakes as balls."""
        found = self.balls
        with precision(BITS):
            run(self.program.balls.mistakes, found)
        return found


def _is_algebraic(scores: Step) -> bool:
    """Whether whole scores are divided by a root or a rational, and masked or not."""
    step = scores.inputs[0] if isinstance(scores.op, Mask) else scores
    return isinstance(step.op, Scale) and (step.op.divisor * step.op.divisor).is_rational


_PROGRAMS: dict[tuple[str, str], Program] = {}


def program_of(plan: Plan) -> Program:
    """The program of a plan, made once."""
    own = plan.mark, plan.kind  # what is asked rests on the kind, and the mark does not always
    if own not in _PROGRAMS:
        _PROGRAMS[own] = Program(plan)
    return _PROGRAMS[own]
