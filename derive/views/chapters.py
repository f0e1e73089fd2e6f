"""Chapters of a long derivation: its steps by layer and sublayer, and the table of contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from derive.derivation import Derivation
from derive.exact.names import Label, label
from derive.render.blocks import Contents, Heading, Listed
from derive.step import Step
from derive.views.words import places_of, step_heading
from derive.words import phrase, words

NORM = frozenset("mu var sigma ms rms xhat N".split())
"""Steps of a norm: they belong to the sublayer before it, or after it where norms come first."""
KINDS = {
    "input": frozenset("H_E PE H".split()),
    "feed-forward": frozenset("U G up gated F".split()),
    "output": frozenset("logits P P_y L loss PPL".split()),
    "attention": frozenset(
        "W_Q b_Q W_K b_K W_V b_V Q K V Q_R K_R K^T S scaled biased masked exp Z A C O W_O Y".split()
    ),
}
"""What the letters of steps say of the sublayer that they stand in."""
JOINED = frozenset(("W_O", "Y"))
"""Steps of one head at which the heads come together."""


@dataclass(frozen=True)
class Place:
    """Where a step stands: the parts and layer of the model, the kind of sublayer, the head."""

    scopes: tuple[str, ...]
    kind: str
    head: str = ""


@dataclass(frozen=True)
class Chapter:
    """Steps of one sublayer, each with its heading."""

    title: str
    steps: tuple[tuple[str, Step], ...]


def chapters(derivation: Derivation, lang: str) -> Iterator[Chapter]:
    """The chapters in the order of the steps."""
    steps = derivation.derived
    placed = zip(_places(steps, derivation.problem.conventions.norm == "pre"), steps, strict=True)
    seen: set[tuple[tuple[str, ...], str]] = set()
    for place, found in groupby(placed, key=lambda pair: pair[0]):
        key = place.scopes, place.kind
        own = tuple((_heading(step, place, lang), step) for _, step in found)
        yield Chapter(_title(place, lang, is_again=key in seen), own)
        seen.add(key)


def _places(steps: Sequence[Step], is_before: bool) -> list[Place]:
    found: list[Place | None] = []
    outputs: set[tuple[str, ...]] = set()
    for step in steps:
        place = _own_place(label(step.name), outputs)
        if place and place.kind == "output":
            outputs.add(place.scopes)
        is_norm = label(step.name).base in NORM
        found.append(place or (None if is_norm and is_before else _last(found)))
    following = _last(found) or Place((), "attention")
    for k in range(len(found) - 1, -1, -1):
        following = found[k] = found[k] or following
    return [place for place in found if place]


def _last(found: Iterable[Place | None]) -> Place | None:
    return next((place for place in reversed(list(found)) if place), None)


def _own_place(found: Label, outputs: set[tuple[str, ...]]) -> Place | None:
    """The place that the letter tells by itself; the softmax of logits is told by its scope."""
    kind = next((kind for kind, bases in KINDS.items() if found.base in bases), None)
    if kind is None:
        return None
    if found.scopes in outputs:
        kind = "output"
    is_of_head = kind == "attention" and found.base not in JOINED
    return Place(found.scopes, kind, found.head if is_of_head else "")


def _title(place: Place, lang: str, is_again: bool) -> str:
    kinds = words(lang)["chapters"]
    scopes = [*place.scopes]
    kind = kinds[place.kind]
    if scopes and place.kind == "attention" and scopes[-1] in words(lang)["places"]:
        named = scopes.pop()
        kind = kind if named in ("enc", "dec") else words(lang)["places"][named]
        scopes += [named] * (named in ("enc", "dec"))
    if place.kind == "attention" and (place.head or is_again):
        kind = phrase(
            "place",
            lang,
            kind,
            phrase("in head", lang, place.head) if place.head else kinds["heads"],
        )
    before = phrase("comma", lang).join(places_of(Label("", scopes=tuple(scopes)), lang))
    text = phrase("part", lang, before, kind) if before else kind
    return text[0].upper() + text[1:]


def _heading(step: Step, place: Place, lang: str) -> str:
    """The step's heading without what the chapter says already."""
    found = label(step.name)
    head = "" if found.head == place.head else found.head
    return step_heading(
        step.name, type(step.op).__name__, lang, replace(found, scopes=(), head=head)
    )


def with_contents(blocks: Sequence[Any], lang: str) -> Iterator[Any]:
    """The blocks of a page with a table of contents after the title, and places to link to."""
    title, *rest = _anchored(blocks)
    yield title
    yield Contents(phrase("contents", lang), tuple(_listed(rest)))
    yield from rest


def _anchored(blocks: Iterable[Any]) -> Iterator[Any]:
    part = step = 0
    for block in blocks:
        if isinstance(block, Heading) and block.level == 2:
            part, step = part + 1, 0
            yield replace(block, anchor=f"part{part}")
        elif isinstance(block, Heading) and block.level == 3:
            step += 1
            yield replace(block, anchor=f"part{part}-{step}")
        else:
            yield block


def _listed(blocks: Sequence[Any]) -> Iterator[Listed]:
    headings = [b for b in blocks if isinstance(b, Heading)]
    parts = [k for k, b in enumerate(headings) if b.level == 2]
    for k, end in zip(parts, [*parts[1:], len(headings)], strict=True):
        under = tuple(Listed(b.text, b.anchor) for b in headings[k + 1 : end])
        yield Listed(headings[k].text, headings[k].anchor, under)
