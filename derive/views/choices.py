"""The conventions of a derivation, in words: only those that it uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from derive.certify import Certifier
from derive.conventions import Conventions
from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity
from derive.exact.names import label
from derive.exact.trace import Digits, Name, Value
from derive.numerals import Format
from derive.ops import (
    Alibi,
    CrossEntropy,
    Deviation,
    Gelu,
    Mask,
    MeanSquares,
    Relu,
    Residual,
    Rotate,
    Scale,
    Silu,
    Sinusoid,
    Softmax,
)
from derive.render.blocks import Chain, Heading, Text
from derive.step import Step
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
        yield Text((self.say(self.made.vectors), self.say("space"), *attention))
        if "context" in self.derivation:
            yield Text((self.say("context"), Name("context"), self.say("stop")))
        parts = [*self.heads(), *self.positions(), *self.normalisation(), *self.activation()]
        if parts:
            yield Text(tuple(parts))
        kind = "places" if self.form.digits is None else "digits"
        count = self.form.places if self.form.digits is None else self.form.digits
        yield Text(self.say(kind, count) + self.say(self.form.rounding))

    def uses(self, *kinds: type) -> bool:
        """Whether a step is made by an operation of these kinds."""
        return any(isinstance(step.op, kinds) for step in self.derivation.derived)

    def count(self, kind: type) -> int:
        """How many steps are made by it."""
        return sum(isinstance(step.op, kind) for step in self.derivation.derived)

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
        step = next((s for s in self.derivation.derived if isinstance(s.op, Mask)), None)
        if step is None:
            yield self.say("unmasked")
            return
        yield self.say("masked" if isinstance(self.made.mask, Matrix) else "causal")
        if self.count(Mask) < self.count(Scale):
            yield self.say("space") + self.say("elsewhere")
        if isinstance(self.made.mask_value, NegativeInfinity):
            yield self.say("mask -oo")
        else:
            yield self.say(f"mask {self.made.mask_mode}")
            yield Value(self.made.mask_value)
            yield self.say("stop")
            yield from self.leak(step)

    def leak(self, masked: Step) -> Iterator[Any]:
        """The weight that is left where a finite value forbids; what a row of them comes to."""
        assert isinstance(masked.op, Mask)
        weights = next(s for s in self.derivation.derived if masked in s.inputs and is_weights(s))
        shut, places = forbidden_by(masked.op, self.made.vectors)
        if shut:
            yield self.say("space") + self.say(f"shut {self.made.mask_mode}", shut[0])
        for i, j in places:
            value = weights.value[i, j]
            digits = Certifier().certify(value, self.form).digits if is_plain(weights) else None
            if digits:
                yield self.say("space") + self.say("leak")
                yield Chain(weights.entries[i, j], (("~", Digits(digits)),))
                yield self.say("stop")
            return

    def heads(self) -> Iterator[Any]:
        """How many heads, and how many of keys and values."""
        if any(label(step.name).head for step in self.derivation.derived):
            yield self.say("heads", self.made.heads) + self.say("space")
            if (self.made.kv_heads or self.made.heads) != self.made.heads:
                yield self.say("kv_heads", self.made.kv_heads) + self.say("space")

    def positions(self) -> Iterator[Any]:
        """How the place of a token is told."""
        if told := told_by(self.derivation):
            said = self.say(f"positions {told}", self.made.first_position, self.made.base)
            yield said + self.say("space")
        if told in ("sinusoidal", "rope"):
            yield self.say(f"{told} {self.made.layout}") + self.say("space")

    def normalisation(self) -> Iterator[Any]:
        """Where the norms stand, and what they divide by."""
        if self.uses(Residual) and self.uses(Deviation):
            yield self.say(f"{self.made.norm}-norm") + self.say("space")
        if not self.uses(Deviation):
            return
        kind = "rmsnorm" if self.uses(MeanSquares) else f"layernorm {self.made.correction}"
        yield self.say(kind)
        if self.made.eps.is_zero:
            yield self.say("eps none") + self.say("space")
            return
        yield self.say("eps")
        yield Value(self.made.eps)
        yield self.say(f"eps {self.made.eps_place}") + self.say("space")

    def activation(self) -> Iterator[Any]:
        """The bend of the feed-forward network, with its slope where it has one; the loss."""
        if self.uses(Relu, Gelu, Silu):
            yield self.say(f"activation {self.made.activation}")
            if self.made.activation == "leaky_relu":
                yield Value(self.made.slope)
                yield self.say("stop")
            yield self.say("space")
        if self.uses(CrossEntropy):
            yield self.say("natural")


def told_by(derivation: Derivation) -> str:
    """How the derivation tells positions; "" where no step does."""
    kinds = {"sinusoidal": Sinusoid, "rope": Rotate, "alibi": Alibi}
    for told, kind in kinds.items():
        if any(isinstance(step.op, kind) for step in derivation.derived):
            return told
    bases = {label(step.name).base for step in derivation.steps}
    return "learned" if bases & {"PE", "W_P"} else ""


def is_weights(step: Step) -> bool:
    """Whether the step is a softmax."""
    return isinstance(step.op, Softmax)


def is_plain(weights: Step) -> bool:
    """Whether the weights are numbers whose digits are near."""
    return not weights.is_deep and all(x.is_number for x in weights.value)


def forbidden_by(mask: Mask, vectors: str) -> tuple[list[int], list[tuple[int, int]]]:
    """The queries, from 1, that may see nothing, and the forbidden places of the others, from 0."""
    by_rows = vectors == "rows"
    rows = (mask.forbidden if by_rows else mask.forbidden.T).rows
    closed = [[isinstance(x, NegativeInfinity) for x in row] for row in rows]
    places = [
        (i, j) for i, row in enumerate(closed) for j, x in enumerate(row) if x and not all(row)
    ]
    shut = [i for i, row in enumerate(closed, 1) if all(row)]
    return shut, places if by_rows else [(j, i) for i, j in places]


def used(derivation: Derivation) -> tuple[str, ...]:
    """The conventions that the steps of a derivation follow, by name."""
    kinds = {type(step.op) for step in derivation.derived}
    told, made = told_by(derivation), derivation.problem.conventions
    names = ["vectors"]
    names += ["scale", "temperature", "mask", "mask_value", "mask_mode"] * (Scale in kinds)
    names += ["heads", "kv_heads"] * any(label(s.name).head for s in derivation.derived)
    names += ["layers"] * any(label(s.name).scopes for s in derivation.derived)
    if Deviation in kinds:
        names += ["norm"] * (Residual in kinds) + ["normalization", "eps", "eps_place"]
        names += ["correction"] * (made.normalization == "layernorm")
    names += ["activation"] * bool(kinds & {Relu, Gelu, Silu})
    names += ["slope"] * (Relu in kinds and made.activation == "leaky_relu")
    names += ["positions"] * bool(told)
    names += ["first_position", "base", "layout"] * (told in ("sinusoidal", "rope"))
    return tuple(names)
