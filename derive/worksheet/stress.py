"""The stress test: many variants drawn, every key checked by the second route."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from derive.derivation import Problem
from derive.errors import InputError
from derive.exact import Matrix, NegativeInfinity, Scalar, number
from derive.places import entry_name
from derive.processes import Lost
from derive.worksheet.batches import here
from derive.worksheet.blanks import way_to
from derive.worksheet.plan import Plan
from derive.worksheet.program import program_of
from derive.worksheet.retraced import retraced
from derive.worksheet.search import Variant, another, at, variant
from derive.worksheet.second import Setting, proves

GUESSABLE = 0.1
"""An answer is guessable where it is right in more of the variants than this."""
LOT = 20
"""So many variants are drawn at a time."""
LOOKED_AT = 20
"""In fewer variants nothing is said of guessing."""


@dataclass(frozen=True)
class Report:
    """failures: blanks that the second route does not prove, as "id blank"; ranges: the least and
    the largest key of each blank; guessable: the commonest answer of a blank and its share;
    wrong_by_hand: in how many variants a hand that rounds after every operation is marked wrong."""

    count: int
    keys: int
    failures: tuple[str, ...]
    duplicates: int
    ranges: tuple[tuple[str, Fraction, Fraction], ...]
    guessable: tuple[tuple[str, str, float], ...]
    told: int
    unseen: int
    wrong_by_hand: int
    seconds: float

    @property
    def is_sound(self) -> bool:
        """Whether every key is proved, no two variants are alike, honest rounding is right, and no
        answer could be guessed."""
        return not (self.failures or self.duplicates or self.wrong_by_hand or self.guessable)


def stress(
    plan: Plan, count: int, jobs: int = 1, tell: Callable[[int], None] = lambda done: None
) -> Report:
    """Draw so many variants and check them, in so many processes; `tell` hears how many are done.

    The variants are those of `variants`, whatever the processes: of two that are alike the later
    is drawn again here.
    """
    start = time.perf_counter()
    lots = [list(range(k, min(k + LOT, count + 1))) for k in range(1, count + 1, LOT)]
    by_lot: dict[int, list[tuple[int, int, Found]]] = {}
    for k, lot in here(partial(_lot, plan), lots, min(jobs, len(lots))):
        if isinstance(lot, Lost):
            raise InputError(f"variants {lots[k][0]} to {lots[k][-1]}: {lot.why}")
        by_lot[k] = lot
        tell(sum(map(len, by_lot.values())))
    found: list[Found] = []
    seen: set[str] = set()
    for index, attempt, one in (x for k in sorted(by_lot) for x in by_lot[k]):
        if one[0] in seen:
            one = _found(another(at(plan, index, attempt), seen))
        seen.add(one[0])
        found.append(one)
    return reported(found, time.perf_counter() - start, passed_over(plan))


def passed_over(plan: Plan) -> frozenset[str]:
    """The entries of which it does not matter whether they are guessed: those that the mask alone
    fixes, and those on the way to other blanks, small integers mostly, whose end has to be right.
    """
    program = program_of(plan)
    asked = {one.step.name: one.places for one in program.asked}
    on_the_way = {x for name in asked for x in way_to(program.derivation, {name}) - {name}}
    found = [*program.fixed.items(), *((x, asked[x]) for x in on_the_way & asked.keys())]
    return frozenset(entry_name(name, i, j) for name, places in found for i, j in places)


def _lot(plan: Plan, indices: list[int]) -> list[tuple[int, int, Found]]:
    """Some variants, each by itself: (index, attempt, what is found of it)."""
    every = (variant(plan, index) for index in indices)
    return [(v.index, v.attempt, _found(v)) for v in every]


def _found(v: Variant) -> Found:
    told = len(v.key.told), len(v.key.unseen), int(not _is_right_by_hand(v))
    return v.candidate.content, tuple(checked(v)), told


def _is_right_by_hand(v: Variant) -> bool:
    """Whether a hand that rounds after every operation has every blank right."""
    worked = v.candidate.worked
    written, nodes = worked.written(), worked.program.by_place
    found = [(a, written[nodes[a.step, a.row, a.column]]) for a in v.key.answers]
    return all(n is not None and a.low <= n <= a.high for a, n in found)


Checked = tuple[str, str, str, bool]
"""The variant's id, a blank, its digits, and whether the second route proves them."""


def checked(variant: Variant) -> Iterator[Checked]:
    """Every blank by the second route."""
    steps = retraced(variant, setting_of)
    form = variant.plan.form
    for answer in variant.key.answers:
        rows = steps.get(answer.step)
        if rows is None:
            raise InputError(
                f"the second route does not come by {answer.step}",
                hint="--stress is for blanks of other steps",
            )
        value = rows[answer.row - 1][answer.column - 1]
        is_right = proves(value, answer.key, form.places, form.rounding == "truncate")
        yield variant.id, answer.blank, answer.key, is_right


