"""The lines of a program in Python or R: what they assign and what they show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from derive.verify.nodes import Array, Chain, Function, Name, Negative, Node, Number
from derive.verify.program.reader import NoProgram, Reader

LONGEST = 2000
"""A longer line is not read as a program."""
MOST = 400
"""So many lines are read."""
_PROGRAM = re.compile(
    r"\b(?:import|def|lambda|library|np|torch|math|tf|jnp|print|function|softmax\()\b|<-\s|%\*%|>>> |^In \[|\w\.T\b"
    r"|\w @ \w|\w\.[a-z_]+\(",
    re.M,
)
"""What stands in programs alone."""
_PROMPT = re.compile(r"(?:>>>|\.\.\.|In \[\d+\]:|>|\+)[ \t]?")
_ASSIGN = re.compile(
    r"\(?\s*([^\W\d][\w.]{0,40}(?:\s*,\s*[^\W\d][\w.]{0,40}){0,4})\s*(?:<-|=(?!=))\s*"
)
_INSIDE = re.compile(r"([^\W\d][\w.]{0,40})\s*(?:\[[^\[\]]{0,80}\])+\s*(?:<-|[-+*/]?=(?!=))")
_CAUSAL = re.compile(
    r"\[.{0,80}(?:triu|upper\.tri).{0,80}\]\s*(?:<-|=)\s*-?.{0,12}(?:[Ii]nf|1e\d|float)"
)
"""What puts -oo above the diagonal."""
_PRINT = re.compile(r"print\s*\(")
_SKIP = re.compile(
    r"(?:import|from|def|class|for|while|if|else|elif|with|return|library|set\.seed|source|require|try|except"
    r"|assert|del|raise|function)\b|%|!|@|torch\.manual_seed|np\.random\.seed|np\.set_printoptions"
)
_MAKER = re.compile(r"function\b|lambda\b|matrix\s*\(\s*c\s*\(|\\\(")
_NO_OUTPUT = re.compile(r"(?:plt|ax|fig|sns)\.|.*;\s*$")


@dataclass(frozen=True)
class Statement:
    """A line: where it stands, the names that it assigns, its value, and whether it is shown.

    values holds None where a value is not understood; `changes` is a name whose value it changes.
    """

    start: int
    end: int
    targets: tuple[str, ...] = ()
    values: tuple[Node | None, ...] = ()
    is_shown: bool = False
    is_print: bool = False
    changes: str = ""


def is_program(text: str) -> bool:
    """Whether a text shows that it is a program, not mathematics as it is worked by hand."""
    return bool(_PROGRAM.search(text))


def statements(text: str) -> list[Statement]:
    """The statements of a program; none where the text is but what one prints."""
    if re.search(r"^\s*[=≈]", text, re.M):
        return []
    has_prompts = bool(re.search(r"^(?:>>> |> |In \[\d+\]:)", text, re.M))
    first = int(bool(re.search(r"<-\s", text)))
    found = []
    for start, end, line in _logical(text, has_prompts):
        made = _statement(line, start, end, first)
        if made is not None:
            found.append(made)
        if len(found) > MOST:
            break
    return found


def _logical(text: str, has_prompts: bool) -> Iterator[tuple[int, int, str]]:
    """Lines joined where a bracket is open, without comments and prompts."""
    joined, first, depth = "", 0, 0
    for found in re.finditer(r"[^\n]+", text):
        line = found[0]
        prompt = _PROMPT.match(line) if has_prompts else None
        if has_prompts and prompt is None and not depth:
            continue
        bare = _bare(line[prompt.end() :] if prompt else line)
        if not joined:
            first = found.start()
        joined += bare + "\n"
        depth = max(0, depth + sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}")))
        if depth and len(joined) < LONGEST:
            continue
        if joined.strip() and (line[:1].strip() or has_prompts or "\n" in joined.strip()):
            shift = prompt.end() if prompt else 0
            yield first, found.start() + shift + len(bare), joined.strip()
        joined, depth = "", 0


def _bare(line: str) -> str:
    """A line without its comment."""
    found = re.match(r"""(?:[^#"']|"[^"]*"|'[^']*')*""", line)
    return (found[0] if found else line).rstrip()


def _statement(line: str, start: int, end: int, first: int) -> Statement | None:
    if len(line) > LONGEST or _SKIP.match(line):
        return None
    if (inside := _INSIDE.match(line)) is not None:
        if _CAUSAL.search(line):
            masked = Function("causal", (Name(inside[1]),))
            return Statement(start, end, (inside[1],), (masked,))
        return Statement(start, end, changes=inside[1])
    if (assigned := _ASSIGN.match(line)) is not None and not line.startswith("print"):
        targets = tuple(re.split(r"\s*,\s*", assigned[1]))
        is_shown = line.startswith("(") and line.endswith(")")
        rest = line[assigned.end() : -1 if is_shown else None].rstrip(";")
        if _MAKER.match(rest):
            return None
        made = _expressions(rest, first)
        if made and len(targets) == 1 and _is_literal(made[0]) and not is_shown:
            return None
        values = made if len(made) == len(targets) else (None,) * len(targets)
        return Statement(start, end, targets, values, is_shown)
    if (printed := _PRINT.match(line)) is not None and line.endswith(")"):
        return Statement(start, end, (), _expressions(line[printed.end() : -1], first), True, True)
    if _NO_OUTPUT.match(line):
        return None
    made = _expressions(line, first)
    if len(made) != 1 or made[0] is None or _is_literal(made[0]):
        return None
    return Statement(start, end, (), made, True)


def _expressions(text: str, first: int) -> tuple[Node | None, ...]:
    """Expressions between commas, counted from `first`; words in quotes are none."""
    try:
        return tuple(Reader(text, first).list_of())
    except NoProgram:
        return (None,)


def _is_literal(node: Node | None) -> bool:
    """Whether an expression consists of numbers, infinities among them, alone."""
    match node:
        case Number():
            return True
        case Name("inf" | "Inf" | "nan" | "NaN" | "NA" | "True" | "False"):
            return True
        case Negative(inner):
            return _is_literal(inner)
        case Array(items):
            return all(map(_is_literal, items))
    return False


def is_understood(statement: Statement) -> bool:
    """Whether every value of a statement is an expression."""
    return bool(statement.values) and None not in statement.values


def defined(statement: Statement) -> Iterator[Chain]:
    """What a statement says of names, as chains without numbers to be judged."""
    for target, value in zip(statement.targets, statement.values, strict=False):
        yield Chain((Name(target), value or Name("")), statement.start, ("defines",))
    if statement.changes:
        yield Chain((Name(statement.changes), Name("")), statement.start, ("defines",))
