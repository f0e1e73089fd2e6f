"""The ink of Word's equations: Office Math markup (ISO/IEC 29500-1, 22.1), beside the other inks.

A piece holds structures (fractions, roots, matrices ...) as elements and all else as loose text;
whoever puts it into a document makes runs of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import ClassVar

from derive.exact.ink import ATOM, POWER, PRODUCT, Latex, Piece
from derive.exact.letters import STEPS
from derive.exact.names import GREEK_LETTERS, Case, held, is_standard, joined, label, split_name

ACCENTS = {"tilde": "\u0303", "check": "\u030c", "hat": "", "bar": "\u0305", "dot": "\u0307"}
_ACCENTED = re.compile(r"\\(tilde|check|hat|bar|dot)\{(\w)\}")
_WORD = re.compile(r"\\math(rm|bf)\{(\w+)\}")
_SIGNS = {"\\top": "⊤", "\\ell": "ℓ", "\\varepsilon": "ε"}


class Omml(Latex):
    """Office Math, with upright fractions."""

    name = "omml"
    dot = "⋅"
    circle = "⊙"
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
        letter, above, below = _parts(self, step, case)
        if not indices:
            return scripts(letter, above, below)
        if below:
            letter, above = held(step, scripts(letter, above, below)), ""
        return scripts(letter, above, escape(joined(indices)))

    def step(self, name: str, case: Case = str) -> str:
        """A step's letter."""
        return scripts(*_parts(self, name, case))

    def symbol(self, name: str) -> str:
        """A free symbol: tau, a_1, x12, W_Q_11, d_model."""
        if is_standard(name):
            return self.step(name)
        base, rest = split_name(name)
        if base == "W" and len(rest) > 1 and not rest[0].isdigit():
            return scripts("W", _word(rest[0]), joined(tuple(rest[1:])))
        return scripts(_word(base), "", joined(tuple(map(_word, rest))))

    def group(self, text: str) -> str:
        """In round brackets that grow."""
        return f"<m:d><m:e>{text}</m:e></m:d>"

    def juxtaposed(self, factors: Sequence[str]) -> str:
        """A product without signs, but before a bracket, where a letter would be a function."""
        return "".join(f"{self.dot}{f}" if k and _is_group(f) else f for k, f in enumerate(factors))

    def product(self, matrices: Sequence[str]) -> str:
        """Matrices beside each other, in this order."""
        return "".join(matrices)

    def fraction(self, a: Piece, b: Piece) -> Piece:
        """a over b."""
        return f"<m:f><m:num>{a[0]}</m:num><m:den>{b[0]}</m:den></m:f>", ATOM

    def power(self, base: str, exponent: str) -> str:
        """base^exponent."""
        return scripts(base, exponent, "")

    def root(self, text: str) -> str:
        """The square root."""
        hidden = '<m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>'
        return f"<m:rad>{hidden}<m:e>{text}</m:e></m:rad>"

    def exponential(self, exponent: str) -> Piece:
        """e to the exponent."""
        return ("e", ATOM) if exponent == "1" else (self.power("e", exponent), POWER)

    def function(self, name: str, argument: str) -> str:
        """A function's value."""
        named = upright(self.functions.get(name, name))
        return f"<m:func><m:fName>{named}</m:fName><m:e>{self.group(argument)}</m:e></m:func>"

    def beside(self, parts: Sequence[str]) -> str:
        """Matrices side by side."""
        return bracketed("\u2223".join(parts))

    def big_sum(self, body: str, index: str, upper: str) -> str:
        """The sum of body over index = 1 ... upper."""
        hidden = "" if upper else '<m:supHide m:val="1"/>'
        look = f'<m:naryPr><m:chr m:val="∑"/><m:limLoc m:val="undOvr"/>{hidden}</m:naryPr>'
        below = f"{index}=1" if upper else index
        limits = f"<m:sub>{below}</m:sub><m:sup>{upper}</m:sup>"
        return f"<m:nary>{look}{limits}<m:e>{body}</m:e></m:nary>"

    def delta(self, left: str, right: str) -> str:
        """Kronecker's delta."""
        return scripts("δ", "", joined((left, right)))

    def partial(self, of: str, by: str) -> str:
        """The derivative of one by the other."""
        return self.fraction((f"∂{of}", PRODUCT), (f"∂{by}", PRODUCT))[0]

    def matrix(self, rows: Sequence[Sequence[str]], is_decimal: bool = False) -> str:
        """A matrix written out; decimals stand at the right of their column."""
        side = "right" if is_decimal else "center"
        column = f'<m:mcPr><m:count m:val="{len(rows[0])}"/><m:mcJc m:val="{side}"/></m:mcPr>'
        look = f"<m:mPr><m:mcs><m:mc>{column}</m:mc></m:mcs></m:mPr>"
        body = "".join(f"<m:mr>{''.join(map(_argument, row))}</m:mr>" for row in rows)
        return bracketed(f"<m:m>{look}{body}</m:m>")

    def numeral(self, text: str) -> str:
        """A decimal numeral, powers of ten as such."""
        digits, _, power = text.replace("-", self.minus).partition("e")
        if power:
            return f"{digits}{self.dot}{self.power('10', power)}"
        return digits.replace("oo", self.infinity)

    def transpose(self, text: str) -> str:
        """A matrix turned over."""
        return scripts(text, "⊤", "")

    def cases(self, rows: Sequence[tuple[str, str]]) -> str:
        """Each (term, condition) under the one before."""
        body = "".join(_argument(f"{term}, {condition}") for term, condition in rows)
        look = '<m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>'
        return f"<m:d>{look}<m:e><m:eqArr>{body}</m:eqArr></m:e></m:d>"

    @property
    def inline(self) -> Omml:
        """The ink of exponents: fractions with a stroke."""
        return INLINE_OMML


