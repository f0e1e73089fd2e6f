"""Which subscripts are indices: those of names that a sum runs over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from derive.read.latex.guards import walk
from derive.read.latex.nodes import BigOperator, Name, Node
from derive.read.latex.source import Source

Index = list[tuple[str, str]]
"""One index as a sum: (sign, factors apart by spaces)."""


def indexed_names(nodes: Iterable[Node], source: Source) -> dict[str, int]:
    """The names that depend on the index of some sum, each with how many indices it has."""
    nodes = list(nodes)
    every = [part for node in nodes for part in walk(node)]
    bases: set[str] = set()
    for operator in every:
        if isinstance(operator, BigOperator):
            bases |= _running(operator, source)
    names = [n for n in every if isinstance(n, Name) and n.base in bases and n.index]
    return {base: _count(n.index for n in names if n.base == base) for base in bases}


def _running(operator: BigOperator, source: Source) -> set[str]:
    """The names in a body whose subscripts hold the index."""
    found: set[str] = set()
    for part in walk(operator.body):
        if not isinstance(part, Name) or part.name == operator.index:
            continue
        if operator.index in part.index:
            if "_" in part.index or "(" in part.index or not part.base:
                raise _unclear(part, operator, source)
            found.add(part.base)
        elif _may_run(part, operator.index):
            raise _unclear(part, operator, source)
    return found


def _may_run(part: Name, index: str) -> bool:
    """Whether a label, or a part of a subscript, holds the index."""
    if f"({index})" in part.name or f"^{index}" in part.name:
        return True
    return any(index in x for x in part.index if 1 < len(x) < 4)


def _unclear(part: Name, operator: BigOperator, source: Source) -> Exception:
    message = f"{part.name} may depend on {operator.index}, the index of the sum"
    hint = f"write x_{{{operator.index}}} for what runs, or another letter for the label"
    return source.error(message, part.span, hint)


def _count(indices: Iterable[Sequence[str]]) -> int:
    """How many indices a name has, as its clearest subscript shows; 0 where none does."""
    counts = [0]
    for index in indices:
        if "," in index:
            counts.append(index.count(",") + 1)
        elif all(part.isalpha() for part in index):
            counts.append(len(index))
        elif any(part in "+-" for part in index):
            counts.append(1)
    return max(counts)


def split(index: Sequence[str], count: int) -> list[Index] | None:
    """The indices of a subscript, or None where they cannot be told apart."""
    if "," in index:
        groups = _by_comma(index)
    elif any(part in ("+", "-") for part in index):
        groups = [list(index)]
    elif len(index) == 1 and index[0].isdigit() and count > 1:
        groups = [[digit] for digit in index[0]]
    elif index[0].isdigit() and len(index) > 1 and count <= 1:
        if count == 0:
            return None  # x_{2i} may be the entry 2, i
        groups = [list(index)]
    else:
        groups = [[part] for part in index]
    if count and len(groups) != count:
        return None
    found = [_signed(group) for group in groups]
    return None if any(group is None for group in found) else found  # type: ignore[return-value]


def _by_comma(index: Sequence[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for part in index:
        if part == ",":
            groups.append([])
        else:
            groups[-1].append(part)
    return groups


def _signed(group: Sequence[str]) -> Index | None:
    """i + 1 as signed products; None where it holds anything else."""
    terms: Index = [("+", "")]
    for part in group:
        if part in ("+", "-"):
            terms.append((part, ""))
        elif part.isalnum():
            terms[-1] = terms[-1][0], f"{terms[-1][1]} {part}".strip()
        else:
            return None
    terms = [term for k, term in enumerate(terms) if term[1] or k]
    return terms if terms and all(factors for _, factors in terms) else None
