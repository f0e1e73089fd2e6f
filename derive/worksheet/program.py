"""What all variants of a plan have in common: its steps, its blanks, and their calculation as code.

The rules, and what mistakes make of them, are written on one tape when the plan is first met; every
variant runs it on its own numbers: on intervals of integers for the ways by hand, and on balls for
proved digits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from flint import arb

from derive.derivation import Derivation
from derive.exact import Matrix
from derive.exact.ball import FUNCTIONS, Balls, integer_power, precision
from derive.models import MODELS
from derive.ops import Mix, Scale, Softmax
from derive.places import entry_name
from derive.worksheet.blanks import Asked, asked, way_to
from derive.worksheet.difficulty import Tally
from derive.worksheet.drawing import FOR_SCORES
from derive.worksheet.ends import Reached, hand
from derive.worksheet.hand import Trace, constants
from derive.worksheet.mistakes import Slip, slips
from derive.worksheet.plan import Plan
from derive.worksheet.tape import Code, Node, run
from derive.worksheet.whole import Whole

BITS = 128
Place = tuple[str, int, int]
"""A step, a row and a column, counted from 1."""


class OnBalls:
    """The arithmetic of a tape on balls: nothing is rounded but outwards."""

    integer = staticmethod(arb)

    def exact(self, x: Any) -> arb:
        """A number."""
        return arb(x) if isinstance(x, int) else Balls().enclose(x)

    wide = exact

    def shares(self, row: tuple[Any, ...], _: Any) -> tuple[Any, ...]:
        """The softmax of a row."""
        if len(row) == 1:
            return (arb(1),)
        powers = [x.exp() for x in row]
        total = sum(powers[1:], powers[0])
        return tuple(x / total for x in powers)

    def operation(self, name: str) -> Callable[[Any, Any], Any]:
        """What an instruction does."""
        kind, _, of = name.partition(":")
        if kind == "power":
            return lambda x, _: integer_power(x, int(of))
        if kind == "apply":
            function = FUNCTIONS[of]
            return lambda x, _: function(x)
        return self.shares if kind == "shares" else OPERATIONS[kind]


OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "over": lambda x, y: x / y,
    "neg": lambda x, _: -x,
    "exp": lambda x, _: x.exp(),
    "item": lambda row, k: row[k],
}


@dataclass(frozen=True)
class Traced:
    """A mistake on the tape: the entries it is made at, and the blanks that it changes."""

    slip: Slip
    made: tuple[int, ...]
    blanks: Mapping[str, int]


class Program:
    """The code of a plan."""

    def __init__(self, plan: Plan) -> None:
        """InputError for blanks that the problem has not."""
        self.plan = plan
        self.derivation: Derivation = MODELS[plan.problem.model].derive(plan.problem)
        self.asked: tuple[Asked, ...] = asked(self.derivation, plan.blank, plan.level)
        self.trace = Trace(self.derivation)
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
        needed = way_to(self.derivation, {one.step.name for one in self.asked})
        return tuple(t for slip in slips(self.derivation) if (t := self._traced(slip, needed)))

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
    def whole(self) -> Mapping[str, tuple[int, ...]]:
        """The nodes of what is given and of the steps before the powers of e that are whole."""
        steps = (s for s in self.derivation.steps if s.op is None or s.name in self.tally.whole)
        return {
            step.name: tuple(x.place for x in self.trace[step.name]) for step in steps
        }

    @cached_property
    def mixed(self) -> Mapping[str, tuple[str, str]]:
        """Of a mean by weights the scores, a row for each query and none masked, and the values."""
        found: dict[str, tuple[str, str]] = {}
        for step in self.derivation.derived:
            if isinstance(step.op, Mix) and isinstance(step.inputs[0].op, Softmax):
                scores = step.inputs[0].inputs[0]
                values = step.inputs[1].name
                is_plain = scores.name in self.tally.names and _is_algebraic(scores.op)
                is_plain = is_plain and step.inputs[0].op.along == "rows"
                if self.tally.is_possible and is_plain and values in self.tally.whole:
                    found[step.name] = scores.name, values
        return found

    @cached_property
    def tally(self) -> Tally:
        """How the work by hand is counted."""
        return Tally(self.derivation, FOR_SCORES)

    @cached_property
    def hand(self) -> Bound:
        """By hand, at the places of the plan."""
        return Bound(self, hand(self.plan.form.places))

    @cached_property
    def balls(self) -> Bound:
        """On balls."""
        with precision(BITS):
            return Bound(self, OnBalls())


class Bound:
    """The code of a program on one kind of numbers."""

    def __init__(self, program: Program, arithmetic: Any) -> None:
        """arithmetic: an operation for each name, and what is exact."""
        tape, self.integer = program.trace.tape, arithmetic.integer
        rest = [p for t in program.slips for p in (*t.made, *t.blanks.values())]
        whole = {p: name for name, nodes in program.whole.items() for p in nodes}
        blanks = tape.needed(program.blanks.values(), frozenset(whole))
        mistakes = tape.needed(rest, frozenset((*whole, *blanks)))
        self.blanks: Code = tape.code(blanks, arithmetic.operation)
        self.mistakes: Code = tape.code(mistakes, arithmetic.operation)
        found = constants(tape, arithmetic)
        self.start = [found.get(k) for k in range(len(tape.instructions))]
        read = set(tape.read((*blanks, *mistakes))) | set(program.blanks.values()) | set(rest)
        self.whole = [
            (name, nodes) for name, nodes in program.whole.items() if read.intersection(nodes)
        ]

    def registers(self, whole: Whole) -> list[Any]:
        """With the whole numbers of a variant, before anything else is worked out."""
        found, integer = list(self.start), self.integer
        for name, nodes in self.whole:
            for place, x in zip(nodes, chain(*whole[name]), strict=True):
                found[place] = integer(x)
        return found


class Run:
    """A program run on the numbers of one variant."""

    def __init__(self, program: Program, whole: Whole) -> None:
        """whole: what is given and the steps that are whole."""
        self.program, self.whole = program, whole

    @cached_property
    def hand(self) -> list[Reached]:
        """What the blanks come to by hand, in the registers of their nodes."""
        found = self.program.hand.registers(self.whole)
        run(self.program.hand.blanks, found)
        return found

    @cached_property
    def balls(self) -> list[Any]:
        """And as balls."""
        with precision(BITS):
            found = self.program.balls.registers(self.whole)
            run(self.program.balls.blanks, found)
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


def _is_algebraic(op: Any) -> bool:
    return isinstance(op, Scale) and (op.divisor * op.divisor).is_rational


_PROGRAMS: dict[str, Program] = {}


def program_of(plan: Plan) -> Program:
    """The program of a plan, made once."""
    if plan.mark not in _PROGRAMS:
        _PROGRAMS[plan.mark] = Program(plan)
    return _PROGRAMS[plan.mark]
