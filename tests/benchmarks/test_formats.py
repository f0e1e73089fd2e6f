"""Whole processes: a page in every format beside the same page as plain LaTeX."""

import pytest
from benchmarks.children import cpu_of_children, python
from benchmarks.table import Comparison, both_sides

pytestmark = pytest.mark.benchmark(timer=cpu_of_children)

FORMATS = {
    "terminal": (),
    "markdown": ("--markdown",),
    "html": ("--html",),
    "json": ("--json",),
    "notebook": ("-o", "{}/page.ipynb"),
    "slides": ("--slides", "--latex"),
    "pdf": ("-o", "{}/page.pdf"),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where files are written."""
    monkeypatch.setenv("FOLDER", str(tmp_path))
    return tmp_path


def beside_latex(problem, format):
    """`derive PROBLEM` in a format beside `--latex`."""
    import os

    def made(arguments):
        filled = [x.format(os.environ["FOLDER"]) for x in arguments]
        return python("-m", "derive", problem, *filled)

    return Comparison(
        f"page of `{problem}`: {format}",
        "`--latex`",
        derive=lambda: made(FORMATS[format]),
        other=lambda: made(("--latex",)),
        at_most=1.5,
    )


@both_sides({f"{p}-{f}": beside_latex(p, f) for p in ("head", "block") for f in FORMATS})
def test_formats(comparison, side, timed):
    timed(comparison, side)
