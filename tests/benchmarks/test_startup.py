"""Start-up: whole processes, their user and system time together."""

import pytest
from benchmarks.children import cpu_of_children, python
from benchmarks.table import Comparison, both_sides, missed

pytestmark = pytest.mark.benchmark(timer=cpu_of_children)

HEAVY = ("sympy", "numpy", "flint")
LOADED = f"""
import io, sys
from derive.cli.main import run
stdout, sys.stdout = sys.stdout, io.TextIOWrapper(io.BytesIO())
run(["--help"])
print(*[name for name in {HEAVY} if name in sys.modules], file=stdout)
"""


def beside_import_sympy(argument: str, at_most: float) -> Comparison:
    """`derive ARGUMENT` beside `import sympy`."""
    return Comparison(
        f"process: `derive {argument}`",
        "`import sympy`",
        derive=lambda: python("-m", "derive", argument),
        other=lambda: python("-c", "import sympy"),
        at_most=at_most,
        rounds=11,
    )


@both_sides(
    {
        "help": beside_import_sympy("--help", at_most=0.5),
        "latex": beside_import_sympy("--latex", at_most=1.5),
    }
)
def test_startup(comparison, side, timed):
    timed(comparison, side)


def test_help_loads_nothing_heavy(benchmark, table):
    child = benchmark.pedantic(python, ("-c", LOADED))
    loaded = child.stdout.split()
    of_which = f"of {', '.join(HEAVY)}"
    target = missed("none", not loaded)
    table.row("loaded by `derive --help`", ", ".join(loaded) or "none", of_which, "", target)
