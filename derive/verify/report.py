"""What is reported of an article: the claims, their count, and where they stand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from derive.exact.ball import endpoints, precision
from derive.verify.article import Article
from derive.verify.document import Document
from derive.verify.grids import Cell
from derive.verify.reading import BITS, read

VERDICTS = ("assumed", "correct", "consequence", "propagated", "truncated", "wrong", "unchecked")
DIGITS = 15


@dataclass(frozen=True)
class Claim:
    """One printed number, with its place, its exact digits and the verdict."""

    line: int
    column: int
    printed: str
    quantity: str
    exact: str | None
    verdict: str
    cause: tuple[str, str] | None = None
    root: str = ""
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """The claim as it stands in the JSON report."""
        cause = {"kind": self.cause[0], "text": self.cause[1]} if self.cause else None
        made = {
            "line": self.line, "column": self.column, "printed": self.printed,
            "quantity": self.quantity, "exact": self.exact, "closed_form": None,
            "verdict": self.verdict, "cause": cause, "root": self.root or None,
        }  # fmt: skip
        return made | ({"why": self.why} if self.why else {})


@dataclass(frozen=True)
class Report:
    """The verdicts on an article."""

    document: Document
    claims: tuple[Claim, ...]

    @property
    def counts(self) -> Counter[str]:
        """How many numbers have each verdict."""
        return Counter(claim.verdict for claim in self.claims)

    @property
    def findings(self) -> tuple[Claim, ...]:
        """What is wrong in itself."""
        return tuple(claim for claim in self.claims if claim.verdict == "wrong")

    @property
    def code(self) -> int:
        """0 nothing wrong, 1 something wrong, 3 nothing could be checked."""
        counts = self.counts
        if counts["wrong"] or counts["consequence"]:
            return 1
        return 3 if self.claims and len(self.claims) == counts["unchecked"] else 0

    def as_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        counts = self.counts
        checked = len(self.claims) - counts["unchecked"]
        return {
            "file": self.document.name,
            "language": "",
            "problem": None,
            "conventions": {},
            "claims": [claim.as_json() for claim in self.claims],
            "coverage": {"numbers": len(self.claims), "checked": checked},
            "summary": {verdict: counts[verdict] for verdict in VERDICTS},
        }


def verified(document: Document) -> Report:
    """The report on a document."""
    article = read(document)
    with precision(BITS):
        claims = [_claim(cell, document) for cell in _once(article)]
    return Report(document, tuple(sorted(claims, key=lambda c: (c.line, c.column))))


def _once(article: Article) -> list[Cell]:
    known: dict[int, Cell] = {}
    for cell in article.claims:
        if cell.start >= 0 and cell.figure is not None:
            known[cell.start] = cell
    return list(known.values())


def _claim(cell: Cell, document: Document) -> Claim:
    assert cell.figure is not None
    line, column = document.place(cell.start)
    exact = None if cell.exact is None else shown(cell.exact)
    return Claim(
        line, column, cell.figure.text, cell.quantity, exact, cell.verdict, cell.cause, cell.root,
        cell.why,
    )  # fmt: skip


def shown(x: arb) -> str | None:
    """15 significant digits, cut; followed by … where more follow."""
    ends = endpoints(x)
    if ends is None:
        return None
    low, high = (Fraction(m) * Fraction(2) ** e for m, e in ends)
    middle = (low + high) / 2
    if low <= 0 <= high:
        return "0"
    size = _magnitude(abs(middle))
    if size < -300 or size > 300:
        return None
    step = Fraction(10) ** (size - DIGITS + 1)
    near = round(middle / (step / 10**20)) * (step / 10**20)
    is_short = near / step == int(near / step) and low <= near <= high
    cut = int((near if is_short else middle) / step) * step
    return _decimal(cut, size) + ("" if is_short else "…")


def _magnitude(x: Fraction) -> int:
    size = len(str(x.numerator)) - len(str(x.denominator))
    return size if x >= Fraction(10) ** size else size - 1


def _decimal(x: Fraction, size: int) -> str:
    places = max(0, DIGITS - 1 - size)
    whole = abs(x) * 10**places
    text = str(int(whole)).rjust(places + 1, "0")
    digits = f"{text[:-places]}.{text[-places:]}".rstrip("0").rstrip(".") if places else text
    return ("-" if x < 0 else "") + digits
