"""The signs of an article: numbers, names and operators, whatever notation they are written in.

LaTeX, Unicode, Python and R are read by one scanner.  Words are signs
too, so that a formula ends where the prose goes on.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from derive.verify.grammar.scripts import ACCENTED, VOWELS


@dataclass(frozen=True)
class Sign:
    """One sign: its kind, what it means, where it stands, and whether a space is before it."""

    kind: str
    text: str
    start: int
    end: int
    gap: bool = False


_GROUPS = r"\d{1,3}(?:(?:[\u00a0\u2009\u202f'’]|\\,)\d{3}){1,8}"
"""Thousands parted by narrow spaces or apostrophes."""
THOUSANDS = r"[1-9]\d{0,2}(?:\.\d{3}){2,8}(?![\d.]*\d)"
"""1.048.576, whatever stands before decimals."""
NUMBER = (
    rf"{_GROUPS}(?:\.\d+)?(?!\d)|\d{{1,3}}(?:,\d{{3}}){{1,8}}(?:\.\d+)?(?!,?\d)"
    r"|\d{1,3}(?:\{,\}\d{3}){1,8}(?:\.\d+)?(?!\d)"
    rf"|{THOUSANDS}"
    r"|\d+(?:[.٫．]\d+)?"
)
COMMA = (
    rf"{_GROUPS}(?:,\d+)?(?!\d)|\d{{1,3}}(?:\.\d{{3}}){{1,8}}(?:,\d+)?(?!\.?\d)"
    r"|\d{1,3}(?:\{,\}\d{3}){2,8}(?!\d)"
    r"|\d+(?:(?:,|\{,\}|٫)\d+)?"
)
"""Numbers whose decimals follow a comma."""
_EXPONENT = r"(?:[eE][+-]?\d{1,4}(?![\d.\w]))?(?:(?:\s|\\[,;:! ]|~|\$){0,2}\\?[%％٪])?"
_TIMES = r"\s?(?:\\times|\\cdot|[×·⋅xX*])\s?10\s?"
_POWER = r"(?:\^\s?\{\s?SIGN\d{1,3}\s?\}|\^SIGN\d{1,3}|\*\*SIGN\d{1,3}|UP[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
_SMALL = _POWER.replace("SIGN", "[-−]").replace("UP", "⁻")
_ANY = _POWER.replace("SIGN", "[-−+]?").replace("UP", "[⁻⁺]?")
SCIENTIFIC = rf"[1-9](?:[.,]\d+{_TIMES}{_ANY}|{_TIMES}{_SMALL})(?!\s?[=\d^])"
"""1.2×10⁻³, which is one number; 3·10² = 300 is a product."""
STAMP = rf"""(?<![\w.])(?!{THOUSANDS})(?:
        \d{{4}}-\d{{1,2}}-\d{{1,2}}(?![\d.])|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}(?!\d)
        |\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\d.])|[vV]?\d{{1,6}}(?:\.\d{{1,6}}){{2,5}}(?![\d.]*\d)
        |\d+(?:k(?!\s?[/^+*·}}])|[kKMGT]i?B|\d[KMB])(?!\w)
        |\+?\d{{2,4}}(?:[- ]\d{{3,4}}){{2,4}}(?![\d.]))|https?://[^\s)>\]]{{1,400}}"""
"""Dates, times, versions, sizes, telephone numbers and addresses, which are no numbers."""
_HIDDEN = r"""\\(?:label|tag|ref|eqref|pageref|cite[a-z]{0,8}|[hv]space|cline|cmidrule|color
        |textcolor|url|usepackage|documentclass|bibitem|setcounter|includegraphics|multirow|arraystretch)\*?
        (?:\([^()\n]{0,40}\)|\[[^\[\]\n]{0,200}\])?\s?\{[^{}\n]{0,200}\}"""
_UNSEEN = r"""\\(?:quad|qquad|displaystyle|textstyle|limits|nolimits|nonumber|notag|hline|toprule
        |midrule|bottomrule|left|right|middle|[bB]igg?[lrm]?|mathstrut|phantom|thinspace|enspace
        |textnormal|boxed|underline|fbox|bfseries|rm|bf)(?![a-zA-Z])\.?
        |\\(?:textbf|textit|text|mathrm|mathbf|boldsymbol|bm|mbox|textrm|emph|mathtt|texttt|num)
        (?=\s?\{\s?\$?[-−+]?[\d.])"""
