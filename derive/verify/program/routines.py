"""The functions that a program defines, as expressions in their parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from derive.verify.grammar.nodes import Array, Binary, Function, Name, Node
from derive.verify.program.blocks import Block
from derive.verify.program.reader import Reader
from derive.verify.program.scope import SEVERAL, Routine, Scope, functions_in, put
from derive.verify.program.sizes import parted
from derive.verify.program.source import Line
from derive.verify.program.tokens import NoProgram

_NAME = r"[^\W\d]\w{0,40}"
_PYTHON = re.compile(rf"def\s+({_NAME})\s*\((.*)\)\s*(?:->[^:]*)?:$", re.S)
_LAMBDA = re.compile(rf"({_NAME})\s*=\s*lambda\s+([^:]*):\s*(.+)$", re.S)
_R = re.compile(rf"({_NAME}(?:\.\w+)*)\s*(?:<-|=)\s*(?:function\s*|\\)\(([^()]*)\)\s*(.*)$", re.S)
_MATLAB = re.compile(rf"function\s+(?:\[?([\w,\s]+?)\]?\s*=\s*)?({_NAME})\s*\(([^()]*)\)$")
_SHORT = re.compile(rf"({_NAME})\(([^()]*)\)\s*=(?!=)\s*(.+)$", re.S)
_HANDLE = re.compile(rf"({_NAME})\s*=\s*@\(([^()]*)\)\s*(.+?);?$", re.S)
_ARROW = re.compile(rf"({_NAME})\s*=\s*\(?([\w\s,]+?)\)?\s*->\s*(.+)$", re.S)
_LINE = re.compile(rf"({_NAME}(?:\s*,\s*{_NAME}){{0,4}})\s*(?:<-|([-+*/])?=(?!=))\s*(.+?);?$", re.S)
_RETURN = re.compile(r"return\b\s*(.*?);?$", re.S)
ALONG_ROWS = frozenset("sum max mean var std".split())
_LARGEST = frozenset(("max", "max of all", "?max", "?amax"))


def note(item: Line | Block, scope: Scope) -> bool:
    """Whether a line or block defines a function, which is then known."""
    head = item.head if isinstance(item, Block) else item
    body = item.body if isinstance(item, Block) else ()
    for signs in _KINDS.get(scope.language, ()):
        if (found := signs.match(head.text)) is None:
            continue
        name, parameters, outputs, rest = _parts(signs, found)
        if not body and not rest:
            continue
        inner = Scope(scope.language, True, scope.is_torch, dict(scope.functions))
        routine = _routine(parameters, body or (Line(f"return {rest}", 0, 0),), outputs, inner)
        scope.functions.pop(name, None)
        if routine is not None:
            scope.functions[name] = _named(name, routine)
        return True
    return False


def _parts(signs: re.Pattern[str], found: re.Match[str]) -> tuple[str, str, str, str]:
    """The name, the parameters, the outputs and the body of a definition."""
    if signs is _MATLAB:
        return found[2], found[3], found[1] or "", ""
    return found[1], found[2], "", found[3] if signs is not _PYTHON else ""


_KINDS = {
    "python": (_PYTHON, _LAMBDA), "": (_PYTHON, _LAMBDA), "r": (_R,),
    "matlab": (_MATLAB, _HANDLE), "julia": (_MATLAB, _SHORT, _ARROW),
}  # fmt: skip


def _named(name: str, routine: Routine) -> Routine:
    """The routine, or the function that it is known as: softmax goes along the rows."""
    known = functions_in(routine.result)
    is_softmax = name.lower().endswith("softmax") and "exp" in known and "ln" not in known
    if is_softmax and len(routine.parameters) - len(routine.defaults) == 1 and known & ALONG_ROWS:
        parameter = next(p for p in routine.parameters if p not in routine.defaults)
        made = _exponent(routine.result) if routine.defaults else None
        made = Function("softmax", (made or Name(parameter),))
        return Routine(routine.parameters, routine.defaults, made)
    return routine


def _exponent(node: Node) -> Node | None:
    """What the exponential function is taken of, but for a largest one: z / T - max(z / T)."""
    match node:
        case Function("exp", (Binary("-", inner, less),)) if _LARGEST & functions_in(less):
            return inner
        case Function("exp", (inner,)):
            return inner
    return next((found for part in node.parts() if (found := _exponent(part)) is not None), None)


def _routine(written: str, body: Sequence[Line], outputs: str, scope: Scope) -> Routine | None:
    """A function with straight lines inside; None where they are not understood."""
    try:
        parameters, defaults = _parameters(written, scope)
        scope.variables = set(parameters)
        made: dict[str, Node] = {}
        for line in body:
            if _is_remark(line.text):
                continue
            if (result := _step(line.text, made, scope)) is not None:
                return Routine(parameters, defaults, result, made)
        found = [made[name] for name in re.split(r"[,\s]+", outputs) if name]
    except (NoProgram, KeyError):
        return None
    return Routine(parameters, defaults, _together(found), made) if found else None


def _is_remark(text: str) -> bool:
    return text[:1] in "\"'" or bool(re.match(r"assert\b|[rR]?\"\"\"", text))


def _parameters(written: str, scope: Scope) -> tuple[tuple[str, ...], dict[str, Node]]:
    names, defaults = [], {}
    for part in written.split(","):
        name, _, default = part.partition("=")
        name = name.partition(":")[0].strip()
        if not name:
            continue
        names.append(name)
        if default.strip() and default.strip()[0] not in "\"'TFN":
            defaults[name] = Reader(default.strip(), scope).only()
        elif default.strip():
            defaults[name] = Array(())
    return tuple(names), defaults


def _step(text: str, made: dict[str, Node], scope: Scope) -> Node | None:
    """One line inside: what it returns, or None where it assigns."""
    if (returned := _RETURN.match(text)) is not None:
        inner = returned[1]
        is_call = scope.language == "r" and inner.startswith("(") and inner.endswith(")")
        values = [put(v, made) for v in _all(inner[1:-1] if is_call else inner, scope)]
        return _together(values)
    found = _LINE.match(text)
    if found is None:
        if scope.language in ("r", "julia"):
            return put(Reader(text, scope).only(), made)
        raise NoProgram
    names = re.split(r"\s*,\s*", found[1])
    right = f"{names[0]} {found[2]} ({found[3]})" if found[2] else found[3]
    values = spread([put(value, made) for value in _all(right, scope)], len(names))
    if len(values) != len(names):
        raise NoProgram
    made.update(zip(names, values, strict=True))
    scope.variables.update(names)
    return None


def _all(text: str, scope: Scope) -> list[Node]:
    values = list(Reader(text, scope).list_of())
    if not values or None in values:
        raise NoProgram
    return [value for value in values if value is not None]


def spread(values: list[Node], count: int) -> list[Node]:
    """Several results of one call, each by itself."""
    match values:
        case [Function("?several", parts)] if count > 1 and len(parts) == count:
            return list(parts)
        case [shape] if count > 1:
            return parted(shape, count)
    return values


def _together(values: list[Node]) -> Node:
    return values[0] if len(values) == 1 else Function(SEVERAL, tuple(values))
