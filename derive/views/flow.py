"""Displays one after the other in a line, as far as they fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from derive.exact.trace import Name
from derive.render.blocks import Chain, Equations, Formulas
from derive.views.measure import PAGE_WIDTH, Measure


def flowing(measure: Measure, blocks: Iterable[Any]) -> Iterator[Any]:
    """The blocks, with displays after each other in one flow, so far as they fit a line."""
    flow: list[Chain] = []
    for block in blocks:
        chains = block.chains if isinstance(block, (Formulas, Equations)) else ()
        if chains and all(measure.line(chain) <= PAGE_WIDTH for chain in chains):
            flow += chains
            continue
        yield from _flow(flow)
        flow = []
        yield block
    yield from _flow(flow)


def _flow(chains: list[Chain]) -> Iterator[Any]:
    """A result by itself stays an equation, which a notebook knows."""
    if len(chains) == 1 and isinstance(chains[0].first, Name):
        yield Equations(tuple(chains))
    elif chains:
        yield Formulas(tuple(chains))
