"""What is said of steps: their headings, what they do and why, what their entries are."""

from __future__ import annotations

from derive.exact.names import Label, label
from derive.words import phrase, words


def step_words(name: str, op: str, lang: str) -> tuple[str, str]:
    """(heading, sentence) of a step; a step without words of its own has its operation's.

    The heading of a step in a layer or a head says which: "Queries, layer 2, head 1".
    """
    found, tables = label(name), words(lang)
    if found.base not in tables["steps"]:
        own = tables["operations"][op]
        return phrase("own step", lang, name, own["name"]), own["sentence"]
    own = tables["steps"][found.base]
    place = phrase("comma", lang).join(_places(found, lang))
    heading = phrase("place", lang, own["heading"], place) if place else own["heading"]
    return heading, own["sentence"]


def _places(found: Label, lang: str) -> list[str]:
    """Where a step stands: part, layer and head."""
    parts = [_scope(scope, lang) for scope in found.scopes]
    return parts + ([phrase("in head", lang, found.head)] if found.head else [])


def _scope(scope: str, lang: str) -> str:
    if scope.startswith("L") and scope[1:].isdigit():
        return phrase("in layer", lang, scope[1:])
    place: str = words(lang)["places"].get(scope, scope)
    return place


def meaning(name: str, lang: str) -> str | None:
    """What the entries of a standard matrix are; None for one of the user's own."""
    text: str | None = words(lang)["meanings"].get(label(name).base)
    return text
