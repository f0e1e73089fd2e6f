"""The verdicts on several articles as one JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from derive.verify.report import VERDICTS, Report


def many_data(reports: Sequence[Report], unread: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The report of each article, what could not be read and why, and the total."""
    counts: Counter[str] = sum((r.counts for r in reports), Counter())
    why: Counter[str] = sum((r.reasons for r in reports), Counter())
    return {
        "files": [report.as_json() for report in reports],
        "unread": [{"file": name, "why": reason} for name, reason in unread],
        "total": {
            "files": len(reports) + len(unread),
            "unread": len(unread),
            "coverage": {
                "numbers": sum(len(r.claims) for r in reports),
                "checked": sum(r.checked for r in reports),
                "why": dict(why),
            },
            "summary": {verdict: counts[verdict] for verdict in VERDICTS},
        },
    }
