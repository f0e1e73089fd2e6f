"""The verdicts on articles as a page: findings first, then the count of each verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from derive.render.blocks import Heading, Inline, Page, Table, Text
from derive.verify.report import VERDICTS, Report
from derive.views.findings import Findings
from derive.views.sentences import sentence
from derive.words import phrase


def verdicts_page(
    report: Report, lang: str, *, everything: bool = False, strict: bool = False
) -> Page:
    """What is wrong, with its proof, its cause and what follows from it; then what was checked.

    everything: every number in a table; strict: truncated numbers are findings too.
    """
    view = _View(lang, strict, everything)
    title = view.plain("title", report.document.name)
    return Page(title, lang, (Heading(title, 1), *view.article(report, 2)))


def many_verdicts_page(
    reports: Sequence[Report],
    unread: Sequence[tuple[str, str]],
    lang: str,
    *,
    everything: bool = False,
    strict: bool = False,
) -> Page:
    """The same of several articles, with a table of all of them; unread: (name, why)."""
    view = _View(lang, strict, everything)
    title = view.plain("title many", len(reports) + len(unread))
    blocks: list[Any] = [Heading(title, 1)]
    for report in reports:
        if everything or view.is_telling(report):
            blocks += [Heading(report.document.name, 2), *view.told(report, 3)]
    return Page(title, lang, (*blocks, *view.all_of_them(reports, unread)))


COLUMNS = ("wrong", "consequence", "truncated", "propagated", "correct")
"""The verdicts in the table of many articles, the worst first."""
WIDEST = 27
"""Characters of a name in it."""


class _View:
    def __init__(self, lang: str, strict: bool, everything: bool) -> None:
        self.lang, self.strict, self.everything = lang, strict, everything

    def say(self, key: str, *values: Any) -> Inline:
        return sentence("verify", key, self.lang, *map(str, values))

    def plain(self, key: str, *values: Any) -> str:
        return str(self.say(key, *values))

    def is_telling(self, report: Report) -> bool:
        return bool(report.findings(self.strict) or report.supposed)

    def article(self, report: Report, level: int) -> Iterator[Any]:
        """All of one article."""
        if not report.findings(self.strict):
            yield Text(self.say(_without_findings(report)))
        yield from self.told(report, level)
        yield from self.summary(report)

    def told(self, report: Report, level: int) -> Iterator[Any]:
        """What is found, what is only assumed, and where it is asked for every number."""
        yield from Findings(report, self.lang).blocks(self.strict, level)
        if report.supposed:
            yield Heading(self.plain("supposed heading"), level)
        for found in report.supposed:
            given = [found.line, _listed(found.printed), _listed(found.true), _listed(found.of)]
            yield Text(self.say("supposed of" if found.of else "supposed", *given))
        if self.everything:
            yield self.table(report)

    def summary(self, report: Report) -> Iterator[Any]:
        counts = report.counts
        rows = tuple((self.verdict(v), str(counts[v])) for v in VERDICTS if counts[v])
        if rows:
            yield Table((self.say("verdict"), self.say("numbers")), rows, (1,))
        if report.claims and not (report.document.blank and report.is_unchecked):
            given = counts["assumed"]
            key = "coverage given" if given else "coverage"
            yield Text(self.say(key, report.checked, len(report.claims), given))
        if report.document.blank:
            yield Text(self.say("no values", report.document.blank))
        if reasons := report.reasons:
            each = (self.plain("so many", count, self.plain(why)) for why, count in reasons.items())
            told = phrase("comma", self.lang).join(each)
            yield Text(self.say("unchecked", told))

    def verdict(self, name: str) -> Inline:
        return self.say("not checked" if name == "unchecked" else name)

    def table(self, report: Report) -> Table:
        keys = ("line", "printed", "quantity", "exact", "verdict")
        rows = tuple(
            (str(c.line), c.printed, c.quantity, c.exact or "", self.verdict(c.verdict))
            for c in report.claims
        )
        return Table(tuple(self.say(key) for key in keys), rows, (0,))

    def all_of_them(
        self, reports: Sequence[Report], unread: Sequence[tuple[str, str]]
    ) -> Iterator[Any]:
        """A line for each article, with the verdicts that there are, and the sum of all."""
        kinds = [v for v in COLUMNS if any(r.counts[v] for r in reports)]
        head = (self.say("file"), *(self.say(f"short {v}") for v in kinds), self.say("checked"))
        rows: list[tuple[Inline, ...]] = [
            (
                _short(r.document.name),
                *(str(r.counts[v] or "") for v in kinds),
                f"{r.checked}/{len(r.claims)}",
            )
            for r in reports
        ]
        sums = (str(sum(r.counts[v] for r in reports)) for v in kinds)
        both = sum(r.checked for r in reports), sum(len(r.claims) for r in reports)
        rows.append((self.say("total"), *sums, f"{both[0]}/{both[1]}"))
        yield Table(head, tuple(rows), tuple(range(1, len(kinds) + 2)))
        yield from (Text(self.say("not read", name, why)) for name, why in unread)


def _without_findings(report: Report) -> str:
    """What is said of an article in which nothing is found: it may print no number at all."""
    if not report.claims and not report.document.blank:
        return "no number"
    return "nothing checked" if report.is_unchecked else "nothing"


def _short(name: str) -> str:
    """A name that fits a table: its beginning and its end."""
    return name if len(name) <= WIDEST else f"{name[: WIDEST // 3]}…{name[-(WIDEST * 2) // 3 :]}"


def _listed(numbers: tuple[str, ...]) -> str:
    return f"[{', '.join(numbers)}]"