class InlineOmml(Omml):
    """Office Math for exponents."""

    def fraction(self, a: Piece, b: Piece) -> Piece:
        """a/b with brackets where they are needed."""
        top = a[0] if a[1] >= PRODUCT else self.group(a[0])
        bottom = b[0] if b[1] >= POWER else self.group(b[0])
        return f"{top}/{bottom}", PRODUCT


def upright(text: str, style: str = "p") -> str:
    """A run that is not in italics: p upright, b bold."""
    look = f'<m:rPr><m:sty m:val="{style}"/></m:rPr>'
    return f"<m:r>{look}<m:t>{escape(text)}</m:t></m:r>"


def bracketed(text: str) -> str:
    """In square brackets that grow."""
    look = '<m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>'
    return f"<m:d>{look}<m:e>{text}</m:e></m:d>"


def scripts(base: str, above: str, below: str) -> str:
    """A base with what stands above and below at its right."""
    if not above and not below:
        return base
    kind = f"s{'Sub' * bool(below)}{'Sup' * bool(above)}"
    sub = f"<m:sub>{below}</m:sub>" if below else ""
    sup = f"<m:sup>{above}</m:sup>" if above else ""
    return f"<m:{kind}><m:e>{base}</m:e>{sub}{sup}</m:{kind}>"


def _argument(text: str) -> str:
    return f"<m:e>{text}</m:e>"


def _is_group(text: str) -> bool:
    return text.startswith(("<m:d><m:e>", "("))


def _parts(ink: Omml, name: str, case: Case) -> tuple[str, str, str]:
    """A step's letter, and what stands above and below it."""
    found = label(name)
    if not found.is_step:
        return ink.symbol(case(name)), "", ""
    stem, own, *_ = STEPS[found.base]
    letter = upright(found.before) * bool(found.before) + _letter(case(stem)) + "′" * found.primes
    if own.startswith("_"):
        return letter, found.above(str), own[1:]
    return letter, found.above(str) + "⊤" if own == "\\top" else own + found.above(str), ""


def _letter(stem: str) -> str:
    """One of LaTeX's letters of the table of steps."""
    if found := _ACCENTED.fullmatch(stem):
        sign = ACCENTS[found[1]]  # a hat is what stands there where nothing is said
        look = f'<m:accPr><m:chr m:val="{sign}"/></m:accPr>' * bool(sign)
        return f"<m:acc>{look}<m:e>{found[2]}</m:e></m:acc>"
    if found := _WORD.fullmatch(stem):
        return upright(found[2], {"rm": "p", "bf": "b"}[found[1]])
    return _SIGNS.get(stem) or GREEK_LETTERS.get(stem.removeprefix("\\"), stem)


def _word(text: str) -> str:
    """A letter, or letters upright side by side."""
    found = GREEK_LETTERS.get(text, text)
    return escape(found) if len(found) == 1 or found.isdigit() else upright(found)


OMML, INLINE_OMML = Omml(), InlineOmml()
