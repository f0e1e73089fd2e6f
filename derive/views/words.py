"""What is said of steps: their headings, what they do and why, what their entries are."""

from __future__ import annotations

from derive.exact.names import Label, label
from derive.ops import Deviation, Scale
from derive.step import Step
from derive.words import phrase, words


def step_words(name: str, op: str, lang: str, vectors: str = "rows") -> tuple[str, str]:
    """(heading, sentence) of a step; a step without words of its own has its operation's.

    The heading of a step in a layer or a head says which: "Queries, layer 2, head 1".
    """
    found, tables = label(name), words(lang)
    if vectors == "columns" and found.base in tables["columns"]:
        own = tables["columns"][found.base]
        return own["heading"], own["sentence"]
    table = tables["steps"].get(found.base) or tables["operations"][op]
    return step_heading(name, op, lang, found), table["sentence"]


def sentence_of(step: Step, lang: str, vectors: str = "rows") -> str:
    """What a step does and why."""
    is_unscaled = isinstance(step.op, Scale) and step.op.divisor == 1
    if is_unscaled:
        return phrase("unscaled", lang)
    return step_words(step.name, type(step.op).__name__, lang, vectors)[1]


def operation_of(step: Step, lang: str) -> tuple[str, str]:
    """What its operation is called and does; of a root what it does without eps where that is 0."""
    own = words(lang)["operations"][type(step.op).__name__]
    is_exact = isinstance(step.op, Deviation) and step.op.eps.is_zero
    return own["name"], phrase("root alone", lang) if is_exact else own["sentence"]


def step_heading(name: str, op: str, lang: str, where: Label) -> str:
    """The heading of a step that says of its place what `where` says."""
    tables = words(lang)
    if where.base not in tables["steps"]:
        return phrase("own step", lang, name, tables["operations"][op]["name"])
    own = numbered(tables["steps"][where.base]["heading"], where, lang)
    place = phrase("comma", lang).join(places_of(where, lang))
    return phrase("place", lang, own, place) if place else own


def numbered(heading: str, found: Label, lang: str) -> str:
    """With its number, as in its name, where a block has several: R2 is "Residual sum 2"."""
    return phrase("numbered", lang, heading, found.primes) if found.primes else heading


def gradient_heading(name: str, lang: str) -> str:
    """The heading of a gradient: "Gradient of scores, layer 2, head 1"."""
    found, tables = label(name), words(lang)
    own = tables["steps"].get(found.base, {}).get("heading")
    norm = [phrase("in norm", lang, found.primes)] if found.primes and not own else []
    own = numbered(own, found, lang) if own else tables["meanings"].get(found.base)
    said = phrase("gradient of", lang, own[:1].lower() + own[1:] if own else name)
    place = phrase("comma", lang).join(places_of(found, lang) + norm)
    return phrase("place", lang, said, place) if place else said


def training_heading(step: int, lang: str) -> str:
    """The heading of a step of training."""
    return phrase("training step", lang, step)


def places_of(found: Label, lang: str) -> list[str]:
    """Where a step stands: part, layer and head."""
    parts = [_scope(scope, lang) for scope in found.scopes]
    return parts + ([phrase("in head", lang, found.head)] if found.head else [])


def _scope(scope: str, lang: str) -> str:
    if scope.startswith("L") and scope[1:].isdigit():
        return phrase("in layer", lang, scope[1:])
    if scope.startswith("t") and scope[1:].isdigit():
        return phrase("after step", lang, scope[1:])
    if scope.startswith("p") and scope[1:].isdigit():
        return phrase("at position", lang, scope[1:])
    place: str = words(lang)["places"].get(scope, scope)
    return place


def meaning(name: str, lang: str, vectors: str = "rows") -> str | None:
    """What the entries of a standard matrix are; None for one of the user's own."""
    base, tables = label(name).base, words(lang)
    turned = tables["columns"]["meanings"] if vectors == "columns" else {}
    text: str | None = turned.get(base) or tables["meanings"].get(base)
    return text
