r"""LaTeX mathematics as MathML.

math-core reads what our ink writes, save for two things that only space out a page in print: the
room after a line, `\\[8pt]`, which the style sheet gives to rows with fractions, and `@{}`.
"""

from __future__ import annotations

from functools import cache
from html import escape

from math_core import LatexToMathML

_PRINT_ONLY = ((r"\\[8pt]", r"\\"), ("@{}", ""))
_DISPLAYS = (("{align*}", "{aligned}"), ("{gather*}", "{gathered}"))


def mathml(latex: str, *, is_display: bool = False) -> str:
    r"""A <math> element, the LaTeX its alternative text; displays may be align* and gather*.

    Raises math_core.LatexError for what is no mathematics.

    >>> mathml("1")
    '<math alttext="1"><mn>1</mn></math>'
    """
    text = latex
    for printed, shown in _PRINT_ONLY + _DISPLAYS if is_display else _PRINT_ONLY:
        text = text.replace(printed, shown)
    math = _converter().convert_with_local_state(text, displaystyle=is_display)
    return math.replace("<math", f'<math alttext="{escape(latex)}"', 1)


@cache
def _converter() -> LatexToMathML:
    return LatexToMathML(fancy_error=False)
