"""Tables of positional encodings: the column of positions tells which encoding each row is."""

from math import cos, pi, sin

import pytest

from derive import verify

SAID = (
    r"With $d = {}$ the encodings are $PE_{{(pos, 2i)}} = \sin(pos/10000^{{2i/d}})$ and"
    r" $PE_{{(pos, 2i+1)}} = \cos(pos/10000^{{2i/d}})$." + "\n\n"
)


def pairs(p, d, index=lambda i: 2 * i, sign=1, unit=1.0, of=None):
    """Sine and cosine of each angle at one position, side by side."""
    angles = [unit * p / 10_000 ** (index(i) / (of or d)) for i in range(d // 2)]
    return [x for a in angles for x in (sign * sin(a), cos(a))]


def table(rows, head="pos"):
    """A table with a position before each row."""
    width = len(next(iter(rows.values())))
    heads = f"| {head} | " + " | ".join(f"dim {k}" for k in range(width)) + " |\n"
    lines = [f"| {p} | " + " | ".join(f"{x:.4f}" for x in row) + " |" for p, row in rows.items()]
    return SAID.format(width) + heads + "|---" * (width + 1) + "|\n" + "\n".join(lines) + "\n"


def judged(text):
    """How many are wrong, and the cause."""
    found = [c for c in verify(text).claims if c.verdict == "wrong"]
    return len(found), {c.cause for c in found}


@pytest.mark.parametrize("places", [range(4), (1,), (0, 2, 10), range(3, 7)])
@pytest.mark.parametrize("width", [4, 6])
def test_right_encodings_at_any_positions(places, width):
    report = verify(table({p: pairs(p, width) for p in places}))
    found = [c.verdict for c in report.claims if "." in c.printed]
    assert found == ["correct"] * (len(places) * width)


@pytest.mark.parametrize(
    "row, cause",
    [
        (lambda p: pairs(p + 1, 4), ("positions from 1", ())),
        (lambda p: [x for k in (0, 1) for x in pairs(p, 4)[k::2]], ("halves and pairs", ())),
        (lambda p: [pairs(p, 4)[k] for k in (1, 0, 3, 2)], ("sine and cosine swapped", ())),
        (lambda p: pairs(p, 4, sign=-1), ("turned backwards", ())),
        (lambda p: pairs(p, 4, unit=pi / 180), ("angles in degrees", ())),
        (lambda p: pairs(p, 4, of=6), ("other index of angles", ("2i/6",))),
        (lambda p: pairs(p, 4, index=lambda i: i), ("other index of angles", ("i/d",))),
    ],
)
@pytest.mark.parametrize("places", [range(4), (0, 2, 10)])
def test_what_stands_under_a_position_is_of_that_position(row, cause, places):
    rows = {p: row(p) for p in places}
    both = [xy for p in places for xy in zip(rows[p], pairs(p, 4), strict=True)]
    count = sum(round(x, 4) != round(y, 4) for x, y in both)
    assert judged(table(rows)) == (count, {cause})


def test_one_row_tells_its_position():
    assert judged(table({0: pairs(1, 4)}))[0] == 3
    assert judged(table({1: pairs(1, 4)}))[0] == 0


def test_tokens_may_be_counted_from_1_where_they_are_no_letter_of_the_formula():
    assert judged(table({p: pairs(p - 1, 4) for p in (1, 2, 3)}, "Position"))[0] == 0


def test_what_stands_under_positions_may_be_something_else():
    rows = {0: [0.3, -0.2, 0.5, 0.1], 1: [0.7, 0.4, -0.6, 0.2]}
    assert judged(table(rows))[0] == 0
    both = {p: [x + y for x, y in zip(r, pairs(p, 4), strict=True)] for p, r in rows.items()}
    assert judged(table(both))[0] == 0


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("Für $i=1$ ist der Nenner 100.", "correct"),
        ("For i = 1 the denominator is 10.", "wrong"),
        ("当 $i=1$ 时分母是 10。", "wrong"),
        ("For i = 1 the denominator is 7.", "unchecked"),
    ],
)
def test_a_denominator_in_a_sentence(sentence, verdict):
    """10000^(2/4) = 100; with the exponent i/d it would be 10, and 7 is something else."""
    assert 10000 ** (2 / 4) == 100
    text = (
        "$$PE_{(pos,2i)} = \\sin\\left(\\frac{pos}{10000^{2i/d}}\\right), "
        "PE_{(pos,2i+1)} = \\cos\\left(\\frac{pos}{10000^{2i/d}}\\right)$$\n\n"
        f"Here $d = 4$. {sentence}\n"
    )
    assert verify(text, "a.md").claims[-1].verdict == verdict
