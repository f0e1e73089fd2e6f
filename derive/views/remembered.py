"""What a page says of the cache: what is kept, what is computed anew, and that it is the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derive.certify import Format
from derive.counts.tallied import multiply_adds
from derive.derivation import Derivation
from derive.exact.ink import UNICODE
from derive.exact.names import beside, label
from derive.exact.trace import Digits, Grid, Name
from derive.render.blocks import Chain, Equations, Formulas, Heading, Inline, Note, Table, Text
from derive.step import Step
from derive.views.measure import PAGE_WIDTH, Measure
from derive.views.sentences import sentence

if TYPE_CHECKING:
    from derive.models.beside import Cached
    from derive.models.generation import Written

MOST_FAILED = 12
"""So many steps that do not agree are named."""


@dataclass(frozen=True)
class Saved:
    """A step of writing: positions read anew, numbers remembered after it, and multiply-adds."""

    positions: tuple[int, ...]
    words: tuple[str, ...]
    kept: int
    anew: int
    cached: int


def saved(written: Written, cached: Cached) -> tuple[Saved, ...]:
    """Step by step: all positions anew, and only those not read before, from remembered rows."""
    start, found = len(written.before), []
    for k, choice in enumerate(written.choices):
        until = start + k
        new = tuple(range(1 if k == 0 else until, until + 1))
        whole = needed(choice.derivation, "logits")
        anew = sum(
            multiply_adds(s) for s in whole if k == 0 or label(s.name).scopes[:1] != ("enc",)
        )
        own = [s for t in new for s in needed(cached.derivation, f"p{t}.logits", f"p{t}.")]
        once = [] if k else _once(cached.derivation)
        kept = sum(s.shape[0] * s.shape[1] for s in _kept(cached.derivation, until))
        words = tuple(written.read[t - 1] for t in new)
        found.append(Saved(new, words, kept, anew, sum(map(multiply_adds, (*own, *once)))))
    return tuple(found)


def needed(d: Derivation, name: str, within: str = "") -> list[Step]:
    """The steps that one rests on, itself among them, whose names begin so."""
    names = {name}
    for step in reversed(d.steps):
        if step.name in names:
            names |= {x.name for x in step.inputs}
    return [s for s in d.derived if s.name in names and s.name.startswith(within)]


def _once(d: Derivation) -> list[Step]:
    """What no position repeats: the encoder, and the keys and values of its words."""
    last = max((s.name for s in d.derived if s.name.endswith(".logits")), key=_position)
    return [s for s in needed(d, last) if not _position(s.name)]


def _kept(d: Derivation, until: int) -> Iterator[Step]:
    """Keys and values as they are remembered after a position."""
    for step in d.derived:
        base, position = label(step.name).base, _position(step.name)
        crossed = "cross" in label(step.name).scopes and not position
        if (base in ("keys", "values") and position == until) or (crossed and base in ("K^T", "V")):
            yield step


def _position(name: str) -> int:
    head = name.partition(".")[0]
    return int(head[1:]) if head[:1] == "p" and head[1:].isdigit() else 0


@dataclass(frozen=True)
class Remembered:
    """The section of a page about what is remembered."""

    written: Written
    cached: Cached
    form: Format
    lang: str
    undecided: list[str]

    def say(self, key: str, *values: Any) -> Any:
        """A sentence."""
        return sentence("generation", key, self.lang, *values)

    @property
    def derivation(self) -> Derivation:
        """By position."""
        return self.cached.derivation

    @cached_property
    def rows(self) -> tuple[Saved, ...]:
        """Step by step."""
        return saved(self.written, self.cached)

    def blocks(self) -> Iterator[Any]:
        """The rule, the keys and values at the end, the table of what is saved, and the proof."""
        yield Heading(self.say("cache"))
        yield Text(self.say("cache rule"))
        yield Text(self.say("cache names"))
        yield from self.last()
        if self.written.problem.model == "seq2seq":
            yield Text(self.say("cache source"))
        yield Text(self.say("cache table"))
        yield self.table()
        yield Text(self.total())
        yield from self.agreement()

    def last(self) -> Iterator[Any]:
        """Keys and values of the first attention, as they are after the last position."""
        last = len(self.written.read)
        keys = next(s for s in self.derivation.derived if s.name.startswith(f"p{last}.")
                    and label(s.name).base == "keys")  # fmt: skip
        names = (keys.name, beside(keys.name, "values^T"))
        rules = tuple(Chain(Name(n), (("=", self.derivation.step(n).notation),)) for n in names)
        measure = Measure(self.derivation.names)
        if all(_length(chain, measure) <= PAGE_WIDTH for chain in rules):
            yield Formulas(rules)
        shown = [block for name in names for block in self.digits(name, measure)]
        if shown:
            yield Text(self.say("cache columns", str(last)))
            yield from shown

    def digits(self, name: str, measure: Measure) -> Iterator[Any]:
        """A matrix in decimals, where it fits a line."""
        rows = self.derivation.certified(name, self.form)
        self.undecided.extend(name for row in rows for c in row if c.undecided)
        if all(c.digits is not None for row in rows for c in row):
            decimals = Grid(tuple(tuple(Digits(c.digits or "") for c in row) for row in rows))
            if measure.grid(decimals) <= PAGE_WIDTH:
                yield Equations((Chain(Name(name), (("~", decimals),)),))

    def table(self) -> Table:
        """What is read, what is then remembered, and the multiply-adds without it and with it."""
        header = tuple(map(self.say, ("step column", "read", "kept", "anew", "from cache")))
        rows = [
            (str(k), " ".join(r.words), f"{r.kept:,}", f"{r.anew:,}", f"{r.cached:,}")
            for k, r in enumerate(self.rows, 1)
        ]
        anew, cached = self.sums()
        rows.append((self.say("together"), "", "", f"{anew:,}", f"{cached:,}"))
        return Table(header, tuple(rows), (2, 3, 4))

    def sums(self) -> tuple[int, int]:
        """The multiply-adds of all steps."""
        return sum(r.anew for r in self.rows), sum(r.cached for r in self.rows)

    def total(self) -> Inline:
        """How many are saved."""
        anew, cached = self.sums()
        found: Inline = self.say("saved", f"{anew - cached:,}", f"{anew:,}")
        return found

    def agreement(self) -> Iterator[Any]:
        """That it is the same, or where that is not proved."""
        yield from agreed(self.cached, self.lang)
        yield Text(self.say("cache theorem"))


def _length(chain: Chain, measure: Measure) -> int:
    """The characters of a rule in one line, in Unicode, which marks positions at length."""
    sides = (chain.first, *(side for _, side in chain.rest))
    return sum(len(measure.text(side, UNICODE)) + 3 for side in sides)


def agreed(cached: Cached, lang: str) -> Iterator[Any]:
    """Whether all steps by position are proved to be rows of the masked forward."""
    if not cached.failed:
        yield Text(sentence("generation", "agree", lang, f"{cached.agree:,}"))
        return
    comma = sentence("generation", "comma", lang)
    assert isinstance(comma, str)
    counts = (str(len(cached.failed)), str(len(cached.agreements)))
    named = comma.join(_named(cached.failed))
    yield Note(sentence("generation", "disagree", lang, *counts, named))


def _named(failed: Sequence[Any]) -> list[str]:
    names = [f"p{a.position}.{a.step}" if a.position else a.step for a in failed]
    return names[:MOST_FAILED] + (["..."] if len(names) > MOST_FAILED else [])


def cache_data(written: Written, cached: Cached) -> dict[str, Any]:
    """What each step reads, remembers and takes, and how many steps are proved to agree."""
    rows = [
        {
            "read": list(r.words),
            "remembered": r.kept,
            "multiply_adds": {"anew": r.anew, "cached": r.cached},
        }
        for r in saved(written, cached)
    ]
    failed = [f"p{a.position}.{a.step}" for a in cached.failed]
    return {"steps": rows, "agree": cached.agree, "failed": failed}
