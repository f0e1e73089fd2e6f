"""The order in which a sum is written: high powers first, symbols before numbers."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm
from typing import Any

from derive.exact.letters import STEPS
from derive.exact.monomial import Constant, Letter, Monomial, Powers, Symbol
from derive.exact.names import label, natural

_STEP_ORDER = {step: k for k, step in enumerate(STEPS)}


def in_order(terms: Mapping[Monomial, int]) -> list[tuple[Monomial, int]]:
    """The terms as a reader expects them, a positive one first where there is one."""
    items = list(terms.items())
    if len(items) > 1:
        if (falling := _powers_of_one(terms)) is not None:
            items.sort(key=lambda item: falling[item[0]])
            return _positive_first(items)
        scale = lcm(*(q for m in terms for _, _, q in m.exponent))
        keys = sorted({key for m in terms for key, _, _ in m.exponent}, key=place_of)
        items.sort(key=lambda item: _key(item[0], keys, scale))
        return _positive_first(items)
    return items


def _positive_first(items: list[tuple[Monomial, int]]) -> list[tuple[Monomial, int]]:
    if items[0][1] < 0:
        first = next((i for i, (_, c) in enumerate(items) if c > 0), 0)
        items.insert(0, items.pop(first))
    return items


def _powers_of_one(terms: Mapping[Monomial, int]) -> dict[Monomial, int] | None:
    """Minus each exponent, on a common scale, where all terms are powers of one e^x: the rule."""
    generator, scale = None, 1
    for m in terms:
        if m.powers or m.root != 1 or len(m.exponent) > 1:
            return None
        for key, _, q in m.exponent:
            if generator is None:
                generator = key
            elif key is not generator:
                return None
            scale = lcm(scale, q)
    return {m: -m.exponent[0][1] * (scale // m.exponent[0][2]) if m.exponent else 0 for m in terms}


def place_of(m: Monomial) -> tuple[Any, ...]:
    """A place for each monomial that does not depend on which was made first."""
    inner = tuple(sorted((*place_of(key), -p, q) for key, p, q in m.exponent))
    return tuple(map(_power_key, in_place(m.powers))), m.root, inner


def _key(m: Monomial, keys: list[Monomial], scale: int) -> tuple[Any, ...]:
    # A radical number reads 1 + sqrt(2); everything else by falling powers.
    coordinates = {key: -p * (scale // q) for key, p, q in m.exponent}
    falling = tuple(coordinates.get(key, 0) for key in keys)
    if not m.powers:
        return falling, 0, (), m.root
    degree = sum(power for _, power in m.powers)
    return falling, -degree, tuple(map(_power_key, in_place(m.powers))), m.root


def in_place(powers: Powers) -> Powers:
    """The factors of a product as a reader expects them: symbols, then letters by their step."""
    return powers if len(powers) < 2 else tuple(sorted(powers, key=_power_key))


def _power_key(power: tuple[Any, int]) -> tuple[Any, ...]:
    atom, exponent = power
    match atom:
        case Symbol(name) | Constant(name):
            return 0, natural(name), -exponent
        case Letter(step, row, column):
            order = _STEP_ORDER.get(label(step).base, len(_STEP_ORDER))
            return 1, order, natural(step), row, column, -exponent
    return 2, natural(repr(atom)), -exponent
