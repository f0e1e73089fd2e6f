"""What is left blank: steps, rows and entries of a derivation."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import NegativeInfinity
from derive.exact.names import beside, place
from derive.ops import Columns, Contributions, Rows, Softmax, Transpose
from derive.places import entry_name
from derive.step import Step
from derive.worksheet.called import readings

_ASKED = re.compile(r"\s*([^\[\]\s,]+)((?:\[\d{1,6}\]){0,2})\s*")
UNASKED = (Columns, Contributions, Rows, Transpose)
"""What needs no working out is not asked for unless it is named."""


Fixed = Mapping[str, Collection[tuple[int, int]]]
NOTHING: Fixed = MappingProxyType({})


@dataclass(frozen=True)
class Asked:
    """The blank entries of one step, at places counted from 1."""

    step: Step
    places: tuple[tuple[int, int], ...]

    def names(self) -> Iterator[str]:
        """A[2][3] ..."""
        return (entry_name(self.step.name, i, j) for i, j in self.places)


def asked(
    derivation: Derivation, blank: tuple[str, ...], level: int, fixed: Fixed = NOTHING
) -> tuple[Asked, ...]:
    """The blanks in the order of the steps: those named, or else those of the level.

    fixed: what is left out of a step unless it is named by row or entry, or there is nothing else.
    InputError for a name that is no step, row or entry, for a step that is given, and for one that
    leaves nothing to be filled in.
    """
    found: dict[str, set[tuple[int, int]]] = {}
    for text in blank or _usual(derivation, level):
        step, places = _places(derivation, text, fixed)
        found.setdefault(step.name, set()).update(places)
    return tuple(
        Asked(step, tuple(sorted(found[step.name])))
        for step in derivation.steps
        if step.name in found
    )


def _usual(derivation: Derivation, level: int) -> tuple[str, ...]:
    last = derivation.steps[-1].name
    needed = way_to(derivation, {last}) if level == 2 else {last}
    steps = [s for s in derivation.derived if s.name in needed]
    return tuple(s.name for s in steps if not isinstance(s.op, UNASKED))


def way_to(derivation: Derivation, names: Collection[str]) -> set[str]:
    """The steps on the way to some, themselves too; for weights their powers of e and the sums."""
    found: set[str] = set()
    for step in reversed(derivation.steps):
        if step.name in names or step.name in found:
            found |= {step.name, *(x.name for x in step.inputs)}
            if isinstance(step.op, Softmax):
                found |= {beside(step.name, "exp"), beside(step.name, "Z")}
    return found


def after(derivation: Derivation, names: Collection[str]) -> set[str]:
    """The steps that rest on some, themselves left out."""
    found: set[str] = set()
    for step in derivation.derived:
        if any(x.name in names or x.name in found for x in step.inputs):
            found.add(step.name)
    return found


def printed(derivation: Derivation, asked: Collection[Asked]) -> tuple[Step, ...]:
    """The steps of a sheet on which every step is worked out, in their order."""
    last, names = derivation.steps[-1].name, {one.step.name for one in asked}
    needed = way_to(derivation, {last})
    before = way_to(derivation, names) - after(derivation, names)
    return tuple(
        step
        for step in derivation.derived
        if step.name in needed
        and (
            step.name in names
            or (step.name in before and not isinstance(step.op, (Contributions, Transpose)))
        )
    )


def worked(derivation: Derivation, names: Collection[str]) -> set[str]:
    """Some steps, and those between them that are worked out on the way from one to another."""
    return {*names, *(after(derivation, names) & way_to(derivation, names))}


def known(derivation: Derivation, names: Collection[str]) -> set[str]:
    """What these steps are worked out from, without going further back; given or derived."""
    found = worked(derivation, names)
    return {x.name for s in derivation.steps if s.name in found for x in s.inputs} - found


def _places(derivation: Derivation, text: str, fixed: Fixed) -> tuple[Step, list[tuple[int, int]]]:
    step, indices = _named(derivation, text)
    if step.op is None:
        raise InputError(f"{step.name} is given, so it cannot be left blank")
    places = [p for p in _open(step) if _fits(step.name, p, indices)]
    if not places:
        raise InputError(
            f"{text.strip()} leaves nothing to be filled in",
            expected="rows 1 to {}, columns 1 to {}".format(*step.shape),
        )
    if not indices:
        places = [p for p in places if p not in fixed.get(step.name, ())] or places
    return step, places


def _named(derivation: Derivation, text: str) -> tuple[Step, tuple[int, ...]]:
    """The step of a name as people write it, with the indices behind it."""
    match = _ASKED.fullmatch(text)
    if match is None or match[1] not in derivation:
        found = next(readings(text, [s.name for s in derivation.steps]), None)
        if found is not None:
            return derivation.step(found[0]), found[1]
    if match is None:
        raise InputError(f'"{text[:60]}" names no blank', expected='such as "O", "A[2]", "A[2][3]"')
    return derivation.step(match[1]), tuple(map(int, re.findall(r"\d+", match[2])))


def _fits(name: str, at: tuple[int, int], indices: tuple[int, ...]) -> bool:
    if len(indices) == 1 and place(name, indices) is None:
        return at[0] == indices[0]
    return not indices or place(name, indices) == at


def _open(step: Step) -> list[tuple[int, int]]:
    """Every entry but those that are -oo."""
    rows, columns = step.shape
    every = [(i, j) for i in range(1, rows + 1) for j in range(1, columns + 1)]
    if step.is_deep:
        return every
    value = step.value
    return [p for p in every if not isinstance(value[p[0] - 1, p[1] - 1], NegativeInfinity)]
