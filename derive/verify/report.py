"""What is reported of an article: the claims, their count, and where they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derive.exact.ball import precision
from derive.verify.article import Article
from derive.verify.blame import blame
from derive.verify.causes import SHARED
from derive.verify.documents.document import Document, too_deep
from derive.verify.grammar.figures import Figure
from derive.verify.grammar.grids import Cell
from derive.verify.grammar.notation import rewritten, shown
from derive.verify.inference import conventions, language
from derive.verify.known.fixed import Fixed
from derive.verify.proof import Proof, proof
from derive.verify.reading import BITS, read
from derive.verify.supposed import Supposed, supposed
from derive.verify.torn import TORN, withdraw
from derive.verify.values.closed import Exact, Numerals, Written, closed, plain
from derive.verify.values.work import many_objects
from derive.words import words

if TYPE_CHECKING:
    from derive.derivation import Problem
    from derive.exact import Scalar

VERDICTS = ("assumed", "correct", "consequence", "propagated", "truncated", "wrong", "unchecked")
PROVED = ("wrong", "truncated")
"""The verdicts on what a page shows the derivation of."""
FOLLOWING = ("consequence", "propagated")
MOST_PROOFS = 3
"""So many numbers are proved of what is printed at once."""


@dataclass(frozen=True)
class Claim:
    """One printed number, with its place, its exact digits and the verdict."""

    line: int
    column: int
    printed: str
    quantity: str
    exact: str | None
    verdict: str
    cause: tuple[str, tuple[str, ...]] | None = None
    root: str = ""
    why: str = ""
    right: str = ""  # what should be printed instead
    closed_form: str | None = None
    at: str = ""  # the place in words, where lines do not tell it: Sheet1!B3, page 2
    proof: Proof | None = field(default=None, compare=False, repr=False)
    part: int = field(default=0, compare=False, repr=False)  # numbers printed together share it
    own: str = field(default="", compare=False, repr=False)  # the author's name of the matrix

    @property
    def name(self) -> str:
        """The quantity, by the author's name of it."""
        base, bracket, places = self.quantity.partition("[")
        return f"{self.own or base}{bracket}{places}"

    def as_json(self) -> dict[str, Any]:
        """The claim as it stands in the JSON report."""
        cause = {"kind": self.cause[0], "text": told(self.cause)} if self.cause else None
        made = {
            "line": self.line, "column": self.column, "printed": self.printed,
            "quantity": self.quantity, "exact": self.exact, "closed_form": self.closed_form,
            "verdict": self.verdict, "cause": cause, "root": self.root or None,
        }  # fmt: skip
        more = {"at": self.at, "why": self.why}
        return made | {key: value for key, value in more.items() if value}


@dataclass(frozen=True)
class Finding:
    """Wrong numbers of one root, and the numbers that follow from them."""

    claims: tuple[Claim, ...]
    follows: tuple[Claim, ...]


@dataclass(frozen=True)
class Report:
    """The verdicts on an article."""

    document: Document
    claims: tuple[Claim, ...]
    conventions: Mapping[str, str | None]
    language: str = ""
    problem: Mapping[str, Any] | None = None
    supposed: tuple[Supposed, ...] = ()

    @cached_property
    def counts(self) -> Counter[str]:
        """How many numbers have each verdict."""
        return Counter(claim.verdict for claim in self.claims)

    @property
    def checked(self) -> int:
        """How many numbers were checked; what is assumed was not."""
        return len(self.claims) - self.counts["unchecked"] - self.counts["assumed"]

    def findings(self, strict: bool = False) -> tuple[Finding, ...]:
        """What is wrong in itself, numbers of one root together; with `strict` what is cut too.

        Last what follows from a wrong number that is not among them, such as one that is not read.
        """
        kinds = ("wrong", "truncated") if strict else ("wrong",)
        groups: dict[object, list[Claim]] = {}
        follow: dict[str, list[Claim]] = {}
        for claim in self.claims:
            if claim.verdict in kinds:
                groups.setdefault(_root(claim), []).append(claim)
            elif claim.verdict == "consequence":
                follow.setdefault(claim.root, []).append(claim)
        made = []
        for claims in groups.values():
            roots = dict.fromkeys(claim.quantity or claim.printed for claim in claims)
            after = sorted(
                (c for root in roots for c in follow.pop(root, ())),
                key=lambda c: (c.line, c.column),
            )
            made.append(Finding(tuple(claims), tuple(after)))
        return (*made, *(Finding(tuple(claims), ()) for claims in follow.values()))

    @property
    def reasons(self) -> Counter[str]:
        """Why numbers were not checked, and how many."""
        return Counter(c.why for c in self.claims if c.verdict == "unchecked")

    def code(self, strict: bool = False) -> int:
        """0 nothing wrong, 1 something wrong, 3 nothing could be checked."""
        counts = self.counts
        if counts["wrong"] or counts["consequence"] or (strict and counts["truncated"]):
            return 1
        return 3 if self.is_unchecked else 0

    @property
    def is_unchecked(self) -> bool:
        """Whether nothing is checked: all is assumed, or has no statement."""
        return not self.checked

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "file": self.document.name,
            "language": self.language,
            "problem": self.problem,
            "conventions": dict(self.conventions),
            "claims": [claim.as_json() for claim in self.claims],
            "coverage": coverage(self),
            "summary": {verdict: self.counts[verdict] for verdict in VERDICTS},
        }


