"""Temperatures in words: T = 0.5, with temperature 2, 温度 0.5."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.verify.grammar.figures import Figure, figure
from derive.verify.grammar.options import TEMPERATURES

NAMES = TEMPERATURES[:-1]
"""What an article calls a temperature; a small t may be a time."""
_WORDS = (
    r"temp[eé]rat\w*|\btemp|температур\w*|nhiệt độ|suhu|sıcaklı\w*|θερμοκρασία\w*|温度|溫度|온도"
    r"|তাপমাত্রা|तापमान|อุณหภูมิ|حرارة|دما|דמא|טמפרטורה"
)
_NUMBER = r"(\d{1,4}(?:[.,٫]\d{1,4})?)(?![\d.,٫]*\d)"
_LETTER = r"(?<![\w\\])(?:T|τ|\\tau)\s*=\s*"
_SAID = re.compile(rf"(?i:(?:{_WORDS})[^\d\n.;。；]{{0,12}}){_NUMBER}|{_LETTER}{_NUMBER}")
_LABEL = re.compile(rf"[\s$*(（]*(?:{_LETTER}|(?i:{_WORDS})[\s$*=:：]*){_NUMBER}[\s$*)）:：]*")


def temperature(label: str) -> Figure | None:
    """What a head or a label says, that says nothing else: T = 2."""
    found = _LABEL.fullmatch(label)
    return _figure(found) if found else None


def temperatures(labels: Sequence[str]) -> list[Figure]:
    """Those of all labels; none where one of them says something else."""
    found = [temperature(label) for label in labels]
    return [f for f in found if f is not None] if all(found) else []


def spoken(words: str) -> Figure | None:
    """The last temperature that a sentence speaks of."""
    last = None
    for found in _SAID.finditer(words):
        last = found
    return _figure(last) if last is not None else None


def _figure(found: re.Match[str]) -> Figure | None:
    read = figure(next(filter(None, found.groups())).replace(",", ".").replace("٫", "."))
    return read if read is not None and read.value > 0 else None
