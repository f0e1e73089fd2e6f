"""Proved digits: how fast, and how many wrong.

SymPy starts from closed forms it has already made, and so do we beside it; mpmath's intervals start
from the matrices, and so do we beside them: there our time is that of closed forms and digits.
"""

import time
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Context, Decimal
from itertools import islice
from random import Random

import mpmath
import pytest
import sympy
from benchmarks import heads, peers
from benchmarks.table import Comparison, both_sides, missed
from sympy.core.cache import clear_cache

from derive.certify import Certifier, Format

pytestmark = pytest.mark.benchmark(timer=time.process_time)

DIGITS = 15
VALUES = 10_000


def closed_forms(head: heads.Head) -> list:
    """Every entry of A and O."""
    d = heads.derivation(head)
    return [x for name in "AO" for row in d.step(name).value.rows for x in row]


def digits(values: list) -> list[str]:
    """Their proved digits; nothing that an earlier round enclosed is known."""
    certifier, form = Certifier(), Format(digits=DIGITS)
    return [str(c) for c in certifier.certify_all(values, form)]


def are_close(ours: list[str], theirs: list) -> bool:
    """Whether the peer's digits are ours, a unit in the last place apart at most."""
    pairs = zip(map(Decimal, ours), map(Decimal, map(str, theirs)), strict=True)
    return all(abs(a - b) <= abs(a) * Decimal(10) ** (1 - DIGITS) for a, b in pairs)


def against_evalf(head: heads.Head, at_least: float) -> Comparison:
    """Digits alone, beside SymPy's."""
    ours = closed_forms(head)
    forms = peers.sympy_forms(head, simplify=False)
    return Comparison(
        f"{DIGITS} digits of A and O, n = 8, d = 4",
        "SymPy `evalf`",
        derive=lambda: digits(ours),
        other=lambda: [x.evalf(DIGITS) for m in forms for x in m],
        at_least=at_least,
        before=clear_cache,
        agrees=lambda result: are_close(digits(ours), result),
    )


def against_intervals(peer: str, intervals, head: heads.Head, at_least: float) -> Comparison:
    """From matrices to digits, beside mpmath.iv."""
    return Comparison(
        f"{DIGITS} digits of A and O, n = 64, d = 16, closed forms included",
        peer,
        derive=lambda: digits(closed_forms(head)),
        other=lambda: intervals(head, DIGITS),
        at_least=at_least,
        agrees=lambda result: are_close(digits(closed_forms(head)), result),
    )


SMALL, LARGE = heads.small_integers(8, 4), heads.small_integers(64, 16)


@both_sides(
    {
        "evalf": against_evalf(SMALL, 100),
        "iv": against_intervals("`mpmath.iv`, entry by entry", peers.intervals_of_forms, LARGE, 20),
        "iv-shared": against_intervals(
            "`mpmath.iv`, shared parts by hand", peers.intervals_shared, LARGE, 20
        ),
    }
)
def test_digits(comparison, side, timed):
    timed(comparison, side)


# --- how many wrong


def some_heads() -> Iterator[heads.Head]:
    """Small heads of integers and of fractions, without end."""
    random = Random(3)
    while True:
        n, d, q = random.randint(2, 4), random.randint(1, 4), random.choice((1, 1, 2, 3, 10))
        yield heads.rationals(n, d, random.random(), numerator=3, denominator=q)


def values(head: heads.Head) -> Iterator[tuple[str, Decimal, sympy.Expr]]:
    """Per entry of A and O: our digits, the right ones, and SymPy's expression."""
    forms = peers.sympy_forms(head, simplify=False)
    yield from zip(
        digits(closed_forms(head)), right_digits(head), (x for m in forms for x in m), strict=True
    )


def right_digits(head: heads.Head) -> list[Decimal]:
    """A and O by mpmath with 80 digits, rounded half up by Python's decimals."""
    with mpmath.workdps(80):
        found = peers.numbers(head, mpmath.mp)
        _, V = peers.scores_and_values(head)
        sizes = peers.product(found["A"], [[peers.of(mpmath.mp, abs(x)) for x in row] for row in V])
        pairs = zip(found["A"] + found["O"], found["A"] + sizes, strict=True)
        return [half_up(x, size) for row in pairs for x, size in zip(*row, strict=True)]


def half_up(x: mpmath.mpf, size: mpmath.mpf) -> Decimal:
    """What is a tie to 60 digits is one, and what cancels to 60 digits of `size` is 0."""
    text = "0" if abs(x) <= size * mpmath.mpf(10) ** -60 else mpmath.nstr(x, 60)
    return Context(prec=DIGITS, rounding=ROUND_HALF_UP).create_decimal(text)


def count_wrong() -> tuple[int, int]:
    """Among so many values, how many of ours and how many of SymPy's N are wrong."""
    ours = theirs = 0
    for found, right, form in islice((v for head in some_heads() for v in values(head)), VALUES):
        ours += found == "undecided" or Decimal(found) != right
        theirs += Decimal(str(sympy.N(form, DIGITS))) != right
    return ours, theirs


def test_wrong_digits(benchmark, table):
    ours, theirs = benchmark.pedantic(count_wrong)
    what = f"wrong among {VALUES:,} values to {DIGITS} digits"
    table.row(what, str(ours), f"SymPy `N` {theirs}", "", missed("0", ours == 0))
    assert ours == 0
