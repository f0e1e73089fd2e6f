"""Whole processes: a page in every format beside the same page as plain LaTeX."""

from tempfile import TemporaryDirectory

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


def beside_latex(problem, format):
    """`derive PROBLEM` in a format beside `--latex`."""

    def made(arguments):
        with TemporaryDirectory() as folder:
            python("-m", "derive", problem, *(x.format(folder) for x in arguments))

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
