"""The steps of a long derivation in short: chapters, and a few lines a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from derive.derivation import Derivation
from derive.exact.extent import Extent
from derive.exact.names import label
from derive.ops import Contributions, Softmax
from derive.render.blocks import (
    Abreast,
    Chain,
    Equations,
    Formulas,
    Heading,
    Heatmap,
    Text,
)
from derive.step import Step
from derive.views.chapters import chapters
from derive.views.entries import Entries
from derive.views.flow import flowing
from derive.views.in_full import would_be
from derive.views.results import Results
from derive.views.weights import Weights
from derive.views.words import sentence_of
from derive.words import phrase, words

Kind = tuple[str, str]
"""The letter of a step and its operation: what a second one of has been explained by the first."""


@dataclass(frozen=True)
class Condensed:
    """How steps are told in short: a sentence and the formula at entry i, j the first time only."""

    derivation: Derivation
    results: Results
    entries: Entries
    weights: Weights
    lang: str
    is_brief: bool = False
    extent: Extent = field(default_factory=Extent)
    _told: set[Kind] = field(default_factory=set)

    def blocks(self, named: Iterable[Text]) -> Iterator[Any]:
        """The chapters; `named`, what letters stand for, is said at the first power of e."""
        waiting = list(named)
        for chapter in chapters(self.derivation, self.lang):
            yield Heading(chapter.title)
            for heading, step in chapter.steps:
                yield Heading(heading, 3, runs_in=True)
                is_power = label(step.name).base in ("exp", "A")
                yield from self.step(step, waiting if is_power else [])
                waiting = [] if is_power else waiting
            yield from would_be(chapter.steps[-1][1], self.extent, self.lang)

    def step(self, step: Step, named: Sequence[Text]) -> Iterator[Any]:
        """What the step does, and what comes out."""
        kind = label(step.name).base, type(step.op).__name__
        is_new = kind not in self._told
        self._told.add(kind)
        rules = tuple(self.results.rules(step))
        said: tuple[Any, ...] = (self.sentence(step),) if is_new else (rules[0],)
        for text in named:
            said = (*said, phrase("space", self.lang), *text.content)
        yield Text(said)
        displays = [Formulas(rules)] if is_new else []
        worked = () if self.is_brief else tuple(self.entries.worked(step))
        if isinstance(step.op, Contributions):
            found = [Equations(worked)] if is_new and worked else []
        else:
            found = [*map(_alone, worked)]
            found += self.results.result(step, is_listed=False)
        yield from flowing(self.results.measure, [*displays, *found])
        if isinstance(step.op, Softmax) and not self.is_brief:
            yield from self.said(step)

    def sentence(self, step: Step) -> str:
        """What the step does; of another operation under the same letter, what that does."""
        letter = label(step.name).base
        if sum(told == letter for told, _ in self._told) > 1:
            own: str = words(self.lang)["operations"][type(step.op).__name__]["sentence"]
            return own
        return sentence_of(step, self.lang)

    def said(self, step: Step) -> Iterator[Any]:
        """Of the first weights and of the last: aloud, as shades, and the first by hand as well."""
        softmaxes = [s for s in self.derivation.derived if isinstance(s.op, Softmax)]
        if step not in (softmaxes[0], softmaxes[-1]):
            return
        blocks = tuple(self.weights.blocks(step))
        by_hand = tuple(self.weights.by_hand(step)) if step is softmaxes[0] else ()
        if by_hand and blocks and isinstance(blocks[-1], Heatmap):
            # The sentence that leads to the table stands over it, beside the map.
            blocks, by_hand = (*blocks[:-1], Abreast(blocks[-1:], by_hand[:2])), by_hand[2:]
        yield from (*blocks, *by_hand)


def _alone(chain: Chain) -> Equations:
    return Equations((chain,))
