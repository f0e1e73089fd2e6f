"""The ink of Typst's mathematics, beside the others in `derive.exact.ink`.

Words stand in quotes and numerals stay together in indices: what Typst sees is never ambiguous.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from derive.exact.ink import ATOM, POWER, PRODUCT, Latex, Piece
from derive.exact.letters import STEPS
from derive.exact.names import GREEK_LETTERS, Case, held, is_standard, label, split_name

LETTERS = {
    # LaTeX letters that Typst spells otherwise
    "\\tilde{S}": "tilde(S)",
    "\\check{S}": "caron(S)",
    "\\hat{S}": "hat(S)",
    "\\hat{X}": "hat(X)",
    "\\bar{U}": "macron(U)",
    "\\bar{G}": "macron(G)",
    "\\bar{K}": "macron(K)",
    "\\bar{V}": "macron(V)",
    "\\mathrm{PE}": '"PE"',
    "\\mathrm{var}": '"var"',
    "\\mathrm{ms}": '"ms"',
    "\\mathrm{rms}": '"rms"',
    "\\mathrm{PPL}": '"PPL"',
    "\\mathbf{1}": "bold(1)",
    "\\ell": "ℓ",
    "\\mu": "μ",
    "\\sigma": "σ",
    "\\gamma": "γ",
    "\\beta": "β",
    "\\top": "⊤",
}
# The shapes that LaTeX gives these two.
GREEK = {**GREEK_LETTERS, "epsilon": "ϵ", "phi": "ϕ"}


class Typst(Latex):
    """Typst mathematics, with upright fractions."""

    name = "typst"
    dot = " ⋅ "
    circle = " ⊙ "
    minus = "−"
    infinity = "∞"
    constants: ClassVar[Mapping[str, str]] = {"pi": "π"}
    functions: ClassVar[Mapping[str, str]] = {
        "log": "ln",
        "relu": "max",
        "step": "bold(1)",
        "RoPE inverse": 'op("RoPE")^(-1)',
        **{name: name for name in ("exp", "sin", "cos", "tan", "tanh")},
    }

    def entry(self, step: str, indices: tuple[str, ...], case: Case = str) -> str:
        """An entry of a step; of a row, where the letter is small."""
        letter = self.step(step, case)
        return f"{held(step, letter)}_{_index(indices)}" if indices else letter

    def step(self, name: str, case: Case = str) -> str:
        """A step's letter."""
        found = label(name)
        if not found.is_step:
            return case(self.symbol(name))
        stem, own, *_ = STEPS[found.base]
        above = [f'"{text}"'] if (text := found.above(str)) else []
        below, own = (own, "") if own.startswith("_") else ("", LETTERS.get(own, own))
        labels = [*above, own] if own == "⊤" else [own] * bool(own) + above
        letter = case(LETTERS.get(stem, stem)) + "'" * found.primes
        letter = f"upright({found.before}){letter}" if found.before else letter
        letter += below
        if not labels:
            return letter
        return f"{letter}^{labels[0] if len(labels) == 1 else '(' + ' '.join(labels) + ')'}"

    def symbol(self, name: str) -> str:
        """A free symbol: tau, a_1, x12, W_Q_11, d_model."""
        if is_standard(name):
            return self.step(name)
        base, rest = split_name(name)
        if base == "W" and len(rest) > 1 and not rest[0].isdigit():
            return f"W^{_word(rest[0])}_{_index(tuple(rest[1:]))}"
        return f"{_word(base)}_{_index(tuple(rest))}" if rest else _word(base)

    def group(self, text: str) -> str:
        """In round brackets that grow."""
        return f"({text})"

    def juxtaposed(self, factors: Sequence[str]) -> str:
        """A product without signs; a matrix written out keeps a little distance."""
        return " ".join(factors).replace(" mat(", " thin mat(")

    def product(self, matrices: Sequence[str]) -> str:
        """Matrices beside each other, in this order; brackets keep a little distance."""
        text = matrices[0]
        for left, right in pairwise(matrices):
            text += " thin " if _has_brackets(left) or _has_brackets(right) else " "
            text += right
        return text

    def fraction(self, a: Piece, b: Piece) -> Piece:
        """a over b."""
        return f"frac({a[0]}, {b[0]})", ATOM

    def power(self, base: str, exponent: str) -> str:
        """base^exponent."""
        return f"{base}^({exponent})"

    def root(self, text: str) -> str:
        """The square root."""
        return f"sqrt({text})"

    def exponential(self, exponent: str) -> Piece:
        """e to the exponent."""
        return ("e", ATOM) if exponent == "1" else (f"e^({exponent})", POWER)

    def function(self, name: str, argument: str) -> str:
        """A function's value."""
        spelled = self.functions.get(name, f'op("{name}")')
        return f"{spelled} ({argument})"

    def beside(self, parts: Sequence[str]) -> str:
        """Matrices side by side."""
        return f"[{' thin | thin '.join(parts)}]"

    def big_sum(self, body: str, index: str, upper: str) -> str:
        """The sum of body over index = 1 ... upper."""
        return f"sum_({index} = 1)^({upper}) {body}" if upper else f"sum_({index}) {body}"

    def delta(self, left: str, right: str) -> str:
        """Kronecker's delta."""
        return f"delta_{_index((left, right))}"

    def partial(self, of: str, by: str) -> str:
        """The derivative of one by the other."""
        return f"frac(partial {of}, partial {by})"

    def matrix(self, rows: Sequence[Sequence[str]], is_decimal: bool = False) -> str:
        """A matrix written out; decimals stand point under point."""
        room = "row-gap: #0.6em, " if any("frac(" in x for row in rows for x in row) else ""
        right = "align: #right, " if is_decimal else ""
        body = "; ".join(", ".join(row) for row in rows)
        # A last semicolon tells a matrix of one row from a column.
        return f"mat({room}{right}{body};)"

    def numeral(self, text: str) -> str:
        """A decimal numeral, powers of ten as such."""
        digits, _, power = text.replace("-", self.minus).partition("e")
        return f"{digits}{self.dot}10^({power})" if power else digits.replace("oo", self.infinity)

    def transpose(self, text: str) -> str:
        """A matrix turned over."""
        return f"{text}^⊤"

    def cases(self, rows: Sequence[tuple[str, str]]) -> str:
        """Each (term, condition) under the one before."""
        return "cases(" + ", ".join(f'{term}"," & {condition}' for term, condition in rows) + ")"

    @property
    def inline(self) -> Typst:
        """The ink of exponents: fractions with a stroke."""
        return INLINE_TYPST


class InlineTypst(Typst):
    """Typst mathematics for exponents."""

    def fraction(self, a: Piece, b: Piece) -> Piece:
        """a/b with brackets where they are needed."""
        top = a[0] if a[1] >= PRODUCT else self.group(a[0])
        bottom = b[0] if b[1] >= POWER else self.group(b[0])
        return rf"{top}\/{bottom}", PRODUCT


def _has_brackets(text: str) -> bool:
    return text.startswith(("(", "mat(")) or " (" in text


def _word(text: str) -> str:
    """A letter, or letters upright side by side; Typst reads a bare word as a name."""
    letters = list(GREEK.get(text, text))
    return letters[0] if len(letters) == 1 else f"upright({' '.join(letters)})"


def _index(parts: tuple[str, ...]) -> str:
    """The indices together: "12", (i j), "1,12"."""
    between = "" if all(len(part) == 1 for part in parts) else ","
    if all(part.isdigit() for part in parts):
        return f'"{between.join(parts)}"'
    spelled = [f'"{part}"' if part.isdigit() else _word(part) for part in parts]
    return "(" + (f'"{between}"' if between else " ").join(spelled) + ")"


TYPST, INLINE_TYPST = Typst(), InlineTypst()
