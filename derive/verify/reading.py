"""From a document to the numbers it prints, each with its verdict."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from derive.errors import InputError
from derive.exact.ball import precision
from derive.verify.article import Article
from derive.verify.copies import masked
from derive.verify.document import Document, Segment
from derive.verify.grids import Cell
from derive.verify.layout import laid_out
from derive.verify.nodes import Array, Chain, Name, Negative, Node, Number, literal
from derive.verify.parser import Parser
from derive.verify.roles import ASSUMED, indexed
from derive.verify.tables import Table, tables
from derive.verify.tokens import signs

BITS = 240
NEAR = 60
"""Lists that are rows of one matrix are no further apart."""
MAX_TEXT = 5_000_000
MAX_NUMBERS = 200_000
_DIGIT = re.compile(r"\d")
_OUTPUT = re.compile(r"\b(?:tensor|array)\s*\(\s*\[?\s*$|grad_fn")


def read(document: Document) -> Article:
    """Every chain, list and table of the document, in order."""
    if sum(len(segment.text) for segment in document.segments) > MAX_TEXT:
        raise InputError(
            f"{document.name} is too long to be checked",
            expected=f"at most {MAX_TEXT // 1_000_000} million characters of text",
            hint="check it part by part",
        )
    article = Article()
    comma = has_decimal_comma(document)
    with precision(BITS):
        for segment in document.segments:
            for event in events(segment, comma):
                if len(article.state.claims) > MAX_NUMBERS:
                    raise InputError(
                        f"{document.name} prints too many numbers to be checked",
                        expected=f"at most {MAX_NUMBERS}",
                        hint="check it part by part",
                    )
                _one(article, event, document)
    return article


def _one(article: Article, event: Chain, document: Document) -> None:
    before = document.text[max(0, event.start - 120) : event.start]
    sentence = re.split(r"[.。!?！？\n]\s", before)[-1]
    article.state.assumes = bool(ASSUMED.search(sentence))
    article.state.is_output = len(event.sides) == 1
    article.read(event)


def events(segment: Segment, comma: bool) -> list[Chain]:
    """The chains of a segment; tables and rows below each other as matrices."""
    text = masked(segment.text) if segment.kind == "prose" else segment.text
    found = tables(text, segment.kind, comma)
    for table in found:
        text = text[: table.start] + _blank(text[table.start : table.end]) + text[table.end :]
    parser = Parser(
        text, laid_out(signs(text, segment.kind, comma), segment.kind), _mapped(segment), comma
    )
    chains = list(grouped(list(parser.chains())))
    made = [chain for table in found for chain in tabled(table, segment)]
    return sorted((*chains, *made), key=lambda chain: chain.start)


def _mapped(segment: Segment) -> Callable[[int], int]:
    offsets = segment.offsets
    count = len(offsets)
    return lambda place: offsets[place] if place < count else (offsets[-1] + 1 if count else 0)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def tabled(table: Table, segment: Segment) -> Iterator[Chain]:
    """A table as a matrix, as vectors that stand in columns, or as blocks of columns."""
    rows = [[Number(Cell(e.figure, segment.offsets[e.start])) for e in row] for row in table.rows]
    heads = [head for head in table.heads if head]
    start = segment.offsets[table.start]
    if len(heads) == len(rows[0]) and all(map(indexed, heads)):
        for head, column in zip(heads, zip(*rows, strict=True), strict=True):
            yield Chain((Name(head), Array(tuple(column))), start)
        return
    yield Chain((_matrix(rows),), start)


def _matrix(rows: list[list[Number]]) -> Node:
    return Array(tuple(Array(tuple(row)) for row in rows), "table")


def grouped(chains: list[Chain]) -> Iterator[Chain]:
    """Lists of one length, each on a line of its own, as one matrix."""
    block: list[Chain] = []
    between: list[Chain] = []
    for chain in chains:
        if block and _is_word(chain):
            between.append(chain)
            continue
        if not (block and _is_row(chain) and _follows(block[-1], chain)):
            yield from (*_merged(block), *between)
            block, between = [], []
        if _is_row(chain):
            block.append(chain)
        else:
            yield chain
    yield from (*_merged(block), *between)


def _is_word(chain: Chain) -> bool:
    """A word or a counting number, which may stand before each of the lists."""
    (side,) = chain.sides if len(chain.sides) == 1 else (None,)
    if isinstance(side, Negative):
        side = side.inner
    is_count = isinstance(side, Number) and bool(side.cell.figure and side.cell.figure.is_whole)
    return isinstance(side, Name) or is_count


def _is_row(chain: Chain) -> bool:
    side = chain.sides[-1]
    if len(chain.sides) > 1 or not isinstance(side, Array) or side.maker != "[":
        return False
    rows = literal(side)
    return rows is not None and len(rows) == 1


def _follows(before: Chain, chain: Chain) -> bool:
    first, second = literal(before.sides[0]), literal(chain.sides[0])
    if not first or not second or len(first[0]) != len(second[0]):
        return False
    return 0 < chain.start - first[0][-1].start < NEAR


def _merged(block: list[Chain]) -> Iterator[Chain]:
    if len(block) > 1:
        yield Chain((Array(tuple(chain.sides[0] for chain in block), "rows"),), block[0].start)
    else:
        yield from block


_COMMA = re.compile(r"(?<![\d,.])\d+,\d+(?![\d,.])")
_POINT = re.compile(r"(?<![\d,.])\d+\.\d+(?![\d,.])")


def has_decimal_comma(document: Document) -> bool:
    """Whether decimals follow a comma throughout: lists then part their entries otherwise."""
    commas = points = 0
    for segment in document.segments:
        if segment.kind == "code":
            continue
        commas += sum(1 for m in _COMMA.finditer(segment.text) if len(m[0].partition(",")[2]) != 3)
        commas += len(re.findall(r"(?<![\d,.])0,\d+", segment.text))
        points += len(_POINT.findall(segment.text))
    return commas > 3 and points * 4 < commas and not _has_tight_lists(document)


def _has_tight_lists(document: Document) -> bool:
    """Lists such as [1,0] or (1,2,3), which use the comma between entries."""
    tight = re.compile(r"[\[(]\d+(?:,\d+){2,}[\])]|[\[(]\d,\d[\])]")
    return any(tight.search(segment.text) for segment in document.segments)
