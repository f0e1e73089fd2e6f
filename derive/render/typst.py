"""Pages as Typst: the source that the built-in engine of `derive.render.pdf` sets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from itertools import groupby, pairwise
from typing import Any

from derive.exact.typst_ink import TYPST
from derive.exact.write import Writer
from derive.render import forms
from derive.render.blocks import (
    RELATIONS,
    Abreast,
    Break,
    Cells,
    Chain,
    Choice,
    Contents,
    Equations,
    Fields,
    Form,
    Formulas,
    Heading,
    Heatmap,
    Listed,
    Note,
    Page,
    Plot,
    Table,
    Text,
    Worked,
    stay_together,
)
from derive.render.lines import LINE, ROOM, Line, fit_columns, lines, side_by_side, summands
from derive.render.typst_plot import plotted
from derive.render.typst_tables import is_plain, listing

RUN_IN = 4
"""The level whose headings stand in the line of the sentence after them."""
SAFE = 0.7 * LINE
"""Lines of this estimated width fit, however rough the estimate, and need not be measured."""
SPREAD = 0.95 * ROOM
"""And formulas side by side that are so many digits wide."""
MOST_ROWS, MOST_ROWS_OF_SLIDES = 30, 8
"""A table with more may go on over the next page, or slide."""
WIDE, WIDE_OF_SLIDES = 41.0, 35.5
"""How many em stand in a line."""
LED = (Formulas, Equations, Table, Heatmap, Abreast, Cells, Choice, Fields)
"""What stays on the page of the sentence or the formula before it."""
SHORT = 400
"""A paragraph with more characters may be parted from the mathematics below it."""
_COMMAND = re.compile(r"`(derive [a-z -]+)`")
_AFTER_CHINESE_STOP = re.compile("(?<=[，。：；、）」]) +")
_BEFORE_PER_CENT = re.compile(r"(?<=\d) (?=%)")


def document(page: Page, slides: bool = False) -> str:
    """The source of a whole page, or of slides: a step each."""
    if slides:
        page = replace(page, blocks=tuple(b for b in page.blocks if not isinstance(b, Contents)))
    return wrapped(page.lang, page.title, body(page, slides), slides)


def body(page: Page, slides: bool = False) -> str:
    """What stands on it, without the look."""
    printer = _Printer(page, MOST_ROWS_OF_SLIDES if slides else MOST_ROWS)
    printed = zip(page.blocks, printer.blocks(), strict=True)
    return "\n\n".join(_slides(printed) if slides else (text for _, text in printed))


def joined(bodies: Iterable[str]) -> str:
    """Bodies one after the other, each on a page of its own."""
    return f"\n\n{forms.typst(None, Break())}\n\n".join(bodies)


def wrapped(lang: str, title: str, body: str, slides: bool = False) -> str:
    """A body with the look of a page, or of slides."""
    style = files("derive.render").joinpath("page.typ").read_text(encoding="utf-8")
    look = "slides" if slides else "paper"
    arguments = f"{_string(lang)}, {_string(title)}"
    return f"{style}\n#show: {look}.with({arguments})\n\n{body}\n"


def _slides(printed: Iterable[tuple[Any, str]]) -> Iterator[str]:
    """The title on a slide, then each heading with what follows it."""
    slide: list[str] = []
    for block, text in printed:
        if isinstance(block, Heading):
            yield from _slide(slide)
            slide = []
        if isinstance(block, Heading) and block.level == 1:
            yield f"#cover[{text}]"
        else:
            slide.append(text)
    yield from _slide(slide)


def _slide(texts: Sequence[str]) -> Iterator[str]:
    if texts:
        yield "#slide[\n" + "\n\n".join(texts) + "\n]"


class _Printer:
    def __init__(self, page: Page, most_rows: int) -> None:
        self.page, self.most_rows = page, most_rows
        self.is_narrow = most_rows != MOST_ROWS  # a slide, or half of a line
        self.wide = WIDE_OF_SLIDES if self.is_narrow else WIDE
        self.writer = Writer(TYPST, page.names)

    def blocks(self) -> Iterator[str]:
        """Each block; what speaks of the next one stays on its page."""
        before = ""  # a heading in the line of what follows it
        last = None
        for block, after in pairwise((*self.page.blocks, None)):
            text = before + self.block(block)
            if isinstance(block, Heading) and block.runs_in and isinstance(after, Text):
                before = text
                yield ""
                continue
            before = ""
            leads = isinstance(after, LED) and (
                isinstance(block, Formulas) or (isinstance(block, Text) and len(text) < SHORT)
            )
            leads |= stay_together(last, block, after)
            leads |= isinstance(block, Choice) and isinstance(after, Choice)
            last = block
            yield f"#lead[{text}]" if leads else text

    def block(self, block: Any) -> str:
        match block:
            case Heading(text, level):
                shown = RUN_IN if block.runs_in else level
                return f"#heading(level: {shown}, {_string(text)})" + _label(block.anchor)
            case Contents() | Abreast() | Form():
                return self.arranged(block)
            case Text(content):
                text = self.inline(content)
                return f"#ragged[{text}]" if block.is_ragged else text
            case Note(content):
                return f"#note[{self.inline(content)}]"
            case Formulas(chains):
                return self.formulas(chains)
            case Equations(chains, columns):
                return self.equations(chains, fit_columns(self.page, chains, columns))
            case Table():
                return self.table(block)
            case Heatmap():
                return self.heatmap(block)
            case Plot():
                return plotted(block)
        raise TypeError(f"typst: no rule for {type(block).__name__}")

    def arranged(self, block: Contents | Abreast | Form) -> str:
        """Blocks about other blocks, and what there is to write on."""
        if isinstance(block, Form):
            return forms.typst(self, block)
        if isinstance(block, Contents):
            chapters = "".join(f"{_listed(entry)}, " for entry in block.entries)
            return f"#contents({_string(block.title)}, {chapters})"
        before, self.is_narrow = self.is_narrow, True
        left, right = ("\n\n".join(map(self.block, side)) for side in (block.left, block.right))
        self.is_narrow = before
        return f"#abreast[{left}][{right}]"

    # --- sentences

    def inline(self, content: Any) -> str:
        parts = (content,) if isinstance(content, str) else content
        return "".join(
            _text("".join(run)) if is_text else "".join(map(self.formula, run))
            for is_text, run in groupby(parts, key=lambda part: isinstance(part, str))
        )

    def formula(self, x: Any) -> str:
        """Mathematics in a line; a plain numeral, of which tables are full, is set as text."""
        if is_plain(x):
            return f"#{_string(TYPST.numeral(x.text))}"
        return f"${self.math(x)}$"

    def cells(self, row: Sequence[Any]) -> str:
        return ", ".join(f"[{self.inline(cell)}]" for cell in row)

    def table(self, block: Table) -> str:
        wide = 0.0 if block.is_form else self.wide
        return listing(block, self.cells, wide, is_long=len(block.rows) > self.most_rows)

    def heatmap(self, block: Heatmap) -> str:
        lines = [
            f"  [{_text(name)}], " + ", ".join(_shaded(*cell) for cell in row) + ","
            for name, row in zip(block.rows, block.cells, strict=True)
        ]
        columns = "".join(f"[{_text(name)}], " for name in block.columns)
        text = "\n".join([f"heatmap({_string(block.label)}, ({columns}),", *lines, ")"])
        shown = f"#{text}" if _width(block) <= SAFE else f"#shrunk({text})"
        return f"#captioned({_string(block.label)})[{shown}]"

    # --- mathematics

    def math(self, x: Any) -> str:
        match x:
            case Chain(first, rest):
                return self.math(first) + "".join(f" {self.side(*side)}" for side in rest)
            case Worked(term, values):
                return Writer(TYPST, self.page.names, values).text(term)
        return self.writer.text(x)

    def side(self, relation: str, x: Any) -> str:
        return f"{RELATIONS[relation][1]} {self.math(x)}"

    def formulas(self, chains: Sequence[Chain]) -> str:
        """Side by side while they fit a line."""
        rows = list(side_by_side(self.page, chains))
        texts = [" wide ".join(map(self.math, row.chains)) for row in rows]
        may_be_wide = self.is_narrow or any(row.spread > SPREAD for row in rows)
        return _display(texts, max(row.width for row in rows) if may_be_wide else 0)

    def in_columns(self, chains: Sequence[Chain], columns: int) -> list[str]:
        """Lines of so many chains, each aligned at its first relation."""
        texts = [
            f"{self.math(c.first)} &" + " ".join(self.side(*side) for side in c.rest)
            for c in chains
        ]
        rows = (texts[k : k + columns] for k in range(0, len(texts), columns))
        return [" & wide quad ".join(row) for row in rows]

    def equations(self, chains: Sequence[Chain], columns: int) -> str:
        """Aligned at their relations, in columns or one below the other."""
        if columns > 1:
            return _display(self.in_columns(chains, columns))
        broken = [line for chain in chains for line in lines(self.page, chain)]
        rows = [self.line(line) for line in broken]
        return _display(rows, max(line.width for line in broken))

    def line(self, line: Line) -> str:
        start = "" if line.first is None else self.math(line.first)
        spell = self.broken if line.width > LINE else self.math
        texts = [f"{RELATIONS[r][1]} {spell(side)}" for r, side in line.sides]
        return start + " &" * bool(texts) + " ".join(texts)

    def broken(self, side: Any) -> str:
        """A long sum on several lines, broken before its plus signs."""
        values = side.values if isinstance(side, Worked) else None
        writer = Writer(TYPST, self.page.names, values)
        parts = [
            " + ".join(writer.bracketed(writer.piece(term), 1) for term in terms)
            for terms in summands(self.page, side)
        ]
        return " \\\n & quad + ".join(parts) or self.math(side)


def _label(anchor: str) -> str:
    return f" <{anchor}>" if anchor else ""


def _listed(entry: Listed) -> str:
    under = "".join(f"{_listed(x)}, " for x in entry.under)
    return f"({_string(entry.text)}, <{entry.anchor}>, ({under}))"


def _display(rows: Sequence[str], width: int = 0) -> str:
    body = "$ " + " \\\n".join(rows) + " $"
    return body if width <= SAFE else f"#shrunk({body})"


def _width(block: Heatmap) -> int:
    """About how many characters of mathematics wide it is, with what stands around each cell."""
    table = [("", *block.columns)]
    table += [
        (name, *(text for text, _ in row))
        for name, row in zip(block.rows, block.cells, strict=True)
    ]
    return sum(3 + max(map(len, column)) for column in zip(*table, strict=True))


def _shaded(numeral: str, shade: float) -> str:
    return f"shaded({100 - 60 * shade:.0f}%)[${TYPST.numeral(numeral)}$]"


def _text(text: str) -> str:
    """The text as it is, in a string of Typst's; our commands as code."""
    kept = _BEFORE_PER_CENT.sub("\N{NO-BREAK SPACE}", _AFTER_CHINESE_STOP.sub("", text))
    parts = _COMMAND.split(kept)
    return "".join(
        f"#raw({_string(part)})" if k % 2 else f"#{_string(part)}"
        for k, part in enumerate(parts)
        if part
    )


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
