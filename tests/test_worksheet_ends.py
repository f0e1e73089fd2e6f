"""The arithmetic behind tolerances against fractions, and quick counts against slow ones."""

import random
from fractions import Fraction

import mpmath
import pytest

from derive import builtin
from derive.worksheet.conditions import is_integer
from derive.worksheet.difficulty import difficulty
from derive.worksheet.drawing import Source
from derive.worksheet.ends import UNIT, bounds_of, hand
from derive.worksheet.plan import Plan
from derive.worksheet.search import at, variants
from derive.worksheet.whole import is_whole_mean

OPERATIONS = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "over": lambda x, y: x / y,
}


def rounded(x, places, coin):
    """To the places, to more, or not at all; ties either way."""
    more = coin.choice([0, 0, 1, 2, 3, None])
    if more is None:
        return x
    unit = Fraction(10) ** (places + more)
    down = (x * unit).__floor__()
    rest = x * unit - down
    up = rest > Fraction(1, 2) or (rest == Fraction(1, 2) and coin.random() < 0.5)
    return Fraction(down + up) / unit


def holds(ends, x, arithmetic):
    return ends[0] <= x * arithmetic.one <= ends[1]


@pytest.mark.parametrize("places", [0, 1, 3, 6])
def test_every_way_of_rounding_is_inside(places):
    coin, arithmetic = random.Random(places), hand(places)
    for _ in range(300):
        x, y = (Fraction(coin.randint(-9, 9), coin.choice([1, 1, 2, 3, 7])) for _ in "xy")
        pair = [
            (x, arithmetic.widened(*wide(x, arithmetic))),
            (y, arithmetic.widened(*wide(y, arithmetic))),
        ]
        for _ in range(6):
            name = coin.choice(list(OPERATIONS))
            (x, a), (y, b) = coin.sample(pair, 2) if len(pair) > 1 else pair * 2
            if y == 0 and name in ("div", "over"):
                continue
            found = arithmetic.operation(name)(a, b)
            if found is None:
                assert name in ("div", "over") and b[0] <= 0 <= b[1]
                continue
            for _ in range(4):
                assert holds(found, rounded(OPERATIONS[name](x, y), places, coin), arithmetic)
            pair.append((rounded(OPERATIONS[name](x, y), places, coin), found))


def wide(x, arithmetic):
    scaled = x * arithmetic.one
    return scaled.__floor__(), scaled.__ceil__()


@pytest.mark.parametrize("places", [1, 3, 9])
def test_powers_of_e_and_roots_are_inside(places):
    arithmetic = hand(places)
    for n in range(12):
        ends = (arithmetic.one * n // 4, arithmetic.one * n // 4)
        for name, function in (("exp", mpmath.exp), ("sqrt", mpmath.sqrt), ("tanh", mpmath.tanh)):
            with mpmath.workdps(60):
                x = function(mpmath.mpf(n) / 4)
                low, high = arithmetic.function(name)(ends, ends)
                assert mpmath.mpf(low) / arithmetic.one <= x <= mpmath.mpf(high) / arithmetic.one
                digit = int(mpmath.nint(x * 10**places)) * UNIT
                assert low <= digit <= high


def test_bounds_are_rounded_numbers():
    assert bounds_of((UNIT * 2, UNIT * 2)) == (2, 2)
    assert bounds_of((UNIT * 2 - 1, UNIT * 3 + UNIT // 2)) == (2, 4)  # a tie goes either way
    assert bounds_of((-UNIT // 2, 0)) == (-1, 0)
    assert bounds_of(None) is None


def test_what_hands_do_not_round_stays():
    arithmetic = hand(3)
    third = arithmetic.operation("div")(arithmetic.integer(1), arithmetic.integer(3))
    assert arithmetic.operation("add")(third, arithmetic.integer(0)) == third
    assert arithmetic.operation("mul")(third, arithmetic.integer(1)) == third
    assert arithmetic.operation("mul")(third, arithmetic.integer(0)) == (0, 0)
    two = arithmetic.operation("add")(arithmetic.integer(1), arithmetic.integer(1))
    assert two == arithmetic.integer(2)


@pytest.mark.parametrize("name", ["head", "causal", "multihead", "block", "columns"])
def test_work_is_counted_as_the_derivation_has_it(name):
    for v in variants(Plan(builtin(name), seed=2), range(1, 9)):
        assert v.candidate.difficulty == difficulty(v.candidate.derivation)


@pytest.mark.parametrize("name", ["head", "causal"])
def test_what_is_whole_is_whole_in_closed_form(name):
    """Whatever is drawn, the good and the bad."""
    plan, seen = Plan(builtin(name), seed=1), set()
    for attempt in range(1, 120):
        c = at(plan, 1, attempt).candidate
        value = c.derivation.step("O").value
        for i in range(3):
            for j in range(2):
                x, mixed = value[i, j], c.program.mixed["O"]
                whole = [n for n in range(-9, 10) if mixed.is_whole(c.whole, i, j, n)]
                assert bool(whole) is is_integer(x)
                if whole:
                    assert x == whole[0]
                seen.add(bool(whole))
    assert seen == {True, False}


def test_a_mean_by_weights():
    assert is_whole_mean(1, [0, 0, 5], [0, 2, 1])  # (e^0 0 + e^0 2 + e^5 1) / (2 + e^5)
    assert not is_whole_mean(1, [0, 1, 5], [0, 2, 1])


def test_no_further_than_is_asked():
    drawn = Source(Plan(builtin("head"), seed=1), 1).scores(0)
    assert dict(drawn) == {} and drawn["H"] and list(drawn) == ["H"]
    assert list(drawn.all()) == ["H", "W_Q", "W_K"]