_EVENT = r"(?<=[\w}])\[\s?[A-Za-z]\w{0,8}\s?=\s?-?[\d.]{1,8}\s?\]"
"""P[X = 1], which gives X no value."""
_OVER = (
    "tilde|hat|bar|widetilde|widehat|overline|vec|mathbf|mathbb|mathcal|boldsymbol|bm"
    "|mathsf|mathrm|mathit"
)
"""Commands for what stands over a letter, or how it is drawn; one may stand in another."""
_PATTERN = rf"""
    (?P<ones>[𝟏𝟙𝟭]|\\(?:mathbf|mathbb|mathds|boldsymbol|bm|vec)\s?(?:\{{\s?1\s?\}}|1(?![\d.])))
    |(?P<space>{_EVENT}
        |[ \t\xa0\u3000\u2000-\u200f\u202f\u2060-\u2064\ufeff~]+|\\[,;:!]|{_HIDDEN}|{_UNSEEN})
    |(?P<rowsep>\\\\(?:\[[^\]\n]{{0,20}}\])?)
    |(?P<nl>\r\n|\n|\r)
    |(?P<env>\\(?P<side>begin|end)\s?\{{(?P<name>[a-zA-Z]+\*?)\}}(?:\s?\[[a-z]{{0,3}}\])?)
    |(?P<gradient>\\mathrm\s?\{{d\}}\s?(?:\\(?P<mark>{_OVER})\s?(?P<wrap>\{{)?\s?)?
        \\?(?P<of>[A-Za-zΑ-Ωα-ω]+)(?![A-Za-z])(?(wrap)\s?\}}))
    |(?P<said>\\(?:text|textbf|textit|mathrm|operatorname\*?|mbox|textrm|emph|section\*?|mathtt|texttt
        |mathsf)\s?\{{(?P<inside>[^{{}}]{{0,200}})\}})
    |(?P<accent>\\(?P<over>{_OVER})\s?(?:\{{\s?(?P<under>\\?[a-zA-Z]+)\s?\}}
        |\{{\s?\\(?P<inner>{_OVER})\s?(?:\{{\s?(?P<deep>\\?[a-zA-Z]+)\s?\}}
            |(?P<near>\\[a-zA-Z]+|(?<![a-zA-Z])[a-zA-Z]))\s?\}}
        |(?P<bare>\\[a-zA-Z]+|[a-zA-Z])))
    |(?P<norm>\\\||‖)
    |(?P<brk>\$`|`\$|\$\$?|\\\[|\\\]|\\\(|\\\))
    |(?P<stamp>{STAMP})
    |(?P<vulgar>(?<![\w.])\d{{0,6}}[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])
    |(?P<num>(?<![\w.])(?:{SCIENTIFIC}|(?:{NUMBER}){_EXPONENT})|(?<![\w.])\.\d+{_EXPONENT}|(?<=[\])}}a-zA-Z_])(?:{NUMBER}))
    |(?P<least>float\(\s?["']-inf["']\s?\))
    |(?P<command>\\[a-zA-Z]+)
    |(?P<blank>\\[ ])
    |(?P<super>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)
    |(?P<sub>[₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘₜ]+)
    |(?P<accented>[A-Za-z]*[{ACCENTED}][A-Za-z{ACCENTED}]*)
    |(?P<id>(?:np|torch|math|numpy|tf|F|jnp)\.[a-zA-Z_.]+|L\d{{1,2}}\.[A-Za-zΑ-Ωα-ωℓ](?![a-z])|[A-Za-z_Α-Ωα-ωℓ∞∂∇∑][A-Za-zΑ-Ωα-ω0-9_]*)
    |(?P<word>(?:[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉ᵀ]|(?<=[^\W\d_])[{VOWELS}]|(?<=[{VOWELS}])[{VOWELS}])+)
    |(?P<power>\*\*)
    |(?P<times>%\*%)
    |(?P<rel>:=|==|=>|->|<-(?=\s)|[=≈≃≅→⇒≒＝↦])
    |(?P<top>[ᵀ⊤])
    |(?P<op>\\[*_]|\\[-+](?=\s?\d)|[-+*/@^×·⋅・÷−－＋∙∗⊙∘√'′″_&|∣!<>⟨⟩]
        |(?:(?<=\w)|(?<=\w[ ]))•(?=[ ]?[A-Za-z]\w{{0,3}}\b))
    |(?P<open>[\[({{（［【]|\\\{{)
    |(?P<close>[\])}}）］】]|\\\}})
    |(?P<sep>[,，、،])
    |(?P<other>.)
    """


@cache
def _signs(comma: bool) -> re.Pattern[str]:
    """What finds the signs; a comma or a point stands before decimals."""
    return re.compile(_PATTERN.replace(NUMBER, COMMA) if comma else _PATTERN, re.X | re.S)


