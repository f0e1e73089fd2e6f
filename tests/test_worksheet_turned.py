"""Sheets with rotary positions: what is said of their powers of e, by numbers of forty digits."""

from dataclasses import replace
from itertools import pairwise

import mpmath
import pytest

from derive import builtin
from derive.exact import matrix
from derive.worksheet.candidate import Candidate, Scored
from derive.worksheet.drawing import Source
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants
from derive.worksheet.turned import NOUGHT, turned_powers

WIDE = matrix([[1, 0, 0, 1], [0, 1, 1, 0]])
GIVEN = {"W_Q": WIDE, "W_K": WIDE, "W_V": WIDE}


def setting(layout="adjacent", mask=None, heads=1, is_wide=False):
    problem = builtin("rope")
    choices = replace(problem.conventions, layout=layout, mask=mask, heads=heads)
    given = {**problem.given, **GIVEN} if is_wide else problem.given
    return replace(problem, conventions=choices, given=given)


SETTINGS = {
    "two columns": setting(),
    "under a mask": setting(mask="causal"),
    "four columns": setting(is_wide=True),
    "halves": setting(layout="halves", is_wide=True),
    "two heads": setting(heads=2, is_wide=True),
}


def turned(row, position, layout, start):
    """A row with every pair turned by its angle, as complex numbers."""
    d = len(row)
    if layout == "adjacent":
        found = [mpmath.mpc(row[k], row[k + 1]) for k in range(0, d, 2)]
    else:
        found = [mpmath.mpc(row[k], row[k + d // 2]) for k in range(d // 2)]
    return [
        z * mpmath.expj((position + start) / mpmath.power(10000, mpmath.mpf(2 * p) / d))
        for p, z in enumerate(found)
    ]


def scores(problem, given):
    """The scores of each head, before they are divided, that no mask forbids."""
    choices = problem.conventions
    q, k = (mpmath.matrix(given["H"]) * mpmath.matrix(given[w]) for w in ("W_Q", "W_K"))
    width = q.cols // choices.heads
    for head in range(choices.heads):
        columns = range(head * width, (head + 1) * width)
        own = [
            [turned([m[i, c] for c in columns], i, choices.layout, choices.first_position)
             for i in range(m.rows)]
            for m in (q, k)
        ]  # fmt: skip
        yield [
            mpmath.fsum((x * mpmath.conj(y)).real for x, y in zip(a, b, strict=True))
            for i, a in enumerate(own[0])
            for j, b in enumerate(own[1])
            if choices.mask is None or j <= i
        ]


def different(numbers):
    """How many numbers are apart by more than 1e-30."""
    ordered = sorted(numbers)
    return 1 + sum(y - x > mpmath.mpf(10) ** -30 for x, y in pairwise(ordered))


@pytest.mark.parametrize("name", SETTINGS)
def test_scores_are_told_apart(name):
    """As many are different as there are numbers apart, and 0 is known as such."""
    plan = Plan(SETTINGS[name])
    source, most = Source(plan, 1), set()
    with mpmath.workdps(40):
        for k in range(40):
            given = source.scores(k).all()
            scored = Scored(plan, given)
            found = turned_powers(plan.problem, given, scored.program.tally.scores)
            expected = list(scores(plan.problem, given))
            assert [len(x) for x in found] == [different(x) for x in expected]
            noughts = [any(abs(x) < mpmath.mpf(10) ** -30 for x in row) for row in expected]
            assert [NOUGHT in x for x in found] == noughts
            most.update(map(len, found))
    assert len(most) > 1


def test_powers_of_e_are_counted():
    """The squares of a cosine and a sine make 1: what a key says of its powers is no more."""
    plan = Plan(builtin("rope"))
    source = Source(plan, 1)
    with mpmath.workdps(40):
        for k in range(30):
            scored = Scored(plan, source.scores(k))
            drawn = Candidate(scored, source.rest(k, 1, scored.drawn.all()))
            (row,) = scores(plan.problem, drawn.given)
            is_nought = any(abs(x) < mpmath.mpf(10) ** -30 for x in row)
            assert drawn.difficulty.powers == different(row) - is_nought


def test_no_more_powers_than_asked_and_soon():
    """Every sheet has at most five, and none needs the derivations of thousands that are not."""
    with mpmath.workdps(40):
        for seed in (1, 2, 5, 6):
            (v,) = variants(Plan(builtin("rope"), seed=seed), (1,))
            (row,) = scores(v.plan.problem, v.candidate.given)
            assert different(row) <= 5
