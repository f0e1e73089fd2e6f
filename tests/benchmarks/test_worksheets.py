"""Worksheets: a variant beside what a user of SymPy writes, a thousand blocks, a thousand pages."""

import os
import time
from itertools import count

import pytest
import sympy
from benchmarks.children import python
from benchmarks.peers import sympy_forms
from benchmarks.table import Comparison, both_sides, missed, shown
from sympy.core.cache import clear_cache

from derive import builtin
from derive.worksheet.plan import Plan
from derive.worksheet.search import variant

VARIANTS, BLOCKS, PAGES = 20, 1000, 1000
MINUTE, PAGE_SECONDS = 60.0, 10.0
HEAD = Plan(builtin("head"), seed=7)
INDICES = count(1)


def a_variant(*, forms: bool):
    """The mean over some new ones: drawn, derived, digits, tolerances, mistakes told apart."""
    for _ in range(VARIANTS):
        made = variant(HEAD, next(INDICES))
        assert made.key.told
        if forms:
            assert all(answer.exact for answer in made.key.answers)


def of_sympy():
    """O and simplify of it, of as many variants."""
    for given in GIVEN:
        sympy.simplify(sympy_forms(given, simplify=False)[1])


GIVEN = [variant(HEAD, 100_000 + k).candidate.given for k in range(VARIANTS)]


def beside_sympy(what, *, forms):
    return Comparison(
        what,
        f"SymPy's O with simplify, {VARIANTS} of them",
        derive=lambda: a_variant(forms=forms),
        other=of_sympy,
        at_least=50,
        before=clear_cache,
        is_long=True,
    )


@both_sides(
    {
        "variant": beside_sympy(f"{VARIANTS} worksheets of `head`: drawn, keyed", forms=False),
        "forms": beside_sympy("the same, every answer in closed form too", forms=True),
    }
)
@pytest.mark.slow
def test_variant(comparison, side, timed):
    timed(comparison, side)


SERIES = """
from derive import builtin
from derive.series import Where, series
from derive.worksheet.plan import Plan
assert len(series(Plan(builtin("block"), seed=7), {count}, Where(2)).variants) == {count}
"""
DOCUMENT = """
from derive import builtin
from derive.handout import Looks, keys_printed, sheets_printed
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants
made = list(variants(Plan(builtin("head"), seed=7), range(1, {count} + 1)))
assert {printed}(made, "pdf", Looks("en"))[:5] == b"%PDF-"
"""


@pytest.mark.slow
@pytest.mark.benchmark(timer=time.perf_counter)
def test_blocks(benchmark, table):
    benchmark.group = "a thousand blocks"
    benchmark.pedantic(python, ("-c", SERIES.format(count=BLOCKS)))
    if benchmark.stats:
        seconds = benchmark.stats.stats.median
        target = missed(f"< {MINUTE:.0f} s", seconds < MINUTE)
        what = f"{BLOCKS} worksheets of `block` with their manifest, two processes, elapsed"
        table.row(what, shown(seconds), "", "", target)


@pytest.mark.slow
@pytest.mark.benchmark(timer=time.perf_counter)
@pytest.mark.parametrize("printed", ["sheets_printed", "keys_printed"])
def test_pages(printed, benchmark, table):
    benchmark.group = "a thousand pages"
    benchmark.pedantic(python, ("-c", DOCUMENT.format(count=PAGES, printed=printed)))
    if benchmark.stats:
        seconds = benchmark.stats.stats.median
        target = missed(f"< {PAGE_SECONDS:.0f} s", seconds < PAGE_SECONDS)
        what = printed.partition("_")[0]
        cores = os.cpu_count()
        row = f"{PAGES} {what} of `head` drawn and set as one PDF, elapsed, {cores} cores"
        table.row(row, shown(seconds), "", "", target)
