"""Programs in an article: what their lines define and show, so that printouts bear on them."""

from derive.verify.program.lines import Statement, is_program, is_understood, statements
from derive.verify.program.pairs import (
    BEGINS,
    ENTRY,
    GIVEN,
    OUTPUT,
    PRINTS,
    REMARKS,
    SHOWS,
    TOLD,
    paired,
)
from derive.verify.program.scope import Scope, has_samples, is_numpy, is_torch
from derive.verify.program.source import ENDINGS, has_prompts, language_of, uncommented, unwrapped

__all__ = [
    "BEGINS",
    "ENDINGS",
    "ENTRY",
    "GIVEN",
    "OUTPUT",
    "PRINTS",
    "REMARKS",
    "SHOWS",
    "TOLD",
    "Scope",
    "Statement",
    "has_prompts",
    "has_samples",
    "is_numpy",
    "is_program",
    "is_torch",
    "is_understood",
    "language_of",
    "paired",
    "statements",
    "uncommented",
    "unwrapped",
]
