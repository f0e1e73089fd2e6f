"""Hundreds of worksheets as one PDF: the source of their pages is written on all cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from derive.processes import Lost, cores
from derive.render import typst
from derive.render.blocks import Page
from derive.render.pdf import compiled
from derive.worksheet.batches import here
from derive.worksheet.plan import Plan
from derive.worksheet.search import Variant, at

MANY, BATCH = 200, 50
"""So many are worth more than one process, and are written at a time."""
View = Callable[[Sequence[Variant]], Page]


def pdf_of_many(variants: Sequence[Variant], view: View) -> bytes:
    """The page of `view` as PDF by the built-in engine: the same bytes on any number of cores."""
    first, plan = view(variants[:1]), variants[0].plan
    places = [(v.index, v.attempt) for v in variants]
    batches = [places[k : k + BATCH] for k in range(0, len(places), BATCH)]
    found: dict[int, str] = {}
    for k, result in here(partial(_body, plan, view), batches, _jobs(len(variants))):
        is_lost = isinstance(result, Lost)
        found[k] = _body(plan, view, batches[k]) if is_lost else result
    source = typst.joined(found[k] for k in range(len(batches)))
    return compiled(typst.wrapped(first.lang, first.title, source), lambda: view(variants))


def _body(plan: Plan, view: View, places: Sequence[tuple[int, int]]) -> str:
    return typst.body(view([at(plan, *place) for place in places]))


def _jobs(count: int) -> int:
    return cores() if count >= MANY else 1
