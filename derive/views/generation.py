"""The page of what a model writes: each word with its scores, its chances and why it is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derive.certify import Certified, Certifier, Format
from derive.derivation import Derivation
from derive.exact import ZERO, Scalar
from derive.exact.trace import BigSum, Digits, Entry, Exponential, Name, Quotient, Term, Value
from derive.render.blocks import Chain, Formulas, Heading, Heatmap, Inline, Note, Page, Table, Text
from derive.views.choices import Choices
from derive.views.flow import flowing
from derive.views.measure import PAGE_WIDTH, Measure, grid
from derive.views.remembered import Remembered, cache_data
from derive.views.sentences import sentence
from derive.views.unmasked import unmasked
from derive.words import titled

if TYPE_CHECKING:
    from derive.models.beside import Cached
    from derive.models.generation import Choice, Written

MOST_LISTED = 24
"""Of a larger vocabulary only so many words are listed, the likeliest."""


@dataclass(frozen=True)
class GenerationOptions:
    """How decimals are rounded, and the language."""

    form: Format = field(default_factory=Format)
    lang: str = "en"


@dataclass(frozen=True)
class Candidate:
    """A word that may come next: its score, its chance, and the last column of the table.

    last: how far its score is behind the largest; where words are drawn, where its share of [0, 1)
    ends.
    """

    word: str
    logit: Certified
    probability: Certified
    last: Certified | None


def generation_page(
    written: Written, cached: Cached | None, open_: Derivation | None, options: GenerationOptions
) -> Page:
    """The page: the rule, what is given, every step, the text, and what is said of cache and mask.

    cached: what was read, by position, where that is to be told; open_: all that was read, without
    its mask.
    """
    view = _View(written, options)
    blocks = list(view.blocks())
    if cached is not None:
        blocks += Remembered(written, cached, options.form, options.lang, view.undecided).blocks()
    if open_ is not None:
        blocks += unmasked(written.choices[-1].derivation, open_, options.form, options.lang)
    return Page(view.title, options.lang, tuple(blocks), view.names, tuple(view.undecided))


def candidates(written: Written, choice: Choice, form: Format) -> tuple[Candidate, ...]:
    """Every word of the vocabulary as a candidate of one step, in the order of the vocabulary."""
    d = choice.derivation
    (logits,), (chances,) = d.certified("next.logits", form), d.certified("next.P", form)
    last = _last(written, choice, form)
    words = written.problem.vocabulary
    return tuple(Candidate(*row) for row in zip(words, logits, chances, last, strict=True))


def _last(written: Written, choice: Choice, form: Format) -> Sequence[Certified | None]:
    d, words = choice.derivation, written.problem.vocabulary
    if not choice.words:
        return [None] * len(words)
    if written.sampling.draws:
        return Certifier().certify_all(_running(d.step("next.P").value.rows[0]), form)
    scores = d.step("next.logits").value.rows[0]
    top = scores[words.index(choice.words[0])]
    return Certifier().certify_all([top - x for x in scores], form)


def _running(shares: Sequence[Scalar]) -> list[Scalar]:
    sums, total = [], ZERO
    for share in shares:
        total = total + share
        sums.append(total)
    return sums


@dataclass(frozen=True)
class _View:
    written: Written
    options: GenerationOptions
    undecided: list[str] = field(default_factory=list)

    def say(self, key: str, *values: Any) -> Inline:
        return sentence("generation", key, self.options.lang, *values)

    def text(self, key: str, *values: str) -> str:
        """A sentence without mathematics."""
        found = self.say(key, *values)
        assert isinstance(found, str)
        return found

    @cached_property
    def first(self) -> Derivation:
        return self.written.choices[0].derivation

    @cached_property
    def names(self) -> Any:
        return self.first.names

    @property
    def title(self) -> str:
        problem = self.written.problem
        own = titled(problem.title, self.options.lang) or self.text(problem.model)
        return self.text("title", own)

    # --- the page

    def blocks(self) -> Iterator[Any]:
        yield Heading(self.title, 1)
        yield from self.rule()
        yield from Choices(self.first, self.options.form, self.options.lang).blocks()
        yield from self.given()
        for number, choice in enumerate(self.written.choices, 1):
            yield from self.step(number, choice)
        yield from self.result()

    def rule(self) -> Iterator[Any]:
        """How a word is found, and its chance."""
        sampling = self.written.sampling
        yield Text(self.say("drawn" if sampling.draws else "greedy"))
        yield Formulas((Chain(Entry("P", ("w",)), (("=", self.share()),)),))
        if sampling.k is not None:
            yield Text(self.say("best", str(sampling.k)))
        if sampling.temperature is not None and not sampling.draws:
            yield Text(self.say("sharpened"))

    def share(self) -> Term:
        """The chance of a word: its power of e over all of them."""

        def power(word: str) -> Exponential:
            score, t = Entry("logits", (word,)), self.written.sampling.temperature
            return Exponential(score if t is None else Quotient(score, Value(t)))

        return power("w") / BigSum(power("v"), "v", "")

    def given(self) -> Iterator[Any]:
        problem = self.written.problem
        yield Heading(self.text("given"))
        if problem.model == "seq2seq":
            yield Text(self.say("source", self.joined(problem.tokens)))
        yield Text(self.say("before", " ".join(self.written.before)))
        yield Text(self.say("vocabulary", self.joined(problem.vocabulary)))
        steps = [s for s in self.first.steps if s.op is None]
        chains = (Formulas((Chain(Name(s.name), (("=", grid(s.value)),)),)) for s in steps)
        yield from flowing(Measure(self.names), chains)

    def joined(self, words: Sequence[str]) -> str:
        return self.text("comma").join(words)

    def step(self, number: int, choice: Choice) -> Iterator[Any]:
        text = (*self.written.before, *self.written.words[: number - 1])
        yield Heading(self.text("step", str(number)))
        yield Text(self.say("so far", " ".join(text)))
        found = candidates(self.written, choice, self.options.form)
        self.undecided.extend(_unproved(found, number))
        listed = found if len(found) <= MOST_LISTED else _likeliest(found)
        yield Table(self.header(choice), tuple(map(self.row, listed)), (1, 2, 3))
        if len(listed) < len(found):
            yield Text(self.say("others", str(len(found) - len(listed))))
        yield from self.chosen(number, choice)

    def header(self, choice: Choice) -> tuple[Inline, ...]:
        own: tuple[Inline, ...] = (self.say("word"), (Name("logits"),), (Name("P"),))
        if not choice.words:
            return own
        return (*own, self.say("share" if self.written.sampling.draws else "behind"))

    def row(self, candidate: Candidate) -> tuple[Inline, ...]:
        cells = [candidate.logit, candidate.probability]
        cells += [] if candidate.last is None else [candidate.last]
        return (candidate.word, *((_digits(c),) for c in cells))

    def chosen(self, number: int, choice: Choice) -> Iterator[Any]:
        """The word, and why it is this one."""
        draws = self.written.sampling.draws
        if not choice.words:
            self.undecided.append(self.text("step", str(number)))
            yield Note(self.say("undecided"))
        elif draws:
            yield Text(self.say("share of", Value(draws[number - 1]), choice.words[0]))
        elif choice.is_tie:
            tied = self.joined(choice.words)
            yield Note(self.say("tie", tied, choice.words[0]))
        else:
            yield Text(self.say("largest", choice.words[0]))

    def result(self) -> Iterator[Any]:
        """The whole text, why it ends, and the chances of all steps as shades."""
        w = self.written
        yield Heading(self.text("text"))
        yield Text(self.say("whole", " ".join((*w.before, *w.words))))
        ends = w.words and w.words[-1] == w.end
        reason = "ended" if ends else "so many" if w.is_decided else "stopped"
        yield Text(self.say(reason, w.end if ends else str(len(w.words))))
        heatmap = self.heatmap()
        if _width(heatmap) <= PAGE_WIDTH:
            yield heatmap

    def heatmap(self) -> Heatmap:
        certifier, form = Certifier(), self.options.form
        steps = [c.derivation.certified("next.P", form)[0] for c in self.written.choices]
        cells = tuple(
            tuple((str(c), certifier.double(c.value) or 0.0) for c in row) for row in steps
        )
        rows = tuple(map(str, range(1, len(cells) + 1)))
        words = self.written.problem.vocabulary
        return Heatmap(self.text("heatmap"), rows, words, cells)


def _digits(c: Certified) -> Any:
    """The numeral; of a number that is exactly 0, without places."""
    if c.digits is None:
        return str(c)
    return Digits("0" if c.value.is_zero is True else c.digits)


def _unproved(found: Sequence[Candidate], number: int) -> Iterator[str]:
    for candidate in found:
        if any(c and c.undecided for c in (candidate.logit, candidate.probability, candidate.last)):
            yield f"{number}: {candidate.word}"


def _likeliest(found: Sequence[Candidate]) -> list[Candidate]:
    """Those with the largest chances, as far as doubles tell, in their order."""
    certifier = Certifier()
    falling = sorted(found, key=lambda c: -(certifier.double(c.probability.value) or 0.0))
    kept = {c.word for c in falling[:MOST_LISTED]}
    return [c for c in found if c.word in kept]


def _width(heatmap: Heatmap) -> int:
    numerals = zip(*heatmap.cells, strict=True)
    widths = (max(len(text) for text, _ in column) + 2 for column in numerals)
    return 4 + sum(max(w, len(n)) + 2 for w, n in zip(widths, heatmap.columns, strict=True))


def generation_data(written: Written, cached: Cached | None, form: Format) -> dict[str, Any]:
    """Every step with its candidates, what was chosen, the text, and what a cache comes to."""
    found = [candidates(written, choice, form) for choice in written.choices]
    steps = [
        {
            "text": [*written.before, *written.words[:k]],
            "candidates": [_candidate_data(c, bool(written.sampling.draws)) for c in row],
            "chosen": list(choice.words),
            "tie": choice.is_tie,
        }
        for k, (row, choice) in enumerate(zip(found, written.choices, strict=True))
    ]
    unproved = [x for k, row in enumerate(found, 1) for x in _unproved(row, k)]
    unproved += [] if written.is_decided else [f"step {len(written.choices)}"]
    return {
        "problem": written.problem.name,
        "vocabulary": list(written.problem.vocabulary),
        "before": list(written.before),
        "steps": steps,
        "text": [*written.before, *written.words],
        "end": written.end,
        "cache": None if cached is None else cache_data(written, cached),
        "undecided": unproved,
    }


def _candidate_data(c: Candidate, is_drawn: bool) -> dict[str, Any]:
    own = {"word": c.word, "logit": c.logit.digits, "probability": c.probability.digits}
    return own | {"share_ends" if is_drawn else "behind": c.last and c.last.digits}