MATRICES = frozenset(
    "matrix bmatrix pmatrix vmatrix Bmatrix Vmatrix smallmatrix array tabular bsmallmatrix"
    " psmallmatrix vsmallmatrix NiceMatrix bNiceMatrix pNiceMatrix NiceArray".split()
)
_COMMANDS = {
    "cdot": ("op", "·"), "times": ("op", "×"), "div": ("op", "/"), "ast": ("op", "*"),
    "approx": ("rel", "≈"), "simeq": ("rel", "≈"), "to": ("rel", "→"), "rightarrow": ("rel", "→"),
    "Rightarrow": ("rel", "→"), "implies": ("rel", "→"), "equiv": ("other", "≡"),
    "bmod": ("other", "mod"), "pmod": ("other", "mod"), "mod": ("other", "mod"),
    "frac": ("frac", ""), "dfrac": ("frac", ""), "tfrac": ("frac", ""), "sqrt": ("sqrt", ""),
    "underbrace": ("brace", ""), "overbrace": ("brace", ""),
    "exp": ("id", "exp"), "intercal": ("top", ""),
    "log": ("id", "log"), "ln": ("id", "ln"), "sin": ("id", "sin"),
    "cos": ("id", "cos"), "tanh": ("id", "tanh"), "max": ("id", "max"), "top": ("top", ""),
    "infty": ("id", "∞"), "lbrack": ("open", "["), "rbrack": ("close", "]"),
    "pi": ("id", "pi"), "Phi": ("id", "Φ"), "partial": ("id", "∂"), "odot": ("op", "⊙"),
    "circ": ("op", "⊙"), "circledast": ("op", "⊙"),
    "prime": ("op", "'"), "lvert": ("op", "|"), "mid": ("op", "|"), "rvert": ("op", "|"),
    "lVert": ("op", "‖"), "rVert": ("op", "‖"),
    "Vert": ("op", "‖"), "vert": ("op", "|"), "langle": ("op", "⟨"), "rangle": ("op", "⟩"),
    "cdots": ("other", "…"), "neq": ("other", "≠"), "ne": ("other", "≠"),
}  # fmt: skip
_SAME = {
    "−": "-", "－": "-", "＋": "+", "∙": "·", "•": "·", "・": "·", "⋅": "·", "∗": "*", "∘": "⊙",
    "÷": "/", "（": "(", "）": ")",
    "′": "'", "″": "''",
    "［": "[", "］": "]", "【": "[", "】": "]", "⇒": "→", "=>": "→", "->": "→", "＝": "=",
    "∣": "|", "==": "=", ":=": "=", "<-": "=", "\\{": "{", "\\}": "}",
    "\\*": "*", "\\_": "_", "\\+": "+", "\\-": "-",
}  # fmt: skip
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₘₜ", "0123456789-0123456789ijknmt")


def signs(text: str, kind: str = "prose", comma: bool = False) -> list[Sign]:
    """The signs of a segment, in order; spaces leave only their trace."""
    return list(_Scanner(plain(text), kind).scan(_signs(comma)))


_FRACTION = re.compile(r"\\[dtc]?frac\s*\Z")
_SIZE = re.compile(r"\\(?:left|right|middle|[bB]igg?[lrm]?)")
"""What tells how high a bracket is."""
_STYLED = re.compile("[\U0001d400-\U0001d7cb]")
_TALL = str.maketrans("⎡⎢⎣⎤⎥⎦⎛⎜⎝⎞⎟⎠", "[  ;;][  ;;]")
"""Brackets as high as a matrix, piece by piece: it begins, goes on, and ends."""


def plain(text: str) -> str:
    """The text with mathematical letters as plain ones, at the same length."""
    text = text.translate(_TALL)
    return _STYLED.sub(lambda found: unicodedata.normalize("NFKC", found[0])[:1], text)


