"""The inks of one line: Unicode for terminals, and text that SymPy reads back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from derive.exact.latex_ink import ATOM, POWER, InlineLatex, Piece
from derive.exact.names import (
    Case,
    held,
    identifier_entry,
    identifier_step,
    joined,
    label,
    superscript,
    unicode_entry,
    unicode_step,
    unicode_symbol,
)


class Unicode(InlineLatex):
    """One line of Unicode for terminals."""

    name = "unicode"
    dot = "·"
    circle = " ⊙ "
    minus = "−"
    infinity = "∞"
    constants: ClassVar[Mapping[str, str]] = {"pi": "π"}
    functions: ClassVar[Mapping[str, str]] = {
        "log": "ln",
        "relu": "max",
        "step": "1",
        "RoPE inverse": "RoPE⁻¹",
    }

    def entry(self, step: str, indices: tuple[str, ...], case: Case = str) -> str:
        """An entry of a step; of a row, where the letter is small."""
        return unicode_entry(step, indices, case)

    def step(self, name: str, case: Case = str) -> str:
        """A step's letter."""
        return unicode_step(name, case)

    def symbol(self, name: str) -> str:
        """A free symbol."""
        return unicode_symbol(name)

    def juxtaposed(self, factors: Sequence[str]) -> str:
        """A product without signs, with a thin dot where letters would run together."""
        text = before = factors[0]
        for factor in factors[1:]:
            # After a root a letter would look as if it stood under it.
            is_power = before[0] != "√" and before[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹"
            tight = before.isdigit() or len(before) == 1 or is_power or factor[0] == "("
            text += factor if tight and not factor[0].isdigit() else f"·{factor}"
            before = factor
        return text

    def power(self, base: str, exponent: str) -> str:
        """t², a⁻¹, e^(√2/2)."""
        plain = exponent.replace("−", "-")
        if plain.lstrip("-").isdigit():
            return base + superscript(plain)
        return f"{base}^({exponent})" if len(exponent) > 1 else f"{base}^{exponent}"

    def root(self, text: str) -> str:
        """√2, √(a + 1)."""
        return f"√{text}" if text.isalnum() else f"√({text})"

    def exponential(self, exponent: str) -> Piece:
        """e to the exponent."""
        return ("e", ATOM) if exponent == "1" else (self.power("e", exponent), POWER)

    def function(self, name: str, argument: str) -> str:
        """A function's value."""
        return f"{self.functions.get(name, name)}({argument})"

    def beside(self, parts: Sequence[str]) -> str:
        """Matrices side by side."""
        return f"[{' | '.join(parts)}]"

    def big_sum(self, body: str, index: str, upper: str) -> str:
        """The sum of body over index = 1 ... upper, told where it is another index."""
        until = f"≤{upper}" if upper in ("i", "j", "k") else ""
        return f"Σ_{index}{until} {body}"

    def delta(self, left: str, right: str) -> str:
        """Kronecker's delta."""
        return f"δ_{joined((left, right))}"

    def partial(self, of: str, by: str) -> str:
        """The derivative of one by the other."""
        return f"∂{of}/∂{by}"

    def matrix(self, rows: Sequence[Sequence[str]], is_decimal: bool = False) -> str:
        """A matrix on one line."""
        lines = ["[" + ", ".join(row) + "]" for row in rows]
        return lines[0] if len(lines) == 1 else "[" + ", ".join(lines) + "]"

    def numeral(self, text: str) -> str:
        """A decimal numeral, powers of ten as such."""
        digits, _, power = text.replace("-", self.minus).partition("e")
        power = superscript(power.replace("−", "-"))
        return f"{digits}·10{power}" if power else digits.replace("oo", self.infinity)

    def transpose(self, text: str) -> str:
        """A matrix turned over."""
        return f"{text}ᵀ"

    def cases(self, rows: Sequence[tuple[str, str]]) -> str:
        """{term : condition; ...}."""
        return "{" + "; ".join(f"{term} : {condition}" for term, condition in rows) + "}"

    @property
    def inline(self) -> Unicode:
        """Itself."""
        return self


class Ruler(Unicode):
    """Unicode with stacked fractions: its length is about the width on paper."""

    name = "ruler"

    def step(self, name: str, case: Case = str) -> str:
        """A step's letter, layer and part above it in short."""
        found = label(name)
        own = unicode_step(name.rpartition(".")[2] if found.scopes else name, case)
        return own + superscript(replace(found, head="").above(str))

    def entry(self, step: str, indices: tuple[str, ...], case: Case = str) -> str:
        """An entry of a step; of a row, where the letter is small."""
        place = unicode_entry("H", indices)[1:]
        return held(step, self.step(step, case)) + place

    def fraction(self, a: Piece, b: Piece) -> Piece:
        """The wider of the two."""
        return max(a[0], b[0], key=len), ATOM


class Plain(Unicode):
    """What SymPy's parser reads back as the same expression."""

    name = "plain"
    dot = "*"
    circle = " * "
    minus = "-"
    infinity = "oo"
    constants: ClassVar[Mapping[str, str]] = {"pi": "pi"}
    functions: ClassVar[Mapping[str, str]] = {"relu": "max"}

    def entry(self, step: str, indices: tuple[str, ...], case: Case = str) -> str:
        """An entry of a step; of a row, where the letter is small."""
        return identifier_entry(step, indices, case)

    def step(self, name: str, case: Case = str) -> str:
        """A step's letter."""
        return identifier_step(name, case)

    def symbol(self, name: str) -> str:
        """A free symbol."""
        return name

    def juxtaposed(self, factors: Sequence[str]) -> str:
        """A product with every sign."""
        return "*".join(factors)

    def power(self, base: str, exponent: str) -> str:
        """base**exponent."""
        return f"{base}**{exponent}" if exponent.isdigit() else f"{base}**({exponent})"

    def root(self, text: str) -> str:
        """The square root."""
        return f"sqrt({text})"

    def exponential(self, exponent: str) -> Piece:
        """e to the exponent."""
        return ("E" if exponent == "1" else f"exp({exponent})"), ATOM
