"""Names in expressions replaced by the matrices that they mean."""

from __future__ import annotations

import re

from derive.verify.grammar.grids import Grid
from derive.verify.grammar.nodes import (
    Array,
    Binary,
    Chain,
    Component,
    Function,
    Leaf,
    Name,
    Negative,
    Node,
    Number,
    rebuilt,
)
from derive.verify.known.letters import CONSTANTS, entry, is_other, letter, parted
from derive.verify.known.roots import note_width
from derive.verify.known.state import State
from derive.verify.matrices.assigned import by_place, unprinted
from derive.verify.matrices.cosine import cosine, is_cosine
from derive.verify.matrices.kinds import of_kind
from derive.verify.matrices.sublayers import sublayer
from derive.verify.matrices.targeted import labels
from derive.verify.matrices.widths import WIDTHS, width
from derive.verify.matrices.written import (
    NUMBERED,
    TIMES,
    dotted,
    numbered,
    renumbered,
    signature,
    spellings,
    spelt_out,
    turned_to,
)
from derive.verify.speech.roles import role
from derive.verify.values.evaluate import has_value, value
from derive.verify.values.formulas import (
    Definition,
    applied,
    called,
    entrywise,
    indices,
    is_unknown_call,
    names,
    stem,
)

_NUMBERED = re.compile(r"([^\W\d_]{1,4}|alpha|gamma|theta|sigma|lambda|omega)_?(\d{1,2})")
NEAR = 160  # what a remark says of a name is no further from the line that assigns it
MEASURED = frozenset(("?rms",))  # of a vector, unless the article says otherwise
DEEPEST, MOST = 8, 200  # so deep, and so many, definitions are followed for one name
OVER = frozenset(("sum over", "max", "min"))  # of the entries of what bears an index
JOINS = frozenset("?concat ?cat ?concatenate ?hstack".split())  # side by side, as is written


