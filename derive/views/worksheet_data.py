"""Worksheets as data: the manifest, a line for each variant, and the table of the keys."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from derive.views.problem import problem_toml
from derive.worksheet.choices import offered
from derive.worksheet.deriving import seeds, slope_of
from derive.worksheet.keys import Answer, decimal
from derive.worksheet.kinds import NUMERIC, TABLES
from derive.worksheet.plan import GENERATOR
from derive.worksheet.planted import told_but_planted
from derive.worksheet.search import Variant
from derive.worksheet.written import Written, written

COLUMNS = ("id", "blank", "key", "low", "high", "points", "exact")


def manifest(variants: Sequence[Variant], *, choices: bool = False) -> str:
    """A line of JSON for each variant: what it is, its blanks with their answers, its mistakes.

    choices: whether numbers are chosen; then each blank has its options in their order.
    """
    return "".join(_line(v, choices) if choices or not v.line else v.line for v in variants)


def _line(variant: Variant, choices: bool) -> str:
    return json.dumps(record(variant, choices), ensure_ascii=False, sort_keys=True) + "\n"


def record(variant: Variant, choices: bool = False) -> dict[str, Any]:
    """One variant: enough to mark answers, and the problem as TOML to derive it again."""
    plan = variant.plan
    unseen = () if plan.kind in TABLES else variant.key.unseen
    chosen = _options(variant) if choices else {}
    return {
        "id": variant.id,
        "generator": GENERATOR,
        "problem": plan.problem.name,
        "seed": plan.seed,
        "pool": plan.pool,
        "index": variant.index,
        "attempt": variant.attempt,
        "level": plan.level,
        "places": plan.form.places,
        "rounding": plan.form.rounding,
        "constraints": asdict(plan.constraints),
        "difficulty": asdict(variant.candidate.difficulty),
        "toml": problem_toml(variant.candidate.problem),
        "blanks": [
            *(() if choices else map(_written, written(variant))),
            *(
                _blank(variant, answer) | ({"options": chosen[answer.blank]} if choices else {})
                for answer in _numbers(variant)
                if answer.blank in chosen or not choices
            ),
        ],
        "unseen": [{"mistake": name, "step": letter} for name, letter in unseen],
    } | _of_kind(variant)


def _of_kind(variant: Variant) -> dict[str, Any]:
    """What other kinds than to be worked out need to be marked."""
    plan, derivation = variant.plan, variant.candidate.derivation
    printed = variant.candidate.program.trace.printed
    found: dict[str, Any] = {} if plan.kind == "compute" else {"kind": plan.kind}
    if printed:
        found["printed"] = [s.name for s in derivation.steps if s.name in printed]
    for seed in seeds(plan):
        rows = variant.candidate.given[seed.name]
        source = slope_of(seed.name)
        wrt = [slope_of(one.step.name) for one in variant.candidate.asked]
        found["gradient"] = {"source": source, "seed": [list(row) for row in rows], "wrt": wrt}
    return found


def _numbers(variant: Variant) -> Iterator[Answer]:
    """The blanks with a tolerance: of a planted mistake only the end, of words none."""
    kind, last = variant.plan.kind, variant.candidate.derivation.steps[-1].name
    if kind == "find-mistake":
        yield from (a for a in variant.key.answers if a.step == last)
    elif kind in NUMERIC:
        yield from variant.key.answers


def _written(one: Written) -> dict[str, Any]:
    return {"id": one.id, "accepts": list(one.accepts), "points": one.points, "open": one.is_open}


def _options(variant: Variant) -> dict[str, list[str]]:
    return {one.answer.blank: [digits for digits, _ in one.options] for one in offered(variant)}


def _blank(variant: Variant, answer: Answer) -> dict[str, Any]:
    places = variant.plan.form.places
    return {
        "id": answer.blank,
        "exact": answer.exact,
        "key": answer.key,
        "low": decimal(answer.low, places),
        "high": decimal(answer.high, places),
        "points": answer.points,
        "mistakes": list(_mistakes(variant, answer.blank)),
    }


def _mistakes(variant: Variant, blank: str) -> Iterator[dict[str, Any]]:
    places = variant.plan.form.places
    is_planted = variant.plan.kind == "find-mistake"
    for told in told_but_planted(variant) if is_planted else variant.key.told:
        for wrong in told.wrong:
            if wrong.blank == blank:
                yield {
                    "mistake": told.name,
                    "step": told.letter,
                    "digits": told.digits.get(blank, ""),
                    "low": decimal(wrong.low, places),
                    "high": decimal(wrong.high, places),
                }


def keys_csv(variants: Sequence[Variant]) -> str:
    """The keys as CSV, a line for each blank; words have no ends, and reasons no key."""
    return as_csv(row for variant in variants for row in _rows(variant))


def as_csv(rows: Iterable[Sequence[object]]) -> str:
    """Rows below the names of COLUMNS."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return out.getvalue()


def _rows(variant: Variant) -> Iterator[Sequence[object]]:
    for one in written(variant):
        yield variant.id, one.id, one.accepts[0], "", "", one.points, ""
    for answer in _numbers(variant):
        ends = (decimal(n, variant.plan.form.places) for n in (answer.low, answer.high))
        yield variant.id, answer.blank, answer.key, *ends, answer.points, answer.exact
