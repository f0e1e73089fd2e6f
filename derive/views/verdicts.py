"""The verdicts on an article as a page: findings first, then the count of each verdict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.render.blocks import Heading, Inline, Page, Table, Text
from derive.verify.report import VERDICTS, Claim, Finding, Report
from derive.views.sentences import sentence

LONGEST = 160
"""Characters of a quoted line."""
MOST = 8
"""So many consequences are told one by one."""


def verdicts_page(
    report: Report, lang: str, *, everything: bool = False, strict: bool = False
) -> Page:
    """What is wrong, with its cause and what follows from it; then what was checked.

    everything: every number in a table; strict: truncated numbers are findings too.
    """
    view = _View(report, lang)
    title = view.plain("title", report.document.name)
    blocks = [Heading(title, 1), *view.findings(strict), *view.summary()]
    if everything:
        blocks.append(view.table())
    return Page(title, lang, tuple(blocks))


class _View:
    def __init__(self, report: Report, lang: str) -> None:
        self.report, self.lang = report, lang

    def say(self, key: str, *values: Any) -> Inline:
        return sentence("verify", key, self.lang, *map(str, values))

    def plain(self, key: str, *values: Any) -> str:
        return str(self.say(key, *values))

    def findings(self, strict: bool) -> Iterator[Any]:
        found = self.report.findings(strict)
        if not found:
            yield Text(self.say("nothing"))
        for finding in found:
            yield from self.finding(finding)

    def finding(self, finding: Finding) -> Iterator[Any]:
        first = finding.claims[0]
        yield Heading(self.plain("place", first.line, first.column), 3)
        yield Text(_quoted(self.report, first))
        for claim in finding.claims:
            yield Text(self.printed(claim))
        if first.cause:
            kind, values = first.cause
            yield Text(self.say("because", self.plain(kind, *values)))
        if finding.follows:
            yield Text(self.say("follows", self.listed(finding.follows)))

    def printed(self, claim: Claim) -> Inline:
        exact, right = claim.exact or "", claim.right
        if claim.quantity:
            return self.say("says", claim.quantity, claim.printed, exact, right)
        return self.say("says value", claim.printed, exact, right)

    def listed(self, claims: tuple[Claim, ...]) -> str:
        shown = [self.plain("in line", c.printed, c.line) for c in claims[:MOST]]
        if len(claims) > MOST:
            shown.append(self.plain("more", len(claims) - MOST))
        return ", ".join(shown)

    def summary(self) -> Iterator[Any]:
        counts = self.report.counts
        rows = tuple((self.verdict(v), str(counts[v])) for v in VERDICTS if counts[v])
        if rows:
            yield Table((self.say("verdict"), self.say("numbers")), rows, (1,))
        total = sum(counts.values())
        yield Text(self.say("coverage", total - counts["unchecked"], total))
        if reasons := self.report.reasons:
            told = "; ".join(f"{count} {self.plain(why)}" for why, count in reasons.items())
            yield Text(self.say("unchecked", told))

    def verdict(self, name: str) -> Inline:
        return self.say("not checked" if name == "unchecked" else name)

    def table(self) -> Table:
        keys = ("line", "printed", "quantity", "exact", "verdict")
        rows = tuple(
            (str(c.line), c.printed, c.quantity, c.exact or "", self.verdict(c.verdict))
            for c in self.report.claims
        )
        return Table(tuple(self.say(key) for key in keys), rows, (0,))


def _quoted(report: Report, claim: Claim) -> str:
    line = report.document.line(claim.line)
    start = max(0, min(claim.column - 1 - LONGEST // 2, len(line) - LONGEST))
    shown = line[start : start + LONGEST].strip()
    return ("… " if start else "") + shown + (" …" if start + LONGEST < len(line) else "")
