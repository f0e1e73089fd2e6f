"""A problem as TOML, which reads back as the same problem."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from derive.conventions import Conventions
from derive.derivation import Problem
from derive.exact import Matrix, NegativeInfinity, Scalar, symbol
from derive.exact.ink import PLAIN
from derive.exact.write import Writer

WIDTH = 88
"""A matrix that takes more is written a row a line."""
_PLAIN = Writer(PLAIN)


def problem_toml(problem: Problem) -> str:
    """Title, language, words, model, conventions and what is given, every entry exact.

    Conventions that are as usual are left out, but for the scale.
    """
    tables = [tuple(_top(problem)), ("[conventions]", *_conventions(problem.conventions))]
    tables.append(("[given]", *(_given(name, x) for name, x in problem.given.items())))
    return "\n\n".join("\n".join(table) for table in tables) + "\n"


def _top(problem: Problem) -> Iterator[str]:
    if problem.title:
        yield f"title = {_text(problem.title)}"
    yield f"lang = {_text(problem.lang)}"
    yield f"model = {_text(problem.model)}"
    for name in ("tokens", "vocabulary", "targets"):
        value = getattr(problem, name)
        if value or (name == "targets" and value is not None):
            yield f"{name} = [{', '.join(map(_text, value))}]"


def _conventions(choices: Conventions) -> Iterator[str]:
    usual = Conventions()
    for field in fields(choices):
        value = getattr(choices, field.name)
        if value is not None and (field.name == "scale" or value != getattr(usual, field.name)):
            yield f"{field.name} = {_value(value)}"


def _value(value: Any) -> str:
    match value:
        case Matrix():
            return _rows(value)
        case str():
            return _text(value)
        case Scalar() | NegativeInfinity():
            return _entry(value)
    return str(value)


def _given(name: str, matrix: Matrix) -> str:
    """The rows of a matrix; of one that holds its own letters, the shape."""
    text = f"{name} = {_rows(matrix)}"
    rows, columns = matrix.shape
    between = "" if max(rows, columns) <= 9 else "_"
    letters = (
        symbol(f"{name}_{i}{between}{j}") for i in range(1, rows + 1) for j in range(1, columns + 1)
    )
    if all(x == letter for x, letter in zip(matrix, letters, strict=True)):
        return f"{name} = {{shape = [{rows}, {columns}]}}"
    return text if len(text) <= WIDTH else f"{name} = {_rows(matrix, ',' + chr(10) + '    ')}"


def _rows(matrix: Matrix, between: str = ", ") -> str:
    rows = ("[" + ", ".join(map(_entry, row)) + "]" for row in matrix.rows)
    return "[" + between.join(rows) + "]"


def _entry(x: Scalar | NegativeInfinity) -> str:
    """An integer as it is, anything else as a text that is read exactly."""
    text = _PLAIN.text(x)
    return text if text.removeprefix("-").isdigit() else _text(text)


def _text(text: str) -> str:
    # Whatever JSON escapes, TOML escapes in the same way.
    return json.dumps(text, ensure_ascii=False)
