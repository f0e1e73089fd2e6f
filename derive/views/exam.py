"""A worksheet as a notebook: what is given as Python, matrices to be typed, and their tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.exact import NegativeInfinity, Scalar
from derive.exact.ink import PLAIN
from derive.exact.names import identifier_step
from derive.exact.write import Writer
from derive.render.blocks import Fields, Formulas, Heading, Page, Text
from derive.render.quiz import Code, Span, plain
from derive.step import Step
from derive.views.options import comes_of
from derive.views.quiz import NUMBERS, span, told_digits
from derive.views.worksheet_kinds import sheet_of
from derive.worksheet.keys import Answer
from derive.worksheet.search import Variant

_WRITER = Writer(PLAIN)


def exam(
    variants: Sequence[Variant], lang: str, *, hints: bool = False, partial: int | None = None
) -> Iterator[Page | Code]:
    """The cells of every variant; partial: per cent of the points for a known mistake."""
    for variant in variants:
        yield from Exam(variant, lang, hints, NUMBERS if partial is None else partial).cells()


class Exam:
    """One variant in cells."""

    def __init__(self, variant: Variant, lang: str, hints: bool, partial: int) -> None:
        """partial: per cent of the points that a known mistake keeps."""
        self.sheet, self.partial = sheet_of(variant, lang, hints=hints), partial
        self.variant, self.lang = variant, lang

    def cells(self) -> Iterator[Page | Code]:
        """The sheet as text, the given matrices as Python, then step by step."""
        sheet = self.sheet
        known = [step for step in sheet.shown() if step.name not in sheet.asked]
        yield self.text(
            Heading(sheet.title, 1),
            *sheet.instructions(),
            *sheet.given(),
            *(sheet.known(known) if known else ()),
        )
        yield Code(f"{self.variant.id}-given", "given", tuple(self.given()))
        for one in sheet.asked.values():
            yield self.text(*self.asked(one.step))
            yield self.solution(one.step)
            for answer in self.variant.key.answers:
                if answer.step == one.step.name:
                    yield self.tests(answer)

    def text(self, *blocks: Any) -> Page:
        """Blocks as a cell; nobody writes a name on a notebook."""
        kept = tuple(block for block in blocks if not isinstance(block, Fields))
        return Page(self.sheet.title, self.lang, kept)

    def given(self) -> Iterator[str]:
        """The given matrices and those worked out exactly."""
        for step in self.sheet.read_from():
            rows = [[_number(x) for x in row] for row in step.value.rows]
            yield f"{identifier_step(step.name)} = {_listed(rows)}"

    def asked(self, step: Step) -> Iterator[Any]:
        """What is to be worked out, and how."""
        heading = self.sheet.heading(step)
        yield Heading(str(self.sheet.say("worth", heading, self.sheet.worth(self.of(step)))))
        if self.sheet.hints:
            yield Text(self.sheet.reason(step))
        rules = tuple(self.sheet.results.rules(step))
        yield Formulas(rules if self.sheet.hints else rules[:1])

    def of(self, step: Step) -> Any:
        """The blanks of a step."""
        return self.sheet.asked[step.name]

    def solution(self, step: Step) -> Code:
        """The matrix to be typed."""
        name, form = identifier_step(step.name), self.variant.plan.form
        rows = [
            [_digits(c.digits) for c in r] for r in self.sheet.derivation.certified(step.name, form)
        ]
        said = self.sheet.say("rows", f"{name} = [[..., ...], ...]", form.places)
        hidden = (f"{name} = {_listed(rows)}",)
        return Code(f"{self.variant.id}-{name}", "solution", (f"# {said}",), hidden)

    def tests(self, answer: Answer) -> Code:
        """What tells whether a number is right."""
        name = identifier_step(answer.step)
        place = f"{name}[{answer.row - 1}][{answer.column - 1}]"
        number = f"{name}-{answer.row}-{answer.column}"
        shown = (f"# {self.sheet.say('worth', place, answer.points)}",)
        hidden = tuple(self.judged(place, answer))
        return Code(f"{self.variant.id}-{number}", "tests", shown, hidden, answer.points)

    def judged(self, place: str, answer: Answer) -> Iterator[str]:
        """Lines that end with the points."""
        places = self.variant.plan.form.places
        right = span(answer.low, answer.high, places)
        yield f"x, points = float({place}), {answer.points}"
        yield f"if not {_between(right)}:"
        yield "    points = 0"
        worth = f"{answer.points * self.partial / 100:g}"
        for told in self.variant.key.told:
            for w in told.wrong:
                if w.blank == answer.blank:
                    said = plain(comes_of(told_digits(told, w, places), told, self.lang))
                    yield f"    if {_between(span(w.low, w.high, places))}:"
                    yield f"        points = {worth}; print({said!r})"
        yield f"    assert points, {f'{place} = '!r} + str(x)"
        yield "points"


def _between(found: Span) -> str:
    return f"{found.low} <= x <= {found.high}"


def _number(x: Scalar | NegativeInfinity) -> str:
    return 'float("-inf")' if isinstance(x, NegativeInfinity) else _WRITER.text(x)


def _digits(text: str | None) -> str:
    return 'float("-inf")' if text == "-oo" else text or "None"


def _listed(rows: Sequence[Sequence[str]]) -> str:
    return f"[{', '.join('[' + ', '.join(row) + ']' for row in rows)}]"
