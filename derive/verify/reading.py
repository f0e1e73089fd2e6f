"""From a document to the numbers it prints, each with its verdict."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, replace
from itertools import groupby

from derive.errors import InputError
from derive.exact.ball import precision
from derive.verify.ahead import foretold
from derive.verify.announced import hushed, near_numbers
from derive.verify.article import Article
from derive.verify.batches import batched
from derive.verify.context import BEFORE, is_marker, with_text
from derive.verify.documents import commas
from derive.verify.documents.copies import masked
from derive.verify.documents.document import MAX_NUMBERS, Document, Segment, too_many
from derive.verify.documents.drawn import redrawn
from derive.verify.documents.points import has_grouped, regrouped
from derive.verify.documents.unclaimed import unclaimed
from derive.verify.documents.worded import unworded
from derive.verify.grammar.layout import laid_out
from derive.verify.grammar.nodes import Chain
from derive.verify.grammar.parser import Parser, led
from derive.verify.grammar.tokens import plain, signs
from derive.verify.grammar.units import unitless
from derive.verify.known import affine, biasing, gelus, scaling
from derive.verify.known.bound import Bound
from derive.verify.known.fixed import Fixed
from derive.verify.known.masking import is_forgotten
from derive.verify.matrices.layouts import binding
from derive.verify.matrices.sides import led_on
from derive.verify.program import (
    ENDINGS,
    Scope,
    has_prompts,
    has_samples,
    is_numpy,
    is_program,
    is_torch,
    is_understood,
    language_of,
    paired,
    statements,
    uncommented,
    unwrapped,
)
from derive.verify.speech.declared import declared
from derive.verify.speech.measures import NORMED, SAMPLE
from derive.verify.speech.roles import is_assumed
from derive.verify.tables.abreast import abreast
from derive.verify.tables.below import below
from derive.verify.tables.boxes import boxes
from derive.verify.tables.cells import columns
from derive.verify.tables.grouped import grouped
from derive.verify.tables.labelled import labelled
from derive.verify.tables.listed import listed
from derive.verify.tables.printed import side_by_side, tabled
from derive.verify.tables.ragged import ragged
from derive.verify.tables.removed import BREAK, disjoint, without
from derive.verify.tables.ruled import ruled
from derive.verify.tables.running import running
from derive.verify.tables.sizes import sized
from derive.verify.tables.tables import tables

BITS = 240
MAX_TEXT = 1_000_000
_COMMENT = re.compile(r"^[ \t]*#[#>]?(?=[ \t]+(?:\w+\()?\[)", re.M)
"""What stands before a printout that is kept as a comment."""
_SIGNED = re.compile(r"(?<=[^\W\d] )[ ](?=[ ]*-\d)|(?<=[^\W\d])[ ](?=-\d)")
"""Between a word that a program prints and a negative number."""
_APART = re.compile(r"(?<=[\w)\]%])[ ](?=[ ]+[-−][A-Za-z√][^\n$\\]*=)")
"""Between two equations of a line, the second of which begins with a minus."""
MAX_FORMULAS = 20_000
_RELATION = re.compile(r"=+|≈|\\approx")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


def read(document: Document, fixed: Fixed | None = None) -> Article:
    """Every chain, list and table of the document, in order; fixed: the problem that it works."""
    if sum(len(segment.text) for segment in document.segments) > MAX_TEXT:
        raise InputError(
            f"{document.name} is too long to be checked",
            expected=f"at most {MAX_TEXT:,} characters of text",
            hint="check it part by part",
        )
    if sum(len(_NUMBER.findall(segment.text)) for segment in document.segments) > 3 * MAX_NUMBERS:
        raise too_many(document.name)
    if sum(len(_RELATION.findall(segment.text)) for segment in document.segments) > MAX_FORMULAS:
        raise InputError(
            f"{document.name} holds too many formulas to be checked",
            expected=f"at most {MAX_FORMULAS:,} relations",
            hint="check it part by part",
        )
    article = _read(document, fixed)
    if document.chains:
        return article
    state = article.state
    bound = Bound(
        is_forgotten(state),
        binding(state, article.names),
        scaling.is_left_out(state),
        biasing.is_left_out(state),
        gelus.binding(state.claims, gelus.is_open(document.text)),
        affine.is_left_out(state.claims, state.pool),
    )
    return _read(document, fixed, bound) if any(astuple(bound)) else article


def _read(document: Document, fixed: Fixed | None, bound: Bound | None = None) -> Article:
    article = Article(declared(document.text), unclaimed(document.text))
    if bound is not None:
        bound.bind(article.state.pool)
    article.state.is_sample = bool(SAMPLE.search(document.text)) or has_samples(document.text)
    article.state.pool.is_sampled = article.state.is_sample
    article.state.is_numpy = is_numpy(document.text) and not SAMPLE.search(document.text)
    article.state.is_normed = bool(NORMED.search(document.text))
    if fixed is not None:
        article.state.fix(fixed)
    with precision(BITS):
        told = list(running(sized(chains(document)), lambda c: document.place(c.start)[0]))
        found = foretold(told, document.text, article.names.resolved)
        for event in batched(found, article.printouts):
            if len(article.state.claims) > MAX_NUMBERS:
                raise too_many(document.name)
            for chain in article.chains(event):
                for part in led_on(chain):
                    _one(article, part)
        article.finish()
    return article


def _one(article: Article, event: Chain) -> None:
    before, behind = event.said
    sentence = re.split(r"[.。!?！？\n]\s", before)[-1]
    article.state.assumes = is_assumed(sentence)
    article.state.is_output = len(event.sides) == 1
    article.state.words, article.state.behind = before, behind
    article.state.tail = event.tail
    after = re.split(r"[,;:.。，、；：!?！？\n]\s", behind)[0]
    article.state.sentence = f"{sentence} {after}" if article.state.is_output else sentence
    article.read(event)


def chains(document: Document) -> Iterator[Chain]:
    """The chains of a document, in order."""
    comma = has_decimal_comma(document)
    with precision(BITS):
        yield from document.chains
        is_grouped = has_grouped(document)
        ending = document.name.rpartition(".")[2].lower()
        scope = Scope(language_of(document.text, ending) if ending in ENDINGS else "")
        scope.is_program, scope.is_torch = bool(scope.language), is_torch(document.text)
        last = ""
        for segment in document.segments:
            is_code = segment.kind == "code"
            found = programmed(segment, scope, comma) if is_code else events(segment, comma)
            for chain in found:
                before, behind = chain.said
                made = replace(chain, said=((last + before)[-BEFORE:], behind))
                yield regrouped(made) if is_grouped else made
            last = (last + segment.text)[-BEFORE:] + "\n"


def programmed(segment: Segment, scope: Scope, comma: bool) -> Iterator[Chain]:
    """The chains of a program or of what it prints."""
    scope.is_program |= is_program(segment.text)
    scope.language = scope.language or language_of(segment.text)
    is_run = scope.is_program and not segment.is_output
    found = statements(segment.text, scope) if is_run else []
    seen = uncommented(segment.text, scope.language) if found else segment.text
    text = list(_COMMENT.sub(lambda m: " " * len(m[0]), seen))
    for statement in filter(is_understood, found):
        for place in range(statement.start, statement.end):
            text[place] = text[place] if text[place] == "\n" else " "
        text[statement.start] = BREAK
    uses = segment.uses or segment.offsets
    places = [(uses[made.start], uses[max(made.start, made.end - 1)]) for made in found]
    is_comma = comma and not scope.is_program
    read_ = events(segment.seen("".join(text)), is_comma)
    is_output = segment.is_output or has_prompts(segment.text) or (scope.is_program and not found)
    if not (scope.is_program or is_output):
        read_ = below(read_, [uses[p] for p, c in enumerate(segment.text) if c == "\n"])
    yield from paired(read_, found, places, scope, is_output)


def events(segment: Segment, comma: bool) -> list[Chain]:
    """The chains of a segment; tables and rows below each other as matrices."""
    segment = redrawn(unworded(segment))
    text = masked(segment.text) if segment.kind == "prose" else unwrapped(segment.text)
    text = unitless(ruled(plain(text)))
    text = hushed(text) if segment.kind == "prose" else text
    framed = disjoint(boxes(text, comma))
    text = without(text, framed)
    beside = disjoint(columns(text, comma)) if segment.kind == "prose" else []
    text = without(text, beside)
    found = disjoint(tables(text, segment.kind, comma))
    text = without(text, found)
    text = _APART.sub(BREAK, _SIGNED.sub(BREAK, text) if segment.is_output else text)
    parser = Parser(
        text,
        laid_out(signs(text, segment.kind, comma), segment.kind),
        _mapped(segment.offsets),
        comma,
        _mapped(segment.uses or segment.offsets),
    )
    uses = segment.uses or segment.offsets
    breaks = [uses[place] for place, letter in enumerate(text) if letter == "\n"]
    parts = apart(list(parser.chains()), [uses[p] for p, c in enumerate(text) if c == BREAK])
    chains = [c for part in parts for found in ordered(part, breaks) for c in led(found)]
    made = [chain for table in found for chain in tabled(table, segment)]
    made += [chain for lists in (*framed, *beside) for chain in side_by_side(lists, segment)]
    found_chains = sorted((*chains, *made), key=lambda chain: chain.start)
    kept = near_numbers(found_chains, segment.offsets[-1] if segment.offsets else 0)
    return [with_text(chain, segment) for chain in kept if not is_marker(chain, segment, text)]


def apart(chains: list[Chain], breaks: Sequence[int]) -> Iterator[list[Chain]]:
    """The chains between tables, and between the lines of a program."""
    for _, part in groupby(chains, lambda chain: bisect_left(breaks, chain.start)):
        yield list(part)


def ordered(chains: list[Chain], breaks: Sequence[int]) -> Iterator[Chain]:
    """The chains with the rows of a matrix put together, however they stand; breaks: line ends."""
    rows = labelled(abreast(list(ragged(chains, breaks)), breaks), breaks)
    yield from grouped(listed(rows, breaks))


def _mapped(offsets: Sequence[int]) -> Callable[[int], int]:
    count = len(offsets)
    return lambda place: offsets[place] if place < count else (offsets[-1] + 1 if count else 0)


def has_decimal_comma(document: Document) -> bool:
    """Whether decimals follow a comma throughout the document."""
    return commas.has_decimal_comma(document, events)
