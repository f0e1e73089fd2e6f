"""A step by itself: its rule, the exact result and its decimals, with the letters they need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from derive.derivation import Derivation, Problem
from derive.exact import Scalar
from derive.exact.named import primitive
from derive.exact.names import beside
from derive.exact.scalar import sum_of
from derive.exact.trace import Entry, Exponential, Grid, Name, Value
from derive.numerals import Format
from derive.op import Op
from derive.ops import ColumnSums, RowSums, Softmax
from derive.ops import Exponential as ExponentialOp
from derive.render.blocks import Chain, Equations, Formulas, Page
from derive.step import Step
from derive.views.entries import terms
from derive.views.walkthrough import Options, walkthrough


def one_step(step: Step, form: Format, derivation: Derivation | None = None) -> Page:
    """What a page says of a step, without its sentences; written as in the derivation, if any."""
    derivation = derivation or around(step)
    page = walkthrough(derivation, Options(form, (step.name,), detail="brief"))
    blocks: list[Any] = [b for b in page.blocks if isinstance(b, (Formulas, Equations))]
    if isinstance(blocks[-1], Equations) and step.op is not None:
        blocks += _letters(derivation, step)
    return replace(page, blocks=tuple(blocks))


def all_steps(derivation: Derivation) -> Page:
    """Every step that fits a page with its result, then the letters."""
    page = walkthrough(derivation, Options(detail="brief"))
    blocks = [b for b in page.blocks if isinstance(b, (Formulas, Equations))]
    chains = tuple(
        chain
        for block in blocks
        for chain in block.chains
        if isinstance(block, Equations) or is_result(chain, derivation)
    )
    return replace(page, blocks=(Equations(chains), *_powers(derivation)))


def is_result(chain: Chain, derivation: Derivation) -> bool:
    """Whether the chain is a step that is derived, with its entries."""
    has_entries = any(isinstance(side, Grid) for _, side in chain.rest)
    found = chain.first.step if isinstance(chain.first, Name) and has_entries else ""
    return found in derivation and derivation.step(found).op is not None


def _has_powers(step: Step) -> bool:
    return any(m.exponent for x in step.value for m in terms(x))


def _letters(derivation: Derivation, step: Step) -> Iterator[Formulas]:
    """What the letters stand for that the step is written with."""
    sums = _denominators(derivation, step)
    if sums:
        yield Formulas(sums)
    if _has_powers(step):
        yield from _powers(derivation)


def _denominators(derivation: Derivation, step: Step) -> tuple[Chain, ...]:
    """Z_1 = ..., of the named sums that an entry of the step stands over."""
    names = derivation.names
    met = {primitive(x.den) for x in step.value if isinstance(x, Scalar) and not x.is_polynomial}
    return tuple(
        Chain(Entry(*name), (("=", Value(Scalar(dict(key)) * names.factors.get(key, 1))),))
        for key, name in names.denominators.items()
        if key in met and name[0] != step.name
    )


def _powers(derivation: Derivation) -> Iterator[Formulas]:
    """What the letters for powers of e stand for."""
    powers = derivation.names.powers
    if powers:
        named = (
            Chain(Name(letter), (("=", Exponential(Value(sum_of([(m, p, q)])))),))
            for m, (letter, p, q) in powers.items()
        )
        yield Formulas(tuple(named))


def around(step: Step) -> Derivation:
    """The step with all that it rests on, and what is beside it in the softmaxes.

    The letters of a derivation come from its softmaxes and their row sums.
    """
    steps = {s.name: s for s in _before(step)}
    along = next((s.op.along for s in steps.values() if isinstance(s.op, Softmax)), "rows")
    sums: Op = RowSums() if along == "rows" else ColumnSums()
    for part in [s for s in steps.values() if isinstance(s.op, (ExponentialOp, Softmax))]:
        power, total, weights = (beside(part.name, base) for base in ("exp", "Z", "A"))
        steps.setdefault(power, Step(power, ExponentialOp(), part.inputs))
        steps.setdefault(total, Step(total, sums, (steps[power],)))
        if isinstance(part.op, ExponentialOp):
            steps.setdefault(weights, Step(weights, Softmax(along), part.inputs))
    given = {name: s.value for name, s in steps.items() if s.op is None}
    return Derivation(Problem("", given), tuple(steps.values()))


def _before(step: Step) -> Iterator[Step]:
    """The steps that a step rests on, and it after them; each once, without recursion."""
    waiting, seen = [(step, False)], set[int]()
    while waiting:
        found, is_ready = waiting.pop()
        if is_ready:
            yield found
        elif id(found) not in seen:
            seen.add(id(found))
            waiting.append((found, True))
            waiting.extend((x, False) for x in reversed(found.inputs))
