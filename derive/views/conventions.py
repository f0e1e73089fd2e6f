"""The table of conventions: every choice, where it is from, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from derive.certify import Certifier
from derive.conventions import PRESETS, TABLE
from derive.errors import InputError, nearest, quoted
from derive.exact import matrix, number
from derive.exact.ink import LATEX, UNICODE
from derive.exact.named import NO_NAMES
from derive.exact.trace import Apply, Digits, Grid, MatrixProduct, Name, Transpose, Value
from derive.exact.write import Writer
from derive.numerals import Format
from derive.ops import Linear, Relu
from derive.places import parse_place
from derive.render.blocks import RELATIONS, Chain, Heading, Inline, Page, Table, Text, Worked
from derive.views.entries import value_of
from derive.views.measure import Measure, grid
from derive.words import phrase, words

LINE = 76
"""A row of the table is no wider."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "vectors": ("vectors", "softmax"),
    "attention": (
        "scale", "temperature", "mask", "mask_value", "mask_mode", "masked row", "heads",
        "kv_heads",
    ),
    "block": (
        "layers", "norm", "normalization", "correction", "eps", "eps_place", "activation", "slope",
        "relu at 0",
    ),
    "positions": ("positions", "first_position", "base", "layout"),
    "results": ("loss", "gradients", "rounding"),
}  # fmt: skip
"""The choices under the headings of the page."""
Examples = Callable[[str, str], Iterator[Any]]
"""What works a value of a choice out: `derive.alternatives.examples`."""


def conventions_page(asked: Sequence[str], examples: Examples, lang: str) -> Page:
    """The page: every choice and preset, or those asked for by name."""
    view = _View(examples, lang)
    title = phrase("conventions", lang)
    return Page(title, lang, tuple(view.blocks(title, tuple(map(known, asked)))))


def known(name: str) -> str:
    """The name of a choice or a preset; InputError with the nearest one where there is none."""
    names = [*TABLE, *PRESETS]
    if name in names:
        return name
    close = nearest(name, names)
    hint = f"did you mean {close}?" if close else "derive conventions shows them all"
    message = f"there is no convention and no preset {quoted(name)}"
    raise InputError(message, expected=", ".join(names), hint=hint)


@dataclass(frozen=True)
class _View:
    examples: Examples
    lang: str

    def say(self, key: str, *values: object) -> str:
        return phrase(key, self.lang, *values)

    def blocks(self, title: str, asked: tuple[str, ...]) -> Iterator[Any]:
        yield Heading(title, 1)
        if not asked:
            yield Text(self.say("choices"))
        for group, names in GROUPS.items():
            found = [name for name in names if not asked or name in asked]
            if found:
                yield Heading(self.say(f"choices {group}"))
            for name in found:
                yield from self.choice(name)
        presets = [name for name in PRESETS if not asked or name in asked]
        if presets:
            yield Heading(self.say("presets"))
            yield Text(self.say("presets say"))
        for name in presets:
            yield Heading(name, 3, runs_in=True)
            yield Text(self.preset(name))

    def choice(self, name: str) -> Iterator[Any]:
        yield Heading(name, 3, runs_in=True)
        yield Text(words(self.lang)["choices"][name])
        rows: list[tuple[Inline, ...]] = []
        for value, source in TABLE[name].items():
            rows += [(value, source), *(("", x) for x in self.worked(name, value))]
        yield Table(((self.say("value"),), (self.say("from"),)), tuple(rows))

    def worked(self, name: str, value: str) -> Iterator[Inline]:
        """A line for each example, as wide as the column of values leaves room for."""
        room = LINE - 2 - max(map(len, TABLE[name]))
        for example in self.examples(name, value):
            if example.derivation is None:
                yield (self.say("refused"),)
            else:
                yield (line(example, room),)
        if name in UNGIVEN:
            yield (UNGIVEN[name](value),)

    def preset(self, name: str) -> str:
        """Where it is from, and what it sets."""
        found = (f"{key} = {value}" for key, value in PRESETS[name].values.items())
        return self.say("sets", PRESETS[name].source, self.say("comma").join(found))


