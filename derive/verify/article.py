"""An article read from top to bottom: every printed number gets its verdict as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from derive.verify.columns.shared import slipped
from derive.verify.columns.tabled import Tabled
from derive.verify.documents.unclaimed import Unclaimed
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Array, Chain, Function, Headed, Name, Node, Number, literal
from derive.verify.grammar.parser import DEEP
from derive.verify.known.letters import parted
from derive.verify.known.matching import matched
from derive.verify.known.placing import Places
from derive.verify.known.state import State
from derive.verify.labels import Labels
from derive.verify.matrices.assigned import fill
from derive.verify.matrices.beside import multiplied, together
from derive.verify.matrices.givens import INPUTS
from derive.verify.matrices.loose import Loose
from derive.verify.matrices.names import Meanings
from derive.verify.matrices.onward import onward
from derive.verify.matrices.operands import Operands
from derive.verify.matrices.own import note as note_own
from derive.verify.matrices.recognition import Matches
from derive.verify.matrices.results import Results
from derive.verify.matrices.said import made_of
from derive.verify.matrices.sides import (
    factors,
    is_bare_word,
    is_rounded,
    is_said_size,
    is_size,
    is_vector,
    squared,
)
from derive.verify.numbers.awaited import Awaited
from derive.verify.numbers.measured import KINDS, is_measured
from derive.verify.numbers.ruled import ruled
from derive.verify.numbers.scalars import Scalars
from derive.verify.numbers.scaling import is_number
from derive.verify.numbers.tempered import tempered
from derive.verify.printouts import Printouts
from derive.verify.program import BEGINS, ENTRY, GIVEN, OUTPUT, PRINTS, REMARKS, SHOWS, TOLD
from derive.verify.speech.declared import Declared
from derive.verify.speech.denied import is_denied
from derive.verify.speech.headings import alone_above
from derive.verify.speech.roles import indexed, kinds, role
from derive.verify.tables.printed import CELL
from derive.verify.tables.running import Steps
from derive.verify.values.evaluate import value
from derive.verify.values.formulas import definition, indices
from derive.verify.values.operations import Unknown
from derive.verify.values.work import TooMuch, Work, counted
from derive.verify.walk import Walk

LONGEST = 5
"""What has more letters is a word, and its number that of a token: Output_1."""
WHOLE = frozenset(("H", "Q", "K", "V", "W_Q", "W_K", "W_V", "W_O"))
"""What has these names is one matrix, whatever its rows agree with."""


class Article:
    """The numbers of an article, judged in the order in which they are read."""

    def __init__(self, said: Declared | None = None, unclaimed: Unclaimed | None = None) -> None:
        """Nothing read yet; but what the article says of its conventions, and does not claim."""
        self.unclaimed = unclaimed or Unclaimed()
        self.state = State(said=said or Declared())
        self.names = Meanings(self.state)
        self.scalars = Scalars(self.state)
        self.awaited = Awaited(self.state, self.scalars)
        self.places = Places(self.state)
        self.matches = Matches(self.state, self.names, self.scalars, self.places)
        self.operands = Operands(self.state, self.names, self.matches)
        self.results = Results(self.state, self.names, self.places, self.matches)
        self.loose = Loose(self.state, self.matches)
        self.tabled = Tabled(self.state, self.names, self.results)
        self.printouts = Printouts(self.state, self.names, self.results)
        self.work = Work()
        self.labels = Labels(self.state, self.names)
        self.start = 0

    def read(self, chain: Chain) -> None:
        """One chain, and its numbers; nothing is checked where that is too much to work out."""
        if why := self.passed_over(chain):
            self.state.unread(chain, why)
            return
        try:
            with counted(self.work):
                self.work.spend(1)
                self.judge(chain)
        except (TooMuch, RecursionError, Unknown):
            self.state.unread(chain)

    def passed_over(self, chain: Chain) -> str:
        """Why a chain claims nothing; what has no numbers, and is not shown, is read."""
        whys = {self.unclaimed.why(c.start) for c in chain.cells() if c.figure and c.start >= 0}
        if chain.relations in (PRINTS, SHOWS, REMARKS):
            whys = {self.unclaimed.why(chain.start)}
        return whys.pop() if len(whys) == 1 else ""

    def chains(self, event: Chain | Steps) -> Iterator[Chain]:
        """What is read one by one; of the steps of a running softmax only their labels."""
        if isinstance(event, Chain):
            yield event
            return
        is_read = False
        with counted(self.work), suppress(TooMuch):
            is_read = self.tabled.scans.read(event.table, literal(event.table) or [])
        yield from event.labels if is_read else event.chains

    def judge(self, chain: Chain) -> None:
        """One chain: operands refer to what was printed, results are judged."""
        sides, self.start = chain.sides, chain.start
        if chain.relations == (DEEP,):
            self.state.unread(chain)
            return
        if chain.relations == ("defines",):
            self.printouts.assigned(sides[0], sides[1], self.start)
            return
        if chain.relations in (BEGINS, PRINTS, SHOWS, REMARKS):
            self.printouts.shows(sides, chain.relations)
            return
        if chain.relations[:1] == (GIVEN,):
            chain = replace(chain, relations=chain.relations[1:])
            self.state.assumes |= not (self.is_result(sides[0]) or is_rounded(sides[1]))
        is_told = chain.relations[:1] == (TOLD,)
        if is_told:
            if self.printouts.told(sides, chain.relations[1] == OUTPUT, self.start):
                return
            chain = replace(chain, relations=chain.relations[2:])
        if chain.relations == ENTRY:
            if self.printouts.entry(*sides):
                return
            sides = sides[1:2]
        self.stated(sides, chain, is_told)

    def stated(self, sides: tuple[Node, ...], chain: Chain, is_told: bool) -> None:
        """What a chain states, unless the article says that it does not hold."""
        if is_denied(sides, chain.said[0], chain.tail):
            for side in sides[literal(sides[0]) is None :]:
                self.state.unread(side, "denied")
        elif len(sides) > 1:
            self.loose.close()
            self.linked(sides, ("", *chain.relations, *[""] * len(sides)))
        else:
            self.alone(sides[0], chain, is_told)

    def alone(self, side: Node, chain: Chain, is_told: bool) -> None:
        """What stands by itself: a number, a word, a matrix, or what is worked out."""
        if isinstance(side, Number):
            self.single(side)
        elif not any(side.cells()):
            if not is_bare_word(side, chain.said[1]):
                self.labels.announce(side, chain.start)
        elif cells := literal(side):
            self.loose.close()
            is_open = self.state.is_output and not is_told  # what was told before waits no longer
            if not (is_open and self.printouts.told((side,), False, self.start)):
                self.shown(side, cells)
        else:
            if is_number(side):
                self.state.scale, self.state.scale_at = side, self.start
            self.linked(chain.sides, ("",))

    def single(self, side: Number) -> None:
        """A number that stands by itself."""
        label = self.state.label
        if not is_measured(self.state) and self.labels.numbered(side):
            return
        if ruled(self.state, side.cell):
            return
        if label is not None and (made := made_of(self.state, self.names, side.cell)) is not None:
            printed = self.names.by_printed(label)
            self.results.result([[side.cell]], made, (printed,) if printed else (), None)
        else:
            self.scalars.read(side.cell)
            slipped(self.state, self.tabled.columns.looked, side.cell)
            self.loose.note(side.cell)
            self.awaited.note(side.cell)

    def finish(self) -> None:
        """Nothing more comes."""
        with counted(self.work), suppress(TooMuch, Unknown):
            self.loose.close()
        for cell in self.state.claims:
            if why := self.unclaimed.why(cell.start):
                cell.verdict, cell.why, cell.cause = "unchecked", why, None

    def shown(self, side: Node, cells: list[list[Cell]]) -> None:
        """A matrix or list that stands by itself."""
        if isinstance(side, Array) and side.maker == CELL:
            name = squared(self.labels.announced(self.start) or Name(""))
            if isinstance(name, Name) and role(name.text) in KINDS:
                self.results.result(cells, None, (), name)
            else:
                self.single(Number(cells[0][0]))
            return
        is_named = not is_said_size(side) and is_vector(self.labels.announced(self.start))
        if is_size(side) and not is_named and tempered(self.state, Grid(cells)) is None:
            self.sizes([cell for row in cells for cell in row])
        elif isinstance(side, Headed) and not (cells := self.tabled.read(side, cells, self.start)):
            self.awaited.again(self.start)
        elif isinstance(side, Array) and side.maker == "rows" and self.are_apart(cells):
            for row in cells:
                self.results.result([row], None, (), None)
        else:
            label = self.labels.over(side, cells, self.start)
            if isinstance(label, Name):
                label = onward(self.state, (label, side))[0]
            is_formula = label is not None and not isinstance(label, Name)
            made = label if is_formula else self.state.label_made if label is not None else None
            self.results.headed(cells, label, made)
            self.tabled.totals.finish()

    def sizes(self, cells: list[Cell]) -> None:
        """A shape such as (32, 10, 512) is a statement about no value."""
        for cell in cells:
            cell.verdict, cell.why = "unchecked", "a size"
            self.state.claims.append(cell)

    def are_apart(self, cells: list[list[Cell]]) -> bool:
        """Whether lists below each other are parts of steps one by one, not as a matrix."""
        label = self.labels.announced(self.start) or alone_above(self.state.words)
        is_sign = isinstance(label, Name) and is_vector(label) and len(label.text) <= LONGEST
        kind = kinds(label.text)[:1] if is_sign and isinstance(label, Name) else ()
        if self.state.assumes or WHOLE.intersection(kind) or self.matches.is_block(Grid(cells)):
            return False
        steps = self.state.steps.all((len(cells), len(cells[0])))
        if any((step.name,) == kind and len(step.rows) == len(cells) > 2 for step in steps):
            return False
        return any(matched([row], self.state.steps.all()) for row in cells)

    def is_result(self, side: Node) -> bool:
        """Whether a side names what may be worked out: no weights nor inputs."""
        found = indexed(side.text) if isinstance(side, Name) else None
        kind = (role(side.text) or (found[0] if found else "")) if isinstance(side, Name) else ""
        return bool(kind) and kind not in INPUTS

    def linked(self, sides: tuple[Node, ...], relations: tuple[str, ...]) -> None:
        """The sides of a chain, from left to right."""
        count = len(sides)
        sides = together(self.names, multiplied(self.state, self.names, sides))
        if (used := onward(self.state, sides)) is not sides:
            sides, relations = used, ("", "=")
        relations = ("", "=", *relations[1:]) if len(sides) > count else relations
        self.state.equated = ()
        sides = tuple(parted(self.state.pool, s) for s in (squared(sides[0]), *sides[1:]))
        if any(map(is_size, sides)) and not any(is_vector(x) for s in sides for x in factors(s)):
            self.sizes([cell for side in sides for cell in side.cells() if cell.figure])
            return
        names = self.labels.names_of(sides, self.start)
        self.state.naming = names[-1].text if names else ""
        roots = (s for s in sides if isinstance(s, Function) and s.name == "sqrt" and is_number(s))
        if (root := next(roots, None)) is not None:
            self.state.scale, self.state.scale_at = root, self.start
        before = Walk(self.names, self.operands, self.results).along(sides, relations, names)
        printed = [cells for side in sides[1:] if (cells := literal(side))]
        if printed:
            fill(self.names.resolved(sides[0]), printed[0][0][0])
            return
        if (function := definition(sides)) is not None:
            self.names.functions[function[0]] = function[1]
        else:
            note_own(self.names, sides)
            self.defined(names, sides, before)

    def defined(self, names: list[Name], sides: tuple[Node, ...], before: Node | None) -> None:
        """What names stand for; the last is the heading of what comes next."""
        made = next((side for side in reversed(sides) if not isinstance(side, Name)), None)
        if made is None:
            if all(indices(name.text) for name in names[-2:]):  # D_ij = B_ji
                self.names.define(names[0].text, names[-1])
            self.state.equated = tuple(name.text for name in names)
            return
        if before is not None and any(cell.figure for cell in made.cells()):
            self.declared(names, before)
        else:
            for name in names:
                self.names.define(name.text, made)
        self.state.label, self.state.label_at = (names[-1] if names else made), self.start
        self.state.label_made = made

    def declared(self, names: list[Name], made: Node) -> None:
        """Names for a value that is never printed: W_Q = W_K = np.eye(4) * 0.5."""
        try:
            exact = value(made, "exact")
        except Unknown:
            return
        cells = [[Cell(None, exact=x) for x in row] for row in exact.rows]
        grid = Grid(cells, "", made)
        for name in names:
            self.state.pool.bind(name.text, grid)
