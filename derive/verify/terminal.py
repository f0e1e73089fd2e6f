"""The report as it is read in a terminal."""
from __future__ import annotations
from derive.verify.report import Report


def page(report: Report, *, everything: bool = False, strict: bool = False) -> str:
    """Findings first, then the count of each verdict."""
    return ""
