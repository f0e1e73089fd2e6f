"""Programs in an article: what their lines define and show, so that printouts bear on them."""

from __future__ import annotations

from derive.verify.program.lines import Statement, is_program, is_understood, statements
from derive.verify.program.pairs import Shown, paired

__all__ = ["Shown", "Statement", "is_program", "is_understood", "paired", "statements"]
