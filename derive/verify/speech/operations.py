"""Words for what is done to a list: it is multiplied, or something is added to it."""

from __future__ import annotations

import re

_TIMES = (
    r"multipl|molt[ií]pl|vermenigv|mnoż|násob|умнож|помнож|乘|掛け|かけ|곱|çarp|\bnhân|dikali|गुणा"
    "|ضرب"
)
_PLUS = (
    r"\badd|\bplus\b|addier|ajout|sumar|somma|tambah|dodaj|přičt|прибав|додам|加|足し|더하|topla"
    r"|\bcộng|جمع|residual|skip|残差|잔차|остат"
)
TIMES = re.compile(f"(?i){_TIMES}")
"""What says that something is multiplied by the number just before."""
STEP = re.compile(rf"(?i)[+·×*@⊕]\s?\$?$|{_TIMES}|\btimes\b|\bmal\b|\bfois\b|\bpor\b|{_PLUS}")
"""A sign at the end, or a word, that says what is done with the name that follows."""
