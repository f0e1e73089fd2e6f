"""A sheet's identifier taken apart, and the variant that it names made again."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from derive.errors import InputError
from derive.worksheet.drawing import TRIES
from derive.worksheet.plan import GENERATOR, OLDER, POOLS, Plan
from derive.worksheet.search import MOST_ATTEMPTS, Variant, at, check_count, unmet_by

_ID = re.compile(r"(.+)-(\d{1,19})([a-z]?)-(\d{1,9})-(\d{1,9})-([0-9a-f]{8})")


@dataclass(frozen=True)
class Identity:
    """problem-seed-index-attempt-mark, as `Variant.id` writes it.

    problem: with the options behind it, which `derive.worksheet.recipe` takes apart.
    """

    problem: str
    seed: int
    pool: str
    index: int
    attempt: int
    mark: str


def identity(text: str) -> Identity:
    """The parts of an identifier; InputError where it is none."""
    found = _ID.fullmatch(text.strip())
    pools = {"" if pool == POOLS[0] else pool[0]: pool for pool in POOLS}
    if found is None or found[3] not in pools:
        raise InputError(
            f'"{text[:60]}" is no identifier of a sheet', expected="such as head-7-1-12-9f2c41d0"
        )
    problem, seed, pool, index, attempt, mark = found.groups()
    return Identity(problem, int(seed), pools[pool], int(index), int(attempt), mark)


def remade(plan: Plan, named: Identity, before: Plan | None = None) -> Variant:
    """The variant of a plan that the identifier names, without a search.

    before: the plan as older versions of the generator had it.  InputError where the plan has
    another mark: another problem, other options, another version.
    """
    plan = replace(plan, seed=named.seed, pool=named.pool)
    if plan.mark != named.mark:
        _check_version(before or plan, named)
        raise InputError(
            f"the sheet has the mark {named.mark}, and this problem with these options has "
            f"{plan.mark}",
            expected="the problem of which the sheet was made, with the same numbers",
            hint="a problem file that was changed, or another version of derive, has other sheets",
        )
    check_count(named.index)
    if not 1 <= named.attempt <= 2 * TRIES * MOST_ATTEMPTS:
        raise InputError("no sheet has this identifier: there is no such attempt")
    found = at(plan, named.index, named.attempt)
    if (reason := unmet_by(found)) is not None:
        raise InputError(
            f'no sheet has this identifier: its numbers break the condition "{reason}"'
        )
    return found


def _check_version(plan: Plan, named: Identity) -> None:
    """InputError where an older version of the generator made the sheet."""
    for version in OLDER:
        if plan.marked(version) == named.mark:
            raise InputError(
                f"the sheet was drawn by version {version} of the generator, and this is version "
                f"{GENERATOR}: it draws other problems from the same number",
                expected=f"a sheet of version {GENERATOR}, or the derive that made this one",
                hint="derive grade marks the old sheet all the same: its manifest holds all of it",
            )
