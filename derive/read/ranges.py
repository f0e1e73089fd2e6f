"""Ranges of exact numbers, as they are typed: "1/4..4"."""

from __future__ import annotations

import re
from fractions import Fraction

from derive.errors import InputError, quoted

_NUMBER = r"\s*([-+−]?\d{1,18}(?:\.\d{1,18}|/0*[1-9]\d{0,17})?)\s*"


def read_range(text: str) -> tuple[Fraction, Fraction]:
    """(low, high) of "low..high"; InputError where that is no range."""
    found = re.fullmatch(rf"{_NUMBER}\.\.{_NUMBER}", text)
    ends = tuple(Fraction(x.replace("−", "-")) for x in found.groups()) if found else ()
    if len(ends) != 2 or ends[0] >= ends[1]:
        raise InputError(
            f"{quoted(text)} is no range", expected='two numbers, the smaller first: "1/4..4"'
        )
    return ends[0], ends[1]
