"""Entries that a mask fixes whatever the numbers are: they stand on a sheet, and are not asked for.

A forbidden weight is 0, the weight of a query that sees one key alone is 1, and its output is that
key's value; no gradient goes back through either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from derive.derivation import Derivation
from derive.exact import NegativeInfinity
from derive.exact.names import gradient_name
from derive.ops import Exponential, Linear, Mask, Mix, Scale, Softmax
from derive.step import Step
from derive.worksheet.plan import Plan
from derive.worksheet.whole import forbidden, turned

Places = frozenset[tuple[int, int]]
"""Rows and columns, counted from 1."""
EMPTY_PAGE = 3
"""The level at which no value stands on the sheet, so that no output is a mere copy."""


def fixed(plan: Plan, derivation: Derivation) -> Mapping[str, Places]:
    """By the name of a step; none where the mask itself is what is asked about."""
    if plan.kind not in ("compute", "gradient"):
        return {}
    found = dict(_of_weights(derivation))
    if plan.level != EMPTY_PAGE:
        found |= _of_outputs(derivation, found)
    return found | dict(_of_gradients(derivation, found))


def _of_weights(derivation: Derivation) -> Iterator[tuple[str, Places]]:
    for step in derivation.derived:
        if isinstance(step.op, (Softmax, Exponential)) and (shut := _shut(step.inputs[0])):
            single = _single(shut, step.op.along) if isinstance(step.op, Softmax) else frozenset()
            yield step.name, frozenset(_marked(shut)) | single


def _shut(scores: Step) -> Sequence[Sequence[int]]:
    """Where scores are -oo; empty where none is."""
    op: Any = scores.op
    if not isinstance(op, Mask) or not isinstance(op.value, NegativeInfinity):
        return []
    return forbidden(op.forbidden)


def _marked(shut: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    return ((i, j) for i, row in enumerate(shut, 1) for j, is_shut in enumerate(row, 1) if is_shut)


def _single(shut: Sequence[Sequence[int]], along: str) -> Places:
    """The weights that have no other beside them."""
    by_rows = along == "rows"
    lines = shut if by_rows else turned(shut)
    alone = ((k, list(row).index(0) + 1) for k, row in enumerate(lines, 1) if _sees_one(row))
    return frozenset(at if by_rows else at[::-1] for at in alone)


def _sees_one(row: Sequence[int]) -> bool:
    return sum(not x for x in row) == 1


def _of_outputs(derivation: Derivation, weights: Mapping[str, Places]) -> dict[str, Places]:
    """The outputs that are the value of one token."""
    found: dict[str, Places] = {}
    for step in derivation.derived:
        shares = next((x for x in step.inputs if isinstance(x.op, Softmax)), None)
        if isinstance(step.op, (Mix, Linear)) and shares is not None and shares.name in weights:
            op: Any = shares.op
            rows, columns = step.shape
            alone = _single(_shut(shares.inputs[0]), op.along)
            if op.along == "rows":
                at = {(i, j) for i, _ in alone for j in range(1, columns + 1)}
            else:
                at = {(i, j) for _, j in alone for i in range(1, rows + 1)}
            found[step.name] = frozenset(at)
    return found


def _of_gradients(
    derivation: Derivation, weights: Mapping[str, Places]
) -> Iterator[tuple[str, Places]]:
    """Of scores, back from the weights to what they were before mask and scale."""
    for step in derivation.derived:
        if isinstance(step.op, Softmax) and step.name in weights:
            before = step.inputs[0]
            while isinstance(before.op, (Mask, Scale)):
                yield gradient_name(before.name), weights[step.name]
                before = before.inputs[0]
            yield gradient_name(before.name), weights[step.name]
