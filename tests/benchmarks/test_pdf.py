"""PDF by the built-in engine: the article's page as a whole process, and a hundred problems."""

import pytest
from benchmarks import heads
from benchmarks.children import cpu_of_children, python
from benchmarks.table import missed, shown

from derive import attention
from derive.pages import pdf

pytestmark = pytest.mark.benchmark(timer=cpu_of_children)

SECONDS, MANY_SECONDS, MANY = 1.0, 15.0, 100
"""What is asked for: of one page beyond importing SymPy, and of so many in one process."""
RUN = "import sys; from derive.cli.main import run; sys.exit(run(sys.argv[1:]))"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_page(lang, benchmark, table, tmp_path):
    benchmark.group = "the article's page as PDF"
    arguments = ("-c", RUN, "head", "--lang", lang, "-o", str(tmp_path / "head.pdf"))
    benchmark.pedantic(python, arguments, rounds=5, warmup_rounds=1)
    if benchmark.stats:
        seconds = benchmark.stats.stats.median
        cost = f"{shown(seconds)}, with Python's own start"
        target = missed(f"< {SECONDS:.0f} s", seconds < SECONDS)
        table.row(f"PDF of the example, `--lang {lang}`", cost, "", "", target)


def hundred() -> None:
    """PDFs of problems that have no number in common."""
    for k in range(MANY):
        head = heads.small_integers(3, 2, seed=k)
        pdf(attention(*(head[name] for name in heads.NAMES)))


HUNDRED = "from benchmarks.test_pdf import hundred; hundred()"


def test_hundred(benchmark, table):
    benchmark.group = f"{MANY} problems as PDF"
    program = f"import sys; sys.path.insert(0, 'tests'); {HUNDRED}"
    benchmark.pedantic(python, ("-c", program))
    if benchmark.stats:
        seconds = benchmark.stats.stats.median
        target = missed(f"< {MANY_SECONDS:.0f} s", seconds < MANY_SECONDS)
        table.row(
            f"{MANY} problems, n = 3, d = 2, PDF each, one process", shown(seconds), "", "", target
        )
