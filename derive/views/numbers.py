"""Only the numbers: every entry of every step with its proved digits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.certify import Certified, Certifier, Format
from derive.derivation import Derivation
from derive.exact import NegativeInfinity, Scalar
from derive.exact.ink import PLAIN, Piece
from derive.exact.monomial import Letter
from derive.exact.write import Writer
from derive.places import entry_name

LONGEST = 20_000


@dataclass(frozen=True)
class Number:
    """Entry (row, column), counted from 1, of a step; `exact` is its SymPy string, written out.

    `exact` is empty where it would be longer than LONGEST.
    """

    step: str
    row: int
    column: int
    certified: Certified
    exact: str

    @property
    def place(self) -> str:
        """Its name, such as S[1][2]."""
        return entry_name(self.step, self.row, self.column)


def numbers(derivation: Derivation, form: Format, steps: tuple[str, ...] = ()) -> list[Number]:
    """The numbers of the steps named, or of all that are derived, in order."""
    certifier, writer = Certifier(), WrittenOut(PLAIN)
    return [
        Number(step.name, i, j, certifier.certify(x, form), _short(writer, x))
        for step in (map(derivation.step, steps) if steps else derivation.derived)
        for i, row in enumerate(step.value.rows, 1)
        for j, x in enumerate(row, 1)
    ]


def _short(writer: WrittenOut, x: Scalar | NegativeInfinity) -> str:
    try:
        return writer.text(x)
    except TooLong:
        return ""


class TooLong(ValueError):
    """A text that would be longer than LONGEST."""


class WrittenOut(Writer):
    """Spells every letter as what it stands for."""

    def _atom(self, atom: Any) -> Piece:
        if not isinstance(atom, Letter):
            return super()._atom(atom)
        text, level = self.piece(atom.value)
        if len(text) > LONGEST:
            raise TooLong
        return text, level
