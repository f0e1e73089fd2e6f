"""The conventions of a derivation, in words: only those that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from derive.conventions import Conventions
from derive.derivation import Derivation
from derive.exact import NegativeInfinity
from derive.exact.names import label
from derive.exact.trace import Name, Value
from derive.numerals import Format
from derive.ops import Deviation, MeanSquares, Residual, Scale
from derive.render.blocks import Heading, Text
from derive.words import phrase


@dataclass(frozen=True)
class Choices:
    """What is said of the conventions, in a language; `form` is how decimals are rounded."""

    derivation: Derivation
    form: Format
    lang: str

    @property
    def made(self) -> Conventions:
        """The conventions themselves."""
        return self.derivation.problem.conventions

    def say(self, key: str, *values: object) -> str:
        """A phrase."""
        return phrase(key, self.lang, *values)

    def blocks(self) -> Iterator[Any]:
        """Heading and paragraphs: vectors and attention, the block's parts, decimals."""
        yield Heading(self.say("conventions"))
        attention = (*self.scale(), *self.mask()) if self.uses(Scale) else ()
        yield Text((self.say("rows"), self.say("space"), *attention))
        if "context" in self.derivation:
            yield Text((self.say("context"), Name("context"), self.say("stop")))
        if parts := [*self.heads(), *self.positions(), *self.normalisation()]:
            yield Text(tuple(parts))
        kind = "places" if self.form.digits is None else "digits"
        count = self.form.places if self.form.digits is None else self.form.digits
        yield Text(self.say(kind, count) + self.say(self.form.rounding))

    def uses(self, *kinds: type) -> bool:
        """Whether a step is made by an operation of these kinds."""
        return any(isinstance(step.op, kinds) for step in self.derivation.derived)

    def scale(self) -> Iterator[Any]:
        """What the scores are divided by."""
        yield self.say("scale")
        yield Value(self.made.scale)
        scaled = next(s for s in self.derivation.derived if isinstance(s.op, Scale))
        if self.made.temperature != 1:
            yield self.say("temperature")
            yield Value(self.made.temperature)
        elif self.made.scale.free_symbols:
            yield " = "
            yield Value(scaled.op.divisor)  # type: ignore[union-attr]
        yield self.say("stop") + self.say("space")

    def mask(self) -> Iterator[Any]:
        """Which tokens see which, and what stands where the mask forbids."""
        if self.made.mask is None:
            yield self.say("unmasked")
            return
        yield self.say("causal" if self.made.mask == "causal" else "masked")
        if isinstance(self.made.mask_value, NegativeInfinity):
            yield self.say("mask -oo")
        else:
            yield self.say(f"mask {self.made.mask_mode}")
            yield Value(self.made.mask_value)
            yield self.say("stop")

    def heads(self) -> Iterator[Any]:
        """How many heads, and how many of keys and values."""
        if any(label(step.name).head for step in self.derivation.derived):
            yield self.say("heads", self.made.heads) + self.say("space")
            if (self.made.kv_heads or self.made.heads) != self.made.heads:
                yield self.say("kv_heads", self.made.kv_heads) + self.say("space")

    def positions(self) -> Iterator[Any]:
        """How the place of a token is told."""
        if self.made.positions != "none":
            said = self.say(
                f"positions {self.made.positions}", self.made.first_position, self.made.base
            )
            yield said + self.say("space")

    def normalisation(self) -> Iterator[Any]:
        """Where the norms stand, and what they divide by."""
        if self.uses(Residual) and self.uses(Deviation):
            yield self.say(f"{self.made.norm}-norm") + self.say("space")
        if not self.uses(Deviation):
            return
        kind = "rmsnorm" if self.uses(MeanSquares) else f"layernorm {self.made.correction}"
        yield self.say(kind)
        if self.made.eps.is_zero:
            yield self.say("eps none")
            return
        yield self.say("eps")
        yield Value(self.made.eps)
        yield self.say(f"eps {self.made.eps_place}")
