"""What an article has printed so far, by name, by digits and in order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator
from functools import lru_cache, reduce
from itertools import groupby

from flint import arb

from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Node
from derive.verify.speech.roles import indexed, role
from derive.verify.values.work import narrowed

SHARED = 40
"""So many numbers with the same digits are compared."""
RECENT = 8
"""So many of the last matrices are tried as the source of another."""
_NUMBERED = re.compile(r"([^\W\d_]{2,})_?(\d{1,2})")
HEADED = frozenset("W_Q W_K W_V Q K V S scaled A O".split())
"""Quantities that each head has of its own."""
PROJECTING = ("W_Q", "W_K", "W_V")
"""Weights that are all multiplied in one way."""
OF_ROWS = frozenset(("mean", "std", "var", "Z"))
"""What is one number for each row of a matrix; of others the numbers make one row."""
MOST_HEADS = 8
MOST_ROWS = 40


class Pool:
    """The known matrices and numbers of an article."""

    def __init__(self) -> None:
        """Empty."""
        self.named: dict[str, Grid] = {}
        self.roles: dict[str, Grid] = {}
        self.rows: dict[str, dict[int, Grid]] = defaultdict(dict)
        self.grids: list[Grid] = []
        self.bases: list[Grid] = []
        self.cells: dict[str, list[Cell]] = defaultdict(list)
        self.lists: dict[tuple[str, ...], list[list[Cell]]] = defaultdict(list)
        self.gathered: dict[str, Grid] = {}  # matrices whose rows were printed one by one
        self.parts: dict[tuple[str, int], Grid] = {}  # matrices of one of several heads
        self.width = 0  # the last whole number that a root was taken of
        self.roots: dict[int, Node] = {}  # the roots of whole numbers, as they were printed
        self.figures: list[Figure] = []  # the last numbers that stood by themselves
        self.summed: Grid | None = None  # the list that was summed up last
        self.masked: set[tuple[int, int]] = set()  # shapes of which masked scores are printed
        self.has_wrong = False  # whether something is printed wrong
        self.base = 0  # the base of the angles, where the article says it
        self.is_rooted = False  # whether the article divides by a root
        self.is_population = False  # whether a variance was taken of all, and not of a sample
        self.is_sampled = False  # whether the article speaks of the variance of a sample
        self.is_causal = False  # whether no softmax is meant of square scores that are not masked
        self.is_bias_bound = False  # whether no softmax is meant of scores without their bias
        self.is_scaled = False  # whether no softmax is meant of scores that are not divided
        self.is_undivided = False  # whether a softmax of others stands where words divide them
        self.divided: set[int] = set()  # the scores of which a quotient is printed, by identity
        self.is_in_radians = False  # whether a sine or cosine agreed that is none of degrees
        self.is_rotary = self.is_biased = False  # whether it is about RoPE, or about ALiBi
        self.positions: tuple[int, ...] = ()  # the positions that the article names
        self.is_headed = False  # whether the article speaks of several heads
        self.is_from_nought = False  # whether q_0, k_0 ... are the first of their vectors
        self.is_cached = False  # whether keys and values are kept for later tokens
        self.gelu = ""  # the one GELU of the article, where that is known to bind
        self.is_affine = False  # whether no product is meant where a layer has a bias
        self.is_stacked = False  # whether matrices are printed three deep
        self.layout = ""  # how inputs and weights are multiplied, where that is known to bind
        self.seen: dict[str, int] = defaultdict(int)

    def add(self, grid: Grid) -> None:
        """A printed matrix, whose rows and columns are then known by their digits."""
        if grid.shape == (1, 1):
            self.note(grid.rows[0][0])
            self.figures.extend(c.figure for c in grid.cells() if c.figure)
            return
        self.grids.append(grid)
        for cells in (*grid.rows, *(list(c) for c in zip(*grid.rows, strict=True))):
            if len(cells) > 1 and all(c.figure for c in cells):
                self.lists[digits(cells)].append(cells)
        for cell in grid.cells():
            self.note(cell)

    def note(self, cell: Cell) -> None:
        """A printed number."""
        if cell.figure:
            self.cells[key(cell.figure)].append(cell)

    def bind(self, name: str, grid: Grid) -> None:
        """A name for a matrix, for a row of one, or for a number."""
        if not name:
            return
        self.named[name] = grid
        found = indexed(name)
        known = self.rows[found[0]].get(found[1]) if found else None
        if known is not None and grid.shape == (1, 1) != known.shape:
            return  # e_1 = 1.2 is a score where h_1 is a state
        if found and grid.shape[0] == 1:
            self.rows[found[0]][found[1]] = grid
            if (kept := self.kept(found[0], grid)) is not grid:
                self.roles[found[0]] = kept
        elif kind := role(name) or (found[0] if found else ""):
            if kind != "H" or kind not in self.roles or grid.made is None:
                self.roles[kind] = self.kept(
                    kind, grid
                )  # the input keeps its name where a result is called so too
            if found:
                self.parts[found] = grid

    def kept(self, kind: str, grid: Grid) -> Grid:
        """The key or value of a new token below those of the cache."""
        cache = self.roles.get(kind)
        if not self.is_cached or kind not in ("K", "V") or cache is None or grid.shape[0] > 1:
            return grid
        if cache.shape[0] < 2 or cache.shape[1] != grid.shape[1]:
            return grid
        return Grid([*cache.rows, *grid.rows], kind)

    def forget(self, name: str) -> None:
        """A name means nothing known from here on."""
        grid = self.named.pop(name, None)
        if grid is not None:
            self.roles = {kind: known for kind, known in self.roles.items() if known is not grid}

    def lookup(self, name: str) -> Grid | None:
        """The matrix of a name, put together from its rows where they were printed one by one."""
        if name in self.named:
            return self.named[name]
        kind = role(name)
        if kind:
            known = self.of_role(kind)
            return known if known is not None else self.counted(name)
        found = indexed(name)
        if found:
            return self.rows[found[0]].get(found[1])
        return self.counted(name)

    def counted(self, name: str) -> Grid | None:
        """w1, w2 and w3 as W: what has the name and a number behind it, one below the other."""
        if not 0 < len(name) <= 4:
            return None
        spelt = {n.replace("_", "").lower(): g for n, g in self.named.items() if n[-1:].isdigit()}
        found = [spelt.get(f"{name.lower()}{k}") for k in range(1, MOST_ROWS)]
        parts = found[: found.index(None)] if None in found else found
        if len(parts) < 2 or {g.shape[0] for g in parts if g} != {1}:
            return None
        rows = [g.rows[0] for g in parts if g is not None]
        if len({len(row) for row in rows}) != 1:
            return None
        cells = rows if len(rows[0]) > 1 else [[row[0] for row in rows]]
        made = self.gathered.get(name)
        if made is None or made.rows != cells:
            made = self.gathered[name] = Grid(cells, name)
        return made

    def heads(self, kinds: Container[str] = HEADED) -> list[int]:
        """The numbers of the heads that the article tells apart, by matrices of some kinds."""
        return sorted({head for kind, head in self.parts if kind in kinds})[:MOST_HEADS]

    def last_numbers(self) -> list[Figure]:
        """The last numbers that stood by themselves, each once."""
        return list({f.value: f for f in self.figures[-RECENT:]}.values())

    def plain(self) -> list[Grid]:
        """The given matrices but those that have the name of weights."""
        weights = {id(g) for kind, g in self.roles.items() if kind[:2] in ("W_", "b_")}
        weights |= {id(g) for (kind, _), g in self.parts.items() if kind[:2] in ("W_", "b_")}
        return [g for g in self.bases if id(g) not in weights]

    def is_unbound(self, weights: Grid, layout: str) -> bool:
        """Whether a matrix holds weights that are not multiplied so, by the layout that binds."""
        if not self.layout.startswith("rows") or self.layout == layout:
            return False
        heads = [g for (kind, _), g in self.parts.items() if kind in PROJECTING]
        return any(g is weights for g in (*map(self.roles.get, PROJECTING), *heads))

    def number(self, kind: str) -> Grid | None:
        """The printed number of a quantity."""
        found = self.roles.get(kind)
        return found if found is not None and found.shape == (1, 1) else None

    def of_role(self, kind: str, head: int | None = None) -> Grid | None:
        """The printed matrix of a quantity, of one head where it is told."""
        if head is not None and (kind, head) in self.parts:
            return self.parts[kind, head]
        whole, rows = self.roles.get(kind), self.rows.get(kind)
        if kind == "H" and whole is None and not rows:
            return self.worded()
        if rows and (whole is None or whole.shape[0] == 1):
            first = min(rows)
            if len(rows) == 1 and whole is None:
                return rows[first]
            if sorted(rows) == list(range(first, first + len(rows))) and first <= 1:
                cells = [rows[k].rows[0] for k in sorted(rows)]
                if kind not in OF_ROWS and all(len(row) == 1 for row in cells):
                    cells = [[row[0] for row in cells]]
                if len({len(row) for row in cells}) == 1:
                    made = self.gathered.get(kind)
                    if made is None or made.rows != cells:
                        made = self.gathered[kind] = Grid(cells, kind)
                    return made
        return whole

    def stacks(self) -> Iterator[Grid]:
        """Lists of one length that were printed one after the other, as rows; the latest first."""
        recent = self.grids[-MOST_ROWS:][::-1]
        for (height, _), run in groupby(recent, lambda grid: grid.shape):
            rows = [grid.rows[0] for grid in run][::-1] if height == 1 else []
            if len(rows) > 1:
                key = " ".join(str(id(row)) for row in rows)
                yield self.gathered.setdefault(key, Grid(rows))

    def weigh(self, grid: Grid) -> None:
        """The last weights are meant by what comes next, where none have a name."""
        known = self.roles.get("A")
        if all(known is not named for named in self.named.values()):
            self.roles["A"] = grid

    def worded(self) -> Grid | None:
        """The first vectors of one length that bear words of no quantity, as tokens do, as rows."""
        words = [g for g in self.bases if _is_word(g.name) and g.shape[0] == 1 < g.shape[1]]
        words = words or self.numbered()
        rows = [g.rows[0] for g in words if g.shape == words[0].shape]
        if len(rows) < 2:
            return None
        made = self.gathered.get("H")
        if made is None or made.rows != rows:
            made = self.gathered["H"] = Grid(rows, "H")
        return made

    def numbered(self) -> list[Grid]:
        """word_1, word_2 ...: the first whose names are a word, and the numbers from 1 on."""
        parts = {name: found for name in self.named if (found := _NUMBERED.fullmatch(name))}
        for stem in dict.fromkeys(found[1] for found in parts.values() if not role(found[1])):
            named = {int(f[2]): self.named[name] for name, f in parts.items() if f[1] == stem}
            rows = [named[k] for k in range(1, len(named) + 1) if k in named]
            are_given = all(g.is_printed and g.shape[0] == 1 < g.shape[1] for g in rows)
            if len(rows) == len(named) > 1 and are_given:
                return rows
        return []

    def origin(self, figure: Figure) -> Cell | None:
        """The earlier number that a printed operand repeats; right ones before wrong ones."""
        if figure.is_whole or figure.weight < 2:
            return None
        return _chosen(self.cells.get(key(figure), []))

    def meant(self, figure: Figure) -> arb | None:
        """From the least to the largest of the numbers with these digits, where they differ."""
        cells = self.cells.get(key(figure), [])[-SHARED:]
        found = [c.exact for c in cells if c.exact is not None and not c.is_wrong]
        if all(x.overlaps(found[0]) for x in found[1:]):
            return None
        return reduce(arb.union, found)

    def vector(self, cells: list[Cell]) -> list[Cell] | None:
        """The earlier row or column that a list repeats."""
        if len(cells) < 2 or not all(c.figure for c in cells):
            return None
        found = self.lists.get(digits(cells), [])
        right = [v for v in found if not any(c.is_wrong for c in v)]
        return (right or found or [None])[-1]  # type: ignore[list-item]

    def scale_width(self) -> int:
        """The number whose root scores are divided by, or 0."""
        found = self.named.get("d_k")
        if found and found.shape == (1, 1) and (figure := found.rows[0][0].figure):
            return int(figure.value)
        return self.width

    def recent(self) -> Iterator[Grid]:
        """The last matrices, the latest first."""
        yield from reversed(self.grids[-narrowed(RECENT) :])
        if (words := self.of_role("H")) is not None and words is self.gathered.get("H"):
            yield words


@lru_cache(maxsize=4096)
def _is_word(name: str) -> bool:
    return len(name) > 1 and not role(name) and not indexed(name) and name.isalpha()


def _chosen(cells: list[Cell]) -> Cell | None:
    right = [c for c in cells if not c.is_wrong and c.verdict != "unchecked"]
    made = [c for c in right if c.verdict != "assumed"]
    return (made or right or cells or [None])[-1]  # type: ignore[list-item]


def key(figure: Figure) -> str:
    """What two printings of one number share."""
    return f"{figure.value} {figure.unit}"


def digits(cells: list[Cell]) -> tuple[str, ...]:
    """What two printings of one list share."""
    return tuple(str(c.figure.value) if c.figure else "" for c in cells)
