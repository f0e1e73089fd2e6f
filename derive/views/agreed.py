"""The conventions that a sheet says under what is given: none of them tells a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.ops import Scale
from derive.render.blocks import Text
from derive.step import Step
from derive.views.choices import Choices


class Agreed(Choices):
    """Vectors, scale, temperature, mask, heads, positions, norms and activation."""

    def texts(self) -> Iterator[Text]:
        """A paragraph for vectors and attention, and one for the parts of a block."""
        attention = (*self.scale(), *self.mask()) if self.uses(Scale) else ()
        yield Text((self.say(self.made.vectors), self.say("space"), *attention))
        parts = [*self.heads(), *self.positions(), *self.normalisation(), *self.activation()]
        if parts:
            yield Text(tuple(parts))

    def leak(self, masked: Step) -> Iterator[Any]:
        """Nothing: the weight that is left is for the student to find."""
        return iter(())
