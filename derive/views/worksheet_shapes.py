"""Tables of names, formulas and shapes: to be completed, or to be matched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from derive.exact import symbol
from derive.exact.trace import Name, Value
from derive.render.blocks import Fields, Heading, Inline, Page, Table, Text
from derive.views.worksheet import Sheet, paged
from derive.words import phrase
from derive.worksheet.search import Variant
from derive.worksheet.shaping import Line, Matching, Shapes, matching_of, shapes_of

EMPTY, MARK = "__________", " *"
LETTERS = "abcdefgh"


def shapes_page(variants: Sequence[Variant], lang: str) -> Page:
    """The tables, each on a page of its own."""
    return paged([ShapesSheet(v, lang) for v in variants], lang)


def shapes_key_page(variants: Sequence[Variant], lang: str) -> Page:
    """And their keys."""
    return paged([ShapesKey(v, lang) for v in variants], lang)


def match_page(variants: Sequence[Variant], lang: str) -> Page:
    """What is to be matched, each on a page of its own."""
    return paged([MatchSheet(v, lang) for v in variants], lang)


def match_key_page(variants: Sequence[Variant], lang: str) -> Page:
    """And their keys."""
    return paged([MatchKey(v, lang) for v in variants], lang)


class ShapesSheet(Sheet):
    """A table of which some cells are blank."""

    is_key = False

    @property
    def title(self) -> str:
        """What to do, and with what."""
        said = str(self.say("shapes title", super().title))
        return str(self.say("key title", said)) if self.is_key else said

    @cached_property
    def shapes(self) -> Shapes:
        """The table."""
        return shapes_of(self.variant)

    @property
    def points(self) -> int:
        """One for each blank cell."""
        return sum(len(line.hidden) for line in self.shapes.lines)

    def blocks(self) -> Iterator[Any]:
        """The sheet, or the key: the same table with its cells filled in."""
        yield Heading(self.title, 1)
        if not self.is_key:
            labels = [str(self.say(key)) for key in ("name", "date")]
            yield Fields((*labels, str(self.say("score", self.points))))
            yield from self.task()
        yield Text(self.say("id", self.variant.id))
        yield from self.sizes()
        yield from self.tables()

    def task(self) -> Iterator[Any]:
        """What to do."""
        yield Text(self.say("shapes"))

    def sizes(self) -> Iterator[Any]:
        """What each letter stands for, and the shapes of what is given."""
        yield Text(self.of_letters())
        yield from self.given()

    def of_letters(self) -> Inline:
        """What each letter stands for."""
        said: list[Any] = [self.say("sizes")]
        for k, (letter, size) in enumerate(self.shapes.sizes.items()):
            said += [self.say("comma")] * (k > 0) + [_letter(letter), f" = {size}"]
        return (*said, self.say("stop"))

    def given(self) -> Iterator[Any]:
        """The shapes of what is given."""
        yield Heading(str(self.say("given")))
        header = tuple(self.say(k) for k in ("matrix", "in letters", "in numbers"))
        yield Table(header, tuple(map(_given, self.shapes.given)))

    def tables(self) -> Iterator[Any]:
        """The steps."""
        yield Heading(str(self.say("steps")))
        header = tuple(self.say(k) for k in ("matrix", "formula", "in letters", "in numbers"))
        yield Table(header, tuple(map(self.row, self.shapes.lines)))
        if self.is_key:
            yield Text(self.say("marked"))

    def row(self, line: Line) -> tuple[Inline, ...]:
        """A step; of a blank cell room, or on the key what belongs there with a mark."""
        return tuple(self.cell(x, key in line.hidden) for key, x in cells_of(line).items())

    def cell(self, content: tuple[Any, ...], is_hidden: bool) -> Inline:
        """Room, or what belongs there."""
        if not is_hidden:
            return content
        return (*content, MARK) if self.is_key else EMPTY


class ShapesKey(ShapesSheet):
    """The table with every cell filled in."""

    is_key = True


class MatchSheet(ShapesSheet):
    """Names, formulas and shapes in three orders."""

    @property
    def title(self) -> str:
        """What to do, and with what."""
        said = str(self.say("match title", Sheet.title.fget(self)))  # type: ignore[attr-defined]
        return str(self.say("key title", said)) if self.is_key else said

    @cached_property
    def matching(self) -> Matching:
        """What is to be matched."""
        return matching_of(self.variant)[1]

    @property
    def points(self) -> int:
        """Two for each name."""
        return 2 * len(self.matching.lines)

    def task(self) -> Iterator[Any]:
        """What to do."""
        yield Text(self.say("match"))

    def given(self) -> Iterator[Any]:
        """Some side by side, so that all stands on a page."""
        yield Heading(str(self.say("given")))
        cells = [x for line in self.shapes.given for x in _given(line)[:2]]
        yield _abreast((self.say("matrix"), self.say("shape")), cells, 3)

    def tables(self) -> Iterator[Any]:
        """The names with room for a letter and a number; the formulas and the shapes."""
        yield Heading(str(self.say("steps")))
        header = tuple(self.say(k) for k in ("matrix", "formula letter", "shape number"))
        yield Table(header, tuple(map(self.line, self.matching.lines)))
        yield Heading(str(self.say("some shapes")))
        shapes = enumerate(self.matching.shapes, 1)
        between = phrase("space", self.lang)
        said = (self.say("numbered", k, numbered(x)) for k, x in shapes)
        yield Text(between.join(map(str, said)))
        yield Heading(str(self.say("formulas")))
        formulas = zip(LETTERS, self.matching.formulas, strict=False)
        cells = [x for letter, step in formulas for x in (letter, (step.notation,))]
        yield _abreast(("", self.say("formula")), cells, 2)

    def line(self, line: Line) -> tuple[Inline, ...]:
        """A name, with room, or on the key with its letter and number."""
        formula, shape = self.matching.answer(line)
        found = (LETTERS[formula], str(shape + 1)) if self.is_key else (EMPTY, EMPTY)
        return ((Name(line.name),), *found)


class MatchKey(MatchSheet):
    """With the letters and the numbers."""

    is_key = True


def _abreast(header: tuple[Inline, ...], cells: Sequence[Inline], times: int) -> Table:
    """A table whose columns stand there several times, side by side."""
    wide = len(header) * times
    filled = [*cells, *[""] * (-len(cells) % wide)]
    rows = tuple(tuple(filled[k : k + wide]) for k in range(0, len(filled), wide))
    return Table(header * times, rows)


def cells_of(line: Line) -> dict[str, tuple[Any, ...]]:
    """What stands in a line, by the names of its cells."""
    return {
        "name": (Name(line.name),),
        "formula": (line.step.notation,),
        "letters": tuple(_lettered(line)),
        "numbers": (numbered(line.numbers),),
    }


def _given(line: Line) -> tuple[Inline, ...]:
    return (Name(line.name),), tuple(_lettered(line)), numbered(line.numbers)


def _lettered(line: Line) -> Iterator[Any]:
    """n x d_k."""
    for k, side in enumerate(line.letters):
        times, _, letter = side.rpartition(" ")
        yield (
            " × " * (k > 0) + (f"{times} " if times else "") + (letter if letter.isdigit() else "")
        )
        if not letter.isdigit():
            yield _letter(letter)


def _letter(letter: str) -> Value:
    """The size as a letter."""
    return Value(symbol(letter))


def numbered(shape: tuple[int, int]) -> str:
    """5 × 3."""
    return f"{shape[0]} × {shape[1]}"
