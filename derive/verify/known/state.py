"""What is known while an article is read: the matrices, the steps, the numbers judged so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from derive.exact.enclosure import Enclosures
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Binary, Function, Leaf, Name, Node, takes
from derive.verify.known.affine import PRODUCT, WITHOUT
from derive.verify.known.fixed import Fixed
from derive.verify.known.matching import Match
from derive.verify.known.owned import meant, owned
from derive.verify.known.pool import Pool
from derive.verify.known.runs import Runs
from derive.verify.known.steps import Steps, quantity
from derive.verify.known.steps.made import origin, raw_in
from derive.verify.speech.declared import Declared
from derive.verify.speech.hearing import heard
from derive.verify.values.judge import Judge


@dataclass(eq=False)
class State:
    """The state of reading, shared by its parts."""

    pool: Pool = field(default_factory=Pool)
    said: Declared = field(default_factory=Declared)
    claims: list[Cell] = field(default_factory=list)
    label: Node | None = None  # a formula or name without numbers that announces what follows
    label_at: int = -1
    marked: Name | None = None  # the last sign of a matrix or vector that stood by itself
    marked_at: int = -1
    label_made: Node | None = None  # what the label was said to stand for, just before
    lettered: dict[str, tuple[str, int]] = field(default_factory=dict)  # w: (A, -1), by siblings
    turns: dict[str, tuple[Grid, int]] = field(default_factory=dict)  # the last row of each step
    runs: Runs = field(default_factory=Runs)
    is_sample: bool = False  # whether the article speaks of the variance of a sample
    is_numpy: bool = False  # whether its programs take the variance of all, as numpy does
    is_normed: bool = False  # whether it speaks of the normalisation of layers
    ruled: dict[tuple[int, bool], int] = field(default_factory=dict)  # columns of values, and where
    worded: dict[str, str] = field(default_factory=dict)  # functions by the bare words for them
    scale: Node | None = None  # the last expression of one number that stands by itself
    scale_at: int = -1
    divisors: list[Node] = field(default_factory=list)  # by what lists were divided, the last first
    half: Cell | None = None  # the last number that may be half of a pair that is turned
    last: Cell | None = None  # the last bare number in running text
    sentence: str = ""  # what stands before in the same sentence
    words: str = ""  # what stands before
    behind: str = ""  # what is read, and what stands behind it
    tail: str = ""  # what stands behind its last number
    measured: set[str] = field(default_factory=set)  # what was measured of vectors: mean, var, std
    is_logistic: bool = False  # whether sigma is the logistic function
    equated: tuple[str, ...] = ()  # the names of the last chain, where it holds nothing else
    naming: str = ""  # the name that the chain gives to its result
    summed: list[Cell] = field(default_factory=list)  # the terms of the last sum
    summed_at: int = -1  # the last of them that was taken alone
    aimed: Cell | None = None  # the entry of a step that was just worked out, before its result
    assumes: bool = False  # whether the sentence declares an assumption
    is_about: bool = False  # whether ≈ stands before what is read
    is_soft: bool = False  # whether the name is a word of a heading, which may mean something else
    assumed: list[Grid] = field(default_factory=list)  # what such sentences declare
    unknown: frozenset[str] = frozenset()  # names without a meaning in the formula of a result
    is_output: bool = False  # whether what is read has no name before it
    focus: tuple[Grid | None, int] = (None, -1)  # the row last measured
    focus_at: int = -1
    fixed: Fixed | None = None  # the problem that the article works, where it is given

    def __post_init__(self) -> None:
        """With the steps over what is known."""
        self.is_logistic = self.said.is_logistic
        self.pool.is_rooted, self.pool.base = self.said.is_rooted, self.said.base
        self.pool.is_scaled, self.pool.positions = self.said.is_scaled, self.said.positions
        self.pool.is_rotary, self.pool.is_biased = self.said.is_rotary, self.said.is_biased
        self.pool.is_headed, self.pool.is_cached = self.said.is_headed, self.said.is_cached
        self.pool.is_from_nought = self.said.is_from_nought
        self.steps = Steps(self.pool)

    def fix(self, fixed: Fixed) -> None:
        """A problem is known from the start."""
        self.fixed = fixed
        self.steps.fixed = list(fixed.grids.values())
        self.steps.sure |= fixed.sure
        self.steps.known |= {("fixed", name): grid for name, grid in fixed.grids.items()}
        for name, grid in fixed.bound():
            self.pool.bind(name, grid)

    def fixed_match(self, grid: Grid, name: str, index: int | None) -> Match | None:
        """The step of the problem that a printed matrix is."""
        if self.fixed is None:
            return None
        return self.fixed.match(grid, name, index, self.heard)

    @property
    def heard(self) -> tuple[str, ...]:
        """The quantities that the words before speak of, the nearest first."""
        return heard(self.words)

    def note_made(self, made: Node, row: int = 0, start: int = -1) -> None:
        """Keeps that scores are divided, and of which row a mean or a deviation is taken."""
        match made:
            case Function("mean" | "var" | "std" | "rms", (Leaf(grid),)) | Binary(
                "-", Leaf(grid), Leaf(Grid(name="mean"))
            ):
                self.focus, self.focus_at = (grid, row), start
        raw = None if self.said.is_unscaled else raw_in(made)
        match made:
            case Binary("/", Leaf(scores), _) if raw is not None:
                printed = (cell.origin for cell in scores.cells())
                self.pool.divided |= {id(raw), *(id(cell) for cell in printed if cell)}

    def note_weights(self, made: Node, cells: list[list[Cell]]) -> None:
        """Behind right weights of divided scores, others of the scores themselves are compared."""
        match made:
            case Function("softmax", (Leaf(Grid(made=Binary("/", Leaf(raw), _)) as scores),)):
                is_right = not any(cell.is_wrong for row in cells for cell in row)
                if scores.shape[0] == len(cells) and is_right:
                    own = {id(cell.origin) for cell in raw.cells()}
                    self.pool.divided -= {id(origin(raw)), *own}

    def own(self, step: Grid) -> Grid:
        """A step by the functions of the article."""
        if step.made is None:
            return step
        name = "" if WITHOUT.search(self.sentence) else step.name
        made = meant(step.made, name, self.pool, self.said.powers)
        kind = "F" if name == PRODUCT else step.name
        other = None if made is step.made else self.steps.step(kind, made, "own", id(step))
        return other or step

    def judged(self, cells: list[list[Cell]], exact: Enclosures, judge: Judge, name: str) -> None:
        """Gives every entry its verdict."""
        judge = owned(cells, judge, name, self.pool, self.said.powers)
        exact = judge.exact if judge.exact.shape == exact.shape else exact
        judge.among(cells)
        self.note_made(judge.made, 0, cells[0][0].start)
        for i, row in enumerate(cells):
            for j, cell in enumerate(row):
                if cell.figure is None:
                    continue
                cell.exact = exact.rows[i][j]
                cell.made, cell.at = judge.made, (i, j)
                cell.verdict, cell.root = judge.verdict(cell, i, j)
                self.pool.has_wrong |= cell.is_wrong
                cell.quantity = cell.quantity or (quantity(name, i, j, exact.shape) if name else "")
                self.claims.append(cell)
                if cell.verdict == "correct":
                    self.note_divided(judge.made)
                if cell.verdict == "correct" and cell.figure.value not in (0, 1):
                    self.pool.is_in_radians |= is_plain_angle(judge.made)
        self.note_weights(judge.made, cells)

    def note_divided(self, made: Node) -> None:
        """Keeps by which number a list was divided."""
        match made:
            case Binary("/", Leaf(grid), by) if grid.shape != (1, 1) and by not in self.divisors:
                self.divisors = [by, *self.divisors[:3]]

    def unread(self, node: Node, why: str = "too much") -> None:
        """The numbers of what would be too much to work out, or is said to be wrong."""
        for cell in node.cells():
            if cell.figure is not None and cell.start >= 0:
                cell.verdict, cell.why, cell.exact, cell.made = "unchecked", why, None, None
                cell.quantity = cell.root = ""
                self.claims.append(cell)

    def refer(self, cell: Cell, origin: Cell, *, is_operand: bool = False) -> None:
        """A number printed again carries the verdict it had; a factor of lists only follows."""
        cell.origin = origin.origin or origin
        cell.exact = origin.exact
        cell.verdict, cell.root = origin.verdict, origin.root
        if is_operand and origin.verdict == "wrong":
            cell.verdict, cell.root = "consequence", origin.quantity or _text(origin)
        cell.quantity, cell.why, cell.is_rough = origin.quantity, origin.why, origin.is_rough
        self.claims.append(cell)


def is_plain_angle(made: Node) -> bool:
    """Whether a sine or a cosine is taken, and not of degrees."""
    return any(takes(made, f) and not takes(made, f"{f} degrees") for f in ("sin", "cos"))


def _text(cell: Cell) -> str:
    return cell.figure.text if cell.figure else ""
