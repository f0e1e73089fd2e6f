"""The page of training beside inference: one table, each row from the two derivations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derive.certify import Format
from derive.counts.tallied import multiply_adds
from derive.derivation import Derivation
from derive.exact import NegativeInfinity
from derive.exact.trace import Digits, Name
from derive.ops import Mask
from derive.render.blocks import Chain, Heading, Inline, Note, Page, Table, Text
from derive.step import Step
from derive.views.choices import Choices
from derive.views.remembered import agreed, needed, saved
from derive.views.sentences import sentence
from derive.views.unmasked import unmasked
from derive.words import titled

if TYPE_CHECKING:
    from derive.models.beside import Beside

QUESTIONS = ("reads", "foretells", "passes", "longest", "work", "hides", "compares", "errs")
"""The rows of the table."""


def beside_page(beside: Beside, form: Format, lang: str) -> Page:
    """The page: the table, position by position, the loss, and that it is one function."""
    view = _View(beside, form, lang)
    blocks = tuple(view.blocks())
    return Page(view.title, lang, blocks, beside.training.names, tuple(view.undecided))


@dataclass(frozen=True)
class Measured:
    """What the table counts: of training and of inference."""

    chain: int
    chain_first: int
    chain_next: int
    work: int
    work_anew: int
    work_cached: int
    hidden: tuple[int, int]
    hidden_last: tuple[int, int]


def measured(b: Beside) -> Measured:
    """The counts of both derivations."""
    rows, cached = saved(b.written, b.cached), b.cached.derivation
    last = f"p{len(b.written.read)}."
    return Measured(
        chain=longest(b.training, "P"),
        chain_first=longest(cached, "p1.P"),
        chain_next=longest(cached, f"{last}P", last),
        work=sum(map(multiply_adds, needed(b.training, "logits"))),
        work_anew=sum(r.anew for r in rows),
        work_cached=sum(r.cached for r in rows),
        hidden=hidden(b.training),
        hidden_last=hidden(b.whole),
    )


def longest(d: Derivation, name: str, within: str = "") -> int:
    """How many steps follow one on the other up to one of them, of those whose names begin so."""
    depth: dict[str, int] = {}
    for step in d.steps:
        counts = step.op is not None and step.name.startswith(within)
        before = max((depth[x.name] for x in step.inputs), default=0)
        depth[step.name] = before + 1 if counts else 0
    return depth[name]


def hidden(d: Derivation) -> tuple[int, int]:
    """How many scores of the decoder's first self-attention its mask hides, and of how many."""
    masked: Step | None = next((s for s in d.derived if isinstance(s.op, Mask)), None)
    if masked is None or not isinstance(masked.op, Mask):
        return 0, 0
    entries = list(masked.op.matrix())
    return sum(isinstance(x, NegativeInfinity) for x in entries), len(entries)


