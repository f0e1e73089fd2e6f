"""Only the numbers: every entry of every step with its proved digits."""

from __future__ import annotations

from dataclasses import dataclass

from derive.certify import Certified, Certifier, Format
from derive.derivation import Derivation
from derive.exact.ink import PLAIN
from derive.exact.write import Writer


@dataclass(frozen=True)
class Number:
    """Entry (row, column), counted from 1, of a step; `exact` is its SymPy string, written out."""

    step: str
    row: int
    column: int
    certified: Certified
    exact: str


def numbers(derivation: Derivation, form: Format, steps: tuple[str, ...] = ()) -> list[Number]:
    """The numbers of the steps named, or of all that are derived, in order."""
    certifier, writer = Certifier(), Writer(PLAIN)
    return [
        Number(step.name, i, j, certifier.certify(x, form), writer.text(x))
        for step in (map(derivation.step, steps) if steps else derivation.derived)
        for i, row in enumerate(step.value.rows, 1)
        for j, x in enumerate(row, 1)
    ]
