"""The report of a stress test as a page."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from derive.exact.names import shown
from derive.exact.trace import Digits, Entry
from derive.places import parse_place
from derive.render.blocks import Heading, Inline, Note, Page, Table, Text
from derive.views.sentences import sentence
from derive.worksheet.stress import Report

MOST = 12
"""So many failures are told one by one."""


def stress_page(report: Report, title: str, lang: str) -> Page:
    """Failures and duplicates first, then what the answers are like."""

    def say(key: str, *values: Any) -> Inline:
        return sentence("stress", key, lang, *map(str, values))

    blocks: list[Any] = [Heading(str(say("title", title)), 1)]
    blocks.append(Text(say("count", report.count, report.keys, len(report.failures))))
    blocks += [Note(say("failure", name)) for name in report.failures[:MOST]]
    blocks.append(Text(say("duplicates", report.duplicates)))
    blocks.append(Text(say("mistakes", report.told, report.unseen)))
    right = report.count - report.wrong_by_hand
    blocks.append(Text(say("hand", right, report.count)))
    blocks.append(Text(say("time", f"{report.seconds / max(report.count, 1):.3f}")))
    blocks.append(Heading(str(say("ranges"))))
    header = (say("blank"), say("least"), say("largest"), say("commonest"), say("share"))
    blocks.append(Table(header, tuple(_rows(report)), (1, 2, 3, 4)))
    if report.guessable:
        blocks.append(Note(say("guessable", len(report.guessable))))
    return Page(str(say("title", title)), lang, tuple(blocks))


def _rows(report: Report) -> Iterator[tuple[Inline, ...]]:
    common = {blank: (key, f"{100 * share:.0f} %") for blank, key, share in report.guessable}
    for blank, least, largest in report.ranges:
        step, i, j = parse_place(blank)
        key, share = common.get(blank, ("", ""))
        ends = ((Digits(_decimal(x)),) for x in (least, largest))
        yield ((Entry(step, shown(step, i, j)),), *ends, (Digits(key),) if key else "", share)


def _decimal(x: Fraction) -> str:
    return f"{float(x):.6f}".rstrip("0").rstrip(".")
