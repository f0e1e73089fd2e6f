"""From worksheets to text, PDF and files of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial as bound
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from derive.render.blocks import Page
    from derive.render.quiz import Quiz
    from derive.worksheet.marking import Paper
    from derive.worksheet.plan import Plan
    from derive.worksheet.search import Variant

PAGES = ("latex", "markdown", "html", "pdf", "terminal", "docx")
BANKS = ("moodle", "qti", "canvas", "pretext")
"""Questions for learning systems."""
DATA = (*BANKS, "csv", "jsonl")
"""Formats that hold the keys themselves."""


def truths_printed(
    seed: int, count: int, format: str, *, lang: str, engine: str = "typst", **options: bool
) -> tuple[str | bytes, str | bytes]:
    """Sheets of statements that are true or false, in a format of PAGES, and their keys."""
    from derive.views.worksheet_truth import truth_key_page, truth_page, truths

    sheets = truths(seed, range(1, count + 1))
    pages = truth_page(sheets, lang), truth_key_page(sheets, lang)
    sheet, key = (_printed(page, format, engine, **options) for page in pages)
    return sheet, key


def truths_manifest(seed: int, count: int) -> str:
    """A line of JSON for each sheet of statements, with which answers are marked."""
    from derive.views.worksheet_truth import truth_manifest, truths

    return truth_manifest(truths(seed, range(1, count + 1)))


def sheets_printed(
    variants: Sequence[Variant],
    format: str,
    *,
    lang: str,
    hints: bool = False,
    kind: str = "compute",
    choices: bool = False,
    partial: int | None = None,
    engine: str = "typst",
    **options: bool,
) -> str | bytes:
    """The sheets in a format of PAGES, or as "notebook".

    kind: one of derive.worksheet.kinds.KINDS; choices: whether numbers are only to be chosen;
    partial: per cent of the points that a known mistake keeps, None for what is usual.
    """
    if format == "notebook":
        return _notebook(variants, lang, hints, partial, is_key=False)
    from derive.views.worksheet_kinds import sheet_page

    view = bound(sheet_page, lang=lang, kind=kind, hints=hints, choices=choices)
    return _paged(variants, view, format, engine, **options)


def _paged(
    variants: Sequence[Variant],
    view: Callable[[Sequence[Variant]], Page],
    format: str,
    engine: str,
    **options: bool,
) -> str | bytes:
    if format == "pdf" and engine == "typst" and len(variants) > 1:
        from derive.mass import pdf_of_many

        return pdf_of_many(variants, view)
    return _printed(view(variants), format, engine, **options)


def keys_printed(
    variants: Sequence[Variant],
    format: str,
    *,
    lang: str,
    hints: bool = False,
    kind: str = "compute",
    choices: bool = False,
    partial: int | None = None,
    engine: str = "typst",
    **options: bool,
) -> str | bytes:
    """Their keys; options as in `sheets_printed`."""
    from derive.views.worksheet_kinds import keys_page

    if format == "notebook":
        return _notebook(variants, lang, hints, partial, is_key=True)
    view = bound(keys_page, lang=lang, kind=kind, choices=choices, share=partial or 0)
    return _paged(variants, view, format, engine, **options)


def _notebook(
    variants: Sequence[Variant], lang: str, hints: bool, partial: int | None, *, is_key: bool
) -> str:
    from derive.render.nbgrader import nbgrader
    from derive.views.exam import exam

    return nbgrader(exam(variants, lang, hints=hints, partial=partial), is_key=is_key)


def _printed(page: Page, format: str, engine: str, **options: bool) -> str | bytes:
    if format == "pdf":
        from derive.render.pdf import pdf

        return pdf(page, engine, False)
    if format == "docx":
        from derive.render.docx import docx

        return docx(page)
    from derive.pages import rendered

    return rendered(page, format, **options)


def data_printed(
    variants: Sequence[Variant],
    format: str,
    *,
    lang: str,
    choices: bool = False,
    partial: int | None = None,
) -> str | bytes:
    """The keys as "csv", the manifest as "jsonl", or questions in a format of BANKS.

    choices: whether there are only questions in which numbers are chosen; partial: as in
    `sheets_printed`.
    """
    from derive.views.worksheet_data import keys_csv, manifest

    match format:
        case "csv":
            return keys_csv(variants)
        case "jsonl":
            return manifest(variants, choices=choices)
    from derive.views.quiz import quiz

    return bank_printed(quiz(variants, lang, partial=partial, choices=choices), format)


def bank_printed(quiz: Quiz, format: str) -> str | bytes:
    """Questions in a format of BANKS."""
    match format:
        case "moodle":
            from derive.render.moodle import moodle

            return moodle(quiz)
        case "qti":
            from derive.render.qti import qti

            return qti(quiz)
        case "canvas":
            from derive.render.canvas import canvas

            return canvas(quiz)
        case "pretext":
            from derive.render.pretext import pretext

            return pretext(quiz)
    raise ValueError(f"no format {format!r}")


def stress_printed(
    plan: Plan,
    count: int,
    lang: str,
    jobs: int = 1,
    tell: Callable[[int], None] = lambda done: None,
) -> tuple[str, bool]:
    """The report of a stress test for a terminal, and whether every key is proved."""
    from derive.pages import rendered
    from derive.views.stress import stress_page
    from derive.words import titled
    from derive.worksheet.stress import stress

    report = stress(plan, count, jobs, tell)
    title = titled(plan.problem.title, lang) or plan.problem.name
    return str(rendered(stress_page(report, title, lang), "terminal")), report.is_sound


def marks_printed(papers: Sequence[Paper], format: str, lang: str) -> dict[str, str | bytes]:
    """The files of a class, by name: two tables, the class's page, and a page for each student."""
    from derive.render.pdf import pdf
    from derive.views.feedback import class_csv, class_page, feedback_page, marks_csv

    def printed(page: Page) -> str | bytes:
        from derive.pages import rendered

        return pdf(page, "typst", False) if format == "pdf" else rendered(page, format)

    suffix = MARKS[format]
    found: dict[str, str | bytes] = {"class.csv": class_csv(papers), "marks.csv": marks_csv(papers)}
    found[f"class{suffix}"] = printed(class_page(papers, lang))
    students = list(dict.fromkeys(paper.student for paper in papers))
    for number, student in enumerate(students, 1):
        own = [paper for paper in papers if paper.student == student]
        name = f"feedback/{number:03}-{_file_name(student)}{suffix}"
        found[name] = printed(feedback_page(own, lang))
    return found


MARKS = {"html": ".html", "markdown": ".md", "pdf": ".pdf", "latex": ".tex", "terminal": ".txt"}
"""The formats of marks with their suffixes."""


def _file_name(student: str) -> str:
    """A name that every file system takes."""
    return "".join(c if c.isalnum() else "-" for c in student)[:60].strip("-") or "student"
