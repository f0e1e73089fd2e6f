"""What is reported of an article: the claims, their count, and where they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derive.exact.ball import precision
from derive.verify.article import Article
from derive.verify.causes import SHARED, blame
from derive.verify.closed import Exact, closed, plain
from derive.verify.document import Document
from derive.verify.grids import Cell
from derive.verify.inference import conventions, language
from derive.verify.notation import rewritten, shown
from derive.verify.proof import Proof, proof
from derive.verify.reading import BITS, read
from derive.verify.supposed import Supposed, supposed
from derive.words import words

if TYPE_CHECKING:
    from derive.derivation import Problem

VERDICTS = ("assumed", "correct", "consequence", "propagated", "truncated", "wrong", "unchecked")
PROVED = ("wrong", "truncated")
"""The verdicts on what a page shows the derivation of."""


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
    proof: Proof | None = field(default=None, compare=False, repr=False)
    part: int = field(default=0, compare=False, repr=False)  # numbers printed together share it

    def as_json(self) -> dict[str, Any]:
        """The claim as it stands in the JSON report."""
        cause = {"kind": self.cause[0], "text": told(self.cause)} if self.cause else None
        made = {
            "line": self.line, "column": self.column, "printed": self.printed,
            "quantity": self.quantity, "exact": self.exact, "closed_form": self.closed_form,
            "verdict": self.verdict, "cause": cause, "root": self.root or None,
        }  # fmt: skip
        return made | ({"why": self.why} if self.why else {})


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
        """How many numbers were checked."""
        return len(self.claims) - self.counts["unchecked"]

    def findings(self, strict: bool = False) -> tuple[Finding, ...]:
        """What is wrong in itself, numbers of one root together; with `strict` what is cut too."""
        kinds = ("wrong", "truncated") if strict else ("wrong",)
        groups: dict[object, list[Claim]] = {}
        for claim in self.claims:
            if claim.verdict in kinds:
                groups.setdefault(_root(claim), []).append(claim)
        return tuple(self._finding(tuple(claims)) for claims in groups.values())

    def _finding(self, claims: tuple[Claim, ...]) -> Finding:
        roots = {claim.quantity or claim.printed for claim in claims}
        found = (c for c in self.claims if c.verdict == "consequence" and c.root in roots)
        return Finding(claims, tuple(found))

    @property
    def reasons(self) -> Counter[str]:
        """Why numbers were not checked, and how many."""
        return Counter(c.why for c in self.claims if c.verdict == "unchecked")

    def code(self, strict: bool = False) -> int:
        """0 nothing wrong, 1 something wrong, 3 nothing could be checked."""
        counts = self.counts
        if counts["wrong"] or counts["consequence"] or (strict and counts["truncated"]):
            return 1
        return 3 if self.claims and len(self.claims) == counts["unchecked"] else 0

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
    """What wrong numbers of one root share: a mistake of a rule, wherever it is made, or a matrix."""
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
    """The report on a document, its inputs and conventions fixed by a problem where one is given."""
    article = read(document)
    with precision(BITS):
        blame(article)
        exact, parts = Exact(), {}
        claims = [_claim(cell, document, exact, _part(cell, parts)) for cell in _once(article)]
        beside = tuple(supposed(article, document))
    ordered = tuple(sorted(claims, key=lambda c: (c.line, c.column)))
    return Report(
        document, ordered, conventions(article), language(document), None, beside
    )


def _once(article: Article) -> list[Cell]:
    known: dict[int, Cell] = {}
    for cell in article.state.claims:
        if cell.start >= 0 and cell.figure is not None:
            known[cell.start] = cell
    return list(known.values())


def _part(cell: Cell, known: dict[int, int]) -> int:
    """A number for what is printed at once: all that one expression gives."""
    cell = cell.origin or cell
    return known.setdefault(id(cell.made or cell), len(known))


def _claim(cell: Cell, document: Document, known: Exact, part: int) -> Claim:
    assert cell.figure is not None
    line, column = document.place(cell.start)
    exact = None if cell.exact is None else shown(cell.exact)
    x = closed(known, cell)
    return Claim(
        line, column, cell.figure.text, cell.quantity, exact, cell.verdict, cell.cause, cell.root,
        cell.why, rewritten(cell.figure, cell.exact) if cell.exact is not None else "",
        None if x is None else plain(x),
        proof(known, cell, x) if cell.verdict in PROVED else None, part,
    )  # fmt: skip
