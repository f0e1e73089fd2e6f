"""The ink of Maxima: what its parser reads back as the same expression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from derive.exact.ink import ATOM, Piece
from derive.exact.unicode_ink import Plain


class Maxima(Plain):
    """Maxima's input."""

    name = "maxima"
    infinity = "inf"
    constants: ClassVar[Mapping[str, str]] = {"pi": "%pi"}
    functions: ClassVar[Mapping[str, str]] = {"relu": "max"}

    def power(self, base: str, exponent: str) -> str:
        """base^exponent."""
        return f"{base}^{exponent}" if exponent.isdigit() else f"{base}^({exponent})"

    def exponential(self, exponent: str) -> Piece:
        """e to the exponent."""
        return ("%e" if exponent == "1" else f"exp({exponent})"), ATOM

    def numeral(self, text: str) -> str:
        """A decimal numeral."""
        return text.replace("oo", self.infinity)


MAXIMA = Maxima()
