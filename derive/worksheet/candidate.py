"""A drawn problem, and what is found out about it, each part when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from derive.derivation import Derivation, Problem
from derive.exact import Matrix, matrix
from derive.step import Step
from derive.worksheet.blanks import Asked
from derive.worksheet.difficulty import Difficulty, difficulty, work
from derive.worksheet.drawing import Drawn
from derive.worksheet.draws import digest
from derive.worksheet.ends import bounds_of
from derive.worksheet.operations import Operations, operations
from derive.worksheet.plan import Plan
from derive.worksheet.program import Program, Run, program_of
from derive.worksheet.turned import NOUGHT, Key, turned_powers
from derive.worksheet.whole import Given, Rows, Whole, whole_scores


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
    def turned(self) -> list[set[Key]]:
        """The different ones of each head, where queries and keys are turned."""
        return turned_powers(self.plan.problem, self.drawn, self.program.tally.scores)

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
        if self.is_counted:
            return self.operations.difficulty
        if self.program.trace.printed:
            return work(self.derivation, {one.step.name for one in self.program.asked})
        if not tally.is_possible:
            found, turned = difficulty(self.derivation), self.scored.turned
            powers = set().union(*turned) - {NOUGHT}
            return replace(found, powers=len(powers)) if turned else found
        return tally.of(self.whole, self.scored.difficulty)

    @property
    def is_counted(self) -> bool:
        """Whether its difficulty lies in what comes after the scores, or without any."""
        return self.plan.kind == "gradient" or self.plan.problem.model == "layernorm"

    @cached_property
    def operations(self) -> Operations:
        """The operations to its blanks."""
        return operations(self.worked)

    @cached_property
    def worked(self) -> Run:
        """What its blanks come to, by hand and in balls."""
        return Run(self.program, self.whole, lambda: self.derivation)

    def bounds(self) -> list[tuple[int, int] | None]:
        """The least and the largest right answer to every blank."""
        nodes = self.program.by_place.values()
        return [bounds_of(self.worked.hand[place]) for place in nodes]


def again(derivation: Derivation, problem: Problem, known: Mapping[str, Matrix]) -> Derivation:
    """The same steps from other numbers of the same shapes; known: all that is given."""
    made: dict[str, Step] = {}
    for step in derivation.steps:
        inputs = tuple(made[x.name] for x in step.inputs)
        given = known[step.name] if step.op is None else None
        made[step.name] = Step(step.name, step.op, inputs, given)
    return Derivation(problem, tuple(made.values()))
