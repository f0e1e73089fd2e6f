"""Inks: how the pieces of a formula are put on paper in one notation.

An ink knows nothing of mathematics; `derive.exact.write` walks a value and calls it.  A piece is
(text, level): how tightly its outermost sign binds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from derive.exact.names import (
    Case,
    joined,
    latex_entry,
    latex_step,
    latex_symbol,
)

SUM, PRODUCT, POWER, ATOM = range(4)
Piece = tuple[str, int]


class Latex:
    """LaTeX mathematics, with upright fractions."""

    name = "latex"
    opening = r"\left("
    closing = r"\right)"
    dot = r" \cdot "
    circle = r" \odot "
    minus = "-"
    infinity = r"\infty"
    constants: ClassVar[Mapping[str, str]] = {"pi": r"\pi"}
    functions: ClassVar[Mapping[str, str]] = {
        "log": r"\ln",
        "relu": r"\max",
        "step": r"\mathbf{1}",
        "RoPE inverse": r"\operatorname{RoPE}^{-1}",
        **{name: "\\" + name for name in ("exp", "sin", "cos", "tan", "tanh")},
    }

    def entry(self, step: str, indices: tuple[str, ...], case: Case = str) -> str:
        """An entry of a step; of a row, where the letter is small."""
        return latex_entry(step, indices, case)

    def step(self, name: str, case: Case = str) -> str:
        """A step's letter."""
        return latex_step(name, case)

    def symbol(self, name: str) -> str:
        """A free symbol."""
        return latex_symbol(name)

    def group(self, text: str) -> str:
        """In round brackets; those of a line grow."""
        return f"{self.opening}{text}{self.closing}"

    def juxtaposed(self, factors: Sequence[str]) -> str:
        """A product without signs, but before a bracket, where a letter would be a function."""
        first, *rest = factors
        return first + "".join(
            f"{self.dot if factor.startswith(self.opening) else ' '}{factor}" for factor in rest
        )

    def product(self, matrices: Sequence[str]) -> str:
        """Matrices beside each other, in this order."""
        return " ".join(matrices)

    def fraction(self, a: Piece, b: Piece) -> Piece:
        """a over b."""
        return rf"\frac{{{a[0]}}}{{{b[0]}}}", ATOM

    def power(self, base: str, exponent: str) -> str:
        """base^exponent."""
        return f"{base}^{{{exponent}}}"

    def root(self, text: str) -> str:
        """The square root."""
        return rf"\sqrt{{{text}}}"

    def exponential(self, exponent: str) -> Piece:
        """e to the exponent."""
        return ("e", ATOM) if exponent == "1" else (f"e^{{{exponent}}}", POWER)

    def function(self, name: str, argument: str) -> str:
        """A function's value."""
        spelled = self.functions.get(name, rf"\operatorname{{{name}}}")
        return rf"{spelled}\left({argument}\right)"

    def beside(self, parts: Sequence[str]) -> str:
        """Matrices side by side."""
        return r"\left[" + r" \mid ".join(parts) + r"\right]"

    def big_sum(self, body: str, index: str, upper: str) -> str:
        """The sum of body over index = 1 ... upper."""
        return rf"\sum_{{{index}=1}}^{{{upper}}} {body}" if upper else rf"\sum_{{{index}}} {body}"

    def delta(self, left: str, right: str) -> str:
        """Kronecker's delta."""
        return rf"\delta_{{{joined((left, right))}}}"

    def partial(self, of: str, by: str) -> str:
        """The derivative of one by the other."""
        return rf"\frac{{\partial {of}}}{{\partial {by}}}"

    def matrix(self, rows: Sequence[Sequence[str]], is_decimal: bool = False) -> str:
        """A matrix written out; decimals of unequal length stand point under point."""
        room = "[8pt]" if any(r"\frac" in x for row in rows for x in row) else ""
        body = rf" \\{room} ".join(" & ".join(row) for row in rows)
        if is_decimal and len({len(x) for row in rows for x in row}) > 1:
            right = "r" * len(rows[0])
            return rf"\left[\begin{{array}}{{@{{}}{right}@{{}}}} {body} \end{{array}}\right]"
        return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"

    def numeral(self, text: str) -> str:
        """A decimal numeral, powers of ten as such."""
        digits, _, power = text.partition("e")
        return rf"{digits} \cdot 10^{{{power}}}" if power else digits.replace("oo", r"\infty")

    def transpose(self, text: str) -> str:
        """A matrix turned over."""
        return rf"{text}^{{\top}}"

    def cases(self, rows: Sequence[tuple[str, str]]) -> str:
        """Each (term, condition) under the one before."""
        body = r" \\ ".join(f"{term}, & {condition}" for term, condition in rows)
        return rf"\begin{{cases}} {body} \end{{cases}}"

    @property
    def inline(self) -> Latex:
        """The ink of exponents: fractions with a stroke."""
        return InlineLatex()


class InlineLatex(Latex):
    """LaTeX mathematics for exponents."""

    opening = "("
    closing = ")"

    def fraction(self, a: Piece, b: Piece) -> Piece:
        """a/b with brackets where they are needed."""
        top = a[0] if a[1] >= PRODUCT else self.group(a[0])
        bottom = b[0] if b[1] >= POWER else self.group(b[0])
        return f"{top}/{bottom}", PRODUCT
