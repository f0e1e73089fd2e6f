"""Keys and tolerances against a pupil who works in decimals, and mistakes told apart."""

import random
from dataclasses import replace
from fractions import Fraction
from operator import mul

import pytest
from by_hand import Pupil, floats, never, part, rounded, worked

from derive import builtin, ops
from derive.gradients.op import Gradient
from derive.numerals import Format
from derive.words import LANGUAGES, words
from derive.worksheet.mistakes import LEFT_OUT, ROWS
from derive.worksheet.plan import Plan
from derive.worksheet.planted import planted
from derive.worksheet.search import variants
from derive.worksheet.second import proves
from derive.worksheet.stress import checked, reported, stress
from derive.worksheet.widened import widened
from derive.worksheet.written import is_right, written

PROBLEMS = ("head", "causal", "multihead", "layernorm", "block")
COUNTS = {"head": 200, "causal": 60, "multihead": 12, "layernorm": 60, "block": 20}
each_problem = pytest.mark.parametrize("name", PROBLEMS)


@pytest.fixture(scope="module")
def drawn():
    """Variants of each problem, drawn once."""
    made = {}

    def of(name, level=1, count=None):
        if (name, level) not in made:
            plan = Plan(widened(builtin(name)), seed=11, level=level)
            made[name, level] = list(variants(plan, range(1, 1 + (count or COUNTS[name]))))
        return made[name, level]

    return of


def answers_of(rows, key):
    return [(a, rows[a.row - 1][a.column - 1]) for a in key.answers]


@each_problem
def test_keys_are_what_floating_point_comes_to(name, drawn):
    for v in drawn(name):
        exact = worked(Pupil(3, never), name, floats(v.candidate.problem))
        for answer, x in answers_of(exact, v.key):
            assert abs(float(answer.key) - x) <= 0.0005 + 1e-9, (v.id, answer)
            assert answer.low <= round(float(answer.key) * 1000) <= answer.high


def sometimes(seed):
    """A pupil who rounds at some steps and not at others."""
    coin = random.Random(seed)
    return lambda x, places: rounded(x, places) if coin.random() < 0.5 else x


PUPILS = {
    "after every operation": lambda k: Pupil(3),
    "with the largest score subtracted": lambda k: Pupil(3, lowers=True),
    "with 1/sqrt(d) rounded": lambda k: Pupil(3, inverts=True),
    "now and then": lambda k: Pupil(3, sometimes(k)),
    "to a place more": lambda k: Pupil(4),
    "to two places more": lambda k: Pupil(5),
    "only at the end": lambda k: Pupil(3, never),
}


@each_problem
@pytest.mark.parametrize("way", PUPILS)
def test_every_way_of_rounding_is_right(name, way, drawn):
    for k, v in enumerate(drawn(name)):
        rows = worked(PUPILS[way](k), name, floats(v.candidate.problem))
        for answer, x in answers_of(rows, v.key):
            found = round(rounded(x, 3) * 1000)
            assert answer.low <= found <= answer.high, (v.id, answer, x)


def test_tolerances_are_no_wider_than_they_need(drawn):
    """Nine in ten are what weights of three places leave: half a unit times |V|, either way."""
    kept = []
    for v in drawn("head"):
        given = floats(v.candidate.problem)
        W = list(zip(*given["W_V"], strict=True))
        V = [[sum(map(mul, row, column)) for row in given["H"]] for column in W]
        least = [1 + sum(map(abs, column)) for column in V]
        kept += [a.high - a.low <= least[a.column - 1] for a in v.key.answers]
    assert sum(kept) > 0.9 * len(kept)


MADE = (
    "not scaled",
    "divided by the square",
    "weights transposed",
    "input in place of values",
    "softmax along the other side",
    "not normalised",
)


@pytest.mark.parametrize("mistake", MADE)
def test_who_makes_a_mistake_is_told(mistake, drawn):
    """A pupil who rounds is in the interval of the mistake and not in that of what is right."""
    told = 0
    for v in drawn("head", 3, 60):
        found = [t for t in v.key.told if t.name == mistake]
        given = floats(v.candidate.problem)
        for t in found:
            pupil = Pupil(3)
            exactly = Pupil(3, never)
            pupil.mistakes = exactly.mistakes = frozenset({mistake})
            rows, exact = worked(pupil, "head", given), worked(exactly, "head", given)
            right = {a.blank: a for a in v.key.answers}
            for wrong in t.wrong:
                a = right[wrong.blank]
                x, y = rows[a.row - 1][a.column - 1], exact[a.row - 1][a.column - 1]
                assert wrong.low <= round(rounded(x, 3) * 1000) <= wrong.high
                assert abs(float(t.digits[wrong.blank]) - y) <= 0.00051
                assert wrong.high < a.low or wrong.low > a.high
            told += 1
    assert told > 40


