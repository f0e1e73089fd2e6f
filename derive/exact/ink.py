"""The inks there are, by name."""

from __future__ import annotations

from derive.exact.latex_ink import ATOM, POWER, PRODUCT, SUM, InlineLatex, Latex, Piece
from derive.exact.unicode_ink import Plain, Ruler, Unicode

__all__ = [
    "ATOM",
    "INLINE_LATEX",
    "LATEX",
    "PLAIN",
    "POWER",
    "PRODUCT",
    "RULER",
    "SUM",
    "UNICODE",
    "InlineLatex",
    "Latex",
    "Piece",
    "Plain",
    "Ruler",
    "Unicode",
]

LATEX, INLINE_LATEX, UNICODE, PLAIN = Latex(), InlineLatex(), Unicode(), Plain()
RULER = Ruler()
