"""The key of a worksheet as a page: values, the right answers, and what mistakes come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.exact.names import label, shown
from derive.exact.trace import Digits, Entry, Name
from derive.ops import Softmax
from derive.places import parse_place
from derive.render.blocks import Break, Chain, Formulas, Heading, Inline, Note, Page, Table, Text
from derive.views.measure import PAGE_WIDTH
from derive.views.results import displayed_sum
from derive.views.worksheet import Sheet
from derive.words import phrase, words
from derive.worksheet.deriving import seeds, slope_of
from derive.worksheet.difficulty import NORMAL
from derive.worksheet.drawing import INPUTS, inputs_of
from derive.worksheet.keys import Answer, Told, decimal
from derive.worksheet.search import Variant

TALL = 18
"""So many rows of a table stand together, so that a page can hold them twice."""
FEW = 4
"""A table of no more rows stands by itself."""
COUNTED = ("sums", "products", "quotients", "roots", "powers")
"""What is counted of the work by hand, beside negative numbers."""


def key_page(variants: Sequence[Variant], lang: str) -> Page:
    """The keys, each on a page of its own."""
    blocks: list[Any] = []
    for variant in variants:
        blocks += [Break()] if blocks else []
        blocks += KeySheet(variant, lang).blocks()
    return Page(KeySheet(variants[0], lang).title, lang, tuple(blocks))


class KeySheet(Sheet):
    """The key of one variant."""

    @property
    def title(self) -> str:
        """That it is the key, and of what."""
        return str(self.say("key title", super().title))

    @property
    def places(self) -> int:
        """The places of its decimals."""
        return self.variant.plan.form.places

    def blocks(self) -> Iterator[Any]:
        """The whole key."""
        yield Heading(self.title, 1)
        yield Text(self.say("id", self.variant.id))
        yield from self.given()
        yield Heading(str(self.say("answers")))
        yield from self.answers()
        yield from self.not_asked()
        yield from self.tolerances()
        yield from self.mistakes()
        yield from self.drawn()

    def answers(self) -> Iterator[Any]:
        """What belongs in the blanks."""
        found: list[Chain] = []
        for one in self.asked.values():
            found.append(Chain(Name(one.step.name), tuple(self.sides(one.step, PAGE_WIDTH // 2))))
            notes = tuple(self.sums(one.step))
            if notes:
                yield Formulas(tuple(found))
                yield from notes
                found = []
        if found:
            yield Formulas(tuple(found))

    def not_asked(self) -> Iterator[Any]:
        """The entries that the mask alone fixes, which stand on the sheet."""
        program = self.variant.candidate.program
        found = [
            Entry(one.step.name, shown(one.step.name, i, j))
            for one in self.asked.values()
            for i, j in sorted(set(program.fixed.get(one.step.name, ())) - set(one.places))
        ]
        if found:
            yield Note((self.say("fixed"), *self.listed(found), self.say("stop")))

    def sums(self, step: Any) -> Iterator[Any]:
        """Rows of weights whose decimals do not add up to 1, which is as it should be."""
        if not isinstance(step.op, Softmax):
            return
        by_rows = step.op.along == "rows"
        rows = self.derivation.certified(step.name, self.variant.plan.form)
        for i, row in enumerate(rows if by_rows else zip(*rows, strict=True), 1):
            total = displayed_sum([c.digits for c in row])
            if total is not None and total != 1:
                yield Note(self.say("sum", i, f"{total:f}"))

    # --- which answers are right

    def tolerances(self) -> Iterator[Any]:
        """The least and the largest answer, where there is more than one."""
        answers = self.variant.key.answers
        wide = [a for a in answers if a.low < a.high]
        if not wide:
            yield Text(self.say("no tolerance"))
            return
        yield Text(self.say("tolerance", self.places))
        header = tuple(self.say(key) for key in ("blank", "key", "from", "to"))
        yield from abreast(header, [self.row(a) for a in wide])
        if len(wide) < len(answers):
            yield Text(self.say("others exact"))

    def row(self, answer: Answer) -> tuple[Inline, ...]:
        """A blank, its digits, and the ends of what is right."""
        ends = (self.number(answer.low), self.number(answer.high))
        return ((_entry(answer.blank),), (Digits(answer.key),), *((x,) for x in ends))

    def number(self, n: int) -> Digits:
        """So many units of the last place."""
        return Digits(decimal(n, self.places))

    # --- what mistakes come to

    def mistakes(self) -> Iterator[Any]:
        """What each comes to where it shows, and those that do not show."""
        key = self.variant.key
        if key.told:
            yield Heading(str(self.say("mistakes")))
            yield Text(self.say("mistakes say"))
            header = tuple(self.say(k) for k in ("mistake", "blank", "comes to", "in place of"))
            yield Table(header, tuple(map(self.told, key.told)), (2, 3))
        if key.unseen:
            said: list[Any] = [self.say("unseen"), phrase("space", self.lang)]
            for k, (name, letter) in enumerate(key.unseen):
                said += [self.say("semicolon")] if k else []
                said += self.mistake(name, letter)
            yield Note((*said, self.say("stop")))

    def told(self, told: Told) -> tuple[Inline, ...]:
        """A mistake at the blank where it shows best: furthest from what is right."""
        right = {a.blank: a for a in self.variant.key.answers}
        worst = max(told.wrong, key=lambda w: _distance(w.low, w.high, right[w.blank]))
        digits = told.digits.get(worst.blank, "")
        shown = Digits(digits) if digits else self.number(worst.low)
        mistake = tuple(self.mistake(told.name, told.letter))
        return mistake, (_entry(worst.blank),), (shown,), (Digits(right[worst.blank].key),)

    def mistake(self, name: str, letter: str) -> list[Any]:
        """The step, and what is wrong there."""
        return [Name(letter), self.say("colon"), words(self.lang)["mistakes"][name]]

    # --- how it was drawn

    def drawn(self) -> Iterator[Any]:
        """The constraints that it meets, and how much there is to do."""
        yield Heading(str(self.say("drawn")))
        between = phrase("space", self.lang)
        every = (*self.numbers(), *self.wishes(), *self.work())
        said = [x for one in every for x in (between, *_parts(one))]
        yield Text(tuple(said[1:]))

    def wishes(self) -> Iterator[Inline]:
        """What the numbers had to meet."""
        asked = self.variant.plan.constraints
        if self.variant.candidate.scores and self.read is None:
            yield self.say("scores", asked.exponentials, asked.spread)
        if asked.rational:
            yield self.say("rational")
        if asked.unique_key:
            yield self.say("unique")
        yield self.say("ties")

    def numbers(self) -> Iterator[Inline]:
        """From which integers each kind of matrix is drawn that stands on the sheet."""
        plan, given = self.variant.plan, self.derivation.problem.given
        bases = {x: label(x).base for x in given if self.read is None or x in self.read}
        asked = plan.constraints
        ends = _signed(asked.low), _signed(asked.high)
        if any(base.startswith(("W_", "b_")) for base in bases.values()):
            yield self.say("entries", *ends)
        if any(base in ("gamma", "beta") for base in bases.values()):
            yield self.say("of gains", *ends)
        for name in (name for name, base in bases.items() if base in INPUTS):
            of_inputs = map(_signed, inputs_of(asked, plan.problem.model))
            key = "of inputs" if asked.tokens and name != "context" else "of any"
            yield self.say(key, Name(name), *of_inputs)
        for seed in seeds(plan):
            if slope_of(seed.name) != "loss":
                yield self.say("of seed", Name(seed.name), *ends)

    def work(self) -> Iterator[Inline]:
        """How much there is to do from what is given to the end, where something is counted."""
        candidate = self.variant.candidate
        counted = candidate.operations if candidate.is_counted else candidate.difficulty
        found = {key: getattr(counted, key, 0) for key in COUNTED}
        if not any(found.values()):
            return
        is_whole = not candidate.is_counted and not self.read
        minus = "count minus before" if is_whole else "count minus"
        counts = [self.say(f"count {key}", n) for key, n in found.items() if n]
        counts += [self.say(minus, counted.minus)] if counted.minus else []
        has_norm = any(isinstance(s.op, NORMAL) for s in self.derivation.derived)
        key = ("work to norm" if has_norm else "work to end") if is_whole else "work"
        yield (self.say(key), *self.listed(counts), self.say("stop"))


def abreast(header: tuple[Inline, ...], rows: Sequence[tuple[Inline, ...]]) -> Iterator[Table]:
    """A narrow table of numbers, as two halves side by side where it is long."""
    if len(rows) <= FEW:
        yield Table(header, tuple(rows), (1, 2, 3))
        return
    for k in range(0, len(rows), 2 * TALL):
        part = rows[k : k + 2 * TALL]
        half = -(-len(part) // 2)
        right = (*part[half:], *[("",) * len(header)] * (2 * half - len(part)))
        both = tuple((*x, "", *y) for x, y in zip(part[:half], right, strict=True))
        yield Table((*header, "", *header), both, (1, 2, 3, 6, 7, 8))


def _parts(said: Inline) -> tuple[Any, ...]:
    return (said,) if isinstance(said, str) else said


def _distance(low: int, high: int, answer: Answer) -> int:
    return max(low - answer.high, answer.low - high)


def _signed(n: int) -> str:
    return str(n).replace("-", "−")


def _entry(blank: str) -> Entry:
    """A[2][3] as A with its indices."""
    name, i, j = parse_place(blank)
    return Entry(name, shown(name, i, j))
