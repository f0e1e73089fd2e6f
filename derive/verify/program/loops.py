"""Loops over what is written out: for t in (1, 2), for i in range(3), for (i in 1:3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from derive.verify.grammar.nodes import Array, Function, Node
from derive.verify.program.places import whole
from derive.verify.program.reader import Reader
from derive.verify.program.scope import Scope
from derive.verify.program.tokens import NoProgram
from derive.verify.program.turns import MOST, counted, turns

_NAME = r"[^\W\d]\w{0,40}"
_PYTHON = re.compile(rf"for\s+(\(?{_NAME}(?:\s*,\s*\(?{_NAME}\)?)*\)?)\s+in\s+(.+):$", re.S)
_R = re.compile(rf"for\s*\(\s*({_NAME})\s+in\s+(.+)\)$", re.S)
_OTHER = re.compile(rf"for\s+({_NAME})\s*(?:=|\bin\b|∈)\s*(.+?)[;,]?$", re.S)
_SPAN = re.compile(r"([^:]+):([^:]+)$")


def unrolled(head: str, scope: Scope) -> Iterator[Mapping[str, Node]]:
    """What the names of a loop mean in each turn.  NoProgram where this cannot be told."""
    signs = {"r": _R, "matlab": _OTHER, "julia": _OTHER}.get(scope.language, _PYTHON)
    found = signs.match(head)
    if found is None:
        raise NoProgram
    names = re.findall(_NAME, found[1])
    turns = list(islice(_turns(found[2].strip(), scope), MOST + 1))
    if not 0 < len(turns) <= MOST:
        raise NoProgram
    for turn in turns:
        values = list(_parts(turn)) if len(names) > 1 else [turn]
        if len(values) != len(names):
            raise NoProgram
        yield dict(zip(names, values, strict=True))


def _parts(node: Node) -> Iterator[Node]:
    """The values of (i, (a, b)), one by one."""
    match node:
        case Function("?several", parts) | Array(parts):
            for part in parts:
                yield from _parts(part)
        case _:
            yield node


def _turns(text: str, scope: Scope) -> Iterator[Node]:
    if scope.language not in ("", "python") and (found := _SPAN.match(text)):
        low, high = (whole(Reader(part, scope).only()) for part in found.groups())
        yield from counted(low, high, 1)
    else:
        yield from turns(Reader(text, scope).only())
