"""Multiple choice: of a blank the right number, and those to which real mistakes lead.

What is offered differs at the printed places, and so does what rounding makes of it: no two
answers have an answer by hand in common.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from derive.errors import InputError
from derive.worksheet.draws import Words, below, words_of
from derive.worksheet.keys import Answer, Told, Wrong
from derive.worksheet.plan import GENERATOR
from derive.worksheet.search import Variant

FEWEST, MOST = 2, 4
"""So many mistakes are offered beside the right number."""
MOST_BLANKS = 12
"""So many blanks of a step are asked this way."""


Offer = tuple[str, Told | None]
"""Digits, and the mistake that leads to them; None for what is right."""


@dataclass(frozen=True)
class Offered:
    """A blank and its answers in the order of the sheet."""

    answer: Answer
    options: tuple[Offer, ...]


def offered(variant: Variant) -> tuple[Offered, ...]:
    """Of each step the blanks with the most mistakes that can be told apart, in their order."""
    found: list[Offered] = []
    for _, answers in groupby(variant.key.answers, key=lambda a: a.step):
        every = [o for o in (_offered(variant, a) for a in answers) if len(o.options) > FEWEST]
        best = sorted(every, key=lambda o: -len(o.options))[:MOST_BLANKS]
        found += [o for o in every if o in best]
    return tuple(found)


def left_out(variant: Variant) -> tuple[Answer, ...]:
    """The blanks that cannot be asked this way, in their order."""
    asked = {one.answer.blank for one in offered(variant)}
    return tuple(a for a in variant.key.answers if a.blank not in asked)


def check_offered(variant: Variant) -> None:
    """InputError where no blank can be asked this way."""
    if not offered(variant):
        raise InputError(
            f"no blank of the sheet {variant.id} has {FEWEST} mistakes that are told apart",
            expected=f"a blank to which at least {FEWEST} mistakes lead to other numbers",
            hint="a later step, or more places, tells more mistakes apart",
        )


def _offered(variant: Variant, answer: Answer) -> Offered:
    stream = words_of(GENERATOR, "choices", variant.id, answer.blank)
    wrong = _shuffled(stream, list(_apart(variant, answer)))[:MOST]
    every = _shuffled(stream, [(answer.key, None), *wrong])
    return Offered(answer, tuple(every))


def _shuffled(stream: Words, items: list[Offer]) -> list[Offer]:
    """The items in an order of which each is as likely as another."""
    found = list(items)
    for k in range(len(found) - 1, 0, -1):
        (j,) = below(stream, k + 1, 1)
        found[k], found[j] = found[j], found[k]
    return found


def _apart(variant: Variant, answer: Answer) -> Iterator[Offer]:
    """The mistakes that lead to numbers that nothing else leads to, with their digits."""
    taken = [(answer.low, answer.high)]
    for told in variant.key.told:
        for wrong in told.wrong:
            digits = told.digits.get(answer.blank, "") if wrong.blank == answer.blank else ""
            if digits and "e" not in digits and not any(_meet(wrong, ends) for ends in taken):
                taken.append((wrong.low, wrong.high))
                yield digits, told


def _meet(wrong: Wrong, ends: tuple[int, int]) -> bool:
    return wrong.low <= ends[1] and ends[0] <= wrong.high
