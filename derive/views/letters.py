"""What the letters for powers of e stand for, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.derivation import Derivation
from derive.exact.scalar import sum_of
from derive.exact.trace import Exponential, Name, Value
from derive.render.blocks import Chain
from derive.words import phrase


def letters(derivation: Derivation, lang: str) -> Iterator[Any]:
    """Write t = e^{sqrt(2)/2}.  Nothing where there are none."""
    powers = derivation.names.powers
    if powers:
        plain = [
            Chain(Name(letter), (("=", Exponential(Value(sum_of([(m, p, q)])))),))
            for m, (letter, p, q) in powers.items()
        ]
        yield from joined(phrase("where", lang), plain, phrase("comma", lang), phrase("stop", lang))


def joined(before: str, items: Sequence[Any], between: str, after: str) -> Iterator[Any]:
    """The items in a sentence."""
    yield before
    for k, item in enumerate(items):
        if k:
            yield between
        yield item
    yield after
