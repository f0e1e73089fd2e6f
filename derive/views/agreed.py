"""The conventions that a sheet says under what is given: none of them tells a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.exact import symbol
from derive.exact.trace import Apply, Function, MatrixProduct, Name, Quotient, Transpose, Value
from derive.ops import Scale, Softmax
from derive.render.blocks import Chain, Text
from derive.step import Step
from derive.views.choices import Choices
from derive.views.sentences import sentence


class Agreed(Choices):
    """Vectors, scale, temperature, mask, heads, positions, norms and activation."""

    def texts(self) -> Iterator[Text]:
        """The usual formula of attention, a paragraph for what holds here, one for a block."""
        if self.uses(Scale):
            formula = attention(self.made.vectors)
            yield Text(sentence("worksheet", "attention", self.lang, formula))
        scores = (*self.scale(), *self.mask()) if self.uses(Scale) else ()
        vectors = self.made.vectors if self.uses(Softmax) else f"only {self.made.vectors}"
        yield Text((self.say(vectors), self.say("space"), *scores))
        parts = [*self.heads(), *self.positions(), *self.normalisation(), *self.activation()]
        if parts:
            yield Text(tuple(parts))

    def leak(self, masked: Step) -> Iterator[Any]:
        """Nothing: the weight that is left is for the student to find."""
        return iter(())


def attention(vectors: str) -> Chain:
    """The usual formula of attention, with tokens as rows or as columns."""
    q, k = Name("Q"), Name("K")
    scores = MatrixProduct((q, Transpose(k)) if vectors == "rows" else (Transpose(k), q))
    weights = Apply("softmax", Quotient(scores, Function("sqrt", Value(symbol("d_k")))))
    factors = (weights, Name("V")) if vectors == "rows" else (Name("V"), weights)
    return Chain(Name("O"), (("=", MatrixProduct(factors)),))
