"""The conventions that bind all of an article, once it is known where it keeps to them."""

from __future__ import annotations

from dataclasses import dataclass

from derive.verify.known.pool import Pool


@dataclass(frozen=True)
class Bound:
    """The conventions of an article that bind all of it, once it is read to its end."""

    is_causal: bool
    layout: str
    is_scaled: bool
    is_biased: bool
    gelu: str
    is_affine: bool

    def bind(self, pool: Pool) -> None:
        """From the start."""
        pool.is_causal, pool.layout = self.is_causal, self.layout
        pool.is_affine = self.is_affine
        pool.is_scaled |= self.is_scaled
        pool.is_bias_bound, pool.gelu = self.is_biased, self.gelu
