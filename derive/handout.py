"""From worksheets to text, PDF and files of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial as bound
from typing import TYPE_CHECKING

from derive.worksheet.kinds import NUMERIC

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


@dataclass(frozen=True)
class Looks:
    """How sheets and keys are printed.

    choices: whether numbers are only to be chosen; partial: per cent of the points that a known
    mistake keeps, None for what is usual; engine: of a PDF; colour: on a terminal.
    """

    lang: str = "en"
    hints: bool = False
    choices: bool = False
    partial: int | None = None
    engine: str = "typst"
    colour: bool = False


def truths_printed(
    seed: int, count: int, format: str, looks: Looks
) -> tuple[str | bytes, str | bytes]:
    """Sheets of statements that are true or false, in a format of PAGES, and their keys."""
    from derive.views.worksheet_truth import truth_key_page, truth_page, truths

    sheets = truths(seed, range(1, count + 1))
    if format == "notebook":
        from derive.render.nbgrader import nbgrader
        from derive.views.exam_words import worded_exam
        from derive.views.quiz_words import truth_quiz

        cells = list(worded_exam(truth_quiz(sheets, looks.lang)))
        return nbgrader(cells, is_key=False), nbgrader(cells, is_key=True)
    pages = truth_page(sheets, looks.lang), truth_key_page(sheets, looks.lang)
    sheet, key = (_printed(page, format, looks) for page in pages)
    return sheet, key


def truths_data(seed: int, count: int, format: str, lang: str = "en") -> str | bytes:
    """Their keys as "csv", the manifest as "jsonl", or questions in a format of BANKS."""
    from derive.views.quiz_words import truth_quiz
    from derive.views.worksheet_truth import truth_csv, truth_manifest, truths

    sheets = truths(seed, range(1, count + 1))
    match format:
        case "csv":
            return truth_csv(sheets)
        case "jsonl":
            return truth_manifest(sheets)
    return bank_printed(truth_quiz(sheets, lang), format)


def sheets_printed(variants: Sequence[Variant], format: str, looks: Looks) -> str | bytes:
    """The sheets in a format of PAGES, or as "notebook"."""
    if format == "notebook":
        return _notebook(variants, looks, is_key=False)
    from derive.views.worksheet_kinds import sheet_page

    view = bound(sheet_page, lang=looks.lang, hints=looks.hints, choices=looks.choices)
    return _paged(variants, view, format, looks)


def keys_printed(variants: Sequence[Variant], format: str, looks: Looks) -> str | bytes:
    """Their keys."""
    from derive.views.worksheet_kinds import keys_page

    if format == "notebook":
        return _notebook(variants, looks, is_key=True)
    share = looks.partial or 0
    view = bound(keys_page, lang=looks.lang, choices=looks.choices, share=share)
    return _paged(variants, view, format, looks)


def _paged(
    variants: Sequence[Variant],
    view: Callable[[Sequence[Variant]], Page],
    format: str,
    looks: Looks,
) -> str | bytes:
    if format == "pdf" and looks.engine == "typst" and len(variants) > 1:
        from derive.mass import pdf_of_many

        return pdf_of_many(variants, view)
    return _printed(view(variants), format, looks)


def _notebook(variants: Sequence[Variant], looks: Looks, *, is_key: bool) -> str:
    from derive.render.nbgrader import nbgrader

    if variants[0].plan.kind not in NUMERIC:
        from derive.views.exam_words import worded_exam

        return nbgrader(worded_exam(_quiz(variants, looks)), is_key=is_key)
    from derive.views.exam import exam

    made = exam(variants, looks.lang, hints=looks.hints, partial=looks.partial)
    return nbgrader(made, is_key=is_key)


def _printed(page: Page, format: str, looks: Looks) -> str | bytes:
    if format == "pdf":
        from derive.render.pdf import pdf

        return pdf(page, looks.engine, False)
    if format == "docx":
        from derive.render.docx import docx

        return docx(page)
    from derive.pages import rendered

    return rendered(page, format, colour=looks.colour)


def data_printed(variants: Sequence[Variant], format: str, looks: Looks) -> str | bytes:
    """The keys as "csv", the manifest as "jsonl", or questions in a format of BANKS."""
    from derive.views.worksheet_data import keys_csv, manifest

    match format:
        case "csv":
            return keys_csv(variants)
        case "jsonl":
            return manifest(variants, choices=looks.choices)
    return bank_printed(_quiz(variants, looks), format)


def _quiz(variants: Sequence[Variant], looks: Looks) -> Quiz:
    if variants[0].plan.kind not in NUMERIC:
        from derive.views.quiz_words import worded_quiz

        return worded_quiz(variants, looks.lang, looks.partial)
    from derive.views.quiz import quiz

    return quiz(variants, looks.lang, partial=looks.partial, choices=looks.choices)


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