def _root(claim: Claim) -> object:
    """What wrong numbers of one root share: a mistake of a rule, or a matrix."""
    if claim.cause and claim.cause[0] in SHARED:
        return claim.cause
    base = claim.quantity.partition("[")[0]
    return (base, claim.cause) if base else claim.part


def coverage(report: Report) -> dict[str, Any]:
    """How many numbers there are, how many were checked, and why others were not."""
    return {
        "numbers": len(report.claims),
        "checked": report.checked,
        "why": dict(report.reasons),
    }


def told(cause: tuple[str, tuple[str, ...]], lang: str = "en") -> str:
    """A cause in words."""
    kind, values = cause
    text: str = words(lang)["verify"][kind]
    return text.format(*values)


def verified(document: Document, problem: Problem | None = None) -> Report:
    """The report on a document; a problem fixes its inputs and conventions.

    InputError where it is too much.
    """
    try:
        return _verified(document, problem)
    except (MemoryError, RecursionError):
        raise too_deep(document.name) from None


def _verified(document: Document, problem: Problem | None) -> Report:
    fixed = None if problem is None else Fixed.by(problem)
    with many_objects():
        article = read(document, fixed)
    with precision(BITS):
        if document.name.lower().endswith(TORN):
            withdraw(article.state.claims)
        blame(article)
        teller = _Teller(document)
        cells = _once(article)
        teller.note(cells)
        claims = [teller.claim(cell) for cell in cells]
        beside = tuple(supposed(article, document))
    ordered = tuple(sorted(claims, key=lambda c: (c.line, c.column)))
    found = conventions(article) if fixed is None else fixed.conventions()
    told = None if fixed is None else fixed.as_json()
    return Report(document, ordered, found, language(document), told, beside)


def _once(article: Article) -> list[Cell]:
    known: dict[int, Cell] = {}
    for cell in article.state.claims:
        if cell.start >= 0 and cell.figure is not None:
            known[cell.start] = cell
    return list(known.values())


def _is_nought(cell: Cell, x: Scalar | None) -> bool:
    """Whether a number is proved to be 0, by its ball or by its closed form."""
    is_exact = cell.exact is not None and cell.exact.is_exact()
    return is_exact or (x is not None and x.is_zero is True)


class _Teller:
    """Tells the claims of one document."""

    def __init__(self, document: Document) -> None:
        self.document, self.exact, self.parts = document, Exact(), dict[int, int]()
        self.terms = Written(self.exact), Numerals(self.exact)
        self.proved = Counter[int]()
        self.finest: dict[int, Figure] = {}

    def note(self, cells: list[Cell]) -> None:
        """Keeps the number with the most places of each that are printed at once."""
        for cell in cells:
            if cell.figure is not None:
                known = self.finest.setdefault(self.part(cell), cell.figure)
                if cell.figure.unit < known.unit:
                    self.finest[self.part(cell)] = cell.figure

    def part(self, cell: Cell) -> int:
        """A number for what is printed at once: all that one expression gives."""
        cell = cell.origin or cell
        return self.parts.setdefault(id(cell.made or cell), len(self.parts))

    def claim(self, cell: Cell) -> Claim:
        """What is reported of a number."""
        assert cell.figure is not None
        line, column = self.document.place(cell.start)
        x, part = closed(self.exact, cell), self.part(cell)
        exact = None if cell.exact is None else shown(cell.exact)
        if exact == "0" and not _is_nought(cell, x):
            exact = None
        return Claim(
            line, column, cell.figure.text, cell.quantity, exact, cell.verdict, cell.cause,
            cell.root, cell.why, self.right(cell),
            None if x is None else plain(x), self.document.where(cell.start),
            self.proof(cell, x, part), part, (cell.origin or cell).own,
        )  # fmt: skip

    def right(self, cell: Cell) -> str:
        """What should be printed in place of what is not the exact value, rounded."""
        if cell.figure is None or cell.exact is None or cell.verdict not in (*PROVED, *FOLLOWING):
            return ""
        made = rewritten(cell.figure, cell.exact)
        fine = self.finest.get(self.part(cell), cell.figure)
        # A whole number among decimals that is not even rounded gets the places of the others.
        return made if made != cell.figure.text else rewritten(fine, cell.exact)

    def proof(self, cell: Cell, x: Any, part: int) -> Proof | None:
        """The derivation of a finding, of the first of those that are printed at once."""
        if cell.verdict not in PROVED or self.proved[part] >= MOST_PROOFS:
            return None
        self.proved[part] += 1
        return proof(self.terms, cell, x)
