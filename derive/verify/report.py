"""What is reported of an article: the claims, their count, and where they stand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from derive.exact.ball import endpoints, precision
from derive.verify.article import Article
from derive.verify.causes import blame
from derive.verify.document import Document
from derive.verify.figures import Figure, enclosed
from derive.verify.grids import Cell
from derive.verify.inference import conventions, language
from derive.verify.reading import BITS, read
from derive.words import words

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
    cause: tuple[str, tuple[str, ...]] | None = None
    root: str = ""
    why: str = ""
    right: str = ""  # what should be printed instead

    def as_json(self) -> dict[str, Any]:
        """The claim as it stands in the JSON report."""
        cause = _told(self.cause) if self.cause else None
        made = {
            "line": self.line, "column": self.column, "printed": self.printed,
            "quantity": self.quantity, "exact": self.exact, "closed_form": None,
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
    conventions: dict[str, str | None]

    @property
    def counts(self) -> Counter[str]:
        """How many numbers have each verdict."""
        return Counter(claim.verdict for claim in self.claims)

    def findings(self, strict: bool = False) -> tuple[Finding, ...]:
        """What is wrong in itself, numbers of one root together; with `strict` what is cut too."""
        kinds = ("wrong", "truncated") if strict else ("wrong",)
        groups: dict[object, list[Claim]] = {}
        for place, claim in enumerate(self.claims):
            if claim.verdict in kinds:
                base = claim.quantity.partition("[")[0]
                key = (base, claim.cause) if claim.cause or base else place
                groups.setdefault(key, []).append(claim)
        return tuple(self._finding(tuple(claims)) for claims in groups.values())

    def _finding(self, claims: tuple[Claim, ...]) -> Finding:
        roots = {claim.quantity for claim in claims if claim.quantity}
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
        counts = self.counts
        checked = len(self.claims) - counts["unchecked"]
        return {
            "file": self.document.name,
            "language": language(self.document),
            "problem": None,
            "conventions": self.conventions,
            "claims": [claim.as_json() for claim in self.claims],
            "coverage": {
                "numbers": len(self.claims),
                "checked": checked,
                "why": dict(self.reasons),
            },
            "summary": {verdict: counts[verdict] for verdict in VERDICTS},
        }


def verified(document: Document) -> Report:
    """The report on a document."""
    article = read(document)
    with precision(BITS):
        blame(article)
        claims = [_claim(cell, document) for cell in _once(article)]
    ordered = tuple(sorted(claims, key=lambda c: (c.line, c.column)))
    return Report(document, ordered, conventions(article))


def _once(article: Article) -> list[Cell]:
    known: dict[int, Cell] = {}
    for cell in article.state.claims:
        if cell.start >= 0 and cell.figure is not None:
            known[cell.start] = cell
    return list(known.values())


def _claim(cell: Cell, document: Document) -> Claim:
    assert cell.figure is not None
    line, column = document.place(cell.start)
    exact = None if cell.exact is None else shown(cell.exact)
    return Claim(
        line, column, cell.figure.text, cell.quantity, exact, cell.verdict, cell.cause, cell.root,
        cell.why, corrected(cell.figure, cell.exact) if cell.exact is not None else "",
    )  # fmt: skip


def _told(cause: tuple[str, tuple[str, ...]]) -> dict[str, str]:
    kind, values = cause
    return {"kind": kind, "text": words("en")["verify"][kind].format(*values)}


def corrected(figure: Figure, exact: arb) -> str:
    """The exact value rounded to the places that are printed, in the same notation."""
    if not exact.is_finite() or "e" in figure.text.lower():
        return ""
    scaled = exact / enclosed(figure.unit)
    whole = (abs(scaled) + arb("0.5")).floor().unique_fmpz()
    if whole is None:
        return ""
    places = len(str(figure.unit.denominator)) - 1 - 2 * ("%" in figure.text)
    digits = str(int(whole)).rjust(max(places, 0) + 1, "0")
    if places > 0:
        digits = f"{digits[:-places]}.{digits[-places:]}"
    comma = "," in figure.text and "." not in figure.text
    sign = "-" if scaled < 0 and int(whole) else ""
    return (
        sign + (digits.replace(".", ",") if comma else digits) + ("%" if "%" in figure.text else "")
    )


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
