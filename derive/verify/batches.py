"""Matrices stacked three deep, as tensors of heads or of batches are printed, each by itself.

What is worked out from such a stack is worked out of each of its matrices: A = softmax(S) says
A_1 = softmax(S_1) and A_2 = softmax(S_2), and what is printed for A is A_1 and A_2.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from derive.verify.grammar.nodes import (
    Array,
    Chain,
    Function,
    Name,
    Negative,
    Node,
    Number,
    literal,
    rebuilt,
)
from derive.verify.matrices.names import Meanings
from derive.verify.printouts import Printouts
from derive.verify.program import PRINTS, REMARKS, SHOWS
from derive.verify.program.places import number
from derive.verify.speech.hearing import heard
from derive.verify.speech.roles import indexed, role
from derive.verify.tables.running import Steps
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.formulas import names

MOST = 16
"""So many matrices are stacked at most."""
NEAR = 40
"""The name of a stack stands no further before it, in characters."""
UNNAMED = "stack"
"""What a stack is called of which nothing tells the name."""
Event = Chain | Steps
KEPT = ({1, 2}, {-1, -2}, {1, -1}, {2, -2})
"""The axes of a stack that are exchanged in each of its matrices."""
HEADS = ({0, 1}, {1, 2})
"""The axes that bring heads before tokens, without a batch or with one."""
FLAT = frozenset(("in rows of", "of width", "?reshape", "?view", "?contiguous"))
"""What lays the parts of a stack side by side, once its first two axes are exchanged."""
_SIGN = re.compile(r"[\W_]*([A-Za-z]\w{0,2})\b")
_PART = re.compile(r"(.+)_\d{1,2}")


def batched(events: Iterable[Event], printouts: Printouts) -> Iterator[Event]:
    """The events, with those that hold or mean stacks of matrices once for each of these."""
    known: dict[str, int] = {}  # the names of stacks, and how many matrices each holds
    called = set[str]()  # the same, and those that meant stacks before
    label: Name | None = None
    end = -NEAR
    for event in events:
        if not isinstance(event, Chain):
            yield event
            continue
        stack = _stack(event.sides[-1]) if event.sides else ()
        printouts.state.pool.is_stacked |= bool(stack)
        if not stack:
            yield from _over(event, known, printouts.names)
        elif len(event.sides) > 1 or _is_one(printouts.next_shown(), called):
            yield from _each(event, stack, known)
        else:
            near = label if label is not None and event.start - end < NEAR else None
            name = printouts.passed() or near or _told(event.said[0])
            yield from _each(replace(event, sides=(name, *event.sides)), stack, known)
        called |= known.keys()
        label, end = _label(event), event.start


def _is_one(shown: Node | None, called: Container[str]) -> bool:
    """Whether what is shown next is one matrix of a stack, and the others behind it."""
    found = map(_PART.fullmatch, names(shown) if shown is not None else ())
    return any(part is not None and part[1] in called for part in found)


def _told(words: str) -> Name:
    """The name of a stack by the line above it: its first sign, or what it speaks of first."""
    line = next((part for part in reversed(words.splitlines()) if part.strip("` ")), "")
    sign = _SIGN.match(line)
    kinds = heard(line)
    if sign is not None and role(sign[1]):
        return Name(sign[1])
    return Name("A" if "A" in kinds else kinds[-1] if kinds else UNNAMED)


def _label(chain: Chain) -> Name | None:
    """The name of a quantity that stands by itself."""
    match chain:
        case Chain((Name(text) as name,), relations=()) if role(text) or indexed(text):
            return name
    return None


def _stack(side: Node) -> tuple[Array, ...]:
    """The matrices of a stack; of a batch of one, those of the stack that it holds."""
    while isinstance(side, Array) and len(side.items) == 1:
        side = side.items[0]
    items = side.items if isinstance(side, Array) and literal(side) is None else ()
    shapes = {(len(rows), len(rows[0])) for item in items if (rows := literal(item))}
    found = tuple(item for item in items if isinstance(item, Array) and _is_matrix(item))
    is_stack = len(found) == len(items) <= MOST and len(shapes) == 1
    return found if is_stack else ()


def _is_matrix(item: Array) -> bool:
    return bool(literal(item)) and all(isinstance(row, Array) for row in item.items)


def _each(chain: Chain, stack: tuple[Array, ...], known: dict[str, int]) -> Iterator[Chain]:
    """A chain that ends with a stack, once for each matrix."""
    *sides, _ = chain.sides
    known.update({side.text: len(stack) for side in sides if isinstance(side, Name)})
    relations = chain.relations or ("=",) * len(sides)
    for count, matrix in enumerate(stack, 1):
        start = chain.start if count == 1 else next(matrix.cells()).start
        made = tuple(_of_one(side, known, count) for side in sides)
        yield replace(chain, sides=(*made, matrix), relations=relations, start=start)


def _over(chain: Chain, known: dict[str, int], meanings: Meanings) -> Iterator[Chain]:
    """A chain without a stack: what it says of names of stacks, it says of each matrix."""
    if chain.relations == ("defines",):
        name, made = chain.sides
        flat = _laid_flat(made, known) if isinstance(made, Function) and made.name in FLAT else None
        parts = [flat] if flat is not None else _parts(made, known, meanings)
        if isinstance(name, Name):
            known.pop(name.text, None)
        if len(parts) > 1 and isinstance(name, Name):
            known[name.text] = len(parts)
            for k, part in enumerate(parts, 1):
                yield replace(chain, sides=(Name(f"{name.text}_{k}"), part))
            return
        chain = replace(chain, sides=(name, parts[0]))
    elif known and chain.relations in (PRINTS, SHOWS, REMARKS):
        found = [
            _of_one(side, known, k)
            for side in chain.sides
            for k in range(1, 1 + (_count(side, known) or 1))
        ]
        chain = replace(chain, sides=tuple(found))
    yield chain


def _parts(made: Node, known: Mapping[str, int], meanings: Meanings) -> list[Node]:
    """What an expression means of each matrix of a stack; itself where it means none."""
    if (heads := _split(made, meanings)) is not None:
        return heads
    count = 0 if _is_mixed(made, known) else _count(made, known)
    return [_of_one(made, known, k) for k in range(1, count + 1)] or [made]


def _split(made: Node, meanings: Meanings) -> list[Node] | None:
    """The heads of a matrix: q.view(n, h, d).transpose(0, 1) holds every h-th row of width d."""
    match made:
        case Function("?transpose" | "?swapaxes", (Function("of width", sized), *axes)) if (
            _axes(axes) in HEADS
        ):
            rows = Function("in rows of", sized)
            inner, all_ = (meanings.resolved(x) for x in (rows.arguments[0], rows))
            if not (has_value(inner) and has_value(all_)):
                return None
            height, count = (len(value(x, "exact").rows) for x in (inner, all_))
            heads = count // height
            picked = [[number(k) for k in range(h, count, heads)] for h in range(heads)]
            is_split = 1 < heads <= MOST and height > 1
            return [Function("rows at", (rows, *r)) for r in picked] if is_split else None
    return None


def _count(node: Node, known: Mapping[str, int]) -> int:
    """How many matrices the stacks in an expression hold; 0 where they are none, or differ."""
    counts = {known[name] for name in names(node) if name in known}
    return counts.pop() if len(counts) == 1 else 0


def _of_one(node: Node, known: Mapping[str, int], count: int) -> Node:
    """An expression with one matrix of each stack in it; A[0] is the first throughout."""
    match node:
        case Function("?transpose" | "?swapaxes", (inner, *axes)) if _axes(axes) in KEPT:
            return Function("T", (_of_one(inner, known, count),))
        case Name(text, index) if text in known:
            return Name(f"{text}_{count if index is None else index + 1}")
    return rebuilt(node, lambda part: _of_one(part, known, count))


def _is_mixed(node: Node, known: Mapping[str, int]) -> bool:
    """Whether axes of a stack are exchanged otherwise than in each matrix, or summed over."""
    return any(
        isinstance(part, Function)
        and part.name[:1] == "?"
        and _count(part, known)
        and not (part.name in ("?transpose", "?swapaxes") and _axes(part.arguments[1:]) in KEPT)
        for part in node.inside()
    )


def _laid_flat(node: Node, known: Mapping[str, int]) -> Node | None:
    """The matrices of a stack side by side: out.transpose(0, 1).reshape(n, d)."""
    match node:
        case Function(name, (inner, *_)) if name in FLAT:
            return _laid_flat(inner, known)
        case Function("?transpose" | "?swapaxes", (inner, *axes)) if _axes(axes) in HEADS:
            count = 0 if _is_mixed(inner, known) else _count(inner, known)
            parts = tuple(_of_one(inner, known, k + 1) for k in range(count))
            return Function("beside", parts) if parts else None
    return None


def _axes(nodes: Sequence[Node]) -> set[int]:
    """The axes that are written as whole numbers."""
    found = set[int]()
    for node in nodes:
        sign, inner = (-1, node.inner) if isinstance(node, Negative) else (1, node)
        if isinstance(inner, Number) and inner.cell.figure and inner.cell.figure.is_whole:
            found.add(sign * int(inner.cell.figure.value))
    return found
