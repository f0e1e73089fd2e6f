"""Formulas of spreadsheets as expressions over cells; nothing in them is run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flint import arb

from derive.verify.grammar.figures import figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Negative, Node, Number

Place = tuple[str, int, int]
"""A sheet, a row and a column, from 1."""
LONGEST = 2_000
LARGEST = 4_096
"""A range of more cells is not looked at."""
DEEPEST = 40
_SIGN = re.compile(
    r"\s*(?:(?P<range>(?:(?P<sheet>'(?:[^']|'')+'|[^\W\d]\w*)!)?(?P<a>\$?[A-Z]{1,3}\$?\d{1,7})(?![\w(.])"
    r"(?::(?P<b>\$?[A-Z]{1,3}\$?\d{1,7}))?)"
    r"|(?P<num>\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?%?)|(?P<name>[A-Za-z][A-Za-z0-9.]*)(?=\s*\()"
    r"|(?P<op>[-+*/^(),;]))"
)
_CELL = re.compile(r"(\$?)([A-Z]{1,3})(\$?)(\d{1,7})")
ALONG = {
    "SUM": "sum", "AVERAGE": "mean", "MAX": "max", "VAR.P": "var", "VARP": "var", "STDEV.P": "std",
    "STDEVP": "std", "VAR.S": "sample var", "VAR": "sample var", "STDEV.S": "sample std",
    "STDEV": "sample std",
}  # fmt: skip
"""Functions of all numbers of their ranges."""
PLAIN = {
    "EXP": "exp", "SQRT": "sqrt", "LN": "log", "SIN": "sin", "COS": "cos", "TANH": "tanh",
    "ABS": "abs", "TRANSPOSE": "T",
}  # fmt: skip


class NoFormula(Exception):
    """What is written there is beyond these formulas."""


@dataclass(frozen=True)
class Shift:
    """Where a formula stands, and how far from where it was written."""

    sheet: str
    rows: int = 0
    columns: int = 0


def number_of(letters: str) -> int:
    """A column as a number: A is 1, AA is 27."""
    made = 0
    for letter in letters:
        made = 26 * made + ord(letter) - 64
    return made


def letters_of(number: int) -> str:
    """A column as letters."""
    made = ""
    while number:
        number, rest = divmod(number - 1, 26)
        made = chr(65 + rest) + made
    return made


def formula(text: str, shift: Shift, look: Callable[[Place], Cell | None]) -> Node:
    """The expression of a formula over the cells that `look` finds.  NoFormula beyond that."""
    return _Formula(text, shift, look).read()


class _Formula:
    """One pass over the signs of a formula."""

    def __init__(self, text: str, shift: Shift, look: Callable[[Place], Cell | None]) -> None:
        self.text, self.shift, self.look = text.lstrip("= "), shift, look
        self.place = self.depth = 0
        self.sign: re.Match[str] | None = None

    def read(self) -> Node:
        if len(self.text) > LONGEST:
            raise NoFormula
        self.advance()
        made = self.sum()
        if self.sign is not None or self.text[self.place :].strip():
            raise NoFormula
        return made

    def advance(self) -> None:
        self.sign = _SIGN.match(self.text, self.place)
        self.place = self.sign.end() if self.sign else self.place

    def is_op(self, marks: str) -> str:
        """The operator here, where it is one of these; it is then behind."""
        if self.sign is None or not self.sign["op"] or self.sign["op"] not in marks:
            return ""
        mark = self.sign["op"]
        self.advance()
        return mark

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NoFormula
        made = self.product()
        while mark := self.is_op("+-"):
            made = Binary(mark, made, self.product())
        self.depth -= 1
        return made

    def product(self) -> Node:
        made = self.power()
        while mark := self.is_op("*/"):
            made = Binary(mark, made, self.power())
        return made

    def power(self) -> Node:
        made = self.unary()
        while self.is_op("^"):
            made = Binary("^", made, self.unary())
        return made

    def unary(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NoFormula
        mark = self.is_op("+-")
        made = self.unary() if mark else self.atom()
        self.depth -= 1
        return Negative(made) if mark == "-" else made

    def atom(self) -> Node:
        sign = self.sign
        if self.is_op("("):
            made = self.sum()
            if not self.is_op(")"):
                raise NoFormula
            return made
        if sign is None or sign["op"]:
            raise NoFormula
        self.advance()
        if sign["num"]:
            return Number(Cell(figure(sign["num"]), -1))
        return self.called(sign["name"].upper()) if sign["name"] else Leaf(Grid(self.cells(sign)))

    def called(self, name: str) -> Node:
        """A function with its arguments."""
        name = name.removeprefix("_XLFN.").removeprefix("_XLWS.")
        if not self.is_op("("):
            raise NoFormula
        arguments: list[Node] = []
        while not self.is_op(")"):
            if arguments and not self.is_op(",;"):
                raise NoFormula
            arguments.append(self.sum())
        return _applied(name, arguments)

    def cells(self, sign: re.Match[str]) -> list[list[Cell]]:
        """The numbers of a range; what is empty or text is no number."""
        (top, left), (bottom, right) = (self.corner(sign[k] or sign["a"]) for k in "ab")
        top, bottom, left, right = *sorted((top, bottom)), *sorted((left, right))
        if (bottom - top + 1) * (right - left + 1) > LARGEST:
            raise NoFormula
        sheet = (sign["sheet"] or "").strip("'").replace("''", "'") or self.shift.sheet
        rows = [
            [self.look((sheet, row, column)) for column in range(left, right + 1)]
            for row in range(top, bottom + 1)
        ]
        if any(cell is None for row in rows for cell in row):
            kept = [cell for row in rows for cell in row if cell is not None]
            if not kept:
                raise NoFormula
            return [kept] if len(rows) * len(rows[0]) > 1 else []
        return [[cell for cell in row if cell is not None] for row in rows]

    def corner(self, text: str) -> tuple[int, int]:
        found = _CELL.fullmatch(text)
        if found is None:
            raise NoFormula
        column = number_of(found[2]) + (0 if found[1] else self.shift.columns)
        return int(found[4]) + (0 if found[3] else self.shift.rows), column


def _applied(name: str, arguments: Sequence[Node]) -> Node:
    if name in ALONG:
        return Function(ALONG[name], (_flat(arguments),))
    if name in PLAIN and len(arguments) == 1:
        return Function(PLAIN[name], tuple(arguments))
    if name == "PI" and not arguments:
        return Number(Cell(None, -1, exact=arb.pi()))
    if len(arguments) == 2 and name in ("MMULT", "POWER", "SUMPRODUCT"):
        first, second = arguments
        if name == "SUMPRODUCT":
            return Binary("·", _flat([first]), _flat([second]))
        return Binary("@" if name == "MMULT" else "^", first, second)
    raise NoFormula


def _flat(arguments: Sequence[Node]) -> Node:
    """All numbers of ranges in a row; an expression stands for itself."""
    if len(arguments) == 1 and not isinstance(arguments[0], Leaf | Number):
        return arguments[0]
    cells: list[Cell] = []
    for argument in arguments:
        if isinstance(argument, Leaf):
            cells.extend(argument.grid.cells())
        elif isinstance(argument, Number):
            cells.append(argument.cell)
        else:
            raise NoFormula
    return Leaf(Grid([cells]))
