"""Proved digits of whole blocks and stacks, and of gradients, from the matrices on."""

import re
import time
from itertools import cycle

import pytest
from benchmarks import blocks, peers
from benchmarks.children import python
from benchmarks.table import Comparison, both_sides, missed, shown

from derive import builtin, derive
from derive.exact.ink import LATEX
from derive.exact.named import Names
from derive.exact.write import Writer
from derive.gradients import differentiate

pytestmark = pytest.mark.benchmark(timer=time.process_time)

SMALL = blocks.block(2, 2, activation="gelu")
RELU = blocks.block(8, 8, activation="relu")
STACKS = cycle([blocks.block(8, 8, layers=12, seed=k, activation="relu") for k in range(1, 6)])
"""Another one each round: how many zeros algebra is asked about differs."""
MODEL = blocks.language_model(8, 16, heads=2, activation="gelu")
LARGE_SECONDS, LARGE_MEGABYTES = 2.0, 500
LARGE = """
import sys, time
sys.path.insert(0, "tests")
from benchmarks import blocks
problem = blocks.block(64, 64, heads=4, activation="gelu")
start = time.process_time()
blocks.outputs(problem)
print(time.process_time() - start)
print(open("/proc/self/status").read())
"""


def is_the_entry(found):
    """Whether the peer's first output has our digits, to a unit in the fourteenth place."""
    ours = float(blocks.outputs(SMALL)[0][0].digits)
    return float(found) == pytest.approx(ours, rel=1e-13)


@pytest.mark.slow
@both_sides(
    {
        "gelu": Comparison(
            "15 digits of every output, GELU block, n = d = 2",
            "SymPy, one entry from its closed form, one run",
            derive=lambda: blocks.outputs(SMALL),
            other=lambda: peers.sympy_block_entry(SMALL.given, 15),
            at_least=1000,
            agrees=is_the_entry,
            is_long=True,
        )
    }
)
def test_beside_sympy(comparison, side, timed):
    timed(comparison, side)


def outputs_and_signs():
    """The digits of the output, and of what ReLU is asked about, which say its sign."""
    d = blocks.derived(RELU)
    return blocks.proved(d.steps[-1]), blocks.proved(d.step("U"))


def partial_derivatives():
    """Every partial derivative of the loss."""
    found = differentiate(blocks.derived(MODEL), "loss")
    return [blocks.proved(found.step(name)) for name in found.wrt]


def article_gradients():
    """The LaTeX of the partial derivatives of O[1][1], from the problem on."""
    d = derive(builtin("head"))
    found = differentiate(d, "O[1][1]")
    writer = Writer(LATEX, Names(d.names.powers))
    every = (found.step(name).value for name in found.wrt)
    return [writer.text(x) for value in every for row in value.rows for x in row]


ALONE = {
    "relu": ("ReLU block, n = d = 8, every sign proved, 15 digits", 0.2, outputs_and_signs),
    "stack": (
        "12 layers, n = d = 8, 15 digits of every output, five draws",
        0.2,
        lambda: blocks.outputs(next(STACKS)),
    ),
    "gradients": (
        "loss of a block, 8 words, d = 8, 2 heads, d_ff = 16, GELU: 15 digits of all partials",
        0.2,
        partial_derivatives,
    ),
    "article": ("gradients of the article's head, and their LaTeX", 0.02, article_gradients),
}


@pytest.mark.parametrize("name", ALONE)
def test_alone(name, benchmark, table):
    what, most, work = ALONE[name]
    benchmark.pedantic(work, rounds=5, warmup_rounds=1)
    if benchmark.stats:
        seconds = benchmark.stats.stats.median
        table.row(what, shown(seconds), "", "", missed(f"< {shown(most)}", seconds < most))


def test_large(benchmark, table):
    child = benchmark.pedantic(python, ("-c", LARGE))
    seconds = float(child.stdout.split()[0])
    megabytes = int(re.search(r"VmHWM:\s*(\d+) kB", child.stdout)[1]) / 1000
    is_met = seconds < LARGE_SECONDS and megabytes < LARGE_MEGABYTES
    table.row(
        "GELU block, n = d = 64, 4 heads, 15 digits of every output, one run",
        f"{shown(seconds)}, {megabytes:.0f} MB",
        target=missed(f"< {shown(LARGE_SECONDS)}, < {LARGE_MEGABYTES} MB", is_met),
    )
