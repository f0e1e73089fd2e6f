"""The step that a quantity is: as it was printed without its name, or as it surely is."""

from __future__ import annotations

from collections.abc import Iterable

from derive.verify.grammar.grids import Grid
from derive.verify.known.steps import Steps

PRINTED = frozenset("Q' K' O LN F MHA act masked biased".split())
"""Names of steps that mean what was printed of them without a name."""


def of_kind(steps: Steps, kind: str) -> Grid | None:
    """The step of a quantity."""
    if kind == "concat":
        return next((step for step in steps.several() if step and step.name == kind), None)
    if kind in ("Q", "K", "V"):
        return steps.projection(kind)
    if kind in ("S", "scaled", "A"):
        known = [step for step in steps.all() if step.name == kind]
        sure = (step for step in known if id(step) in steps.sure)
        return next(iter((*_printed(known), *sure)), None)
    if kind in PRINTED and (known := _printed(steps.latest())):
        return next((step for step in known if step.name == kind), None)
    return None


def _printed(steps: Iterable[Grid]) -> list[Grid]:
    """The steps of which every entry is printed."""
    return [step for step in steps if step.made is not None and step.is_printed]
