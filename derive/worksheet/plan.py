"""What a worksheet is to be: whose shape it has, what is left blank, and how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property

from derive.derivation import Problem
from derive.errors import InputError
from derive.exact.ink import PLAIN
from derive.exact.write import Writer
from derive.numerals import Format
from derive.worksheet.draws import digest
from derive.worksheet.kinds import DERIVING, KINDS, MOST_PLACES

GENERATOR, OLDER = "3", ("2", "1")
"""The version of what is drawn, and those before: another one draws other problems from a seed."""
LEVELS = (1, 2, 3)
"""The last step to be filled in; every step; from what is given to the end on an empty page."""
POOLS = ("practice", "secret")
NORMALISED = ("attention", "multihead", "positions", "layernorm")
"""Models of which nothing but what is given is normalised, if anything is."""
MOST_SEED = 2**63
MOST_VARIANTS = 100_000
USUAL_WIDTH, USUAL_WIDTH_OF_BLOCKS, USUAL_WIDTH_AT_ITS_END = 20, 250, 200


FEW, MOST_EXPONENTS = 4, 5
"""Of a text of so many tokens: the most different powers of e, and the most spread of a row."""


def usual_limit(problem: Problem) -> int:
    """The most different powers of e, and the most spread: of a longer text two more a token."""
    rows = problem.given["H"].shape if "H" in problem.given else (0, 0)
    n = rows[0 if problem.conventions.vectors == "rows" else 1]
    return MOST_EXPONENTS + 2 * max(0, n - FEW)


@dataclass(frozen=True)
class Constraints:
    """What a drawn problem has to be.

    low, high: the least and the largest entry of a weight; inputs: those of H, None for the
    usual.
    exponentials: the most different powers of e in a head; spread: the most by which the scores
    of a row differ; tokens: no two rows of H alike, none 0; rational: every deviation of a row of
    H is rational; unique_key: every honest way by hand rounds to the key; width: the most units
    of the last place between the least and the largest answer that is right; difficulty: the
    steps by hand, None for what is usual.
    """

    low: int = -1
    high: int = 2
    inputs: tuple[int, int] | None = None
    exponentials: int = 5
    spread: int = 5
    tokens: bool = True
    rational: bool = False
    unique_key: bool = False
    width: int | None = None
    difficulty: int | None = None

    def __post_init__(self) -> None:
        """InputError for a range that holds fewer than two numbers, or one too large."""
        for name, (low, high) in (("entries", (self.low, self.high)), ("inputs", self.of_inputs)):
            if not -99 <= low < high <= 99:
                raise InputError(
                    f"{name} from {low} to {high} cannot be drawn",
                    expected="two integers from -99 to 99, the smaller first",
                )

    @property
    def of_inputs(self) -> tuple[int, int]:
        """The range of H where none is given."""
        return self.inputs or (max(0, self.low), max(1, self.high))

    @cached_property
    def mark(self) -> str:
        """All of them in one line."""
        return ";".join(f"{f.name}={getattr(self, f.name)}" for f in fields(self))


@dataclass(frozen=True)
class Plan:
    """A problem to vary and what is asked of every variant.

    blank: steps, rows and entries to be left blank, such as "O", "A[2]" or "A[2][3]"; none for what
    the level leaves blank; points: by step, 1 where it is not named.
    recipe: the options of the command, as the identifier spells them; it rests on the rest.
    kind: one of KINDS; before: of "what-if" the problem before something was changed in it.
    """

    problem: Problem
    seed: int = 1
    pool: str = "practice"
    blank: tuple[str, ...] = ()
    level: int = 1
    form: Format = field(default_factory=Format)
    points: tuple[tuple[str, int], ...] = ()
    constraints: Constraints = field(default_factory=Constraints)
    kind: str = "compute"
    before: Problem | None = None
    recipe: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """InputError for a model that is not known, symbols, a wrong level, pool or seed."""
        _check(self)

    @property
    def most_width(self) -> int:
        """The most units of the last place of a tolerance."""
        if self.constraints.width is not None:
            return self.constraints.width
        if self.problem.model != "block":
            return USUAL_WIDTH
        is_end = self.level == 1 and not self.blank and self.kind in ("compute", "what-if")
        return USUAL_WIDTH_AT_ITS_END if is_end else USUAL_WIDTH_OF_BLOCKS

    @cached_property
    def mark(self) -> str:
        """What the drawing rests on, in eight digits: another mark, other problems."""
        return self.marked(GENERATOR)

    def marked(self, generator: str) -> str:
        """And what it was of another version of the generator."""
        problem, asked = self.problem, (",".join(self.blank), self.level, self.form)
        own = (self.kind,) if self.kind in DERIVING else ()
        own = (*own, *_conventions(self.before)) if self.before else own
        return digest(
            generator, problem.model, spelled(problem), self.constraints.mark, *asked, *own
        )


def spelled(problem: Problem) -> str:
    """What is given and under which conventions, in one line."""
    writer = Writer(PLAIN)
    given = (
        f"{name}=" + "|".join(",".join(map(writer.text, row)) for row in matrix.rows)
        for name, matrix in problem.given.items()
    )
    return "\n".join((*given, *_conventions(problem)))


def _conventions(problem: Problem) -> list[str]:
    found = problem.conventions
    return [f"{f.name}={getattr(found, f.name)!r}" for f in fields(found)]


def _check(plan: Plan) -> None:
    letters = _letters(plan.problem)
    if letters:
        few = ", ".join(sorted(letters)[:4]) + (" ..." if len(letters) > 4 else "")
        raise InputError(
            f"a key in letters ({few}) cannot be marked by its digits",
            expected="numbers in what is given, and a temperature and an eps that are numbers",
            hint="a worksheet takes the shapes of a problem and draws other numbers",
        )
    if plan.form.digits is not None or plan.form.places > MOST_PLACES:
        raise InputError(f"a worksheet rounds to decimal places, from 0 to {MOST_PLACES}")
    _check_choices(plan)


def _letters(problem: Problem) -> set[str]:
    choices = problem.conventions
    found = set(choices.temperature.free_symbols | choices.eps.free_symbols)
    for matrix in problem.given.values():
        found.update(*(x.free_symbols for x in matrix))
    return found


def _check_choices(plan: Plan) -> None:
    if plan.kind not in KINDS:
        raise InputError(f'there is no kind "{plan.kind}"', expected=", ".join(KINDS))
    if (plan.before is None) is (plan.kind == "what-if"):
        raise InputError("what is changed belongs to the kind what-if, and to no other")
    if plan.level not in LEVELS:
        raise InputError(f"there is no level {plan.level}", expected="1, 2 or 3")
    if plan.constraints.rational and _is_after_powers(plan.problem):
        raise InputError(
            "--rational is for rows that are given: here the rows that are normalised rest on "
            "powers of e, and no deviation of such a row is rational",
            expected='the problem layernorm, or norm = "pre"',
        )
    if plan.pool not in POOLS:
        raise InputError(f'there is no pool "{plan.pool}"', expected=" or ".join(POOLS))
    if not 0 <= plan.seed < MOST_SEED:
        raise InputError(f"the seed {plan.seed} is out of range", expected="from 0 to 2^63 - 1")


def _is_after_powers(problem: Problem) -> bool:
    """Whether what is normalised rests on an attention."""
    return problem.model not in NORMALISED and problem.conventions.norm == "post"
