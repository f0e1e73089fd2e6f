"""The number whose powers a softmax takes in an article, where that is not e."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = r"(?P<base>\d{1,3})(?![\d.,]*\d)"
_POWER = r"\s*\}?\s*(?:\^|\*\*|<sup>|(?=[ˣⁱʲᶻˢᵢ]))"
_FORMULA = re.compile(
    rf"(?i)softmax[^=\n]{{0,60}}=[\s$&]*(?:\\[dt]?frac\s*)?[{{(\s]*{_NUMBER}{_POWER}[^=\n]{{1,40}}?"
    rf"(?:/|\}}\s*\{{)[^=\n]{{0,20}}?(?:Σ|∑|\\sum|\bsum)[^=\n]{{0,30}}?(?P=base){_POWER}"
)
_BASE = r"(?:bas[eis]{1,2}|base de|основани[юе]м?|základ\w*|podstaw\w*|grunntall)"
_WORDS = re.compile(
    rf"(?i)softmax\W{{0,3}}\s(?:\w{{1,6}}\s){{0,3}}{_BASE} {_NUMBER}|base[- ]{_NUMBER} softmax"
    rf"|以\s?{_NUMBER}\s?为底的?\s?softmax|底を\s?{_NUMBER}\s?とする\s?softmax".replace(
        "(?P<base>", "("
    )
)
_NATURAL = re.compile(r"(?<![a-zA-Z])e\s*(?:\^|\*\*|<sup>|[ˣⁱʲᶻ⁰¹²³])|\bexp\b|(?i:base e\b)")


@dataclass(frozen=True)
class Powers:
    """The base, 0 where it is e; whether no other is meant anywhere in the article."""

    base: int = 0
    is_bound: bool = False


NATURAL = Powers()


def powers(text: str) -> Powers:
    """What an article says of them."""
    if (found := _FORMULA.search(text)) is not None:
        return Powers(_above_one(found["base"]), not _NATURAL.search(text))
    said = _WORDS.search(text)
    return Powers(_above_one(next(filter(None, said.groups()))) if said else 0)


def _above_one(text: str) -> int:
    return int(text) if int(text) > 1 else 0
