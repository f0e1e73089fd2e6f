"""What is said where no draw meets every condition: which is the culprit, and what helps."""

from __future__ import annotations

from collections.abc import Mapping

from derive.errors import InputError
from derive.worksheet.conditions import ORDER, WISHED


def unmet(broken: Mapping[str, int]) -> InputError:
    """The culprit: the furthest condition that the search came to, which none of the draws met."""
    culprit = max((name for name in broken if name not in WISHED), key=ORDER.index)
    rest = "; ".join(f"{name} {broken[name]:,}, {SAID[name]}" for name in ORDER if name in broken)
    return InputError(
        f"no problem meets the constraints: of {sum(broken.values()):,} draws {broken[culprit]:,} "
        f"came as far as {culprit}, and none met it (left out: {rest})",
        expected=EXPECTED.get(culprit, "other constraints"),
        hint=HINTS.get(culprit, ""),
    )


SAID = {
    "tokens": "tokens alike",
    "rational": "deviations that are roots",
    "uneven": "rows of scores all alike",
    "spread": "scores too far apart",
    "alike": "queries alike",
    "exponentials": "too many powers of e",
    "difficulty": "too easy or too hard",
    "values": "values all alike",
    "pool": "of the other pool",
    "whole": "outputs that are whole numbers",
    "steady": "small deviations",
    "alive": "a ReLU that does nothing",
    "rows": "rows of results alike",
    "small": "results nearly 0",
    "ties": "results nearly at a tie",
    "width": "tolerances too wide",
    "unique-key": "several right answers",
    "derivation": "cannot be worked out",
}
"""What is wrong with a draw that a condition leaves out."""
EXPECTED = {
    "tokens": "inputs with as many different rows as there are tokens",
    "rational": "rows of H whose deviation is rational",
    "uneven": "a row of scores that are not all alike",
    "alike": "queries whose scores are not the same",
    "spread": "scores of a row that differ by no more than --spread",
    "exponentials": "no more different powers of e in a head than --exponentials",
    "difficulty": "as many steps by hand as --difficulty, within a tenth",
    "values": "values that are not the same for every token",
    "whole": "an output of which at most a third is whole",
    "ties": "digits that are not within a thousandth of a unit of a tie",
    "width": "a tolerance of no more units than --width",
    "unique-key": "every way of rounding leads to the key",
    "derivation": "a derivation that can be worked out",
}
HINTS = {
    "tokens": "a wider --inputs gives more rows; --like-tokens allows rows that are alike",
    "rational": "a wider --inputs gives more rows to choose from",
    "uneven": "a wider --entries gives more scores",
    "spread": "a narrower --entries keeps scores together",
    "exponentials": "a narrower --entries gives fewer",
    "values": "a wider --entries or --inputs gives more values",
    "width": "a larger --width; blanks of one layer, or of an earlier step, have narrower ones",
    "unique-key": "blanks of earlier steps, such as S~ and A, are easier to meet: from H to the "
    "end of a head rounding hardly ever leads to one answer alone",
}
