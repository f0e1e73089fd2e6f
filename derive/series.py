"""Variants in series: thousands, on all cores or on a cluster, gone on with after a kill."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from derive.errors import InputError, Undecided
from derive.processes import Lost
from derive.views.worksheet_data import manifest
from derive.worksheet.batches import KILLED, here, on_cluster
from derive.worksheet.plan import GENERATOR, Plan
from derive.worksheet.search import Variant, another, at, variant
from derive.worksheet.shards import Row, Shards, opened

BATCH = 50
"""So many variants are made at a time."""
PROBES = 3
"""Where so many variants cannot be made, none is tried."""
FAILURES = (
    InputError,
    Undecided,
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What may go wrong with one variant, and does not stop the others."""


@dataclass(frozen=True)
class Where:
    """jobs: processes of this machine; scheduler: the address of a cluster in their place;
    folder: where what is done is kept until all is, None for nowhere."""

    jobs: int = 1
    scheduler: str | None = None
    folder: Path | None = None


@dataclass(frozen=True)
class Series:
    """variants: those that were made, in order; failed: (index, reason) of the others; is_lost:
    whether the same run once more may make them, for their workers were killed."""

    variants: tuple[Variant, ...]
    failed: tuple[tuple[int, str], ...]
    is_lost: bool = False


def series(
    plan: Plan, count: int, where: Where, tell: Callable[[int], None] = lambda done: None
) -> Series:
    """So many variants; `tell` hears how many are done.

    They are those of `variants`, byte for byte, wherever they are made.  InputError where none can
    be made, where the folder holds another run or cannot be written, or no scheduler answers.
    """
    _probe(plan)
    if where.folder is None:
        rows = _rows(plan, count, where, None, tell)
    else:
        with opened(where.folder, run_of(plan, count)) as shards:
            rows = _rows(plan, count, where, shards, tell)
    made = tuple(_distinct(plan, (row for row in rows if row.failed is None)))
    failed = tuple((row.index, row.failed[0]) for row in rows if row.failed is not None)
    is_lost = any(reason == KILLED.why for _, reason in failed)
    return Series(made, failed, is_lost)


def run_of(plan: Plan, count: int) -> dict[str, object]:
    """What a run is: with anything else in it, it is another one."""
    return {
        "generator": GENERATOR,
        "problem": plan.problem.name,
        "options": plan.recipe,
        "mark": plan.mark,
        "seed": plan.seed,
        "pool": plan.pool,
        "points": [list(x) for x in plan.points],
        "variants": count,
        "batch": BATCH,
    }


def _probe(plan: Plan) -> None:
    """InputError at once where what is wished for cannot be met."""
    refusals = []
    for index in range(1, PROBES + 1):
        try:
            variant(plan, index)
            return
        except InputError as error:
            refusals.append(error)
    raise refusals[0]


def _rows(
    plan: Plan, count: int, where: Where, shards: Shards | None, tell: Callable[[int], None]
) -> list[Row]:
    batches = [range(k, min(k + BATCH, count + 1)) for k in range(1, count + 1, BATCH)]
    found = {k: shards[k] for k in range(len(batches)) if shards is not None and k in shards}
    todo = [k for k in range(len(batches)) if k not in found]
    done = sum(map(len, found.values()))
    tell(done)
    for number, result in _worked(plan, [batches[k] for k in todo], where):
        k = todo[number]
        if isinstance(result, Lost):
            found[k] = _all_lost(batches[k], result)
        else:
            _check(result, found.values())
            found[k] = result
            if shards is not None:
                shards[k] = result
        done += len(found[k])
        tell(done)
    return [row for k in range(len(batches)) for row in found[k]]


def _worked(
    plan: Plan, batches: Sequence[range], where: Where
) -> Iterator[tuple[int, list[Row] | Lost]]:
    work = partial(worked, plan)
    if where.scheduler is not None:
        return on_cluster(work, batches, where.scheduler)
    return here(work, batches, min(where.jobs, len(batches)))


def worked(plan: Plan, indices: Iterable[int]) -> list[Row]:
    """A batch: every variant by itself."""
    return [_row(plan, index) for index in indices]


def _row(plan: Plan, index: int) -> Row:
    try:
        return _done(variant(plan, index))
    except FAILURES as error:
        if isinstance(error, InputError):
            return Row(index, failed=(error.message, error.expected, error.hint))
        return Row(index, failed=(f"{type(error).__name__}: {error}", "", ""))


def _done(made: Variant) -> Row:
    return Row(made.index, made.attempt, made.candidate.content, manifest([made]))


def _all_lost(indices: range, lost: Lost) -> list[Row]:
    return [Row(index, failed=(lost.why, "", "")) for index in indices]


def _check(rows: Sequence[Row], others: Iterable[Sequence[Row]]) -> None:
    """InputError where nothing at all can be made."""
    some = any(row.failed is None for every in (rows, *others) for row in every)
    if not some and rows[0].failed is not None:
        message, expected, hint = rows[0].failed
        raise InputError(message, expected=expected, hint=hint)


def _distinct(plan: Plan, rows: Iterable[Row]) -> Iterator[Variant]:
    """Of two that came out alike the later is drawn again."""
    seen: set[str] = set()
    for row in rows:
        made = replace(at(plan, row.index, row.attempt), line=row.line)
        if row.content in seen:
            made = another(made, seen)
        seen.add(made.candidate.content)
        yield made
