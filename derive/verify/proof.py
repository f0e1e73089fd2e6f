"""The derivation that proves a finding: the rule, the numbers put in, the exact value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.exact.ink import PLAIN
from derive.exact.names import label, place
from derive.exact.trace import (
    Apply,
    Entry,
    Function,
    MatrixProduct,
    Name,
    Negative,
    Quotient,
    Term,
    Transpose,
    Value,
)
from derive.exact.write import write
from derive.verify.grammar import nodes
from derive.verify.grammar.grids import Cell
from derive.verify.speech.roles import role
from derive.verify.values.closed import Numerals, Written, put_in

LONGEST = 110
"""Characters of a formula with its numbers put in, and of a closed form, at most."""
LETTERS = {"mean": "mu", "std": "sigma", "LN": "xhat"}
"""The standard letters of quantities that are named otherwise here."""
KEYS = frozenset(("d_k", "dk", "d_K"))
"""Names of the width of the keys, which is no gradient."""


@dataclass(frozen=True)
class Proof:
    """What a number is: the letter of the entry, the rule, the numbers put in, the exact value.

    Each is a term or an exact number, None where there is none that fits a page.
    """

    entry: Term | None
    rule: tuple[Term, Term] | None
    put_in: Term | None
    exact: Any


def proof(known: tuple[Written, Numerals], cell: Cell, exact: Any) -> Proof:
    """The proof of what a printed number should be."""
    forms = filter(None, (_short(put_in(terms, cell)) for terms in known))
    found = next(forms, None)
    cell = cell.origin or cell
    if found is not None and exact is not None and write(found, PLAIN) == write(exact, PLAIN):
        found = None  # nothing is worked out
    return Proof(entry(cell.quantity, cell.own), _rule(cell), found, _short(exact))


def _short(x: Any) -> Any:
    """What is put on a page, None for what is long."""
    return x if x is not None and len(write(x, PLAIN)) <= LONGEST else None


def letter(name: str) -> str:
    """The standard letter of a matrix, as it is named in an article; "" where it has none."""
    name = LETTERS.get(name, name)
    name = name if label(name or "?").is_step else role(name)
    return name if label(name or "?").is_step else ""


def _letter(name: str, own: str) -> str:
    """The author's letter of a matrix, else the standard one; "" where there is none."""
    own = own or name
    return own if len(own) == 1 and own.isalpha() else letter(name)


def entry(quantity: str, own: str = "") -> Term | None:
    """A[2][3] as a term, where A is a letter."""
    name, *indices = quantity.replace("]", "").split("[")
    base, numbers = _letter(name, own), tuple(int(x) for x in indices if x.isdigit())
    is_whole = base and len(numbers) == len(indices) and place(base, numbers) is not None
    return Entry(base, numbers) if is_whole else None


def _rule(cell: Cell) -> tuple[Term, Term] | None:
    base = _letter(cell.quantity.partition("[")[0], cell.own)
    if cell.made is None or not base:
        return None
    made = _notation(cell.made)
    return None if made is None or made == Name(base) else (Name(base), made)


def _notation(node: nodes.Node) -> Term | None:
    """An expression over whole matrices in their letters; None where one has no letter."""
    match node:
        case nodes.Leaf(_, name) if name in KEYS:
            return Name("d_k")
        case nodes.Leaf(grid, name) if _letter(grid.name or name, name):
            return Name(_letter(grid.name or name, name))
        case nodes.Number(cell) if cell.figure is not None or cell.exact is not None:
            return _whole(cell)
        case nodes.Binary("@" | "", left, right):
            return _both(left, right, lambda a, b: MatrixProduct((a, b)))
        case nodes.Binary("/", left, right):
            return _both(left, right, Quotient)
        case nodes.Function("T", (inner,)):
            return _one(inner, Transpose)
        case nodes.Function("sqrt", (inner,)):
            return _one(inner, lambda a: Function("sqrt", a))
        case nodes.Function("softmax" | "exp" as name, (inner,)):
            return _one(inner, lambda a: Apply(name, a))
        case nodes.Negative(inner):
            return _one(inner, Negative)
    return None


def _both(left: nodes.Node, right: nodes.Node, work: Any) -> Term | None:
    a, b = _notation(left), _notation(right)
    return None if a is None or b is None else work(a, b)


def _one(inner: nodes.Node, work: Any) -> Term | None:
    found = _notation(inner)
    return None if found is None else work(found)


def _whole(cell: Cell) -> Term | None:
    from derive.exact import number

    if cell.exact is not None and (found := cell.exact.unique_fmpz()) is not None:
        return Value(number(int(found)))
    if cell.figure is not None and cell.figure.is_whole:
        return Value(number(int(cell.figure.value)))
    return None
