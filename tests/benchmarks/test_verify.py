"""`derive verify`: thirty pages with 400 formulas, and a thousand small articles in one process."""

import time

import pytest
from articles.generator import WRITTEN, article
from articles.judged import stored
from articles.notes import notes
from benchmarks.table import missed

from derive.verify import verify
from derive.verify.documents.document import opened
from derive.verify.report import verified

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
    kinds = list(WRITTEN)
    articles = [article(k, kinds[k % len(kinds)], "head") for k in range(SMALL)]

    def all_of_them():
        for made in articles:
            verified(opened(stored(made), made.name))

    benchmark.pedantic(all_of_them, rounds=1)
    seconds = benchmark.stats.stats.min
    target = missed("≤ 150 s", seconds <= 150)
    table.row(f"verify: {SMALL:,} small articles", f"{seconds:.1f} s", "", "", target)
