"""What the last row of scores becomes when the causal mask is left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.certify import Certified, Format
from derive.derivation import Derivation
from derive.exact.trace import Digits
from derive.render.blocks import Heading, Table, Text
from derive.views.sentences import sentence


def unmasked(masked: Derivation, open_: Derivation, form: Format, lang: str) -> Iterator[Any]:
    """The scores of the next word with the mask and without it, and the theorem about them."""

    def say(key: str, *values: Any) -> Any:
        return sentence("generation", key, lang, *values)

    yield Heading(say("mask"))
    yield Text(say("mask left out"))
    last = [d.certified("logits", form)[-1] for d in (masked, open_)]
    rows = [
        (word, *((_digits(c),) for c in both))
        for word, *both in zip(masked.problem.vocabulary, *last, strict=True)
    ]
    yield Table((say("word"), say("with mask"), say("without mask")), tuple(rows), (1, 2))
    differs = any(a.digits != b.digits for a, b in zip(*last, strict=True))
    yield Text(say("mask differs" if differs else "mask same"))
    yield Text(say("mask theorem"))


def _digits(c: Certified) -> Any:
    return str(c) if c.digits is None else Digits(c.digits)
