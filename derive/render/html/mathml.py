r"""LaTeX mathematics as MathML.

math-core reads what our ink writes, save for two things that only space out a page in print: the
room after a line, `\\[8pt]`, which the style sheet gives to rows with fractions, and `@{}`.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape

from math_core import LatexToMathML

_PRINT_ONLY = ((r"\\[8pt]", r"\\"), ("@{}", ""))
_DISPLAYS = (("{align*}", "{aligned}"), ("{gather*}", "{gathered}"))
_SPACES = (
    ("<mo>]</mo></mrow>", '<mo rspace="0.15em">]</mo></mrow>'),  # matrices stand a little apart
    ('<mo lspace="0.1667em">&ApplyFunction;', "<mo>&ApplyFunction;"),  # and arguments do not
)

# A bracket that may stretch is given the width of its tallest form by Chromium: what stands around
# letters and numbers need not stretch.
_SPACE = r'((?: [lr]space="[^"]*")*)'
_FLAT = r"((?:<m(?:i|n|o|sub|over)\b[^>]*>|[^<(]+|</\w+>)*?)"
_LOW = re.compile(rf"<mo{_SPACE}>\(</mo>{_FLAT}<mo{_SPACE}>\)</mo>")
_LOW_BRACKETS = r'<mo stretchy="false"\1>(</mo>\2<mo stretchy="false"\3>)</mo>'


def mathml(latex: str, *, is_display: bool = False) -> str:
    r"""A <math> element, the LaTeX its alternative text; displays may be align* and gather*.

    Raises math_core.LatexError for what is no mathematics.

    >>> mathml("1")
    '<math alttext="1"><mn>1</mn></math>'
    """
    text = _replaced(latex, _PRINT_ONLY + _DISPLAYS if is_display else _PRINT_ONLY)
    math = _converter().convert_with_local_state(text, displaystyle=is_display)
    math = _LOW.sub(_LOW_BRACKETS, _replaced(math, _SPACES))
    return math.replace("<math", f'<math alttext="{escape(latex)}"', 1)


def _replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for old, new in pairs:
        text = text.replace(old, new)
    return text


@cache
def _converter() -> LatexToMathML:
    return LatexToMathML(fancy_error=False)
