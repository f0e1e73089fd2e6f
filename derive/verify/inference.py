"""What an article takes for granted: its language, and the conventions with which it agrees."""

from __future__ import annotations

import re
from collections import Counter

from derive.verify.article import Article
from derive.verify.documents.document import Document
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Function, Leaf

MOST = 20_000
"""Characters that are looked at to tell the language."""
_SCRIPTS = (
    # language, its characters: the first whose share is large enough
    ("ja", "\u3040-\u30ff"), ("ko", "\uac00-\ud7af"), ("zh", "\u4e00-\u9fff"),
    ("ru", "\u0400-\u04ff"), ("bn", "\u0980-\u09ff"), ("hi", "\u0900-\u097f"),
    ("ar", "\u0600-\u06ff"), ("he", "\u0590-\u05ff"), ("th", "\u0e00-\u0e7f"),
    ("el", "\u0370-\u03ff"),
)  # fmt: skip
_WORDS = {
    "en": "the of and is to with each we every by",
    "de": "der die das und ist mit wir durch ein werden",
    "es": "el la los las y es con por una que",
    "fr": "le les des et est avec par une nous du",
    "it": "il gli e con per una che di sono della",
    "pt": "o os e com por uma que para são da",
}


def language(document: Document) -> str:
    """The language that most of the prose is written in, by its script or its commonest words."""
    prose = " ".join(s.text for s in document.segments if s.kind == "prose")[:MOST]
    letters = sum(map(str.isalpha, prose)) or 1
    for name, script in _SCRIPTS:
        if len(re.findall(f"[{script}]", prose)) / letters > 0.05:
            return name
    found = Counter(re.findall(r"[^\W\d_]+", prose.lower()))
    counts = {name: sum(found[w] for w in words.split()) for name, words in _WORDS.items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""


def conventions(article: Article) -> dict[str, str | None]:
    """How the weights that are printed were made: what scores are divided by, and the mask."""
    for step in article.state.steps.known.values():
        if step is not None and step.name == "A" and any(map(_is_printed, step.rows)):
            match step.made:
                case Function("softmax", (Leaf(scores),)):
                    return _of_scores(scores)
    return {}


def _is_printed(row: list[Cell]) -> bool:
    """Whether a whole row stands in the article, and is right."""
    return all(cell.figure is not None and not cell.is_wrong for cell in row)


def _of_scores(scores: Grid) -> dict[str, str | None]:
    match scores.made:
        case Function("causal", (Leaf(free),)):
            return {"scale": _scale(free), "mask": "causal"}
    return {"scale": _scale(scores), "mask": None}


def _scale(scores: Grid) -> str:
    return "sqrt(d_k)" if scores.name == "scaled" else "1"
