"""Pages for a terminal: Unicode, 80 columns, colour only where it is a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any
from unicodedata import combining, east_asian_width

from derive.exact.ink import UNICODE
from derive.exact.trace import Digits, Grid, MatrixProduct
from derive.exact.write import Writer
from derive.render.blocks import (
    RELATIONS,
    Chain,
    Equations,
    Formulas,
    Heading,
    Heatmap,
    Note,
    Page,
    Table,
    Text,
    Worked,
)

WIDTH = 80
INDENT = 2
_SHADES = "░▒▓██"
Box = tuple[list[str], int]
"""Lines of equal width, and which of them is the axis."""


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
                return self.heading(text, level)
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
            case Formulas(chains):
                return self.formulas(chains)
            case Equations(chains, columns):
                return "\n".join(self.equations(chains, columns))
        raise TypeError(f"terminal: no rule for {type(block).__name__}")

    def heading(self, text: str, level: int) -> str:
        rule = ("═" if level == 1 else "─") * columns(text)
        return self.painted(text, "1;36" if level > 1 else "1") + "\n" + self.painted(rule, "2")

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
        for k, row in enumerate(cells):
            padded = [
                _padded(c, w, j in numbers)
                for j, (c, w) in enumerate(zip(row, widths, strict=True))
            ]
            yield (" " * INDENT + "  ".join(padded)).rstrip()
            if k == 0:
                yield " " * INDENT + self.painted("  ".join("─" * w for w in widths), "2")

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
            padded = [_padded(c, w, False) for c, w in zip(row, widths, strict=True)]
            yield (" " * INDENT + "  ".join(padded)).rstrip()
        yield ""
        yield from wrapped(block.label, WIDTH)

    # --- displayed mathematics, in boxes

    def formulas(self, chains: Sequence[Chain]) -> str:
        rows: list[list[Box]] = [[]]
        for chain in chains:
            box = self.chain_box(chain)
            used = sum(box_width(b) + 4 for b in rows[-1])
            if rows[-1] and INDENT + used + box_width(box) > WIDTH:
                rows.append([])
            rows[-1].append(box)
        return "\n".join(line for row in rows for line in _indented(beside(_spaced(row, 4))))

    def equations(self, chains: Sequence[Chain], columns: int) -> Iterator[str]:
        """Side by side in columns where they fit, else one below the other."""
        boxes = [self.chain_box(chain) for chain in chains]
        rows = [boxes[k : k + columns] for k in range(0, len(boxes), columns)]
        widths = [max(map(box_width, column)) for column in zip_longest(*rows, fillvalue=([""], 0))]
        if columns == 1 or INDENT + sum(widths) + 4 * (columns - 1) > WIDTH:
            for chain in chains:
                yield from self.chain(chain)
            return
        for row in rows:
            padded = [
                beside([b, text_box(" " * (w - box_width(b)))])
                for b, w in zip(row, widths, strict=False)
            ]
            yield from _indented(beside(_spaced(padded, 4)))

    def chain_box(self, chain: Chain) -> Box:
        boxes = [self.box(chain.first)]
        for relation, side in chain.rest:
            boxes += [text_box(f" {RELATIONS[relation][1]} "), self.box(side)]
        return beside(boxes)

    def chain(self, chain: Chain) -> Iterator[str]:
        """The chain from the left, broken before a relation where a line is full."""
        row, head = [self.box(chain.first)], box_width(self.box(chain.first))
        for relation, side in chain.rest:
            box, sign = self.box(side), text_box(f" {RELATIONS[relation][1]} ")
            used = sum(map(box_width, row))
            if len(row) > 1 and INDENT + used + 3 + box_width(box) > WIDTH:
                yield from _indented(beside(row))
                row = [text_box(" " * head)]
            if INDENT + head + 3 + box_width(box) > WIDTH:
                yield from self.folded(row, sign, self.line(side))
                row = [text_box(" " * head)]
            else:
                row += [sign, box]
        if any(line.strip() for line in beside(row)[0]):
            yield from _indented(beside(row))

    def folded(self, row: list[Box], sign: Box, text: str) -> Iterator[str]:
        """A side longer than a line, broken before its signs."""
        head = sum(map(box_width, row)) + box_width(sign)
        parts = _folded(text, WIDTH - INDENT - head)
        yield from _indented(beside([*row, sign, text_box(parts[0])]))
        for part in parts[1:]:
            yield " " * (INDENT + head) + part

    def box(self, x: Any) -> Box:
        match x:
            case Grid(rows) if len(rows) > 1:
                return self.grid(rows)
            case MatrixProduct(factors) if any(isinstance(f, Grid) for f in factors):
                return beside(_spaced([self.box(f) for f in factors], 1))
        return text_box(self.line(x))

    def grid(self, rows: Sequence[Sequence[Any]]) -> Box:
        cells = [[self.line(x) for x in row] for row in rows]
        widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
        decimal = any(isinstance(x, Digits) for row in rows for x in row)
        lines = []
        for k, row in enumerate(cells):
            left, right = _brackets(k, len(cells))
            body = "  ".join(_padded(c, w, decimal) for c, w in zip(row, widths, strict=True))
            lines.append(f"{left}{body}{right}")
        return lines, (len(lines) - 1) // 2


def _shaded(numeral: str, shade: float) -> str:
    return f"{_SHADES[int(4 * shade)]} {UNICODE.numeral(numeral)}"


def _brackets(k: int, n: int) -> tuple[str, str]:
    if k == 0:
        return "⎡", "⎤"
    return ("⎣", "⎦") if k == n - 1 else ("⎢", "⎥")


def _padded(text: str, width: int, right: bool) -> str:
    space = " " * (width - columns(text))
    return space + text if right else text + space


def text_box(text: str) -> Box:
    """A box of one line."""
    return [text], 0


def box_width(box: Box) -> int:
    """The width of a box in columns."""
    return max(map(columns, box[0]))


def beside(boxes: Sequence[Box]) -> Box:
    """Boxes side by side, their axes on one line."""
    above = max(axis for _, axis in boxes)
    below = max(len(lines) - axis for lines, axis in boxes)
    rows = [""] * (above + below)
    for lines, axis in boxes:
        width = max(map(columns, lines))
        top = above - axis
        for k in range(len(rows)):
            text = lines[k - top] if top <= k < top + len(lines) else ""
            rows[k] += text + " " * (width - columns(text))
    return rows, above


def _spaced(boxes: Sequence[Box], gap: int) -> list[Box]:
    out: list[Box] = []
    for box in boxes:
        out += [text_box(" " * gap), box] if out else [box]
    return out


def _indented(box: Box) -> Iterator[str]:
    for line in box[0]:
        yield (" " * INDENT + line).rstrip()


def columns(text: str) -> int:
    """How many columns a terminal gives the text: combining marks none, wide characters two."""
    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` columns, broken at spaces or between Chinese characters."""
    lines, line = [], ""
    for piece in re.findall(r"[⺀-￯][，。：；、）」]?|[^\s⺀-￯]+|\s+", text):
        if line and columns(line + piece.rstrip()) > width:
            lines.append(line.rstrip())
            line = ""
        line += piece if line or piece.strip() else ""
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _folded(text: str, width: int) -> list[str]:
    """Broken before the signs outside brackets, and inside them where a part is still too long."""
    parts, depth, start = [], 0, 0
    for k, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0 and text[k : k + 3] in (" + ", " − ") and k > start:
            parts.append(text[start:k])
            start = k
    parts.append(text[start:])
    pieces = [p for part in parts for p in ([part] if columns(part) <= width else _inside(part))]
    lines = [pieces[0]]
    for piece in pieces[1:]:
        if columns(lines[-1] + piece) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return lines


def _inside(text: str) -> list[str]:
    return re.split(r"(?= [+−] |(?<=\))/|(?<=, ))", text)