class Meanings:
    """What the names of an article mean at the place that is read."""

    def __init__(self, state: State) -> None:
        """Over what is known."""
        self.state = state
        self.defined: dict[str, Node] = {}  # what the article says that a name stands for
        self.functions: dict[str, Definition] = {}  # functions that the article defines
        self.printed: dict[str, Grid] = {}  # results by the expressions that they were printed for
        self.assigned: dict[str, int] = {}  # where programs assign names
        self.of_tokens: dict[str, tuple[str, Node]] = {}  # key_: what a program does for token 1
        self.is_called_by_place = False  # whether s(2) is the second entry of s
        self.open: set[str] = set()  # definitions that are being resolved
        self.followed = 0  # how many for the first of them
        self.from_nought: set[str] = set()  # vectors whose entries count from 0

    def define(self, name: str, made: Node) -> None:
        """Q = X W_Q, without its numbers."""
        if not name or (name in self.defined and is_unknown_call(made, self.functions)):
            return
        self.defined[name] = made
        if (bare := stem(name)) and (whole := entrywise(made, indices(name))):
            self.defined |= dict.fromkeys(spellings(bare), whole)

    def assign(self, name: str, made: Node) -> None:
        """A line of a program: the name has this value from here on, where it is understood."""
        if isinstance(made, Name) and not made.text:
            self.state.pool.forget(name)
            self.defined.pop(name, None)
            return
        if found := NUMBERED.fullmatch(name):
            self.of_tokens.setdefault(found[1], (found[2], made))
        source = self.resolved(made)
        if not self.is_explicit(made) or not has_value(source):
            self.state.pool.forget(name)
            self.define(name, made)
            return
        exact = value(source, "exact")
        self.defined.pop(name, None)
        self.state.pool.named[name] = unprinted(exact, source, self.state.runs)

    def is_beside(self, name: str, start: int) -> bool:
        """Whether a program assigns a name right where a number stands."""
        return abs(start - self.assigned.get(name, -NEAR)) < NEAR

    def is_explicit(self, node: Node) -> bool:
        """Whether every name in an expression was given its meaning by the article."""
        if isinstance(node, Name):
            known = (self.state.pool.named, self.defined, CONSTANTS)
            return any(node.text in k for k in known) or self.of_another(node.text) is not None
        return all(map(self.is_explicit, node.parts()))

    def standing(self, expression: Node) -> Node:
        """What an expression that a program shows was last said to stand for."""
        if isinstance(expression, Name) and expression.text not in self.state.pool.named:
            return self.defined.get(expression.text, expression)
        return expression

    def remember(self, side: Node, grid: Grid) -> None:
        """The printed value of an expression."""
        if key := signature(side):
            self.printed[key] = grid

    def by_printed(self, side: Node) -> Node | None:
        """The expression with what was printed for its parts, where something was."""
        made = self.put(side, is_whole=True)
        return None if made is side else self.resolved(made)

    def put(self, node: Node, *, is_whole: bool = False) -> Node:
        """A node with the printed values of the expressions inside."""
        if not is_whole and (grid := self.printed.get(signature(node))) is not None:
            return Leaf(grid)
        return rebuilt(node, self.put)

    def definition(self, name: str) -> Grid | None:
        """The matrix of a definition, as far as its names are known, and they are not too many."""
        self.followed = self.followed + 1 if self.open else 0
        if name in self.open or len(self.open) > DEEPEST or self.followed > MOST:
            return None
        if (made := self.defined.get(name) or self.of_one(name) or self.of_another(name)) is None:
            return None
        self.open.add(name)
        resolved = self.resolved(made)
        self.open.discard(name)
        known = (len(self.state.pool.grids), len(self.state.pool.named))
        return self.state.steps.step(role(name) or name, resolved, "defined", name, known)

    def is_worked_out(self, name: str) -> bool:
        """Whether a program works out what has this name, and does not draw or load it."""
        made = self.defined.get(name)
        return made is not None and not isinstance(made, Name) and not is_unknown_call(made, ())

    def is_drawn(self, name: str) -> bool:
        """Whether a program draws or loads what has this name."""
        return name in self.defined and not self.is_worked_out(name)

    def of_one(self, name: str) -> Node | None:
        """x = e + p said of all tokens, for one of them: x1 = e1 + p1."""
        found = _NUMBERED.fullmatch(name)
        made = self.defined.get(found[1]) if found else None
        if found is None or made is None:
            return None
        one = numbered(made, found[2], self.state.pool.named)
        is_whole = names(one) == names(made)
        return None if is_whole and entry(self.state.pool, name) else one

    def of_another(self, name: str) -> Node | None:
        """key_1 = word_1 @ W said of one token alone, for another: key_2 = word_2 @ W."""
        found = NUMBERED.fullmatch(name)
        number, made = self.of_tokens.get(found[1], ("", None)) if found else ("", None)
        if found is None or made is None or name in self.assigned or name in self.open:
            return None
        other = renumbered(made, number, found[2])
        self.open.add(name)
        is_known = other != made and self.is_explicit(other)
        self.open.discard(name)
        return other if is_known else None

    def component(self, text: str) -> Grid | None:
        """p_2 or x_3: an entry of a vector that is known by the name; with p_0, counted from 0."""
        found = _NUMBERED.fullmatch(text)
        whole = self.state.pool.lookup(found[1]) if found else None
        if found and (whole is None or whole.shape == (1, 1)):
            whole = labels(self.state, found[1])
        if found is None or whole is None or 1 not in whole.shape or whole.shape == (1, 1):
            return None
        self.from_nought |= {found[1]} if not int(found[2]) else set()
        cells, place = list(whole.cells()), int(found[2]) + (found[1] in self.from_nought)
        return Grid([[cells[place - 1]]]) if place <= len(cells) else None

    def resolved(self, node: Node) -> Node:
        """The expression with its names replaced by what they mean."""
        match node:
            case Name():
                return self.named(node)
            case Binary("^", Name(text), Number(cell)) if f"{text}^2" in self.state.pool.named:
                is_square = cell.figure is not None and cell.figure.value == 2
                return self.resolved(Name(f"{text}^2")) if is_square else node
            case Binary(sign, left, right):
                a, b = self.resolved(left), self.resolved(right)
                turned = turned_to(self.state.pool, a, b) if sign in TIMES else None
                return turned or dotted(sign, a, b) or Binary(sign, a, b)
            case Negative(inner):
                return Negative(self.resolved(inner))
            case Component(inner, place):
                return Component(self.resolved(inner), place)
            case Function():
                return self.function(node)
            case Array(items):
                return Array(tuple(map(self.resolved, items)))
            case Chain(sides):
                return self.resolved(sides[-1])
        return node

    def named(self, node: Name) -> Node:
        """The matrix of a name, or a row of it."""
        grid = self.meaning(node.text)
        if grid is None:
            made = parted(self.state.pool, node)
            return node if made is node else self.resolved(made)
        if node.index is None:
            return Leaf(grid, node.text)
        return Leaf(grid.row(node.index), node.text) if node.index < grid.shape[0] else node

    def function(self, node: Function) -> Node:
        """A function of what its arguments mean, or what the article says that it is."""
        name, arguments = node.name, node.arguments
        if name == "T" and isinstance(pair := parted(self.state.pool, node), Binary):
            return self.resolved(pair)
        if name in OVER:
            return self.over(node)
        if name in self.functions:
            return self.applied(name, arguments) or node
        grid = self.state.pool.named.get(called(node, is_list=True))
        if name.lower() in MEASURED and grid is None:
            return Function(name[1:].lower(), tuple(map(self.resolved, arguments)))
        if not name.startswith("?"):
            note_width(self.state.pool, name, arguments)
            return Function(name, tuple(map(self.resolved, arguments)))
        if self.is_called_by_place:
            node = by_place(self.state.pool.named, name[1:], arguments) or node
            if node.name != name:
                return node
        if is_cosine(name) and (made := cosine(tuple(map(self.resolved, arguments)))):
            return made
        grid = grid or labels(self.state, name[1:])
        return self.unknown(node) if grid is None else Leaf(grid, called(node))

    def over(self, node: Function) -> Node:
        """A sum, or the largest, over the entries of what bears an index."""
        whole = entrywise(node) or (None if node.name == "sum over" else node)
        if isinstance(whole, Function) and whole.name == node.name:
            return rebuilt(whole, self.resolved)
        if whole is not None:
            return self.resolved(whole)
        inner = self.resolved(node.arguments[0])
        return Function("sum", (inner,)) if has_value(inner) else node

    def unknown(self, node: Function) -> Node:
        """A function that is not known by its name: parts joined, a rate, the result of a layer."""
        name, arguments = node.name, node.arguments
        if name.lower() in JOINS:
            first = arguments[0] if arguments else None
            parts = first.items if isinstance(first, Array) else arguments
            return Function("beside", tuple(map(self.resolved, parts)))
        if made := spelt_out(self.state.pool, node, self.state.is_numpy):
            return self.resolved(made)
        made = sublayer(self.state.pool, name, self.resolved(arguments[0])) if arguments else None
        return node if made is None or len(arguments) > 1 else made

    def applied(self, name: str, arguments: tuple[Node, ...]) -> Node | None:
        """A function that the article defines, of these arguments."""
        made = applied(self.functions[name], arguments)
        if made is None or len(self.open) > DEEPEST:
            return None
        self.open.add(f"{name} {len(self.open)}")
        found = self.resolved(made)
        self.open.discard(f"{name} {len(self.open) - 1}")
        return found

    def meaning(self, text: str) -> Grid | None:
        """The matrix a name means: as printed, or as the step of that name."""
        if text in self.assigned and text not in self.state.pool.named:
            return self.definition(text) or (width(self.state, text) if text == "d_k" else None)
        found = self.state.pool.lookup(text)
        if found is not None and not is_other(text, found.name):
            return found
        if (made := self.definition(text)) is not None:
            return made
        if (known := labels(self.state, text)) is not None:
            return known
        if text in WIDTHS:
            return width(self.state, text)
        if (component := self.component(text)) is not None:
            return component
        steps = self.state.steps
        if (step := of_kind(steps, role(text)) or steps.of_one_head(text)) is not None:
            return step
        return letter(self.state.pool, text)
