"""The end of a walkthrough: the whole derivation on one line, and every matrix with its shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from derive.derivation import Derivation
from derive.exact.names import label
from derive.exact.trace import Name, Term
from derive.ops import Columns, Linear, Rows
from derive.render.blocks import Chain, Equations, Formulas, Heading, Table, Text
from derive.step import Step
from derive.views.words import meaning
from derive.words import phrase

SHORT = 12
"""A derivation of no more steps is written on one line."""
TALL = 30
"""So many rows of the table stand together, so that a page can hold them."""
MILESTONES = frozenset("H Q K V A O Y R N F logits P L loss PPL".split())
"""The letters that a longer one is told by."""


def summary(derivation: Derivation, lang: str, is_terse: bool = False) -> Iterator[Any]:
    """O = A V = ... down to what is given, and every shape: in a table, or in short in a list."""
    last = derivation.steps[-1]
    if len(derivation.derived) <= SHORT:
        yield Heading(phrase("summary", lang))
        yield Equations((Chain(Name(last.name), tuple(("=", x) for x in unfolded(last))),))
    else:
        yield Heading(phrase("summary lines", lang))
        told = tuple(milestones(derivation))
        yield Formulas(told) if is_terse else Equations(told)
    yield from by_shape(derivation, lang) if is_terse else table(derivation, lang)


def by_shape(derivation: Derivation, lang: str) -> Iterator[Any]:
    """The matrices of each shape."""
    yield Text(phrase("by shape", lang))
    shapes: dict[tuple[int, int], list[Any]] = {}
    for step in derivation.steps:
        shapes.setdefault(step.shape, []).append(Name(step.name))
    told: list[Any] = []
    for (rows, columns), names in sorted(shapes.items()):
        told += [phrase("stop", lang), phrase("space", lang)] if told else []
        told.append(phrase("part", lang, f"{rows} × {columns}", ""))
        told += [x for name in names for x in (phrase("comma", lang), name)][1:]
    yield Text((*told, phrase("stop", lang)), is_ragged=True)


def table(derivation: Derivation, lang: str) -> Iterator[Any]:
    """Every matrix with its shape and what it is."""
    yield Text(phrase("matrices", lang))
    header = tuple((phrase(key, lang),) for key in ("matrix", "shape", "meaning"))
    rows = tuple(
        ((Name(s.name),), (f"{s.shape[0]} × {s.shape[1]}",), (said,))
        for s in derivation.steps
        if (said := meaning(s.name, lang, derivation.problem.conventions.vectors))
    )
    yield from (Table(header, rows[k : k + TALL]) for k in range(0, len(rows), TALL))


def milestones(derivation: Derivation) -> Iterator[Chain]:
    """What each sublayer gives, in the letters of the sublayers before it."""
    told = {s for s in derivation.derived if is_milestone(s, derivation)}
    kept = told | {s for s in derivation.steps if is_parameter(s)}
    for step in derivation.derived:
        if step in told:
            term = notation(step, lambda s, own=step: s is not own and s in kept)  # type: ignore[misc]
            yield Chain(Name(step.name), (("=", term),))


def is_milestone(step: Step, derivation: Derivation) -> bool:
    """Whether the step is the result of a sublayer; of a norm without gain, the normalised rows."""
    base = label(step.name).base
    if base == "xhat":
        return step.name.replace("xhat", "N") not in derivation
    return base in MILESTONES


def is_parameter(step: Step) -> bool:
    """Whether the step is given, or a part of what is given, such as a head's columns of W_Q."""
    return step.op is None or isinstance(step.op, (Columns, Rows))


def unfolded(step: Step) -> Iterator[Term]:
    """The step's rule; the same from the projections; and from what is given."""
    seen: list[Term] = []
    for kept in (lambda s: s is not step, lambda s: isinstance(s.op, Linear), lambda s: False):
        term = notation(step, kept)
        if term not in seen:
            seen.append(term)
            yield term


def notation(step: Step, kept: Callable[[Step], bool]) -> Term:
    """The rule in matrix notation, with the rules of its inputs put in unless they are kept."""
    if step.op is None or kept(step):
        return Name(step.name)
    return step.op.notation(*(notation(s, kept) for s in step.inputs))
