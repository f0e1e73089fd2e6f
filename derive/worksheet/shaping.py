"""Tables of names, formulas and shapes: sizes drawn by a sheet's number, and what is left out.

No two sizes are alike, so that a shape in numbers says which letters it is made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from derive.derivation import Derivation, Problem
from derive.errors import InputError
from derive.exact import Matrix, matrix
from derive.models import MODELS
from derive.ops import Columns, Contributions, Rows, Transpose
from derive.step import Step
from derive.worksheet.draws import Words, below, words_of
from derive.worksheet.plan import GENERATOR
from derive.worksheet.search import Variant

LEFT_OUT = (Columns, Contributions, Rows, Transpose)
"""What has no line of its own."""
MOST, MATCHED = 32, 8
"""So many lines at most, and so many of them to be matched."""
SIZES = range(2, 10)
PAIRED = {"sinusoidal": "d_model", "rope": "d_k"}
"""What is even where positions are told in pairs of columns."""
CELLS = ("letters", "numbers", "name", "formula")


@dataclass(frozen=True)
class Line:
    """A step with its shape in letters and in numbers, and which of CELLS are left out."""

    step: Step
    letters: tuple[str, str]
    numbers: tuple[int, int]
    hidden: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The step's."""
        return self.step.name


@dataclass(frozen=True)
class Shapes:
    """sizes: each letter with its number; lines: the steps in their order."""

    sizes: Mapping[str, int]
    given: tuple[Line, ...]
    lines: tuple[Line, ...]


def shapes_of(variant: Variant) -> Shapes:
    """The table of a sheet.

    InputError where there would be too many lines, and for a step that has none.
    """
    plan = variant.plan
    stream = words_of(*_own(variant), "shapes")
    sizes = _drawn(plan.problem, stream)
    derivation = _sized(plan.problem, sizes)
    every = tuple(_line(step, sizes, plan.problem) for step in derivation.steps)
    given = tuple(line for line in every if line.step.op is None)
    lines = [line for line in every if line.step.op and not isinstance(line.step.op, LEFT_OUT)]
    if plan.blank:
        wanted = {derivation.step(name.partition("[")[0].strip()).name for name in plan.blank}
        lines = [line for line in lines if line.name in wanted]
    if not 0 < len(lines) <= MOST:
        raise InputError(
            f"a table of {len(lines)} steps fits no page",
            expected=f"from 1 to {MOST} steps",
            hint="--blank with the names of some, such as S,A,O",
        )
    hidden = _hidden(plan.level, len(lines), stream)
    found = tuple(replace(line, hidden=h) for line, h in zip(lines, hidden, strict=True))
    return Shapes(sizes, given, found)


def _own(variant: Variant) -> tuple[object, ...]:
    plan = variant.plan
    return GENERATOR, plan.mark, plan.pool, plan.seed, variant.index, variant.attempt


def _hidden(level: int, count: int, stream: Words) -> Iterator[frozenset[str]]:
    """Level 1: the shape in letters or in numbers; 2: both; 3: the name or the formula as well."""
    for k in range(count):
        (coin,) = below(stream, 2, 1)
        shapes = frozenset(CELLS[:2])
        if level == 1:
            yield frozenset({CELLS[coin if count < 2 else (k + coin) % 2]})
        else:
            yield shapes if level == 2 else shapes | {CELLS[2 + coin]}


@dataclass(frozen=True)
class Matching:
    """Names to be matched: each with the places, from 0, of its formula and of its shape."""

    lines: tuple[Line, ...]
    formulas: tuple[Step, ...]
    shapes: tuple[tuple[int, int], ...]

    def answer(self, line: Line) -> tuple[int, int]:
        """(formula, shape)."""
        names = [step.name for step in self.formulas]
        return names.index(line.name), self.shapes.index(line.numbers)


def matching_of(variant: Variant) -> tuple[Shapes, Matching]:
    """Some lines of a table, their formulas and their shapes in other orders."""
    stream = words_of(*_own(variant), "match")
    shapes = shapes_of(variant)
    kept = sorted(shuffled(stream, list(shapes.lines))[:MATCHED], key=shapes.lines.index)
    formulas = shuffled(stream, [line.step for line in kept])
    numbers = shuffled(stream, list(dict.fromkeys(line.numbers for line in kept)))
    return shapes, Matching(tuple(kept), tuple(formulas), tuple(numbers))


def shuffled(stream: Words, items: list[Any]) -> list[Any]:
    """The items in an order of which each is as likely as another."""
    found = list(items)
    for k in range(len(found) - 1, 0, -1):
        (j,) = below(stream, k + 1, 1)
        found[k], found[j] = found[j], found[k]
    return found


# --- sizes


def _axes(problem: Problem) -> Mapping[str, tuple[str, str]]:
    every = MODELS[problem.model].matrices(problem.conventions, problem.given)
    return {name: every[name] for name in problem.given}


def _parts(side: str) -> tuple[int, str]:
    """(2, d_k) of "2 d_k", (1, d_k) of "d_k", and a number without a letter."""
    times, _, letter = side.rpartition(" ")
    return (int(side), "") if side.isdigit() else (int(times or 1), letter)


def _drawn(problem: Problem, stream: Words) -> dict[str, int]:
    """A size for each letter; what the texts of a language model fix is as it is."""
    fixed = {"vocabulary": len(problem.vocabulary)} if problem.vocabulary else {}
    n = problem.given["H"].shape[0] if isinstance(problem.conventions.mask, Matrix) else 0
    if problem.vocabulary or n:
        fixed["n"] = n or len(problem.tokens)
    wanted = dict.fromkeys(_parts(side)[1] for axes in _axes(problem).values() for side in axes)
    letters = [x for x in wanted if x and x not in fixed]
    for _ in range(1000):
        sizes = fixed | {x: _size(x, problem, stream) for x in letters}
        every = _dimensions(problem, sizes)
        if len(set(every.values())) == len(every):
            return sizes
    raise InputError("no sizes are found that are all different", hint="name fewer heads")


def _size(letter: str, problem: Problem, stream: Words) -> int:
    is_paired = letter == PAIRED.get(problem.conventions.positions)
    values = [x for x in SIZES if not (is_paired and x % 2)]
    (k,) = below(stream, len(values), 1)
    return values[k]


def _dimensions(problem: Problem, sizes: Mapping[str, int]) -> dict[str, int]:
    """Every side by its letters, the width of a head too."""
    found = dict(sizes)
    for axes in _axes(problem).values():
        for side in axes:
            times, letter = _parts(side)
            if letter:
                found[side] = times * sizes[letter]
    return found


def _sized(problem: Problem, sizes: Mapping[str, int]) -> Derivation:
    """The derivation of matrices of these sizes; no value of it is asked for."""
    every = _dimensions(problem, sizes) | {"1": 1}
    given = {
        name: matrix([[1] * every[columns]] * every[rows])
        for name, (rows, columns) in _axes(problem).items()
    }
    tokens = problem.tokens if problem.vocabulary else ()
    return MODELS[problem.model].derive(replace(problem, given=given, tokens=tokens))


def _line(step: Step, sizes: Mapping[str, int], problem: Problem) -> Line:
    by_size = {size: side for side, size in _dimensions(problem, sizes).items()}
    by_size[1] = "1"
    rows, columns = step.shape
    return Line(step, (by_size.get(rows, str(rows)), by_size.get(columns, str(columns))),
                (rows, columns))  # fmt: skip
