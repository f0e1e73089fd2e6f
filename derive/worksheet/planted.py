"""A derivation with one mistake in it, whose consequences are carried through correctly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from derive.digits import digits_of
from derive.errors import InputError
from derive.exact import Matrix
from derive.exact.ball import precision
from derive.exact.enclosure import Enclosures
from derive.exact.names import label
from derive.numerals import Format
from derive.worksheet.draws import below, words_of
from derive.worksheet.keys import Told, mistaken
from derive.worksheet.mistakes import Slip, slips
from derive.worksheet.plan import GENERATOR
from derive.worksheet.program import BITS
from derive.worksheet.search import Variant


@dataclass(frozen=True)
class Planted:
    """The mistake, and the numerals of every step that it changes, row by row."""

    slip: Slip
    changed: Mapping[str, tuple[tuple[str, ...], ...]]


def planted(variant: Variant) -> Planted:
    """One of the mistakes that show where they are made, drawn by the variant's number.

    InputError where none does.
    """
    shown = {(t.name, t.letter) for t in variant.key.told if _shows(variant, t.letter, t.wrong)}
    every = [x for s in _slips(variant) if (s.name, s.letter) in shown for x in _once(s)]
    form = variant.plan.form
    while every:
        (k,) = below(words_of(GENERATOR, variant.id, "mistake", len(every)), len(every), 1)
        slip = every.pop(k)
        found = numerals_after(variant, slip)
        if all(all(row) for rows in found.values() for row in rows) and _is_seen(slip, found, form):
            return Planted(slip, found)
    raise InputError(
        f"no mistake shows in {variant.id}", hint="another problem or seed has more of them"
    )


def told_but_planted(variant: Variant) -> tuple[Told, ...]:
    """The known mistakes but for the planted one, whose numbers stand on the sheet."""
    slip = planted(variant).slip
    own = slip.name, label(slip.letter).base
    return tuple(t for t in variant.key.told if (t.name, label(t.letter).base) != own)


def _once(slip: Slip) -> Iterator[Slip]:
    """The mistake at one step alone: the sheet says that one is wrong."""
    return (replace(slip, steps=(step,)) for step in slip.steps)


def _is_seen(slip: Slip, found: Mapping[str, Any], form: Format) -> bool:
    """Whether the step can be had by mistake, and has other digits then, in this head too."""
    (step,) = slip.steps
    with precision(BITS):
        right = Enclosures.of(step.enclosure(BITS))
    return found.get(step.name) not in (None, tuple(_rows(right, form)))


def numerals_after(variant: Variant, slip: Slip) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The numerals of every step that a mistake changes; "" where one is not proved."""
    changed = mistaken(variant.candidate.derivation, slip)
    return {n: tuple(_rows(m, variant.plan.form)) for n, m in changed.items()}


def others_than(slip: Slip, variant: Variant, most: int) -> list[Slip]:
    """Other mistakes that can be made in a derivation, those of the same step first, no two called
    alike; none of them leads to what stands there."""
    every = list(_slips(variant))
    every.sort(key=lambda one: label(one.letter).base != label(slip.letter).base)
    right, names = numerals_after(variant, slip), {slip.name}
    found: list[Slip] = []
    for one in every:
        if one.name not in names and len(found) < most:
            found += [one] if numerals_after(variant, one) not in ({}, right) else []
            names.add(one.name)
    return found


def _slips(variant: Variant) -> Iterator[Slip]:
    return slips(variant.candidate.derivation, variant.candidate.program.made)


def _shows(variant: Variant, letter: str, wrong: tuple[Any, ...]) -> bool:
    """Whether the step itself has other digits, so that it can be found there."""
    steps = {s.name for slip in _slips(variant) for s in slip.steps if slip.letter == letter}
    at = {a.blank: a.step for a in variant.key.answers}
    return any(at[w.blank] in steps for w in wrong)


def _rows(matrix: Matrix, form: Format) -> Iterator[tuple[str, ...]]:
    """Integers as such where all are whole, or a decimal point would give the mistake away."""
    with precision(BITS):
        is_whole = all(bool(x.is_integer()) for x in matrix if x.is_finite())
        shown = Format(0, rounding=form.rounding) if is_whole else form
        for row in matrix.rows:
            yield tuple(digits_of(x, shown) or "" for x in row)