class _Scanner:
    """One pass over the text, keeping how deep in matrices and brackets it is."""

    def __init__(self, text: str, kind: str) -> None:
        self.text, self.kind = text, kind
        self.gap, self.matrices, self.brackets = True, 0, 0
        self.loose = False  # whether a single backslash parts the rows of this matrix

    def scan(self, pattern: re.Pattern[str]) -> Iterator[Sign]:
        for found in pattern.finditer(self.text):
            kind = found.lastgroup or "other"  # an outer group closes after those inside it
            if kind == "space":
                self.gap |= not _SIZE.fullmatch(found[0])
                continue
            for sign in self.read(kind, found):
                self.gap = False
                yield sign
            if kind in ("nl", "rowsep", "brk"):
                self.gap = True

    def read(self, kind: str, found: re.Match[str]) -> Iterator[Sign]:
        if kind == "env":
            yield self.environment(found)
        elif kind == "num":
            yield from self.number(found)
        elif kind == "blank":
            if self.matrices and self.loose:
                yield self.sign("rowsep", found[0], found)
            self.gap = True
        elif kind == "least":
            yield self.sign("op", "-", found)
            yield Sign("id", "∞", *found.span())
        elif kind in ("stamp", "times"):
            yield self.sign("other" if kind == "stamp" else "op", "@" * (kind == "times"), found)
        elif kind == "accented":
            mark = _COMBINED.get(found[0][1:])
            text = found[0][0] + mark if mark else found[0]
            yield self.sign("id" if mark else "word", text, found)
        elif kind == "power" and self.is_bold(*found.span()):
            self.gap = True
        elif kind == "other":
            yield from self.other(found[0], *found.span())
        else:
            yield self.plain(kind, found)

    def is_bold(self, start: int, end: int) -> bool:
        """Whether two stars begin or end what is printed bold."""
        before, after = self.text[start - 1 : start], self.text[end : end + 1]
        if self.kind != "prose" or before.isspace() == after.isspace():
            return self.kind == "prose" and not (before.isalnum() or before in " )]}")
        return True

    def sign(self, kind: str, text: str, found: re.Match[str]) -> Sign:
        return Sign(kind, text, found.start(), found.end(), self.gap)

    def plain(self, kind: str, found: re.Match[str]) -> Sign:
        """A sign that means the same wherever it stands."""
        text = found[0]
        match kind:
            case "said":
                return self.sign("said", found["inside"].replace("\\_", "_").strip(), found)
            case "gradient":
                return self.sign("id", "d" + found["of"] + _ACCENTS.get(found["mark"], ""), found)
            case "accent":
                shown = next(filter(None, map(found.group, ("under", "deep", "near", "bare"))))
                mark = _ACCENTS.get(found["over"]) or _ACCENTS.get(found["inner"] or "", "")
                return self.sign("id", shown.lstrip("\\") + mark, found)
            case "norm":
                return self.sign("op", "‖", found)
            case "command":
                return self.sign(*_COMMANDS.get(text[1:], ("id", text[1:])), found)
            case "super" | "sub":
                return self.sign(kind, text.translate(_DIGITS), found)
            case "open" | "close":
                self.brackets = max(0, self.brackets + (1 if kind == "open" else -1))
        return self.sign(kind, _SAME.get(text, text), found)

    def environment(self, found: re.Match[str]) -> Sign:
        start, end, name = found.start(), found.end(), found["name"].rstrip("*")
        if name not in MATRICES:
            return Sign("brk", name, start, end, self.gap)
        if found["side"] == "end":
            self.matrices = max(0, self.matrices - 1)
            return Sign("end", name, start, end, self.gap)
        self.matrices += 1
        close = self.text.find("\\end", end, end + 20_000)
        self.loose = "\\\\" not in self.text[end : close if close > 0 else end]
        return Sign("begin", name, start, end, self.gap)

    def number(self, found: re.Match[str]) -> Iterator[Sign]:
        r"""A number; in \frac14 each digit is an argument by itself."""
        start, end = found.span()
        is_whole = self.text[start:end].isdigit()
        if is_whole and self.text[end : end + 1] == "." and self.is_bare_point(end, end + 1):
            end += 1
        is_split = found[0][:2].isdigit() and len(found[0]) > 1
        if is_split and _FRACTION.search(self.text, max(0, start - 8), start):
            yield Sign("num", self.text[start], start, start + 1, self.gap)
            yield Sign("num", self.text[start + 1], start + 1, start + 2)
            start += 2
        if start < end:
            yield Sign("num", self.text[start:end], start, end, self.gap)

    def other(self, text: str, start: int, end: int) -> Iterator[Sign]:
        if text == "\\" and self.matrices:
            yield Sign("rowsep", text, start, end, self.gap)
        elif text == "." and self.is_bare_point(start, end):
            return
        else:
            yield Sign("other", text, start, end, self.gap)

    def is_bare_point(self, start: int, end: int) -> bool:
        """Whether this point belongs to a number like `1.`, as arrays are printed."""
        inside = self.brackets > 0 or self.kind == "code"
        return (
            inside
            and self.text[start - 1 : start].isdigit()
            and self.text[end : end + 1] in " ])\n,"
        )


_ACCENTS = {
    "tilde": "~tilde", "widetilde": "~tilde", "hat": "~hat", "widehat": "~hat", "bar": "~bar",
    "overline": "~bar",
}  # fmt: skip
_COMBINED = {"\u0302": "~hat", "\u0303": "~tilde", "\u0304": "~bar", "\u0305": "~bar"}
"""Marks over a letter."""
