"""A reader of LaTeX that is right or refuses."""

from __future__ import annotations

from derive.read.latex.chain import Chain
from derive.read.latex.document import Formula, read_formulas
from derive.read.latex.reading import read_latex

__all__ = ["Chain", "Formula", "read_formulas", "read_latex"]
