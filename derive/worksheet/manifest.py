"""A manifest read again: what is needed to mark answers."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from derive.derivation import Derivation
from derive.errors import InputError, Place
from derive.exact import Matrix, matrix
from derive.gradients import sweep
from derive.models import MODELS
from derive.numerals import MOST_INTEGER_DIGITS
from derive.places import parse_place
from derive.read import read_toml
from derive.read.files import read_lines, source_name
from derive.worksheet.hand import ByHand
from derive.worksheet.kinds import MOST_PLACES

KEPT = 200
"""So many sheets are kept though no answer is to them: a wrong number may be one of theirs."""
_DECIMAL = re.compile(r"-?\d{1,40}(\.\d{1,12})?(e-?\d{1,5})?")


@dataclass(frozen=True)
class Wrong:
    """What a mistake leads to in a blank."""

    mistake: str
    step: str
    digits: str
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class Blank:
    """A blank of a sheet: its digits, and the answers that are right.

    options: the numerals to choose from, by the letters A, B ...; none where a number is written.
    accepts: what is right where no number is; is_open: whether other words may be right as well.
    """

    id: str
    key: str
    low: Fraction
    high: Fraction
    points: int
    mistakes: tuple[Wrong, ...]
    options: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()
    is_open: bool = False

    def written(self, text: str) -> str:
        """What an answer comes to: the numeral of a letter, else itself."""
        letters = dict(zip("ABCDEFGH", self.options, strict=False))
        return letters.get(text.strip(" .()").upper(), text)

    @cached_property
    def place(self) -> tuple[str, int, int]:
        """(step, row, column), counted from 1; of words what stands before the dot."""
        return (
            (self.id.rpartition(".")[0] or self.id, 0, 0) if self.accepts else parse_place(self.id)
        )


@dataclass(frozen=True)
class Back:
    """The way back of a gradient: the step it begins at, the gradient there, and by what."""

    source: str
    seed: Matrix
    wrt: tuple[str, ...]


@dataclass(frozen=True)
class Keyed:
    """One sheet of a manifest."""

    id: str
    toml: str
    places: int
    blanks: tuple[Blank, ...]
    kind: str = "compute"
    printed: tuple[str, ...] = ()
    back: Back | None = None

    @cached_property
    def derivation(self) -> Derivation:
        """The derivation of its problem."""
        problem = read_toml(self.toml, self.id)
        forward = MODELS[problem.model].derive(problem)
        if self.back is None:
            return forward
        return sweep(forward, self.back.source, self.back.seed, self.back.wrt).derivation

    @cached_property
    def hand(self) -> ByHand:
        """What every step comes to by hand."""
        return ByHand(self.derivation, self.places, self.printed)

    @cached_property
    def by_id(self) -> Mapping[str, Blank]:
        """The blanks by their names."""
        return {blank.id: blank for blank in self.blanks}


def read_manifest(path: str, wanted: Collection[str] | None = None) -> dict[str, Keyed]:
    """The sheets of a manifest by their identifiers; InputError with the line that is none.

    wanted: the identifiers of those that are needed; of the others only the first are kept.
    """
    source = source_name(path)
    found: dict[str, Keyed] = {}
    seen: set[str] = set()
    for line, text in read_lines(path):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
            name = str(row["id"])
            is_kept = wanted is None or name in wanted or len(found) < KEPT
            sheet = _keyed(row) if is_kept else None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"the line is no sheet of a manifest: {_reason(error)}",
                place=Place(source, line),
                expected="the .jsonl file that derive worksheet -o writes",
            ) from None
        if name in seen:
            raise InputError(f"{name} stands there twice", place=Place(source, line))
        seen.add(name)
        if sheet is not None:
            found[name] = sheet
    if not found:
        raise InputError(f"{source} holds no sheets", expected="a manifest of derive worksheet")
    return found


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error.args[0]}"
    return "it is no JSON" if isinstance(error, json.JSONDecodeError) else str(error)[:200]


def _keyed(row: Mapping[str, Any]) -> Keyed:
    places = int(row["places"])
    if not 0 <= places <= MOST_PLACES:
        raise ValueError(f"{places} places")
    blanks = tuple(_blank(one) for one in row["blanks"])
    names = tuple(map(str, row.get("printed", ())))
    back = _back(row["gradient"]) if row.get("gradient") else None
    kind = str(row.get("kind", "compute"))
    return Keyed(str(row["id"]), str(row["toml"]), places, blanks, kind, names, back)


def _back(row: Mapping[str, Any]) -> Back:
    seed = matrix([[int(x) for x in line] for line in row["seed"]])
    return Back(str(row["source"]), seed, tuple(map(str, row["wrt"])))


def _blank(row: Mapping[str, Any]) -> Blank:
    if int(row["points"]) < 0:
        raise ValueError(f"{row['id']} has {int(row['points'])} points")
    if "accepts" in row:
        accepts = tuple(map(str, row["accepts"]))
        if not accepts:
            raise ValueError(f"nothing is right at {row['id']}")
        zero, points = Fraction(0), int(row["points"])
        found = Blank(str(row["id"]), accepts[0], zero, zero, points, ())
        return replace(found, accepts=accepts, is_open=bool(row["open"]))
    wrong = tuple(
        Wrong(
            str(one["mistake"]),
            str(one["step"]),
            str(one["digits"]),
            *_ends(one["low"], one["high"]),
        )
        for one in row["mistakes"]
    )
    points = int(row["points"])
    ends = _ends(row["low"], row["high"])
    options = tuple(map(str, row.get("options", ())))
    return Blank(str(row["id"]), str(row["key"]), *ends, points, wrong, options)


def _ends(low: Any, high: Any) -> tuple[Fraction, Fraction]:
    for text in (low, high):
        if not _DECIMAL.fullmatch(str(text)) or len(str(text)) > 4 * MOST_INTEGER_DIGITS:
            raise ValueError(f"{str(text)[:40]!r} is no decimal")
    return Fraction(str(low)), Fraction(str(high))
