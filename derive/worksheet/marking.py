"""Answers marked: right, with rounding carried, carried forward, a known mistake, or wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from derive.errors import InputError, Place, nearest, quoted
from derive.exact.names import label
from derive.worksheet.answers import Given, number_of
from derive.worksheet.called import blank_called
from derive.worksheet.ends import Ends, bounds_of
from derive.worksheet.hand import Rows
from derive.worksheet.manifest import Blank, Keyed, Wrong
from derive.worksheet.written import is_right

VERDICTS = ("right", "rounding", "carried", "mistake", "wrong", "open", "unreadable", "missing")
"""The digits of the key; another answer that rounding leads to; right after an own wrong step; what
a known mistake leads to; none of these; no number; no answer."""
MOST_TOLD = 20
"""So many rows that cannot be marked are told one by one."""
FULL = ("right", "rounding", "carried")
"""What has all the points."""


@dataclass(frozen=True)
class Marked:
    """An answer with its verdict and points; `wrong` is the known mistake that leads to it."""

    blank: Blank
    text: str
    verdict: str
    points: Fraction
    wrong: Wrong | None = None


@dataclass(frozen=True)
class Paper:
    """A student's sheet, marked."""

    student: str
    sheet: Keyed
    cells: tuple[Marked, ...]

    @property
    def points(self) -> Fraction:
        """What it has."""
        return sum((cell.points for cell in self.cells), Fraction(0))

    @property
    def most(self) -> int:
        """What it could have."""
        return sum(cell.blank.points for cell in self.cells)


def papers(
    sheets: Mapping[str, Keyed],
    answers: Iterable[Given],
    source: str,
    partial: Fraction | None,
    tell: Callable[[InputError], None] | None = None,
) -> Iterator[Paper]:
    """Every student's sheets, in the order of the file; what is not answered is missing.

    partial: the part of the points that a known mistake leaves, None for half of a number that is
    written and nothing of one that is chosen; tell: called with what is wrong with a row that
    names no student, no sheet of the manifest or no blank of it, or has an answer already.
    InputError, before anything is marked, where no row can be marked.
    """
    found, skipped = _gathered(sheets, answers, source)
    if tell:
        for error in skipped[:MOST_TOLD]:
            tell(error)
        if len(skipped) > MOST_TOLD:
            tell(InputError(f"and {len(skipped) - MOST_TOLD:,} more rows"))
    for (student, name), texts in found.items():
        yield Paper(student, sheets[name], tuple(marked(sheets[name], texts, partial)))


def _gathered(
    sheets: Mapping[str, Keyed], answers: Iterable[Given], source: str
) -> tuple[dict[tuple[str, str], dict[str, str]], list[InputError]]:
    """The answers by student and sheet, and what is wrong with the rows that have no place."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    skipped: list[InputError] = []
    for one in answers:
        try:
            _check(sheets, one, source)
        except InputError as error:
            skipped.append(error)
            continue
        texts = found.setdefault((one.student, one.id), {})
        blank = blank_called(one.blank, sheets[one.id].by_id)
        if blank is None or blank in texts:
            skipped.append(_skipped(sheets[one.id], one, source, blank))
        else:
            texts[blank] = one.text
    if skipped and not any(found.values()):
        raise skipped[0]
    return found, skipped


def _check(sheets: Mapping[str, Keyed], one: Given, source: str) -> None:
    place = Place(source, one.line)
    if not one.student:
        raise InputError("the row names no student", place=place)
    if one.id not in sheets:
        close = nearest(one.id, sheets)
        hint = f'did you mean "{close}"?' if close else ""
        raise InputError(f'the keys hold no sheet "{one.id[:60]}"', place=place, hint=hint)
    if sheets[one.id].kind == "explain":
        raise InputError(
            f"{one.id} asks for words, which a person marks",
            place=place,
            expected="answers to sheets of another kind than explain",
        )


def _skipped(sheet: Keyed, one: Given, source: str, blank: str | None) -> InputError:
    """What is wrong with a row that cannot be marked."""
    place = Place(source, one.line)
    if blank is not None:
        message = f"{quoted(one.student)} answers {blank} twice"
        return InputError(message, place=place, hint="the first answer is marked")
    return InputError(
        f'the sheet {one.id} has no blank "{one.blank[:60]}"',
        place=place,
        expected=", ".join(list(sheet.by_id)[:8]) + (" ..." if len(sheet.by_id) > 8 else ""),
    )


def marked(sheet: Keyed, given: Mapping[str, str], partial: Fraction | None) -> Iterator[Marked]:
    """The blanks of a sheet in its order, each with its verdict."""
    texts = {blank.id: blank.written(given.get(blank.id, "")) for blank in sheet.blanks}
    own: dict[str, dict[tuple[int, int], Ends]] = {}
    values = {blank.id: number_of(texts.get(blank.id, "")) for blank in sheet.blanks}
    often = Counter(_cause(w) for b in sheet.blanks for w in _fitting(sheet, b, values[b.id]))
    for cause in _not_made(sheet, values):
        del often[cause]
    steps = list(dict.fromkeys(blank.place[0] for blank in sheet.blanks))
    for name in steps:
        after = sheet.hand.after(own).get(name) if own else None
        cells = [
            _cell(_Looked(sheet, b, values[b.id], after, often), texts.get(b.id, ""), partial)
            for b in sheet.blanks
            if b.place[0] == name
        ]
        yield from cells
        if any(_is_own(cell) for cell in cells):
            own[name] = _own(sheet, cells)


def _is_own(cell: Marked) -> bool:
    """Whether a number is the student's own."""
    return not cell.blank.accepts and cell.verdict not in ("right", "rounding", "missing")


