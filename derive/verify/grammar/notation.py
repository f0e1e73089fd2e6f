"""Numbers as text: exact digits, and other digits in the notation of a printed number."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb

from derive.exact.ball import endpoints
from derive.verify.grammar.figures import Figure, enclosed

DIGITS = 15
"""Significant digits of an exact value."""
BEYOND = 1100
"""Values with more bits before or behind the point are not written out."""
_EXPONENT = re.compile(r"([eE])([+\-]?)(\d+)")


@dataclass(frozen=True)
class Written:
    """The parts of a printed number: "-1,234.50e+03%" in the order of the fields."""

    sign: str
    whole: str
    point: str
    decimals: str
    exponent: str
    tail: str


def written(text: str, is_comma: bool) -> Written:
    """The parts of the text of a number; `is_comma` says that its decimals follow a comma."""
    found = _SHAPES[is_comma].fullmatch(text)
    return Written(*(part or "" for part in found.groups())) if found else _ALIEN


_SHAPES = {
    is_comma: re.compile(
        rf"([+\-−－]?[ \u00a0]*)([^{marks}]*?)(?:(\{{?[{marks}]\}}?)(\d*))?"
        r"([eE][+\-]?\d+)?((?:[ \u00a0]*\\?[%％])?)"
    )
    for is_comma, marks in ((False, ".٫．"), (True, ",٫，"))
}
_ALIEN = Written("", "", "", "", "", "")


def rewritten(figure: Figure, exact: arb) -> str:
    """The exact value rounded to the places that are printed, in the notation of what is printed.

    "" where that is not decided, or there is no such number.
    """
    if not exact.is_finite():
        return ""
    parts = written(figure.text, _has_comma(figure))
    if parts == _ALIEN:
        return ""
    if parts.exponent and len(re.findall(r"\d", parts.whole)) == 1:
        return _scientific(parts, figure, exact)
    count = _nearest(exact, figure.unit)
    return "" if count is None else _spelled(parts, count, exact < 0, parts.exponent)


def _scientific(parts: Written, figure: Figure, exact: arb) -> str:
    """d.ddd e n, with the exponent that the exact value has."""
    places = len(parts.decimals)
    for power in _powers(abs(exact)):
        count = _nearest(exact, Fraction(10) ** (power - places))
        if count is not None and len(str(count)) == places + 1:
            return _spelled(parts, count, exact < 0, _raised(parts.exponent, power))
    count = _nearest(exact, figure.unit)
    return "" if count is None else _spelled(parts, count, exact < 0, parts.exponent)


def _powers(size: arb) -> list[int]:
    """What the power of ten of a number may be, a carry into the next included."""
    if not size > 0:
        return []
    whole = (size.log() / arb(10).log()).floor().unique_fmpz()
    return [] if whole is None else [int(whole), int(whole) + 1]


def _raised(exponent: str, power: int) -> str:
    """The exponent with another number, as wide as it was."""
    found = _EXPONENT.match(exponent)
    assert found is not None
    mark, sign, digits = found.groups()
    made = "-" if power < 0 else "+" if sign else ""
    return mark + made + str(abs(power)).rjust(len(digits), "0")


def _nearest(exact: arb, unit: Fraction) -> int | None:
    """How many units the value is, rounded half up; None where that is not decided."""
    count = (abs(exact) / enclosed(unit) + arb("0.5")).floor().unique_fmpz()
    if count is not None:
        return int(count)
    doubled = (abs(exact) / enclosed(unit) * 2).unique_fmpz()
    return None if doubled is None else (int(doubled) + 1) // 2


def _spelled(parts: Written, count: int, is_below: bool, exponent: str) -> str:
    """So many units of the last place, spelled like the number that the parts are of."""
    places = len(parts.decimals)
    digits = str(count).rjust(places + 1, "0")
    whole, decimals = (digits[:-places], digits[-places:]) if places else (digits, "")
    if not parts.whole and whole == "0":
        whole = ""
    made = _grouped(whole, parts.whole) + parts.point + decimals
    sign = _sign(parts.sign, is_below and count > 0)
    return sign + _native(made + exponent, parts.whole + parts.decimals) + parts.tail


def _sign(old: str, is_below: bool) -> str:
    is_old = old[:1] in ("-", "−", "－") and bool(old)
    if is_below:
        return old if is_old else "-"
    return "" if is_old else old


def _grouped(whole: str, old: str) -> str:
    """With the separators of thousands that the old number has."""
    mark = re.search(r"\d(\D+)\d{3}(?!\d)", old)
    if not mark:
        return whole
    groups: list[str] = []
    while len(whole) > 3:
        whole, last = whole[:-3], whole[-3:]
        groups.insert(0, last)
    return mark[1].join([whole, *groups])


def _native(text: str, old: str) -> str:
    """With the digits of the script that the old number is written in."""
    first = next((c for c in old if unicodedata.decimal(c, None) is not None), "0")
    zero = ord(first) - unicodedata.decimal(first)
    if zero == ord("0"):
        return text
    return re.sub("[0-9]", lambda m: chr(zero + int(m[0])), text)


def _has_comma(figure: Figure) -> bool:
    """Whether the decimals of a number follow a comma: its unit tells."""
    parts = written(figure.text, True)
    return bool(parts.decimals) and _unit(parts) == figure.unit


def _unit(parts: Written) -> Fraction:
    exponent = _EXPONENT.match(parts.exponent)
    power = int(exponent[2] + exponent[3]) if exponent else 0
    power -= 2 * bool(parts.tail)
    return Fraction(10) ** (power - len(parts.decimals))


def shown(x: arb) -> str | None:
    """15 significant digits, cut; followed by … where more follow."""
    ends = endpoints(x)
    if ends is None or any(abs(int(m).bit_length() + e) > BEYOND for m, e in ends if m):
        return None
    return _between(*((int(m), int(e)) for m, e in ends))


@lru_cache(maxsize=100_000)
def _between(*ends: tuple[int, int]) -> str | None:
    """The digits of what lies between m 2^e of two pairs."""
    low, high = (Fraction(m) * Fraction(2) ** e for m, e in ends)
    middle = (low + high) / 2
    if low <= 0 <= high:
        return "0"
    size = _magnitude(abs(middle))
    if size < -300 or size > 300:
        return None
    step = Fraction(10) ** (size - DIGITS + 1)
    near = round(middle / (step / 10**20)) * (step / 10**20)
    is_short = near / step == int(near / step) and low <= near <= high
    cut = int((near if is_short else middle) / step) * step
    return _decimal(cut, size) + ("" if is_short else "…")


def _magnitude(x: Fraction) -> int:
    size = len(str(x.numerator)) - len(str(x.denominator))
    return size if x >= Fraction(10) ** size else size - 1


def _decimal(x: Fraction, size: int) -> str:
    places = max(0, DIGITS - 1 - size)
    whole = abs(x) * 10**places
    text = str(int(whole)).rjust(places + 1, "0")
    digits = f"{text[:-places]}.{text[-places:]}".rstrip("0").rstrip(".") if places else text
    return ("-" if x < 0 else "") + digits
