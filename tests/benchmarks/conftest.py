"""The `timed` and `table` fixtures, and the table printed at the end.

CPU time, five rounds and a warm-up unmeasured, medians.  Nothing is ever asserted about a time.
"""

from __future__ import annotations

import gc
import os
import platform
from importlib.metadata import version

import pytest
from benchmarks.table import Table

TABLE = pytest.StashKey[Table]()
PEERS = ("sympy", "symengine", "mpmath", "python-flint")


def pytest_addoption(parser):
    """What takes half a minute is left out unless it is asked for."""
    parser.addoption("--slow", action="store_true", help="with peers that take half a minute")


def pytest_configure(config):
    """One table a run."""
    config.stash[TABLE] = Table()
    config.addinivalue_line("markers", "slow: a peer that takes half a minute; --slow")


def pytest_collection_modifyitems(config, items):
    """Skips what is slow."""
    if not config.getoption("--slow"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="--slow asks for it"))


@pytest.fixture
def table(request):
    """The table of this run."""
    return request.config.stash[TABLE]


@pytest.fixture
def timed(benchmark, table):
    """timed(comparison, side): that side's median goes into the table."""

    def run(comparison, side):
        def before():
            if comparison.before:
                comparison.before()
            gc.collect()

        benchmark.group = f"{comparison.what}, beside {comparison.peer}"
        result = benchmark.pedantic(comparison.work(side), setup=before, **comparison.often(side))
        if benchmark.stats:
            table.time(comparison, side, benchmark.stats.stats.median)
        assert side == "derive" or comparison.agrees(result)

    return run


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """The table as the README shows it."""
    if config.stash[TABLE].rows:
        terminalreporter.section("derive beside other libraries")
        terminalreporter.write_line(_circumstances() + "\n\n" + config.stash[TABLE].markdown())


def _circumstances() -> str:
    peers = ", ".join(f"{name} {version(name)}" for name in PEERS)
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"CPU time, medians of at least five. Python {platform.python_version()}, {peers}; "
        f"{os.cpu_count()} cores, load {load}."
    )