def line(example: Any, room: int) -> Chain:
    """An entry in letters, with the numbers put in, its exact value and its digits."""
    name, i, j = parse_place(example.place)
    step = example.derivation.step(name)
    letters, value = step.worked_row(i - 1)[j - 1], step.value[i - 1, j - 1]
    sides = [("=", letters), ("=", Worked(letters, value_of(step))), ("=", value)]
    if value.is_number and not value.is_rational:
        form = Format(digits=example.digits)
        sides.append(("~", Digits(Certifier().certify(value, form).digits or "")))
    return fitted(step.entries[i - 1, j - 1], sides, room)


def fitted(first: Any, sides: Sequence[tuple[str, Any]], room: int) -> Chain:
    """A chain without sides that say the same, and without the first ones where it is too wide."""
    measure = Measure(NO_NAMES)
    told: list[tuple[str, Any]] = []
    for relation, side in sides:
        if not told or measure.text(side) != measure.text(told[-1][1]):
            told.append((relation, side))
    while len(told) > 1 and width(first, told) > room:
        told.pop(0)
    return Chain(first, tuple(told))


def width(first: Any, sides: Sequence[tuple[str, Any]]) -> int:
    """How wide the chain is as text."""
    return len(_text(UNICODE, Chain(first, tuple(sides))))


# --- what is no part of a problem


def _flat(_value: str) -> Chain:
    """The derivative of ReLU at 0, from its pullback."""
    zero = matrix([[0]])
    (slope,) = Relu().pullback(matrix([[1]]), zero, zero)  # type: ignore[no-untyped-call]
    return Chain(Apply("ReLU'", Value(number(0))), (("=", Value(slope[0, 0])),))


def _gradient(_value: str) -> Chain:
    """The gradient of a weight, from the pullback of a linear map."""
    H, W, dV = matrix([[1, 2]]), matrix([[4], [5]]), matrix([[3]])
    _, dW = Linear().pullback(dV, H @ W, H, W)  # type: ignore[no-untyped-call]
    product = MatrixProduct((Transpose(Name("H")), Name("dV")))
    shown = Transpose(Grid((tuple(x for (x,) in dW.rows),)))
    numbers = MatrixProduct((Transpose(grid(H)), grid(dV)))
    return Chain(Name("dW_V"), (("=", product), ("=", numbers), ("=", shown)))


def _rounded(value: str) -> Chain:
    """An eighth to two places: a tie."""
    eighth = number(1, 8)
    digits = Certifier().certify(eighth, Format(places=2, rounding=value)).digits
    return Chain(Value(eighth), (("~", Digits(digits or "")),))


UNGIVEN: Mapping[str, Callable[[str], Chain]] = {
    "relu at 0": _flat,
    "gradients": _gradient,
    "rounding": _rounded,
}


def conventions_data(asked: Sequence[str], examples: Examples, lang: str) -> dict[str, Any]:
    """The same as plain data; a worked line is LaTeX."""
    names = tuple(map(known, asked))
    view = _View(examples, lang)
    return {
        "conventions": [
            {
                "name": name,
                "decides": words(lang)["choices"][name],
                "values": [
                    {"value": value, "source": source, "default": k == 0 and name != "masked row",
                     "worked": [_text(LATEX, *x) for x in view.worked(name, value)]}
                    for k, (value, source) in enumerate(TABLE[name].items())
                ],
            }
            for name in TABLE if not names or name in names
        ],
        "presets": [
            {"name": name, "source": preset.source, "conventions": dict(preset.values)}
            for name, preset in PRESETS.items() if not names or name in names
        ],
    }  # fmt: skip


def _text(ink: Any, x: Any) -> str:
    """A worked line in an ink, or what is said in its place."""
    if isinstance(x, str):
        return x
    sides = [f" {RELATIONS[relation][0]} {_side(ink, side)}" for relation, side in x.rest]
    return _side(ink, x.first) + "".join(sides)


def _side(ink: Any, side: Any) -> str:
    if isinstance(side, Worked):
        return Writer(ink, NO_NAMES, side.values).text(side.term)
    return Writer(ink).text(side)
