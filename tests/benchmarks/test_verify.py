"""`derive verify`: thirty pages with 400 formulas, and a thousand small articles in one process."""

import time

import pytest
from benchmarks.table import missed
from printed_articles import NOTATIONS, article
from printed_notes import notes

from derive.verify import verify

pytestmark = pytest.mark.benchmark(timer=time.process_time)

FORMULAS = {400: 3.0, 1600: 12.0}
"""Seconds that are asked for."""
SMALL = 1000


@pytest.mark.parametrize("formulas", FORMULAS)
def test_long(formulas, benchmark, table):
    text = notes(formulas)
    report = benchmark.pedantic(verify, (text,), rounds=3, warmup_rounds=1)
    assert not report.counts["wrong"]
    seconds = benchmark.stats.stats.min
    what = f"verify: {formulas} formulas, {len(report.claims)} numbers"
    target = missed(f"≤ {FORMULAS[formulas]:g} s", seconds <= FORMULAS[formulas])
    table.row(what, f"{seconds:.2f} s", "", "", target)


def test_small(benchmark, table):
    kinds = list(NOTATIONS)
    articles = [article(k, kinds[k % len(kinds)])[:2] for k in range(SMALL)]

    def all_of_them():
        for text, name in articles:
            verify(text, name)

    benchmark.pedantic(all_of_them, rounds=1)
    seconds = benchmark.stats.stats.min
    target = missed("≤ 150 s", seconds <= 150)
    table.row(f"verify: {SMALL:,} small articles", f"{seconds:.1f} s", "", "", target)
