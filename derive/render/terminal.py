"""Pages for a terminal: Unicode, 80 columns, colour only where it is a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from derive.exact.ink import UNICODE
from derive.exact.trace import Digits, Grid, MatrixProduct
from derive.exact.write import Writer
from derive.render import forms
from derive.render.blocks import (
    RELATIONS,
    Abreast,
    Chain,
    Contents,
    Equations,
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
)
from derive.render.boxes import (
    Box,
    beside,
    box_width,
    column_widths,
    matrix_box,
    padded,
    parted,
    spaced,
    text_box,
)
from derive.render.braille import chart
from derive.render.lines import parts_of
from derive.render.wrap import broken, columns, fitted, folded, wrapped

WIDTH = 80
INDENT = 2
_SHADES = "░▒▓██"


def terminal(page: Page, colour: bool = False) -> str:
    """The page as plain text, or with ANSI colours."""
    printer = _Terminal(page, colour)
    return "\n\n".join(printer.block(block) for block in page.blocks) + "\n"


class _Terminal:
    def __init__(self, page: Page, colour: bool) -> None:
        self.page = page
        self.colour = colour
        self.writer = Writer(UNICODE, page.names)

    def block(self, block: Any) -> str:
        match block:
            case Heading(text, level):
                return self.painted(text, "1") if block.runs_in else self.heading(text, level)
            case Contents() | Abreast() | Form():
                return self.arranged(block)
            case Text(content):
                return "\n".join(wrapped(self.inline(content), WIDTH))
            case Note(content):
                lines = wrapped(self.inline(content), WIDTH - 2)
                return "\n".join(
                    self.painted(f"! {lines[0]}" if k == 0 else f"  {line}", "33")
                    for k, line in enumerate(lines)
                )
            case Table(header, rows, numbers):
                return "\n".join(self.table(header, rows, numbers))
            case Heatmap():
                return "\n".join(self.heatmap(block))
            case Plot():
                lines = [*chart(block), "", *wrapped(block.label, WIDTH)]
                return "\n".join((" " * INDENT + line).rstrip() for line in lines)
            case Formulas(chains):
                return self.formulas(chains)
            case Equations(chains, columns):
                return "\n".join(self.equations(chains, columns))
        raise TypeError(f"terminal: no rule for {type(block).__name__}")

    def heading(self, text: str, level: int) -> str:
        rule = ("═" if level == 1 else "─") * columns(text)
        return self.painted(text, "1;36" if level > 1 else "1") + "\n" + self.painted(rule, "2")

    def arranged(self, block: Contents | Abreast | Form) -> str:
        """Blocks about other blocks, and what there is to write on."""
        if isinstance(block, Form):
            return forms.terminal(self, block)
        if isinstance(block, Contents):
            return "\n".join([self.painted(block.title, "1"), *self.contents(block.entries)])
        return "\n\n".join(map(self.block, (*block.left, *block.right)))

    def contents(self, entries: Sequence[Listed]) -> Iterator[str]:
        """The chapters, each with its steps."""
        for entry in entries:
            yield " " * INDENT + entry.text
            if entry.under:
                steps = " · ".join(x.text for x in entry.under)
                yield from (" " * 2 * INDENT + line for line in wrapped(steps, WIDTH - 2 * INDENT))

    def painted(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    def inline(self, content: Any) -> str:
        parts = (content,) if isinstance(content, str) else content
        text = "".join(p if isinstance(p, str) else self.line(p) for p in parts)
        return text.replace("`", "")

    def line(self, x: Any) -> str:
        match x:
            case Chain(first, rest):
                sides = (f" {RELATIONS[r][1]} {self.line(side)}" for r, side in rest)
                return self.line(first) + "".join(sides)
            case Worked(term, values):
                return Writer(UNICODE, self.page.names, values).text(term)
        return self.writer.text(x)

    def table(
        self, header: Sequence[Any], rows: Sequence[Any], numbers: Sequence[int]
    ) -> Iterator[str]:
        cells = [[self.inline(x) for x in row] for row in (header, *rows)]
        widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
        fitting = fitted(widths, numbers, WIDTH - INDENT - 2 * (len(widths) - 1))
        for k, row in enumerate(cells):
            parts = [broken(c, w) for c, w in zip(row, fitting, strict=True)]
            if k > 1 and fitting != widths:
                yield ""
            for line in zip_longest(*parts, fillvalue=""):
                found = [
                    padded(c, w, j in numbers)
                    for j, (c, w) in enumerate(zip(line, fitting, strict=True))
                ]
                yield (" " * INDENT + "  ".join(found)).rstrip()
            if k == 0:
                yield " " * INDENT + self.painted("  ".join("─" * w for w in fitting), "2")

    def heatmap(self, block: Heatmap) -> Iterator[str]:
        """The numerals, each behind a block as dark as it is large."""
        cells = [
            [f"{_SHADES[int(4 * shade)]} {UNICODE.numeral(text)}" for text, shade in row]
            for row in block.cells
        ]
        table = [
            ["", *block.columns],
            *([n, *row] for n, row in zip(block.rows, cells, strict=True)),
        ]
        widths = [max(map(columns, column)) for column in zip(*table, strict=True)]
        for row in table:
            found = [padded(c, w, False) for c, w in zip(row, widths, strict=True)]
            yield (" " * INDENT + "  ".join(found)).rstrip()
        yield ""
        yield from wrapped(block.label, WIDTH)

    # --- displayed mathematics, in boxes

    def formulas(self, chains: Sequence[Chain]) -> str:
        lines: list[str] = []
        row: list[Box] = []
        for chain in chains:
            box = self.chain_box(chain)
            used = INDENT + sum(box_width(b) + 4 for b in row)
            if row and used + box_width(box) > WIDTH:
                lines += _indented(beside(spaced(row, 4)))
                row = []
            if INDENT + box_width(box) > WIDTH:
                lines += self.chain(chain)
            else:
                row.append(box)
        return "\n".join([*lines, *(_indented(beside(spaced(row, 4))) if row else ())])

    def equations(self, chains: Sequence[Chain], columns: int) -> Iterator[str]:
        """Side by side in columns where they fit, else one below the other."""
        boxes = [self.chain_box(chain) for chain in chains]
        for k in parts_of(columns):
            rows = [boxes[at : at + k] for at in range(0, len(boxes), k)]
            widths = column_widths(rows)
            if INDENT + sum(widths) + 4 * (k - 1) <= WIDTH:
                yield from _in_columns(rows, widths)
                return
        for chain in chains:
            yield from self.chain(chain)

    def chain_box(self, chain: Chain) -> Box:
        boxes = [self.box(chain.first)]
        for relation, side in chain.rest:
            boxes += [text_box(f" {RELATIONS[relation][1]} "), self.box(side)]
        return beside(boxes)

    def chain(self, chain: Chain) -> Iterator[str]:
        """The chain from the left, broken before a relation where a line is full."""
        row, head = [self.box(chain.first)], box_width(self.box(chain.first))
        is_over = INDENT + box_width(self.chain_box(chain)) > WIDTH
        if is_over and head > WIDTH // 2 and len(row[0][0]) == 1:
            lines = folded(self.line(chain.first), WIDTH - INDENT)
            yield from (" " * INDENT + line.rstrip() for line in lines)
            row, head = [text_box("  ")], 2
        for relation, side in chain.rest:
            box, sign = self.box(side), text_box(f" {RELATIONS[relation][1]} ")
            used = sum(map(box_width, row))
            if len(row) > 1 and INDENT + used + 3 + box_width(box) > WIDTH:
                yield from _indented(beside(row))
                row = [text_box(" " * head)]
            if INDENT + head + 3 + box_width(box) > WIDTH:
                yield from self.broken(row, sign, side)
                row = [text_box(" " * head)]
            else:
                row += [sign, box]
        if any(line.strip() for line in beside(row)[0]):
            yield from _indented(beside(row))

    def broken(self, row: list[Box], sign: Box, side: Any) -> Iterator[str]:
        """A side longer than a line: a matrix by its columns, else broken before its signs."""
        head = sum(map(box_width, row)) + box_width(sign)
        boxes = self.parts(side.rows, WIDTH - INDENT - head) if isinstance(side, Grid) else []
        for k, box in enumerate(boxes):
            before = [text_box(" " * head)] if k else [*row, sign]
            yield from _indented(beside([*before, box]))
        if boxes:
            return
        parts = folded(self.line(side), WIDTH - INDENT - head)
        yield from _indented(beside([*row, sign, text_box(parts[0])]))
        for part in parts[1:]:
            yield (" " * (INDENT + head) + part).rstrip()

    def box(self, x: Any) -> Box:
        match x:
            case Grid(rows) if len(rows) > 1:
                return self.grid(rows)
            case MatrixProduct(factors) if any(isinstance(f, Grid) for f in factors):
                return beside(spaced([self.box(f) for f in factors], 1))
        return text_box(self.line(x))

    def grid(self, rows: Sequence[Sequence[Any]]) -> Box:
        return matrix_box(self.cells(rows), _has_decimals(rows))

    def parts(self, rows: Sequence[Sequence[Any]], room: int) -> list[Box]:
        return parted(self.cells(rows), _has_decimals(rows), room)

    def cells(self, rows: Sequence[Sequence[Any]]) -> list[list[str]]:
        return [[self.line(x) for x in row] for row in rows]


def _has_decimals(rows: Sequence[Sequence[Any]]) -> bool:
    return any(isinstance(x, Digits) for row in rows for x in row)


def _shaded(numeral: str, shade: float) -> str:
    return f"{_SHADES[int(4 * shade)]} {UNICODE.numeral(numeral)}"


def _in_columns(rows: Sequence[Sequence[Box]], widths: Sequence[int]) -> Iterator[str]:
    for row in rows:
        found = [
            beside([b, text_box(" " * (w - box_width(b)))])
            for b, w in zip(row, widths, strict=False)
        ]
        yield from _indented(beside(spaced(found, 4)))


def _indented(box: Box) -> Iterator[str]:
    for line in box[0]:
        yield (" " * INDENT + line).rstrip()
