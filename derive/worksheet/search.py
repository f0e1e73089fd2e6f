"""Variants: the first attempt of each index that meets every condition, no two alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from statistics import median_low
from typing import Any

from derive.errors import InputError, Undecided
from derive.worksheet.blanks import asked
from derive.worksheet.candidate import Aim, Candidate, Scored
from derive.worksheet.conditions import OF_ALL, OF_SCORES, WISHED
from derive.worksheet.deriving import blanks_of, derived, is_part
from derive.worksheet.drawing import TRIES, Source
from derive.worksheet.keys import Key, key_of
from derive.worksheet.kinds import TABLES
from derive.worksheet.plan import MOST_VARIANTS, POOLS, Plan
from derive.worksheet.program import program_of
from derive.worksheet.unmet import unmet
from derive.worksheet.widened import is_narrow

MOST_ATTEMPTS, MOST_OF_PART = 10_000, 1_000
"""So many problems are drawn; of a long derivation fewer, for each is worked out to its middle."""
MOST_WIDE = 150
"""So often may a tolerance of a part be too wide before no other draw is tried."""
EASED, EASED_OF_PART = 40_000, 5_000
"""After so many attempts what is only wished for is no longer asked."""
NEEDED = {name: holds for name, holds in OF_ALL.items() if name not in WISHED}
MOST_ALIKE = 200
"""So often is a variant drawn again that is like another."""
PILOTS = 15
"""So many problems are drawn to see what is usual before the first variant is."""
PILOT_CONDITIONS = {name: OF_ALL[name] for name in ("exponentials", "difficulty")}


@dataclass(frozen=True)
class Variant:
    """A drawn problem with its place in the set: variant `index`, found at `attempt`."""

    candidate: Candidate
    index: int
    attempt: int
    line: str = field(default="", compare=False, repr=False)
    """Its line of the manifest, where that is written already."""

    @property
    def plan(self) -> Plan:
        """What it is a variant of."""
        return self.candidate.plan

    @property
    def id(self) -> str:
        """What is printed on sheet and key, and remakes it.

        problem.options-seed-index-attempt-mark; see `derive.worksheet.recipe` for the options.
        """
        plan = self.plan
        name, letter = plan.problem.name + plan.recipe, plan.pool[0]
        pool = "" if plan.pool == POOLS[0] else letter
        return f"{name}-{plan.seed}{pool}-{self.index}-{self.attempt}-{plan.mark}"

    @cached_property
    def key(self) -> Key:
        """The key: digits, tolerances, mistakes."""
        c = self.candidate
        points = dict(c.plan.points)
        return key_of(lambda: c.derivation, c.program.asked, c.plan.form, c.worked, points)


def variants(plan: Plan, indices: Iterable[int]) -> Iterator[Variant]:
    """Variants by index, from 1 on; of two that come out alike the later is drawn again.

    Which it is rests on the set from the first index to the last: a set that begins at 1 is the
    same however long it is.  InputError where a condition cannot be met, which it names.
    """
    seen: set[str] = set()
    for index in indices:
        found = another(variant(plan, index), seen)
        seen.add(found.candidate.content)
        yield found


def another(found: Variant, seen: Collection[str]) -> Variant:
    """The variant, drawn again as long as its numbers were seen.

    InputError after some times: there are hardly other problems.
    """
    for _ in range(MOST_ALIKE):
        if found.candidate.content not in seen:
            return found
        found = variant(found.plan, found.index, found.attempt + 1)
    raise InputError(
        f"variant {found.index} is like another one however often it is drawn",
        expected=f"fewer variants: hardly more than {len(seen):,} differ under these constraints",
        hint="a wider --entries or --inputs gives more",
    )


def variant(plan: Plan, index: int, start: int = 1) -> Variant:
    """The first attempt from `start` on that meets every condition."""
    broken = Counter[str]()
    first, skipped = divmod(start - 1, TRIES)
    source, target = Source(plan, index), aim(plan)
    most = MOST_OF_PART if is_part(plan) else MOST_ATTEMPTS
    for k in range(first, first + most):
        scored = Scored(plan, source.scores(k), target)
        reason = first_broken(scored, OF_SCORES)
        if reason is not None:
            broken[reason] += 1
            continue
        for j in range(skipped if k == first else 0, TRIES):
            candidate = Candidate(scored, source.rest(k, j + 1, scored.drawn.all()))
            attempt = k * TRIES + j + 1
            reason = first_broken(candidate, _of_all(plan, attempt))
            if reason is None:
                return Variant(candidate, index, attempt)
            broken[reason] += 1
        if is_part(plan) and broken["width"] > MOST_WIDE:
            break
    raise unmet(broken)


def at(plan: Plan, index: int, attempt: int) -> Variant:
    """One attempt, whatever conditions it meets."""
    k, j = divmod(attempt - 1, TRIES)
    source = Source(plan, index)
    scored = Scored(plan, source.scores(k), aim(plan))
    return Variant(Candidate(scored, source.rest(k, j + 1, scored.drawn.all())), index, attempt)


def unmet_by(found: Variant) -> str | None:
    """The first condition that a variant does not meet."""
    candidate = found.candidate
    of_all = _of_all(found.plan, found.attempt)
    return first_broken(candidate.scored, OF_SCORES) or first_broken(candidate, of_all)


def _of_all(plan: Plan, attempt: int) -> Mapping[str, Callable[[Candidate], bool]]:
    is_soon = is_part(plan) or is_narrow(plan.problem)
    return OF_ALL if attempt <= (EASED_OF_PART if is_soon else EASED) else NEEDED


def check_points(plan: Plan) -> None:
    """InputError where points are given to a step that is not left blank."""
    if not plan.points:
        return
    names = [one.step.name for one in program_of(plan).asked]
    for name, _ in plan.points:
        if name not in names:
            raise InputError(
                f'points are given to "{name[:60]}", and no blank is of that step',
                expected="steps that are left blank: " + ", ".join(names[:8]),
            )


def check_count(count: int) -> None:
    """InputError where there would be no variant, or too many."""
    if not 1 <= count <= MOST_VARIANTS:
        raise InputError(
            f"{count:,} variants cannot be made", expected=f"from 1 to {MOST_VARIANTS:,}"
        )


def first_broken(drawn: Any, conditions: Mapping[str, Callable[[Any], bool]]) -> str | None:
    """The first condition that does not hold, "derivation" where a step cannot be worked out."""
    if drawn.plan.kind in TABLES:
        return "pool" if "pool" in conditions and not conditions["pool"](drawn) else None
    try:
        for name, holds in conditions.items():
            if not holds(drawn):
                return name
    except (InputError, Undecided, ZeroDivisionError):
        _check_asked(drawn.plan)
        return "derivation"
    return None


_CHECKED: set[str] = set()


def _check_asked(plan: Plan) -> None:
    """What is wrong with the plan is wrong with every draw: InputError at once."""
    if plan.mark not in _CHECKED:
        asked(derived(plan), blanks_of(plan), plan.level)
        _CHECKED.add(plan.mark)


def usual(plan: Plan) -> Aim:
    """The middle difficulty of a few draws, and of their scores, where some could be drawn.

    They rest on the plan alone, not on its seed or pool.
    """
    found = list(islice(_pilots(replace(plan, seed=0, pool="practice")), PILOTS))
    if not found:
        return Aim()
    scores = [c.scored.difficulty.steps for c in found if _has_scores(c)]
    return Aim(
        median_low([c.difficulty.steps for c in found]), median_low(scores) if scores else None
    )


def _pilots(plan: Plan) -> Iterator[Candidate]:
    source = Source(plan, "pilot")
    for k in range(MOST_ATTEMPTS):
        scored = Scored(plan, source.scores(k))
        if first_broken(scored, OF_SCORES) is None:
            candidate = Candidate(scored, source.rest(k, 1, scored.drawn.all()))
            if first_broken(candidate, PILOT_CONDITIONS) is None:
                yield candidate


def _has_scores(candidate: Candidate) -> bool:
    tally = candidate.scored.program.tally
    return tally.is_possible and bool(tally.scores)


_AIMS: dict[tuple[str, str], Aim] = {}


def aim(plan: Plan) -> Aim:
    """The difficulty that every variant of the plan is to have."""
    own = plan.mark, plan.kind
    if own not in _AIMS:
        found, asked = usual(plan), plan.constraints.difficulty
        if asked is not None:
            above = asked - (found.steps or asked)
            of_scores = None if found.of_scores is None else found.of_scores + above
            found = Aim(asked, of_scores)
        _AIMS[own] = found
    return _AIMS[own]