def test_what_does_not_show_is_said_not_to_show():
    """Behind a norm of two features a missing scale changes nothing beyond the tolerance."""
    unseen = 0
    for v in variants(Plan(builtin("block"), seed=11, level=3), range(1, 13)):
        given = floats(v.candidate.problem)
        pupil = Pupil(3, never)
        pupil.mistakes = frozenset({"not scaled"})
        rows = worked(pupil, "block", given)
        if ("not scaled", "scaled") in v.key.unseen:
            unseen += 1
            for answer, x in answers_of(rows, v.key):
                assert answer.low - 1 <= x * 1000 <= answer.high + 1
    assert unseen


@each_problem
def test_no_digit_is_near_a_tie(name, drawn):
    for v in drawn(name)[:20]:
        exact = worked(Pupil(3, never), name, floats(v.candidate.problem))
        for _, x in answers_of(exact, v.key):
            assert abs(abs(x) * 1000 % 1 - 0.5) > 0.0009


@pytest.mark.parametrize("places", [0, 1, 5, 9])
def test_other_places(places):
    plan = Plan(builtin("head"), seed=2, form=Format(places))
    for v in variants(plan, range(1, 6)):
        exact = worked(Pupil(places, never), "head", floats(v.candidate.problem))
        rows = worked(Pupil(places), "head", floats(v.candidate.problem))
        for (answer, x), (_, y) in zip(
            answers_of(exact, v.key), answers_of(rows, v.key), strict=True
        ):
            assert abs(float(answer.key) - x) <= 0.501 * 10**-places
            assert answer.low <= round(y * 10**places) <= answer.high


def test_a_planted_mistake_is_carried_through_to_the_end():
    """Every numeral after the mistake is the pupil's who makes it and rounds at the end."""
    seen = set()
    for v in variants(Plan(builtin("head"), seed=6, level=2), range(1, 40)):
        found = planted(v)
        if found.slip.name not in MADE:
            continue
        seen.add(found.slip.name)
        pupil = Pupil(3, never)
        pupil.mistakes = frozenset({found.slip.name})
        o = worked(pupil, "head", floats(v.candidate.problem))
        for name, rows in (("A", pupil.weights), ("O", o)):
            for row, numerals in zip(rows, found.changed.get(name, rows), strict=True):
                for x, numeral in zip(row, numerals, strict=True):
                    assert abs(float(numeral) - x) <= 0.00051
        right = worked(Pupil(3, never), "head", floats(v.candidate.problem))
        assert str(found.changed["O"]) != str(right)
    assert len(seen) >= 4


@each_problem
def test_a_planted_mistake_shows_where_it_is_made(name):
    from derive.handout import Looks, keys_printed, sheets_printed

    for v in variants(Plan(builtin(name), seed=6, level=2, kind="find-mistake"), range(1, 3)):
        found = planted(v)
        digits = {s.name: v.candidate.derivation.places(s.name, 3) for s in found.slip.steps}
        assert any(
            [float(x) for row in digits[n] for x in row]
            != [float(x) for row in found.changed[n] for x in row]
            for n in digits
        )
        for lang in LANGUAGES:
            said = words(lang)["mistakes"][found.slip.name]
            sheet = sheets_printed([v], "markdown", Looks(lang))
            assert said not in sheet
            assert said in keys_printed([v], "markdown", Looks(lang))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_mistake_is_planted_in_one_head_alone(seed):
    """In floats the other head is as it stands on the sheet, and that of the mistake is not."""
    plan = Plan(builtin("multihead"), seed=seed, level=2, kind="find-mistake")
    for v in variants(plan, range(1, 4)):
        found, given = planted(v), floats(v.candidate.problem)
        heads = {name[-2] for name in found.changed if name.endswith(")")}
        if found.slip.letter[-1] != ")":
            assert not heads  # made where the heads are one again
            continue
        (own,) = heads
        assert [s.name for s in found.slip.steps] == [found.slip.letter]
        for h in (0, 1):
            pupil = Pupil(3, never)
            q, k, x = (pupil.product(given["H"], given[f"W_{w}"]) for w in "QKV")
            o = pupil.head(*(part(m, h, 2) for m in (q, k, x)), given["H"], False)
            on_sheet = found.changed.get(f"O^({h + 1})")
            if own != str(h + 1):
                assert on_sheet is None
            else:
                gaps = [abs(float(a) - b) for r, s in zip(on_sheet, o, strict=True)
                        for a, b in zip(r, s, strict=True)]  # fmt: skip
                assert max(gaps) > 0.0005
        (step, _) = written(v)
        head = own, found.slip.letter.partition("^")[0]
        for way in ("{1}({0})", "{1}{0}", "{1} of head {0}", "head {0} {1}"):
            assert is_right(way.format(*head), step.accepts)
        assert not is_right(f"{head[1]}({3 - int(own)})", step.accepts)


