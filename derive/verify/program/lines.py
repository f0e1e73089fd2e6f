"""The lines of a program: what they assign and what they show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from derive.verify.grammar.nodes import Array, Chain, Function, Name, Negative, Node, Number
from derive.verify.program.blocks import Block, blocks
from derive.verify.program.conditions import filled, is_condition
from derive.verify.program.each import SPREAD
from derive.verify.program.loops import unrolled
from derive.verify.program.losses import changed
from derive.verify.program.reader import Reader
from derive.verify.program.routines import note, spread
from derive.verify.program.scope import SEVERAL, TEXT, WORD, Scope, put
from derive.verify.program.source import Line, lines
from derive.verify.program.tokens import NoProgram

MOST = 400
"""So many statements are read."""
_PROGRAM = re.compile(
    r"\b(?:import|def|lambda|library|np|torch|math|tf|jnp|print|function)\b|<-\s|%\*%"
    r"|>>> |^>> |^In \[|\w\.T\b|\w @ \w|\w\.[a-z_]+\(",
    re.M,
)
"""What stands in programs alone."""
_NAME = r"[^\W\d][\w.]{0,40}"
_ASSIGN = re.compile(rf"\(?\s*({_NAME}(?:\s*,\s*{_NAME}){{0,4}})\s*(?:<-|=(?!=))\s*")
_WORD = re.compile(r"\w+")
_AGAIN = re.compile(rf"({_NAME})\s*([-+*/@])=\s*(?!=)")
_INSIDE = re.compile(rf"({_NAME})\s*(?:\[[^\[\]]{{0,80}}\])+\s*(?:<-|[-+*/]?=(?!=))")
_ENTRY = re.compile(rf"({_NAME})\s*\[([^\[\]:]{{1,40}})\]\s*(?:<-|([-+*/])?=(?!=))\s*([^;]+);?$")
_CHANGES = re.compile(rf"({_NAME})\s*(?:\[[^\[\]]{{0,80}}\]\s*)*(?:<-|[-+*/@]?=(?!=))")
"""What a line in a loop, or behind a condition, may change."""
_METHOD = re.compile(rf"({_NAME})\.[a-z_]+_\(")
"""A method that changes what it is called on: x.add_(1)."""
_CAUSAL = re.compile(
    r"\[.{0,80}(?:triu|upper\.tri).{0,80}\]\s*(?:<-|=)\s*-?.{0,12}(?:[Ii]nf|1e\d|float)"
)
"""What puts -oo above the diagonal."""
_PRINT = re.compile(
    r"(?:print|pprint|cat|message|disp|display|println|fprintf|printf|@show|@printf|@println)"
    r"(?:\s*\(|\s+(?=@|\w))"
)
_MAIN = re.compile(r"if\s+__name__\b|(?:try|begin|let)\b")
_BLOCK = re.compile(r"(?:for|while|if|else|elif|with|try|except)\b")
_SKIP = re.compile(
    r"(?:import|from|def|class|return|library|set\.seed|source|require|assert|del|raise|function"
    r"|using|include|clear|clc|format|end|close|rng|pkg)\b"
    r"|[%!]|@(?!show|printf|println)|torch\.manual_seed|np\.random\.seed|np\.set_printoptions"
)
_MAKER = re.compile(r"function\b|lambda\b|matrix\s*\(\s*c\s*\(|\\\(")
_NO_OUTPUT = re.compile(r"(?:plt|ax|fig|sns)\.|.*;\s*$")
_WORDS = frozenset("nan NaN NA True False".split())
_ALSO = re.compile(rf"\s*({_NAME})\s*=(?!=)")


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


def statements(text: str, scope: Scope) -> list[Statement]:
    """The statements of a program; none where the text is but what one prints."""
    if re.search(r"^\s*[=≈]", text, re.M):
        return []
    found: list[Statement] = []
    for item in blocks(list(lines(text, scope.language)), scope.language):
        found += _of_item(item, scope)
        if len(found) > MOST:
            break
    return found


def _of_item(item: Line | Block, scope: Scope) -> list[Statement]:
    """What a line or block says."""
    if note(item, scope):
        return _unseen(item, scope)
    if isinstance(item, Line):
        made = _statement(item, scope)
        return [made] if made is not None else []
    if re.match(r"(?:def|class|function)\b", item.head.text):
        return []
    if _MAIN.match(item.head.text):
        lines_ = [replace(line, indent=0) for line in item.body]
        return [made for line in lines_ if (made := _statement(line, scope)) is not None]
    return _looped(item, scope) or _unsure(item)


def _unseen(item: Line | Block, scope: Scope) -> list[Statement]:
    """Lines that say nothing by themselves; their remarks may."""
    lines_ = (item.head, *item.body) if isinstance(item, Block) else (item,)
    if scope.language == "r":
        return []
    return [Statement(line.start, line.end, values=(Name(""),)) for line in lines_]


def _looped(block: Block, scope: Scope) -> list[Statement]:
    """A loop over what is written out, turn by turn; none where it is not understood."""
    found: list[Statement] = []
    start = block.head.start
    try:
        for meant in unrolled(block.head.text, scope):
            for line in block.body:
                plain = replace(line, indent=0, start=start, end=start)
                made = _statement(plain, scope)
                if made is None or _BLOCK.match(line.text) or _SKIP.match(line.text):
                    raise NoProgram
                values = tuple(_flat(v and put(v, meant) for v in made.values))
                found.append(replace(made, values=values))
    except NoProgram:
        return []
    return [*_unseen(block, scope), *found] if found and len(found) <= MOST else []


def _unsure(block: Block) -> list[Statement]:
    """What a block may change."""
    text = "\n".join(line.text for line in (block.head, *block.body))
    names = tuple(m[1] for m in _CHANGES.finditer(text))
    start = block.head.start
    return [Statement(start, start, changes=names)] if names else []


def _statement(line: Line, scope: Scope) -> Statement | None:
    """What a line says; None where that is nothing."""
    text = line.text
    if line.is_inside or _BLOCK.match(text):
        names = tuple(m[1] for m in _CHANGES.finditer(text))
        return Statement(line.start, line.start, changes=names) if names else None
    if _SKIP.match(text):
        return None
    if (again := _AGAIN.match(text)) is not None:
        made = f"{again[1]} {again[2]} ({text[again.end() :]})"
        return _assigned(line, (again[1],), made, scope)
    if (inside := _INSIDE.match(text) or _METHOD.match(text)) is not None:
        return Statement(line.start, line.end, (inside[1],), (_changed(inside[1], text, scope),))
    if (assigned := _ASSIGN.match(text)) is not None and not _PRINT.match(text):
        targets = tuple(re.split(r"\s*,\s*", assigned[1]))
        return _assigned(line, targets, text[assigned.end() :], scope)
    return _shown(line, scope)


def _changed(name: str, text: str, scope: Scope) -> Node | None:
    """What a name stands for once some of its entries are changed."""
    if _CAUSAL.search(text):
        return Function("causal", (Name(name),))
    found = _ENTRY.match(text)
    if found is None:
        return None
    try:
        test = Reader(found[2], scope).only() if not re.search(",", found[2]) else Name("")
        place = test if is_condition(test) else Reader(f"{name}[{found[2]}]", scope).only()
        (value,) = Reader(found[4].rstrip(";"), scope).list_of()
    except (NoProgram, ValueError):
        return None
    if is_condition(test) and not found[3]:
        return filled(Name(name), test, value or Name(""))
    return changed(name, place, found[3] or "", value or Name(""))


def _assigned(line: Line, targets: tuple[str, ...], rest: str, scope: Scope) -> Statement | None:
    """name = value; in R (name <- value) also shows it, in MATLAB a line without a semicolon."""
    is_bracketed = line.text.startswith("(") and line.text.endswith(")")
    is_echo = scope.language == "matlab" and not rest.endswith(";")
    if not rest.strip():
        return None  # what MATLAB prints before a value
    also, rest = _also_assigned(rest)
    scope.variables.update((*targets, *also))
    rest = rest[: -1 if is_bracketed else None].rstrip(";")
    if _MAKER.match(rest):
        return Statement(line.start, line.end, targets)
    made = tuple(spread(list(_expressions(rest, scope)), len(targets)))  # type: ignore[arg-type]
    scope.assign(targets, made)
    is_shown = is_bracketed or is_echo
    if made and len(targets) == 1 and is_literal(made[0]) and not is_bracketed:
        return Statement(line.start, line.end, targets)
    is_parallel = len(targets) == 1 or not set(targets) & set(_WORD.findall(rest))
    values = made if len(made) == len(targets) and is_parallel else (None,) * len(targets)
    if also and len(targets) == 1:
        targets, values = (*targets, *also), (*values, *values * len(also))
    return Statement(line.start, line.end, targets, values, is_shown)


def _also_assigned(rest: str) -> tuple[tuple[str, ...], str]:
    """The other names of q = k = v = value, and the value."""
    names: list[str] = []
    while (found := _ALSO.match(rest)) is not None:
        names.append(found[1])
        rest = rest[found.end() :]
    return tuple(names), rest


def _shown(line: Line, scope: Scope) -> Statement | None:
    """print(value), or a value by itself."""
    text = line.text.rstrip(";")
    printed = _PRINT.match(text)
    if printed is not None:
        is_open = not printed[0].endswith("(")
        inner = text[printed.end() : None if is_open else -1]
        if not is_open and not text.endswith(")"):
            return None
        made = tuple(_flat(_expressions(inner, scope)))
        return Statement(line.start, line.end, (), made, True, True)
    made = () if _NO_OUTPUT.match(line.text) else tuple(_flat(_expressions(text, scope)))
    if not made or made[0] is None or (len(made) == 1 and is_literal(made[0])):
        return None
    return Statement(line.start, line.end, (), made, True)


def _flat(values: Iterable[Node | None]) -> Iterator[Node | None]:
    """Values, and those put into words, one by one."""
    for value in values:
        if isinstance(value, Function) and value.name in (TEXT, SEVERAL):
            yield from _flat(value.arguments)
        elif isinstance(value, Function) and value.name == SPREAD:
            yield from (v and Function(SPREAD, (v,)) for v in _flat(value.arguments))
        elif not (isinstance(value, Function) and value.name == WORD):
            yield value


def _expressions(text: str, scope: Scope) -> tuple[Node | None, ...]:
    """Expressions between commas; words in quotes are none."""
    try:
        return tuple(Reader(text, scope).list_of())
    except NoProgram:
        return (None,)


def is_literal(node: Node | None) -> bool:
    """Whether an expression consists of numbers, infinities among them, alone."""
    match node:
        case Number() | Function("infinity"):
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
