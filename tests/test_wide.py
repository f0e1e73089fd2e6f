"""Matrices wider than a line: by columns where that is readable, over named sums, or by name."""

import re
from fractions import Fraction

import pytest
import sympy
from tex import compile_source

from derive import attention, builtin, derive
from derive.certify import Format
from derive.exact.ink import PLAIN
from derive.exact.trace import Grid
from derive.exact.write import write
from derive.pages import page, pdf
from derive.render.blocks import Equations
from derive.render.wrap import columns as columns_of
from derive.views.walkthrough import Options, walkthrough

EIGHT = derive(builtin("eight"))
UNIT = [[int(i == j) for j in range(12)] for i in range(12)]
TWELVE = attention([[(3 * i + 2 * j) % 5 for j in range(12)] for i in range(12)], UNIT, UNIT, UNIT)
ROW = attention([list(range(1, 13))], *[[[k % 2 + 1] for k in range(12)]] * 3)
ODD = attention([["355/113", "1e-9"], ["sqrt(2)+sqrt(3)", 1]], *[[[1, 0], [0, 1]]] * 3)
SYMBOLS = attention({"shape": (8, 8)}, *[{"shape": (8, 8)}] * 3)
SMALL = attention([[1]], [[1]], [[1]], [[1]])
EVERY = {
    "eight": EIGHT, "twelve": TWELVE, "row": ROW, "odd": ODD, "symbols": SYMBOLS, "small": SMALL,
}  # fmt: skip
each = pytest.mark.parametrize("name", EVERY)


def parts(d, step, form=None):
    """The parts of a matrix as the page has them: (columns, rows)."""
    blocks = walkthrough(d, Options(form or Format(), (step,))).blocks
    for block in blocks:
        if isinstance(block, Equations) and len(block.chains) == 1:
            (chain,) = block.chains
            place = getattr(chain.first, "indices", ())
            if place[:1] == (":",):
                (relation, grid), *_ = chain.rest
                assert isinstance(grid, Grid)
                first, last = map(int, place[1].split(":"))
                yield relation, range(first, last + 1), grid.rows


def test_decimals_stand_in_parts_that_make_the_matrix():
    form = Format(places=12)
    found = [part for part in parts(EIGHT, "A", form) if part[0] == "~"]
    assert [j for _, columns, _ in found for j in columns] == list(range(1, 9))
    digits = EIGHT.places("A", 12)
    for _, columns, rows in found:
        assert [[x.text for x in row] for row in rows] == [
            [row[j - 1] for j in columns] for row in digits
        ]


def test_exact_entries_stand_in_parts_that_make_the_matrix():
    found = [part for part in parts(EIGHT, "O") if part[0] == "="]
    assert [j for _, columns, _ in found for j in columns] == [1, 2, 3, 4]
    for _, columns, rows in found:
        assert [[*row] for row in rows] == [
            [EIGHT.step("O").value[i, j - 1] for j in columns] for i in range(8)
        ]


def test_a_part_says_what_it_is():
    text = page(EIGHT, "terminal", steps=("O",))
    assert "O_:,1:2 holds columns 1 to 2." in text and "O_:,3:4 = " in text


def evaluated(text, t):
    """A number that the page writes with t and Z_i, with the sums of the exponentials put in."""
    E = EIGHT["exp"]
    totals = {f"Z_{i + 1}": sum(E[i, :]) for i in range(8)}
    spelled = re.sub(r"[A-Za-z]_?\d*", lambda m: f"({totals.get(m[0], t)})", text)
    return sympy.sympify(spelled)


@pytest.mark.parametrize("step", ["A", "O"])
def test_named_denominators_are_the_row_sums(step):
    """Every entry as printed over Z_i, with the sum of its row of E put in, is the entry."""
    t = sympy.exp(sympy.Rational(1, 2))
    for i in range(8):
        for j in range(EIGHT.step(step).shape[1]):
            text = write(EIGHT.step(step).value[i, j], PLAIN, EIGHT.names)
            gap = evaluated(text, t) - EIGHT[step][i, j]
            assert abs(gap.evalf(40)) < sympy.Rational(1, 10**30), (step, i + 1, j + 1, text)


def test_every_row_of_weights_is_over_its_own_sum():
    """Equal rows share the first one's name."""
    sums = [sum(EIGHT["exp"][i, :]) for i in range(8)]
    for i in range(8):
        text = write(EIGHT.step("A").value[i, 0], PLAIN, EIGHT.names)
        named = int(re.search(r"Z_(\d)", text)[1]) - 1
        assert sympy.expand(sums[named] - sums[i]) == 0


def test_small_heads_keep_their_denominators():
    assert "Z" not in write(derive(builtin("head")).exact("A[1][1]"), PLAIN,
                            derive(builtin("head")).names)  # fmt: skip


@each
def test_a_terminal_shows_no_line_that_is_too_long(name):
    for line in page(EVERY[name], "terminal").splitlines():
        assert columns_of(line) <= 82, line


@each
def test_it_is_printed(name):
    assert pdf(EVERY[name])[0].startswith(b"%PDF")


@each
@pytest.mark.tex
def test_nothing_leaves_the_page(name):
    assert compile_source(page(EVERY[name], "latex")) == []


def test_what_no_line_holds_is_named():
    text = " ".join(page(SYMBOLS, "terminal").split())
    assert "Q is 8 × 8, too wide for the page" in text


def test_wide_rows_go_on_evenly():
    """Eight entries stand four on a line, or two, not one below the other."""
    text = page(EIGHT, "latex", steps=("exp",))
    (line,) = [line for line in text.splitlines() if line.startswith("E_{11} &=")]
    assert re.findall(r"E_\{(\d\d)\} &=", line) == ["11", "12", "13", "14"]
    narrow = page(EIGHT, "terminal", steps=("exp",))
    (line,) = [line for line in narrow.splitlines() if "E₁₁ = " in line]
    assert "E₁₂ = " in line and "E₁₃" not in line


def test_odd_numbers_are_printed_exactly():
    text = page(ODD, "markdown")
    assert r"\frac{355}{113}" in text and r"\sqrt{2} + \sqrt{3}" in text
    assert ODD.step("H").value[0, 1].fraction == (1, 10**9)
    assert Fraction(*ODD.step("H").value[0, 0].fraction) == Fraction(355, 113)