def _cause(wrong: Wrong) -> tuple[str, str]:
    return wrong.mistake, wrong.step


def _fitting(sheet: Keyed, blank: Blank, value: Fraction | None) -> Iterator[Wrong]:
    """The mistakes that lead to the answer."""
    half = Fraction(1, 2 * 10**sheet.places)
    for wrong in blank.mistakes:
        if value is not None and wrong.low - half <= value <= wrong.high + half:
            yield wrong


def _not_made(sheet: Keyed, values: Mapping[str, Fraction | None]) -> set[tuple[str, str]]:
    """The mistakes that the answers to the very step they are made at speak against.

    In no head do half of the answers that would show it fit.  What is chosen says what it is.
    """
    told: dict[tuple[str, str], dict[str, list[bool]]] = {}
    for blank in (b for b in sheet.blanks if not b.options):
        name, value = blank.place[0], values[blank.id]
        fitting = set(map(_cause, _fitting(sheet, blank, value)))
        for cause in map(_cause, blank.mistakes):
            if value is not None and _is_at(name, cause[1]):
                told.setdefault(cause, {}).setdefault(name, []).append(cause in fitting)
    return {
        cause
        for cause, steps in told.items()
        if all(2 * sum(fit) < len(fit) for fit in steps.values())
    }


def _is_at(name: str, letter: str) -> bool:
    """Whether a mistake is made at a step: at that of its letter, or in every head and part."""
    return name == letter or label(name).base == letter


@dataclass(frozen=True)
class _Looked:
    """An answer as it is looked at.

    after: what its step comes to from the student's own numbers; often: how many answers of the
    sheet each mistake explains that may have been made.
    """

    sheet: Keyed
    blank: Blank
    value: Fraction | None
    after: Rows | None
    often: Mapping[tuple[str, str], int]


def _own(sheet: Keyed, cells: Sequence[Marked]) -> dict[tuple[int, int], Ends]:
    """The student's own numbers of a step, give or take half a unit; the others are right."""
    found = {}
    for cell in cells:
        value = number_of(cell.text)
        if value is not None:
            _, i, j = cell.blank.place
            found[i - 1, j - 1] = sheet.hand.arithmetic.given(value)
    return found


def _cell(looked: _Looked, text: str, asked: Fraction | None) -> Marked:
    blank = looked.blank
    if blank.accepts:
        return _in_words(blank, text)
    partial = asked if asked is not None else Fraction(0 if blank.options else 1, 2)
    if looked.value is None:
        return Marked(blank, text, "unreadable" if text else "missing", Fraction(0))
    verdict, wrong = _verdict(looked, looked.value)
    share = Fraction(1) if verdict in FULL else partial if verdict == "mistake" else Fraction(0)
    return Marked(blank, text, verdict, share * blank.points, wrong)


def _in_words(blank: Blank, text: str) -> Marked:
    """What is no number: right, wrong, or for a person to look at."""
    is_found = is_right(text, blank.accepts)
    verdict = "right" if is_found else "open" if blank.is_open else "wrong"
    points = Fraction(blank.points if is_found else 0)
    return Marked(blank, text, verdict if text else "missing", points)


def _verdict(looked: _Looked, value: Fraction) -> tuple[str, Wrong | None]:
    blank, half = looked.blank, Fraction(1, 2 * 10**looked.sheet.places)
    if abs(value - Fraction(blank.key)) <= (half if "e" not in blank.key else 0):
        return "right", None
    if blank.low - half <= value <= blank.high + half:
        return "rounding", None
    if _is_carried(looked, value, half):
        return "carried", None
    fitting = [w for w in _fitting(looked.sheet, blank, value) if looked.often[_cause(w)]]
    if fitting:
        return "mistake", max(fitting, key=lambda w: looked.often[_cause(w)])
    return "wrong", None


def _is_carried(looked: _Looked, value: Fraction, half: Fraction) -> bool:
    """Whether the answer follows from the student's own numbers."""
    if looked.after is None:
        return False
    _, i, j = looked.blank.place
    ends = bounds_of(looked.after[i - 1][j - 1])
    if ends is None:
        return False
    low, high = (2 * half * end for end in ends)
    return low - half <= value <= high + half
