"""A table of shapes and counts as plain data: what the JSON output holds."""

from __future__ import annotations

from typing import Any

from derive.counts import Group, ShapeTable
from derive.exact import Scalar
from derive.exact.ink import PLAIN
from derive.exact.write import Writer
from derive.words import titled


def shapes_data(table: ShapeTable, lang: str) -> dict[str, Any]:
    """The table as plain data: formulas are SymPy strings, numbers ints where no letter remains."""
    total = table.parameter_formula, table.multiply_add_formula
    published = table.architecture.published if table.architecture else None
    return {
        "name": table.name,
        "title": titled(table.title, lang),
        "lang": lang,
        "sizes": {letter: _datum(x) for letter, x in table.sizes.items()},
        "groups": [_group_data(table, group) for group in table.groups],
        **_count_data(table, *total),
        "published": None
        if published is None
        else {
            "parameters": published.parameters,
            "rounded_to": published.rounded_to,
            "source": published.source,
        },
    }


def _group_data(table: ShapeTable, group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "times": _datum(table.value(group.times)),
        **_count_data(table, group.parameters, group.multiply_adds),
        "parts": [
            {
                "name": part.path,
                "shape": [_datum(table.value(side)) for side in part.shape],
                "shape_formula": [plain(side) for side in part.shape],
                **_count_data(table, part.parameters, part.multiply_adds),
            }
            for part in group.parts
        ],
    }


def _count_data(table: ShapeTable, parameters: Scalar, products: Scalar) -> dict[str, Any]:
    return {
        "parameters": _datum(table.value(parameters)),
        "parameters_formula": plain(parameters),
        "multiply_adds": _datum(table.value(products)),
        "multiply_adds_formula": plain(products),
    }


def _datum(x: Scalar) -> int | str:
    return x.fraction[0] if x.is_rational and x.fraction[1] == 1 else plain(x)


def plain(x: Scalar) -> str:
    """The formula as a SymPy string."""
    return Writer(PLAIN).text(x)
