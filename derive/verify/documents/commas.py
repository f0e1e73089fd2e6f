"""Whether decimals follow a comma: told by the whole article, from its lists and its arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from flint import arb

from derive.verify.documents.copies import masked
from derive.verify.documents.document import Document, Segment
from derive.verify.documents.tongues import has_comma_language
from derive.verify.grammar.grids import Cell, Grid
from derive.verify.grammar.nodes import Chain, Leaf, Name, Node, literal, rebuilt
from derive.verify.values.evaluate import value
from derive.verify.values.operations import Unknown

Reader = Callable[[Segment, bool], Iterable[Chain]]
MOST_LINES = 200
"""So many lines are read both ways."""
_COMMA = re.compile(r"(?<![\d,.])\d+,\d+(?![\d,.])")
_BRACED = re.compile(r"(?<!\d)0\{,\}\d|\d\{,\}(?:\d{1,2}|\d{4,})(?!\d|\{,\})")
"""0{,}5, as LaTeX has it where the comma is no separator."""
_THREE = re.compile(r"\d\{,\}\d{3}")
"""32{,}768, which may be thousands too."""
_ZERO = re.compile(r"(?<![\d,.])0,\d+")
_NOUGHT = re.compile(r"(?<![\d,.])0,\d{2,}(?![\d,.])")
"""0,000 groups no thousands."""
_POINT = re.compile(r"(?<![\d,.])\d+\.\d+(?![\d,.])")
_GROUP = re.compile(r"(?<![\d,.])[1-9]\d{0,2},\d{3}(?![\d,.]*\d)")
"""7,389, which may be thousands or decimals."""
_FULL = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_DECIMAL = re.compile(
    r"(?:≈\s?[-−]?\d+,\d\d?|[=≈]\s?[-−]?(?:0,[2-9]|\d+,\d[1-9]|\d+,\d{4,}))(?![\d,.]*\d)"
)
"""x = 2,25, which neither groups thousands nor counts, as i = 0,1 and k = 5,10 do."""
_PARTED = re.compile(r"[\[(]\s?-?\d+(?:,\d+)?(?:\s?;\s?-?\d+(?:,\d+)?)+\s?[\])]")
"""Lists such as (3; 4), which leave the comma to decimals."""
_TIGHT = re.compile(r"(?<![\w^])[\[(]\s?-?\d+(?:,-?\d+){2,}\s?[\])]|(?<![\w^])[\[(]\d,\d[\])]")
"""Lists such as [1,0] or (1,2,3), which use the comma between entries."""


def has_decimal_comma(document: Document, read: Reader) -> bool:
    """Whether decimals follow a comma throughout: lists then part their entries otherwise.

    Where commas also stand tight in lists, or are few, the arithmetic decides.
    """
    if any(_BRACED.search(segment.text) for segment in document.segments):
        return True
    prose = [s.seen(masked(s.text)) for s in document.segments if s.kind != "code"]
    if any(_THREE.search(segment.text) for segment in prose):
        by_comma, without = _by_arithmetic(prose, read)
        return by_comma >= without
    commas = sum(_commas(segment.text) for segment in prose)
    points = [point for segment in prose for point in _POINT.findall(segment.text)]
    if not commas or len(points) * 4 >= commas:
        return _are_decimals(document, prose, points, read)
    is_tight = any(_TIGHT.search(segment.text) for segment in prose)
    if (commas > 3 or any(_NOUGHT.search(segment.text) for segment in prose)) and not is_tight:
        return True
    with_comma, without = _by_arithmetic(prose, read)
    is_told = commas > 3 or any(_PARTED.search(segment.text) for segment in prose)
    is_told = is_told or _is_declared(document, prose)
    return with_comma > without or (with_comma == without and is_told and not is_tight)


def _are_decimals(
    document: Document, prose: list[Segment], points: list[str], read: Reader
) -> bool:
    """Whether numbers such as 7,389 have decimals, where hardly any other has.

    They have if an equality holds by that alone, or if the article says so and none speaks against.
    """
    doubtful = sum(len(_GROUP.findall(segment.text)) for segment in prose)
    if sum(not _FULL.fullmatch(point) for point in points) * 4 >= doubtful:
        return False
    with_comma, without = _by_arithmetic(prose, read)
    if with_comma - without >= 2:
        return True
    is_declared = with_comma == without and len(points) * 4 < doubtful
    return is_declared and _is_declared(document, prose)


def _is_declared(document: Document, prose: list[Segment]) -> bool:
    """Whether the language has decimal commas, or a number that can be nothing else."""
    is_seen = any(_DECIMAL.search(segment.text) for segment in prose)
    return is_seen or has_comma_language(document.text)


def _by_arithmetic(prose: list[Segment], read: Reader) -> tuple[int, int]:
    """How many equalities hold with a decimal comma, and how many without."""
    lines = list(_lines(prose))[:MOST_LINES]
    held = [sum(_held(line, comma, read) for line in lines) for comma in (1, 0)]
    return held[0], held[1]


def _commas(text: str) -> int:
    found = sum(1 for m in _COMMA.finditer(text) if len(m[0].partition(",")[2]) != 3)
    return found + len(_ZERO.findall(text))


def _lines(segments: list[Segment]) -> Iterable[Segment]:
    """The lines that hold a comma between digits and a relation."""
    for segment in segments:
        for line in re.finditer(r"[^\n]+", segment.text):
            if re.search(r"\d\{?,\}?\d", line[0]) and re.search(r"[=≈]|approx", line[0]):
                yield segment.cut(line.start(), line.end(), segment.kind)


def _held(line: Segment, comma: int, read: Reader) -> int:
    """How many more of the equalities on a line hold than do not."""
    return sum(
        balance(before, after)
        for chain in read(line, bool(comma))
        for before, after in zip(chain.sides, chain.sides[1:], strict=False)
    )


def balance(before: Node, after: Node) -> int:
    """1 where an equality holds, -1 where it does not, 0 where that is not known."""
    cells = literal(after)
    if not cells or literal(before) or not any(c.figure for row in cells for c in row):
        return 0
    try:
        exact = value(_with_e(before), "exact").rows
    except (Unknown, ValueError):
        return 0
    if (len(exact), len(exact[0])) != (len(cells), len(cells[0])):
        return -1
    pairs = zip(cells, exact, strict=True)
    return 1 if all(_agrees(c, x) for r, s in pairs for c, x in zip(r, s, strict=True)) else -1


def _with_e(node: Node) -> Node:
    """The node with the number e in place of its letter."""
    if isinstance(node, Name) and node.text == "e":
        return Leaf(Grid([[Cell(None, exact=arb(1).exp())]]))
    return rebuilt(node, _with_e)


def _agrees(cell: Cell, exact: object) -> bool:
    return cell.figure is None or cell.figure.is_rounded(exact) or cell.figure.is_cut(exact)  # type: ignore[arg-type]
