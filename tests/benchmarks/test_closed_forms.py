"""Closed forms of A and O and their LaTeX, from nested lists on, in one process without imports.

We work everything out afresh in each round.  SymPy's cache is cleared before each round, as in a
script that has just started; symengine has none.
"""

import time
from random import Random
from typing import Any

import pytest
from benchmarks import heads, peers
from benchmarks.table import Comparison, both_sides
from sympy.core.cache import clear_cache

from derive.exact.ink import LATEX
from derive.exact.named import Names
from derive.exact.write import Writer

pytestmark = pytest.mark.benchmark(timer=time.process_time)


LETTERED = ("Q", "K", "V", "S", "scaled", "exp", "Z", "A", "O")
"""With many symbols a step is written in letters of the one before: all are needed to read O."""


def page(head: heads.Head) -> list[str]:
    """The LaTeX of every entry of A and O, denominators written out as the peers do."""
    d = heads.derivation(head)
    writer = Writer(LATEX, Names(d.names.powers))
    return [writer.text(x) for name in "AO" for row in d.step(name).value.rows for x in row]


def lettered_page(head: heads.Head) -> list[str]:
    """The LaTeX of every step, as a page has it."""
    d = heads.derivation(head)
    writer = Writer(LATEX, d.names)
    return [writer.text(x) for name in LETTERED for row in d.step(name).value.rows for x in row]


def has_values(head: heads.Head, O: object, point: dict[str, int]) -> bool:
    """Whether O, with numbers for its symbols, has the first row that we find for those numbers."""
    numbers = {name: [[point.get(x, x) for x in row] for row in m] for name, m in head.items()}
    ours = heads.derivation(numbers).to_numpy("O")[0]
    theirs = [float(O[0, j].subs(point)) for j in range(len(ours))]
    return theirs == pytest.approx(ours, rel=1e-12, abs=1e-12)


def against_sympy(
    what: str, head: heads.Head, at_least: float, *, simplify: bool = False, ours: Any = page
) -> Comparison:
    """Ours beside the script of a SymPy user."""
    random, names = Random(2), {x for m in head.values() for row in m for x in row}
    point = {x: random.randint(-2, 2) for x in sorted(x for x in names if isinstance(x, str))}
    return Comparison(
        f"A, O and their LaTeX: {what}",
        "SymPy with simplify" if simplify else "SymPy",
        derive=lambda: ours(head),
        other=lambda: peers.sympy_page(head, simplify=simplify),
        at_least=at_least,
        before=clear_cache,
        agrees=lambda result: has_values(head, result[-1], point),
    )


def against_symengine(what: str, head: heads.Head, at_least: float) -> Comparison:
    """Ours beside symengine, which prints no LaTeX of matrices: it prints its own form."""
    return Comparison(
        f"A, O and their LaTeX: {what}",
        "symengine, its own form",
        derive=lambda: page(head),
        other=lambda: peers.symengine_page(head),
        at_least=at_least,
        agrees=lambda result: has_values(head, result[-1], {}),
    )


SMALL, MIDDLE, LARGE = (heads.small_integers(n, d) for n, d in ((8, 4), (16, 16), (64, 16)))
SYMBOLS = heads.symbols(8, 4)


@both_sides(
    {
        "article": against_sympy("the article's head", heads.ARTICLE, 50, simplify=True),
        "n8d4": against_sympy("n = 8, d = 4", SMALL, 200, simplify=True),
        "n16d16": against_sympy("n = d = 16", MIDDLE, 300),
        "symbolic": against_sympy(
            "n = 8, d = 4, symbols (ours in letters, step by step)",
            SYMBOLS,
            100,
            ours=lettered_page,
        ),
        "n64d16": against_symengine("n = 64, d = 16", LARGE, 10),
    }
)
def test_closed_forms(comparison, side, timed):
    timed(comparison, side)
