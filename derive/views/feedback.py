"""What is said of answers: a page for each student, and one for the class."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.exact.names import shown
from derive.exact.trace import Digits, Entry, Name
from derive.render.blocks import Heading, Inline, Page, Table, Text
from derive.views.sentences import sentence
from derive.words import words
from derive.worksheet.manifest import Wrong
from derive.worksheet.marking import Marked, Paper

COLUMNS = ("student", "id", "blank", "answer", "verdict", "points", "of", "mistake", "step")
MOST_SIGNS = 40
"""So many signs of an answer are shown."""
ROWS = 25
"""So many rows of a table stand together."""


def say(key: str, lang: str, *values: Any) -> Inline:
    """A sentence of the marks."""
    texts = (str(x) if isinstance(x, int) else x for x in values)
    return sentence("marks", key, lang, *texts)


def feedback_page(papers: Sequence[Paper], lang: str) -> Page:
    """The sheets of one student."""
    title = str(say("title", lang, papers[0].student))
    blocks: list[Any] = [Heading(title, 1)]
    for paper in papers:
        blocks += _Feedback(paper, lang).blocks()
    return Page(title, lang, tuple(blocks))


@dataclass(frozen=True)
class _Feedback:
    paper: Paper
    lang: str

    def say(self, key: str, *values: Any) -> Inline:
        return say(key, self.lang, *values)

    def blocks(self) -> Iterator[Any]:
        paper = self.paper
        yield Heading(str(self.say("sheet", paper.sheet.id)))
        yield Text(self.say("points of", decimal(paper.points), paper.most))
        header = tuple(self.say(key) for key in ("blank", "answer", "verdict", "points", "key"))
        cells = paper.cells
        for k in range(0, len(cells), ROWS):
            yield Table(header, tuple(map(self.row, cells[k : k + ROWS])), (3, 4))
        used = {cell.verdict for cell in cells}
        for verdict in ("rounding", "carried", "open"):
            if verdict in used:
                yield Text(self.say(f"{verdict} says"))

    def row(self, cell: Marked) -> tuple[Inline, ...]:
        return (
            self.blank(cell),
            shortened(cell.text) or "—",
            self.verdict(cell),
            decimal(cell.points),
            self.key(cell),
        )

    def blank(self, cell: Marked) -> Inline:
        """An entry as it is written; of what is no number its name."""
        step, i, j = cell.blank.place
        return (
            named(cell.blank.id, self.lang)
            if cell.blank.accepts
            else (Entry(step, shown(step, i, j)),)
        )

    def key(self, cell: Marked) -> Inline:
        """The digits, or the words."""
        if not cell.blank.accepts:
            return (Digits(cell.blank.key),)
        known: str = words(self.lang)["mistakes"].get(cell.blank.key, cell.blank.key)
        return known

    def verdict(self, cell: Marked) -> Inline:
        """The verdict; of a known mistake what it is, and where."""
        if cell.wrong is None:
            return self.say(cell.verdict)
        return mistake(cell.wrong, self.lang)


def shortened(text: str) -> str:
    """An answer as a page shows it: of a long one the beginning."""
    return text if len(text) <= MOST_SIGNS else text[: MOST_SIGNS - 1] + "…"


def mistake(wrong: Wrong, lang: str) -> Inline:
    """The step, and what is wrong there."""
    return (Name(wrong.step), say("colon", lang), words(lang)["mistakes"][wrong.mistake])


def class_page(papers: Sequence[Paper], lang: str) -> Page:
    """The points of everyone, and the mistakes, the most common first."""
    title = str(say("class", lang))
    blocks: list[Any] = [Heading(title, 1), Heading(str(say("all points", lang)))]
    header = tuple(say(key, lang) for key in ("student", "sheets", "points", "of", "share"))
    students = list(dict.fromkeys(paper.student for paper in papers))
    rows = tuple(_student(s, [p for p in papers if p.student == s]) for s in students)
    blocks += [Table(header, rows[k : k + ROWS], (1, 2, 3, 4)) for k in range(0, len(rows), ROWS)]
    blocks += _mistakes(papers, lang)
    blocks += _hardest(papers, lang)
    return Page(title, lang, tuple(blocks))


def _student(name: str, papers: Sequence[Paper]) -> tuple[Inline, ...]:
    points = sum((p.points for p in papers), Fraction(0))
    most = sum(p.most for p in papers)
    share = f"{float(100 * points / most):.0f} %" if most else "—"
    return name, str(len(papers)), decimal(points), str(most), share


def _mistakes(papers: Sequence[Paper], lang: str) -> Iterator[Any]:
    """How many students made each known mistake."""
    made: dict[tuple[str, str], set[str]] = {}
    kept: dict[tuple[str, str], Wrong] = {}
    for paper in papers:
        for cell in paper.cells:
            if cell.wrong:
                key = (cell.wrong.mistake, cell.wrong.step)
                made.setdefault(key, set()).add(paper.student)
                kept[key] = cell.wrong
    if not made:
        return
    yield Heading(str(say("mistakes", lang)))
    header = (say("mistake", lang), say("students", lang))
    every = sorted(made, key=lambda key: -len(made[key]))
    yield Table(header, tuple((mistake(kept[k], lang), str(len(made[k]))) for k in every), (1,))


def _hardest(papers: Sequence[Paper], lang: str) -> Iterator[Any]:
    """Of each step how many answers got their points."""
    full, every = Counter[str](), Counter[str]()
    for paper in papers:
        for cell in paper.cells:
            step = cell.blank.place[0]
            every[step] += 1
            full[step] += cell.points == cell.blank.points
    yield Heading(str(say("by step", lang)))
    header = tuple(say(key, lang) for key in ("step", "answers", "with points"))
    rows = tuple((_step(s, lang), str(every[s]), str(full[s])) for s in every)
    yield Table(header, rows, (1, 2))


FOUND = {"step": "which step", "mistake": "what is wrong"}
"""What is asked of a planted mistake, by the words of its sheet."""


def named(blank: str, lang: str) -> str:
    """What a blank in words is called."""
    said: str = words(lang)["worksheet"][FOUND[blank]] if blank in FOUND else blank
    return said


def _step(name: str, lang: str) -> Inline:
    """A step's letter, the number of a statement, or what is asked of a mistake."""
    return named(name, lang) if name.isdigit() or name in FOUND else (Name(name),)


def decimal(x: Fraction) -> str:
    """Points as people write them: 3, 2.5; to two places where they do not end."""
    return str(x) if x.denominator == 1 else f"{float(x):.2f}".rstrip("0")


def marks_csv(papers: Sequence[Paper]) -> str:
    """Every cell as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for paper in papers:
        for cell in paper.cells:
            wrong = (cell.wrong.mistake, cell.wrong.step) if cell.wrong else ("", "")
            points = (decimal(cell.points), cell.blank.points)
            about = (paper.student, paper.sheet.id, cell.blank.id, cell.text, cell.verdict)
            writer.writerow((*map(_harmless, about), *points, *wrong))
    return out.getvalue()


def class_csv(papers: Sequence[Paper]) -> str:
    """The points of every sheet as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("student", "id", "points", "of"))
    for paper in papers:
        about = (_harmless(paper.student), paper.sheet.id)
        writer.writerow((*about, decimal(paper.points), paper.most))
    return out.getvalue()


def _harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    is_number = text[:1] in "+-" and text[1:2].isdigit()
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") and not is_number else text