Found = tuple[str, tuple[Checked, ...], tuple[int, int, int]]
"""A mark of the numbers, the blanks, and how many mistakes show, do not show, and whether a hand
that rounds is wrong."""


def reported(
    found: Iterable[Found], seconds: float, fixed: Collection[str] = frozenset()
) -> Report:
    """The report on variants that have been checked; fixed: blanks whose guess does not matter."""
    every = list(found)
    answers: dict[str, list[str]] = {}
    for _, keys, _ in every:
        for _, blank, key, _ in keys:
            answers.setdefault(blank, []).append(key)
    failures = tuple(f"{v} {b}" for _, keys, _ in every for v, b, _, right in keys if not right)
    ranges = tuple(
        (blank, min(map(Fraction, keys)), max(map(Fraction, keys)))
        for blank, keys in answers.items()
    )
    return Report(
        len(every),
        sum(map(len, answers.values())),
        failures,
        len(every) - len({content for content, _, _ in every}),
        ranges,
        tuple(x for x in _guessable(answers) if x[0] not in fixed)
        if len(every) >= LOOKED_AT
        else (),
        sum(told for _, _, (told, _, _) in every),
        sum(unseen for _, _, (_, unseen, _) in every),
        sum(wrong for _, _, (_, _, wrong) in every),
        seconds,
    )


def _guessable(answers: dict[str, list[str]]) -> Iterator[tuple[str, str, float]]:
    for blank, keys in answers.items():
        ((key, often),) = Counter(keys).most_common(1)
        if often > GUESSABLE * len(keys):
            yield blank, key, often / len(keys)


def setting_of(problem: Problem) -> Setting:
    """The problem in plain numbers; InputError for conventions that the second route has not."""
    choices = problem.conventions
    _check(problem)
    return Setting(
        problem.model,
        {name: fractions(matrix) for name, matrix in problem.given.items()},
        divisor=_divisor(problem),
        is_causal=choices.mask == "causal",
        heads=choices.heads,
        groups=choices.kv_heads or choices.heads,
        is_pre=choices.norm == "pre",
        is_rms=choices.normalization == "rmsnorm",
        eps=_rational(choices.eps),
        is_inside=choices.eps_place == "inside",
        correction=choices.correction,
        slope=_rational(choices.slope) if choices.activation == "leaky_relu" else Fraction(0),
        activation=choices.activation,
        seen=_seen(problem),
        rope=_rope(problem),
        is_turned=choices.vectors == "columns",
    )


def _rope(problem: Problem) -> tuple[int, int, bool] | None:
    choices = problem.conventions
    if choices.positions != "rope":
        return None
    return choices.base, choices.first_position, choices.layout == "adjacent"


def _seen(problem: Problem) -> list[list[bool]] | None:
    """Where a given mask allows, a row for each query."""
    mask, is_turned = problem.conventions.mask, problem.conventions.vectors == "columns"
    if not isinstance(mask, Matrix):
        return None
    rows = (mask.T if is_turned else mask).rows
    return [[not isinstance(x, NegativeInfinity) for x in row] for row in rows]


def _check(problem: Problem) -> None:
    choices = problem.conventions
    odd = {"positions": choices.positions not in ("none", "rope"), "layers": choices.layers != 1}
    for name, is_odd in odd.items():
        if is_odd:
            raise InputError(f"the second route does not know this choice of {name}")
    if choices.mask is not None and repr(choices.mask_value) != "-oo":
        raise InputError("the second route knows only -oo for what a mask forbids")


def fractions(matrix: Matrix) -> list[list[Fraction]]:
    """A matrix of rationals as Python's fractions."""
    return [[_rational(x) for x in row] for row in matrix.rows]


def _rational(x: Scalar) -> Fraction:
    if not x.is_rational:
        raise InputError("the second route takes rational numbers only")
    return Fraction(*x.fraction)


def _divisor(problem: Problem) -> Fraction:
    """The square of what the scores are divided by."""
    choices = problem.conventions
    if "W_Q" not in problem.given:
        return Fraction(1)
    across, down = (1, 0) if choices.vectors == "rows" else (0, 1)
    shapes = {name: matrix.shape for name, matrix in problem.given.items()}
    sizes = {
        "n": number(shapes["H"][down]),
        "d_model": number(problem.width),
        "d_k": number(shapes["W_Q"][across] // choices.heads),
        "d_v": number(shapes["W_V"][across] // (choices.kv_heads or choices.heads)),
    }
    divisor = choices.scale.substitute(sizes) * choices.temperature.substitute(sizes)
    return _rational(divisor * divisor)
