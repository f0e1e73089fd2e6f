"""The lines of a program in Python or R: what they assign and what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.grammar.nodes import Array, Chain, Function, Name, Negative, Node, Number
from derive.verify.program.reader import NoProgram, Reader
from derive.verify.program.source import Line, lines

MOST = 400
"""So many statements are read."""
_PROGRAM = re.compile(
    r"\b(?:import|def|lambda|library|np|torch|math|tf|jnp|print|function)\b|<-\s|%\*%"
    r"|>>> |^In \[|\w\.T\b|\w @ \w|\w\.[a-z_]+\(",
    re.M,
)
"""What stands in programs alone."""
_NAME = r"[^\W\d][\w.]{0,40}"
_ASSIGN = re.compile(rf"\(?\s*({_NAME}(?:\s*,\s*{_NAME}){{0,4}})\s*(?:<-|=(?!=))\s*")
_WORD = re.compile(r"\w+")
_AGAIN = re.compile(rf"({_NAME})\s*([-+*/@])=\s*(?!=)")
_INSIDE = re.compile(rf"({_NAME})\s*(?:\[[^\[\]]{{0,80}}\])+\s*(?:<-|[-+*/]?=(?!=))")
_CHANGES = re.compile(rf"({_NAME})\s*(?:\[[^\[\]]{{0,80}}\]\s*)*(?:<-|[-+*/@]?=(?!=))")
"""What a line in a loop, or behind a condition, may change."""
_METHOD = re.compile(rf"({_NAME})\.[a-z_]+_\(")
"""A method that changes what it is called on: x.add_(1)."""
_CAUSAL = re.compile(
    r"\[.{0,80}(?:triu|upper\.tri).{0,80}\]\s*(?:<-|=)\s*-?.{0,12}(?:[Ii]nf|1e\d|float)"
)
"""What puts -oo above the diagonal."""
_PRINT = re.compile(r"print\s*\(")
_BLOCK = re.compile(r"(?:for|while|if|else|elif|with|try|except)\b")
_SKIP = re.compile(
    r"(?:import|from|def|class|return|library|set\.seed|source|require|assert|del|raise|function)\b"
    r"|[%!@]|torch\.manual_seed|np\.random\.seed|np\.set_printoptions"
)
_MAKER = re.compile(r"function\b|lambda\b|matrix\s*\(\s*c\s*\(|\\\(")
_NO_OUTPUT = re.compile(r"(?:plt|ax|fig|sns)\.|.*;\s*$")
_WORDS = frozenset("inf Inf nan NaN NA True False".split())


@dataclass(frozen=True)
class Statement:
    """A line: where it stands, the names that it assigns, its value, and whether it is shown.

    values holds None where a value is not understood; `changes` are names that have other values
    after it.
    """

    start: int
    end: int
    targets: tuple[str, ...] = ()
    values: tuple[Node | None, ...] = ()
    is_shown: bool = False
    is_print: bool = False
    changes: tuple[str, ...] = ()


def is_program(text: str) -> bool:
    """Whether a text shows that it is a program, not mathematics as it is worked by hand."""
    return bool(_PROGRAM.search(text))


def statements(text: str) -> list[Statement]:
    """The statements of a program; none where the text is but what one prints."""
    if re.search(r"^\s*[=≈]", text, re.M):
        return []
    first = int(bool(re.search(r"<-\s", text)))
    found: list[Statement] = []
    is_function = False
    for line in lines(text):
        is_function = is_function if line.is_inside else line.text.startswith(("def ", "class "))
        made = None if is_function else _statement(line, first)
        if made is not None:
            found.append(made)
        if len(found) > MOST:
            break
    return found


def _statement(line: Line, first: int) -> Statement | None:
    """What a line says; None where that is nothing."""
    text = line.text
    if line.is_inside or _BLOCK.match(text):
        names = tuple(m[1] for m in _CHANGES.finditer(text))
        return Statement(line.start, line.start, changes=names) if names else None
    if _SKIP.match(text):
        return None
    if (again := _AGAIN.match(text)) is not None:
        return _assigned(line, (again[1],), f"{again[1]} {again[2]} ({text[again.end() :]})", first)
    if (inside := _INSIDE.match(text) or _METHOD.match(text)) is not None:
        masked = (Function("causal", (Name(inside[1]),)),) if _CAUSAL.search(text) else (None,)
        return Statement(line.start, line.end, (inside[1],), masked)
    if (assigned := _ASSIGN.match(text)) is not None and not text.startswith("print"):
        targets = tuple(re.split(r"\s*,\s*", assigned[1]))
        return _assigned(line, targets, text[assigned.end() :], first)
    return _shown(line, first)


def _assigned(line: Line, targets: tuple[str, ...], rest: str, first: int) -> Statement | None:
    """name = value; in R (name <- value) also shows it."""
    is_shown = line.text.startswith("(") and line.text.endswith(")")
    rest = rest[: -1 if is_shown else None].rstrip(";")
    if _MAKER.match(rest):
        return None
    made = _expressions(rest, first)
    if made and len(targets) == 1 and is_literal(made[0]) and not is_shown:
        return None
    is_parallel = len(targets) == 1 or not set(targets) & set(_WORD.findall(rest))
    values = made if len(made) == len(targets) and is_parallel else (None,) * len(targets)
    return Statement(line.start, line.end, targets, values, is_shown)


def _shown(line: Line, first: int) -> Statement | None:
    """print(value), or a value by itself."""
    printed = _PRINT.match(line.text)
    if printed is not None and line.text.endswith(")"):
        made = _expressions(line.text[printed.end() : -1], first)
        return Statement(line.start, line.end, (), made, True, True)
    made = () if _NO_OUTPUT.match(line.text) else _expressions(line.text, first)
    if len(made) != 1 or made[0] is None or is_literal(made[0]):
        return None
    return Statement(line.start, line.end, (), made, True)


def _expressions(text: str, first: int) -> tuple[Node | None, ...]:
    """Expressions between commas, counted from `first`; words in quotes are none."""
    try:
        return tuple(Reader(text, first).list_of())
    except NoProgram:
        return (None,)


def is_literal(node: Node | None) -> bool:
    """Whether an expression consists of numbers, infinities among them, alone."""
    match node:
        case Number():
            return True
        case Name(text):
            return text in _WORDS
        case Negative(inner):
            return is_literal(inner)
        case Array(items):
            return all(map(is_literal, items))
    return False


def is_understood(statement: Statement) -> bool:
    """Whether every value of a statement is an expression; or it assigns several at once.

    Of a, b = f(x) no part is a statement by itself.
    """
    is_one = len(statement.targets) < 2
    return not is_one or (bool(statement.values) and None not in statement.values)


def defined(statement: Statement) -> Iterator[Chain]:
    """What a statement says of names, as chains without numbers to be judged."""
    for target, value in zip(statement.targets, statement.values, strict=False):
        yield Chain((Name(target), value or Name("")), statement.start, ("defines",))
    for name in statement.changes:
        yield Chain((Name(name), Name("")), statement.start, ("defines",))