@dataclass(frozen=True)
class _View:
    beside: Beside
    form: Format
    lang: str
    undecided: list[str] = field(default_factory=list)

    def say(self, key: str, *values: Any) -> Any:
        return sentence("generation", key, self.lang, *values)

    @cached_property
    def counts(self) -> Measured:
        return measured(self.beside)

    @property
    def title(self) -> str:
        problem = self.beside.problem
        own = titled(problem.title, self.lang) or self.say(problem.model)
        return str(self.say("beside title", own))

    # --- the page

    def blocks(self) -> Iterator[Any]:
        b = self.beside
        yield Heading(self.title, 1)
        yield Text(self.say("beside rule"))
        yield Text(self.say("source", self.say("comma").join(b.problem.tokens)))
        yield from Choices(b.training, self.form, self.lang).blocks()
        yield Heading(self.say("beside table"))
        header = tuple(map(self.say, ("question", "training", "inference")))
        yield Table(header, tuple(map(self.row, QUESTIONS)))
        yield from self.positions()
        yield Heading(self.say("beside same"))
        yield Text(self.say("beside agree") + self.say("cache rule"))
        yield from agreed(b.cached, self.lang)
        yield Text(self.say("cache theorem"))
        if len(b.written.read) > 1:
            yield from unmasked(b.whole, b.unmasked, self.form, self.lang)

    def row(self, key: str) -> tuple[Inline, ...]:
        training, inference = self.answers()[key]
        return self.say(key), training, inference

    def answers(self) -> Mapping[str, tuple[Inline, Inline]]:
        """Both sides of every row."""
        b, c, say = self.beside, self.counts, self.say
        count, passes = len(b.taught), len(b.written.choices)
        start = len(b.written.before)
        lengths = say("comma").join(str(start + k) for k in range(passes))
        whole = c.chain_first + c.chain_next * (passes - 1)
        right = " ".join(b.right)
        return {
            "reads": (
                say("reads right", " ".join(b.taught)), say("reads own", " ".join(b.written.read))
            ),
            "foretells": (
                say("foretells all", str(count), right),
                say("foretells last", " ".join(b.written.words)),
            ),
            "passes": (say("passes one", str(count)), say("passes many", str(passes), lengths)),
            "longest": (
                say("longest one", str(c.chain)),
                say("longest many", str(whole), str(c.chain_first), str(c.chain_next)),
            ),
            "work": (
                say("work one", f"{c.work:,}"),
                say("work many", f"{c.work_anew:,}", f"{c.work_cached:,}"),
            ),
            "hides": (
                say("hides some", *map(str, c.hidden)), say("hides none", *map(str, c.hidden_last))
            ),
            "compares": (
                say("compares loss", self.loss(), right), say("compares none")
            ),
            "errs": self.errors(),
        }  # fmt: skip

    def loss(self) -> Chain:
        """The loss of training, in decimals."""
        ((found,),) = self.beside.training.certified("loss", self.form)
        if found.undecided:
            self.undecided.append("loss")
        return Chain(Name("loss"), (("~", Digits(found.digits or "")),))

    def errors(self) -> tuple[Inline, Inline]:
        """What the position after a wrong word reads and finds."""
        b, found = self.beside, self.beside.astray
        if found is None:
            return self.say("errs next"), self.say("errs on")
        at, k = str(found.position + 1), found.position
        likeliest = (b.foretold[k] or ("?",))[0]
        chance = self.chances(b.training, "P")[k].get(likeliest, ("?",))
        taught = self.say("reads right word", at, found.right, likeliest, *chance)
        if found.after is None:
            own = self.say("ends there", found.wrong)
        else:
            word = (found.after.words or ("?",))[0]
            (row,) = self.chances(found.after.derivation, "next.P")
            own = self.say("reads wrong word", at, found.wrong, word, *row.get(word, ("?",)))
        own = (own,) if isinstance(own, str) else own
        supposed = self.say("supposed", found.wrong, str(k)) if found.is_supposed else ""
        return taught, tuple(x for x in (supposed, *own) if x)

    # --- position by position

    def positions(self) -> Iterator[Any]:
        """What each position reads and finds, in training and at inference, and where they part."""
        yield Heading(self.say("position table"))
        yield Text(self.say("position rule"))
        words = ("position", "reads word", "right word", "likeliest")
        header = tuple(map(self.say, (*words, "chance of right", "chance of likeliest")))
        yield Heading(self.say("in training"), 3)
        yield Table(header, tuple(self.taught()), (4, 5))
        yield Heading(self.say("at inference"), 3)
        header = tuple(map(self.say, ("position", "reads word", "likeliest", "chance")))
        yield Table(header, tuple(self.own()), (3,))
        yield from self.parting()

    def taught(self) -> Iterator[tuple[Inline, ...]]:
        b = self.beside
        chances = self.chances(b.training, "P")
        rows = zip(b.taught, b.right, b.foretold, chances, strict=True)
        for k, (read, right, found, row) in enumerate(rows, 1):
            likeliest, chance = (found[0], row[found[0]]) if found else ("?", "")
            yield str(k), read, right, likeliest, row[right], chance

    def own(self) -> Iterator[tuple[Inline, ...]]:
        w = self.beside.written
        for k, (choice, read) in enumerate(zip(w.choices, w.read, strict=True), 1):
            (row,) = self.chances(choice.derivation, "next.P")
            found = choice.words[0] if choice.words else "?"
            yield str(k), read, found, row.get(found, "")

    def chances(self, d: Derivation, name: str) -> Sequence[Mapping[str, Inline]]:
        """By row of P, the digits of each word's chance."""
        found = d.certified(name, self.form)
        self.undecided.extend(name for row in found for c in row if c.undecided)
        words = self.beside.problem.vocabulary
        return [
            {
                w: (Digits(c.digits) if c.digits else str(c),)
                for w, c in zip(words, row, strict=True)
            }
            for row in found
        ]

    def parting(self) -> Iterator[Any]:
        """The first wrong word, and what each view goes on with."""
        b, k = self.beside, self.beside.first_error
        if k is None:
            yield Text(self.say("no error"))
            return
        wrong, right = (b.foretold[k - 1] or ("?",))[0], b.right[k - 1]
        if k < len(b.right):
            yield Note(self.say("first error", str(k), wrong, right, str(k + 1)))
        else:
            yield Note(self.say("last error", str(k), wrong, right))
        if b.taught[:k] == b.written.read[:k]:
            yield Text(self.say("same rows"))


def beside_data(beside: Beside, form: Format, lang: str) -> dict[str, Any]:
    """The counts of both views, each position of both, and whether the two agree."""
    view = _View(beside, form, lang)
    b, c = beside, view.counts
    loss = str(b.training.certified("loss", form)[0][0])
    shares = [[str(x) for x in row] for row in b.training.certified("P", form)]
    own = [[str(x) for x in ch.derivation.certified("next.P", form)[0]] for ch in b.written.choices]
    return {
        "problem": b.problem.name,
        "source": list(b.problem.tokens),
        "vocabulary": list(b.problem.vocabulary),
        "training": {
            "reads": list(b.taught), "right": list(b.right),
            "likeliest": [list(x) for x in b.foretold], "P": shares, "loss": loss, "passes": 1,
            "longest_chain": c.chain, "multiply_adds": c.work, "hidden": list(c.hidden),
        },
        "inference": {
            "reads": list(b.written.read), "writes": list(b.written.words), "P": own,
            "passes": len(b.written.choices),
            "longest_chain": c.chain_first + c.chain_next * (len(b.written.choices) - 1),
            "multiply_adds": {"anew": c.work_anew, "cached": c.work_cached},
            "hidden_at_the_last": list(c.hidden_last),
        },
        "first_error": b.first_error,
        "agree": b.cached.agree,
        "steps": len(b.cached.agreements),
        "undecided": view.undecided,
    }  # fmt: skip
