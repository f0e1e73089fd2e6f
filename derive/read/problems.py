"""A problem from a LaTeX or Markdown document that writes its matrices out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

from derive.conventions import Conventions
from derive.derivation import Problem
from derive.errors import InputError, Place
from derive.exact import Matrix, NegativeInfinity
from derive.read.latex.declare import shown, standard
from derive.read.latex.document import parts
from derive.read.latex.entries import rows
from derive.read.latex.macros import expanded
from derive.read.latex.nodes import Grid, MatrixName, Name
from derive.read.latex.reading import parsed
from derive.read.latex.source import Source
from derive.read.latex.worker import apart
from derive.read.shapes import check_names, complete, known_names

_SPELLED = {
    "X": "H",
    "C_in": "context",
    "barH": "context",
    "M": "mask",
    **{f"W{mark}{x}": f"W_{y}" for mark in "_^" for x, y in zip("qkv", "QKV", strict=True)},
    **{f"W^({x})": f"W_{x.upper()}" for x in "QKVqkv"},
}
"""Other spellings of the standard letters."""
_TITLE = re.compile(r"\\title\{([^{}\\$]{1,1000})\}|^#[ ]+([^\n$]{1,1000})$", re.MULTILINE)


@dataclass(frozen=True)
class Given:
    """A matrix of a document and where it stands."""

    matrix: Matrix
    place: Place


def read_document(text: str, source: str = "<text>", *, markdown: bool = False) -> Problem:
    """The problem whose matrices a document declares: H = ..., W^Q = ..., W^K = ..., W^V = ...

    X is read as H, C_{in} as the context, M as the mask. InputError where one is missing, is
    declared twice with different entries, or does not fit the others; and where the document
    takes more time or memory than `derive.read.latex.worker` allows, as it is read there.
    """
    problem: Problem = apart(_document, text, source, markdown)
    return problem


def _document(text: str, source: str, markdown: bool) -> Problem:
    whole = expanded(Source(text.removeprefix("\ufeff"), source))
    found = dict(_declared(whole, markdown))

    def place_of(path: Sequence[str | int]) -> Place:
        name = str(path[0]) if path else ""
        return found[name].place if name in found else Place(source)

    mask = found.get("mask")
    given = {name: x.matrix for name, x in found.items() if name != "mask"}
    required, optional = known_names(given, Conventions(), "attention")
    known = {name: given[name] for name in (*required, *optional) if name in given}
    _check_found(known, required, source)
    check_names(known, Conventions(), "attention", place_of)
    conventions = Conventions() if mask is None else replace(Conventions(), mask=mask.matrix)
    exact = complete(known, conventions, (), place_of=place_of)
    name = "problem" if source.startswith("<") else FilePath(source).stem
    return Problem(name, exact, conventions, title=_title(whole.text), source=source)


def _check_found(known: Mapping[str, Any], required: Sequence[str], source: str) -> None:
    if not known:
        raise InputError(
            f"{source} declares none of the matrices of a problem",
            expected=", ".join(required),
            hint=r"write H = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix} as a formula",
        )


def _declared(source: Source, markdown: bool) -> Iterator[tuple[str, Given]]:
    """The standard letters that are set equal to a matrix, each once."""
    seen: dict[str, Given] = {}
    for part in parts(source, markdown):
        if not part.tokens or not shown(part.tokens):
            continue
        for name, given in _equation(part.tokens, source):
            before = seen.get(name)
            if before is None:
                seen[name] = given
                yield name, given
            elif before.matrix.rows != given.matrix.rows:
                message = f"{name} is declared a second time, with other entries"
                hint = f"it is declared first in line {before.place.line}; keep one of them"
                raise InputError(message, place=given.place, hint=hint)


def _equation(tokens: Sequence[Any], source: Source) -> Iterator[tuple[str, Given]]:
    """NAME = matrix, where the name is a standard letter."""
    names = [_standard(name) for name in shown(tokens)]
    if not any(names):
        return
    members, relations = parsed(tokens, source, {})
    if len(members) < 2 or not isinstance(members[1], Grid) or relations[0] != "=":
        return
    first = members[0]
    name = _standard(first.name) if isinstance(first, (Name, MatrixName)) else None
    if name:
        matrix = _matrix(name, members[1], source)
        yield name, Given(matrix, source.place(first.span))


def _standard(name: str) -> str | None:
    name = _SPELLED.get(name, standard(name))
    return name if name in ("H", "W_Q", "W_K", "W_V", "context", "mask") else None


def _matrix(name: str, grid: Grid, source: Source) -> Matrix:
    entries = rows(grid, source)
    for i, row in enumerate(entries):
        for j, entry in enumerate(row):
            if isinstance(entry, NegativeInfinity) and name != "mask":
                hint = "only a mask holds -oo"
                raise source.error("-oo is not a number", grid.rows[i][j].span, hint)
    return Matrix(entries)


def _title(text: str) -> str:
    match = _TITLE.search(text)
    return (match[1] or match[2]).strip() if match else ""
