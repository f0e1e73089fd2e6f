"""A number along a symbol, and a Jacobian, as plain data: what their JSON holds."""

from __future__ import annotations

from typing import Any

from derive.certify import Format
from derive.derivation import Derivation
from derive.exact import Scalar, number
from derive.exact.expand import opened
from derive.exact.growth import Limit
from derive.exact.ink import PLAIN
from derive.exact.write import Writer
from derive.gradients.along import Along
from derive.gradients.jacobian import jacobian
from derive.views.along import AlongOptions, points


def along_data(found: Along, options: AlongOptions) -> dict[str, Any]:
    """f, f' and f'' as SymPy strings, their values at exact points, and their limits."""
    functions = {"f": found.quantity, "df": found.slope, "ddf": found.curvature}
    if (second := opened(found.curvature)) is not None:
        functions["ddf"] = second
    exact = {x: number(x.numerator, x.denominator) for x in points(found, options)}
    values = [(x, found.at(exact[x], options.form)) for x in exact]
    return {
        "of": found.of,
        "along": found.text,
        "symbol": found.symbol,
        **{name: spelled(x) for name, x in functions.items()},
        "values": [{"at": str(x), "f": str(f), "df": str(df)} for x, (f, df) in values],
        "limits": {
            end: [None if x is None else limit(x) for x in pair]
            for end, pair in found.limits.items()
        },
    }


def jacobian_data(d: Derivation, of: str, by: str, form: Format) -> dict[str, Any]:
    """A row for each entry of `of`, a column for each of `by`, exact and in digits."""
    found = jacobian(d, of, by)
    certified = found.certified(form)
    return {
        "of": of,
        "by": by,
        "exact": [[spelled(x) for x in row] for row in found.matrix.rows],
        "decimal": [[c.digits for c in row] for row in certified],
        "undecided": [
            f"[{i}][{j}]"
            for i, row in enumerate(certified, 1)
            for j, c in enumerate(row, 1)
            if c.undecided
        ],
    }


def limit(x: Limit) -> str:
    """A limit as a SymPy string: a value, oo or -oo."""
    if x.value is None:
        return "oo" if x.side > 0 else "-oo"
    return spelled(x.value)


def spelled(x: Scalar) -> str:
    """A SymPy string."""
    return Writer(PLAIN).text(x)
