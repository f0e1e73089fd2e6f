"""Equations: values joined by relations, as written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from derive.errors import Place


@dataclass(frozen=True)
class Chain:
    """members[0] relations[0] members[1] relations[1] ..., nothing evaluated.

    A member is a SymPy object that `.doit()` evaluates; a relation is one of = \\approx < > \\le
    \\ge \\ne, as LaTeX; places[k] is where member k stands.
    """

    members: tuple[Any, ...]
    relations: tuple[str, ...]
    places: tuple[Place, ...]

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The members evaluated: numbers worked out, matrices multiplied."""
        from derive.read.latex.evaluate import evaluated

        return tuple(map(evaluated, self.members))

    def __str__(self) -> str:
        from derive.read.latex.plain import plain

        rest = zip(self.relations, self.members[1:], strict=True)
        return plain(self.members[0]) + "".join(f" {_PLAIN[r]} {plain(x)}" for r, x in rest)


_PLAIN = {
    "=": "=",
    "<": "<",
    ">": ">",
    r"\approx": "≈",
    r"\le": "<=",
    r"\ge": ">=",
    r"\ne": "!=",
}
