"""A derivation with one mistake in it, whose consequences are carried through correctly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from derive.digits import digits_of
from derive.errors import InputError
from derive.exact import Matrix
from derive.exact.ball import precision
from derive.numerals import Format
from derive.worksheet.draws import below, words_of
from derive.worksheet.keys import mistaken
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
    derivation = variant.candidate.derivation
    every = [s for s in slips(derivation) if (s.name, s.letter) in shown]
    while every:
        (k,) = below(words_of(GENERATOR, variant.id, "mistake", len(every)), len(every), 1)
        slip = every.pop(k)
        changed = mistaken(derivation, slip)
        found = {n: tuple(_rows(m, variant.plan.form)) for n, m in changed.items()}
        if all(all(row) for rows in found.values() for row in rows):
            return Planted(slip, found)
    raise InputError(
        f"no mistake shows in {variant.id}", hint="another problem or seed has more of them"
    )


def _shows(variant: Variant, letter: str, wrong: tuple[Any, ...]) -> bool:
    """Whether the step itself has other digits, so that it can be found there."""
    steps = {s.name for slip in slips(variant.candidate.derivation) for s in slip.steps
             if slip.letter == letter}  # fmt: skip
    at = {a.blank: a.step for a in variant.key.answers}
    return any(at[w.blank] in steps for w in wrong)


def _rows(matrix: Matrix, form: Format) -> Iterator[tuple[str, ...]]:
    """Integers as such where all are whole, or a decimal point would give the mistake away."""
    with precision(BITS):
        is_whole = all(bool(x.is_integer()) for x in matrix if x.is_finite())
        shown = Format(0, rounding=form.rounding) if is_whole else form
        for row in matrix.rows:
            yield tuple(digits_of(x, shown) or "" for x in row)
