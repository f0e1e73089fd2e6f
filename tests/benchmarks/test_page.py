"""Whole pages by the command line: memory, and how cost grows with n = d.  One run each."""

import re

import pytest
from benchmarks import heads
from benchmarks.children import cpu_of_children, python
from benchmarks.table import missed, shown

pytestmark = pytest.mark.benchmark(timer=cpu_of_children)

FORMATS = ("latex", "json")
SIZES = (8, 16, 32, 64)
MEGABYTES = {64: 300}
"""What is asked for."""
# Linux counts the memory of the parent into ru_maxrss of a child, but not into its VmHWM.
RUN = """
import sys
from derive.cli.main import run
code = run(sys.argv[1:])
print(open("/proc/self/status").read(), file=sys.stderr)
sys.exit(code)
"""


def problem(n: int) -> str:
    """A problem file with small integers."""
    head = heads.small_integers(n, n)
    return "\n".join(['model = "attention"', "[given]", *(f"{k} = {m}" for k, m in head.items())])


@pytest.fixture(scope="module")
def before():
    """The cost of the last page by format."""
    return {}


@pytest.mark.parametrize(("format", "n"), [(f, n) for f in FORMATS for n in SIZES])
def test_page(format, n, benchmark, table, before, tmp_path):
    file = tmp_path / "problem.toml"
    file.write_text(problem(n), encoding="utf-8")
    benchmark.group = f"whole page, {format}"
    child = benchmark.pedantic(python, ("-c", RUN, str(file), f"--{format}"))
    if not benchmark.stats:
        return
    seconds = benchmark.stats.stats.median
    megabytes = int(re.search(r"VmHWM:\s*(\d+) kB", child.stderr)[1]) / 1000
    cost = f"{shown(seconds)}, {megabytes:.0f} MB, page of {len(child.stdout) / 1000:,.0f} kB"
    growth = f"{seconds / before[format]:.2g} times the time of n/2" if format in before else ""
    before[format] = seconds
    most = MEGABYTES.get(n)
    target = missed(f"< {most} MB", megabytes < most) if most else ""
    table.row(f"`derive FILE --{format}`, n = d = {n}, one run", cost, "", growth, target)