# --- the table of mistakes


def test_every_mistake_of_the_operations_is_taken_or_left_out():
    every = [row for row in ROWS if row.kind is not Gradient]
    kinds = {row.kind.__name__ for row in every} | {kind for kind, _ in LEFT_OUT}
    names = {(row.kind.__name__, row.name) for row in ROWS}
    for kind in sorted(kinds):
        for mistake in getattr(ops, kind).mistakes:
            taken = {(kind, mistake.name), (kind, f"heads {mistake.name}")}
            assert taken & names or (kind, mistake.name) in LEFT_OUT, (kind, mistake.name)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mistake_has_its_words(lang):
    assert set(words(lang)["mistakes"]) == {row.name for row in ROWS}


READ_AMISS = {"head": ("O",), "causal": ("A",), "block": ("F", "N2")}
"""Blanks beside which other numbers stand that can be taken for the right ones."""


def test_every_mistake_shows_in_some_sheet():
    """At every step of a block, of two heads under a mask, and of a norm by itself."""
    shown = set()
    for name, choices in (
        ("head", {}),
        ("block", {}),
        ("multihead", {"mask": "causal"}),
        ("causal", {}),
        ("layernorm", {"eps": "1/10"}),
        ("layernorm", {"normalization": "rmsnorm"}),
    ):
        from derive.read.conventions import under

        problem = widened(under(builtin(name), choices))
        plans = [Plan(problem, seed=4, level=2)]
        if name == "multihead":  # at level 2 the columns of each head stand on the sheet
            plans.append(Plan(problem, seed=4, level=3))
        if name in READ_AMISS:
            plans.append(Plan(problem, seed=4, blank=READ_AMISS[name]))
        for v in (v for p in plans for v in variants(p, range(1, 5))):
            shown |= {told.name for told in v.key.told}
    missing = {row.name for row in ROWS if row.kind is not Gradient} - shown
    # rows without a bias, and keys as long as there are tokens, are in none of these
    assert missing <= {"keys not transposed", "weight transposed"}, missing


# --- the second route


@each_problem
def test_the_second_route_proves_the_keys(name, drawn):
    for v in drawn(name)[:8]:
        assert all(is_right for *_, is_right in checked(v))


@each_problem
def test_and_those_of_every_step(name):
    report = stress(Plan(builtin(name), seed=9, level=2), 2)
    assert report.is_sound and report.keys > 30


@pytest.mark.parametrize(
    ("numeral", "is_right"),
    [("0.667", True), ("0.666", False), ("0.668", False), ("6.67e-1", True), ("6.66e-1", False)],
)
def test_a_wrong_digit_is_not_proved(numeral, is_right):
    from mpmath import iv

    assert proves(iv.mpf(2) / 3, numeral, 3, False) is is_right
    assert proves(iv.mpf(2) / 3, "0.666", 3, True)
    assert not proves(iv.mpf([0.6, 0.7]), "0.667", 3, False)


def test_the_report_names_failures_duplicates_and_guesses():
    one = (
        "a",
        (("head-1", "O[1][1]", "0.5", True), ("head-1", "O[1][2]", "0.1", False)),
        (1, 0, 0),
    )
    report = reported([one] * 30, 3.0)
    assert not report.is_sound and report.duplicates == 29
    assert report.failures[0] == "head-1 O[1][2]" and len(report.failures) == 30
    assert ("O[1][1]", "0.5", 1.0) in report.guessable
    assert ("O[1][1]", Fraction(1, 2), Fraction(1, 2)) in report.ranges


@pytest.mark.parametrize("name", ["head", "causal", "layernorm", "multihead"])
def test_small_integers_on_the_way_are_no_guess(name):
    """Entries of Q are from -4 to 4; who guesses one still has O to find."""
    plan = Plan(widened(builtin(name)), seed=60, level=2)
    report = stress(plan, 60)
    assert report.is_sound and not report.guessable
    assert any(blank.startswith(("Q", "mu")) for blank, _, _ in report.ranges)


def test_an_end_that_could_be_guessed_is_told():
    plan = Plan(widened(builtin("head")), seed=60, blank=("Q",))
    assert not stress(plan, 60).is_sound


def test_what_could_be_guessed_is_not_sound():
    every = [(f"{k}", ((f"x-{k}", "O[1][1]", f"{k % 9}", True),), (1, 0, 0)) for k in range(90)]
    assert not reported(every, 1.0).is_sound
    others = [(f"{k}", ((f"x-{k}", "O[1][1]", f"{k}", True),), (1, 0, 0)) for k in range(90)]
    assert reported(others, 1.0).is_sound


def test_the_report_is_the_same_on_two_processes():
    plan = Plan(builtin("head"), seed=12)
    one, two = (replace(stress(plan, 45, jobs), seconds=0) for jobs in (1, 2))
    assert one == two and one.count == 45 and one.is_sound
