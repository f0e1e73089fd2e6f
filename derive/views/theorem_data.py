"""A theorem as data: its sentences, and its claims as LaTeX with what was decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.exact.ink import LATEX
from derive.exact.named import Names
from derive.exact.write import Writer
from derive.render.blocks import RELATIONS
from derive.theorems.claim import Claim
from derive.theorems.theorem import Item, Said, Tabled, Theorem
from derive.views.theorem import inline, names_of, title_of
from derive.words import words


def theorem_data(theorem: Theorem, lang: str) -> dict[str, Any]:
    """{"name", "title", "lang", "parts": {part: [items]}}; Unproved where a claim does not hold.

    An item is {"text"}, {"table"} with rows of texts, or {"claim"} with the sizes at which it was
    decided; mathematics is LaTeX.
    """
    theorem.check()
    spell = _Spelling(theorem, lang)
    return {
        "name": theorem.name,
        "title": title_of(theorem.name, lang),
        "lang": lang,
        "parts": {part: list(spell.items(items)) for part, items in theorem.parts if items},
    }


class _Spelling:
    def __init__(self, theorem: Theorem, lang: str) -> None:
        names: Names = names_of(theorem)
        self.theorem, self.writer = theorem, Writer(LATEX, names)
        self.sentences = words(lang)["theorems"][theorem.name]

    def items(self, items: tuple[Item, ...]) -> Iterator[dict[str, Any]]:
        for item in items:
            match item:
                case Said(key):
                    yield {"text": self.sentence(key)}
                case Tabled(header, rows):
                    every = [list(map(self.cell, row)) for row in (header, *rows)]
                    yield {"table": every}
                case Claim(is_shown=True):
                    sizes = [dict(s.sizes) for s in item.settings if s.sizes]
                    yield {"claim": self.chain(item), "sizes": sizes}

    def sentence(self, key: str) -> str:
        parts = inline(self.sentences[key], self.theorem.letters)
        return "".join(x if isinstance(x, str) else f"${self.writer.text(x)}$" for x in parts)

    def cell(self, x: Any) -> str:
        return self.sentence(x) if isinstance(x, str) else self.writer.text(x)

    def chain(self, claim: Claim) -> str:
        sides = (f" {RELATIONS[r][0]} {self.writer.text(x)}" for r, x in claim.rest)
        return self.writer.text(claim.first) + "".join(sides)
