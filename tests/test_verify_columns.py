"""Tables whose columns are worked out, under heads that say nothing; lists below each other.

The figures are worked out here, in floats; some are spoilt on purpose.
"""

from math import cos, erf, exp, log, sin, sqrt, tanh

import pytest

from derive.verify import verify


def wrong(text, name="a.md"):
    """What is not right."""
    claims = verify(text, name).claims
    return [(c.printed, c.right) for c in claims if c.verdict in ("wrong", "consequence")]


def left(text, name="a.md"):
    """What nothing explains."""
    return [c.printed for c in verify(text, name).claims if c.verdict == "unchecked"]


def drawn(heads, rows, kind):
    """The same table as Markdown, with bars of boxes, and as a sheet."""
    if kind == "sheet":
        return "\n".join(map(";".join, [heads, *rows]))
    bar = "|" if kind == "markdown" else "│"
    lines = [f"{bar} " + f" {bar} ".join(row) + f" {bar}" for row in [heads, *rows]]
    rule = "|---" * len(heads) + "|" if kind == "markdown" else "├" + "─" * 20 + "┤"
    return "\n".join([lines[0], rule, *lines[1:]])


Z = [0.65, -0.39, -0.81, 1.08]
SUM = sum(map(exp, Z))
kinds = pytest.mark.parametrize("kind", ["markdown", "box", "sheet"])


@kinds
@pytest.mark.parametrize(
    "heads",
    ["sana | pisteet | muunnos | jakauma", "neno | alama | kipeo | mgao", "i | s | u | w"],
)
@pytest.mark.parametrize("spoilt", [None, 2, 3])
def test_exponentials_and_shares_under_any_heads(kind, heads, spoilt):
    """One entry of a column is spoilt, and it alone is wrong."""
    rows = [
        ["abcd"[i], f"{z:.2f}", f"{exp(z):.3f}", f"{exp(z) / SUM:.3f}"] for i, z in enumerate(Z)
    ]
    expected = []
    if spoilt:
        right = rows[1][spoilt]
        rows[1][spoilt] = f"{float(right) + 0.1:.3f}"
        expected = [(rows[1][spoilt], right)]
    text = "Lasketaan.\n\n" + drawn(heads.split(" | "), rows, kind) + "\n"
    assert wrong(text) == expected
    assert left(text) == []


A, B = [0.447, 0.825, 0.310, 0.787], [1.595, 1.265, 0.940, 0.367]


@kinds
@pytest.mark.parametrize(
    ("heads", "made"),
    [
        ("szó | súly | érték | szorzat", lambda a, b: a * b),
        ("beseda | e | pe | vsota", lambda a, b: a + b),
        ("kelime | hedef | tahmin | fark", lambda a, b: a - b),
        ("slovo | y | q | −y · ln q", lambda a, b: -a * log(b)),
    ],
)
@pytest.mark.parametrize("is_spoilt", [False, True])
def test_two_columns_make_a_third(kind, heads, made, is_spoilt):
    """By a product, a sum, a difference, or the formula over it."""
    values = [f"{made(a, b):.4f}" for a, b in zip(A, B, strict=True)]
    right = values[2]
    if is_spoilt:
        values[2] = f"{float(right) + 0.03:.4f}"
    rows = [
        ["ttt" + "abcd"[i], f"{a:.3f}", f"{b:.3f}", values[i]]
        for i, (a, b) in enumerate(zip(A, B, strict=True))
    ]
    text = "Rows.\n\n" + drawn(heads.split(" | "), rows, kind) + "\n"
    assert wrong(text) == ([(values[2], right)] if is_spoilt else [])
    assert left(text) == []


@pytest.mark.parametrize(
    ("head", "made"),
    [
        ("vrijednost", lambda x: 1 / (1 + exp(-x))),
        ("th", tanh),
        ("aktivasi", lambda x: x * (1 + erf(x / sqrt(2))) / 2),
    ],
)
@pytest.mark.parametrize("is_spoilt", [False, True])
def test_values_of_a_function(head, made, is_spoilt):
    """A table of a function that its head does not name; a right 0 is no blank."""
    xs = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0]
    values = [f"{made(x):.4f}" for x in xs]
    right = values[1]
    if is_spoilt:
        values[1] = f"{float(right) + 0.02:.4f}"
    rows = [[f"{x:.1f}", v] for x, v in zip(xs, values, strict=True)]
    text = "Values.\n\n" + drawn(["x", head], rows, "markdown") + "\n"
    assert wrong(text) == ([(values[1], right)] if is_spoilt else [])


@pytest.mark.parametrize("words", ["Gewogen som van de waarden", "Summa", "Keskiarvo"])
def test_half_of_the_rows_of_the_next_product_agree(words):
    """The second row weighs the values with other weights than are printed, as no word says."""
    weights, values = [[0.297, 0.437, 0.266], [0.601, 0.257, 0.142]], [[2, 1], [0, 3], [1, -1]]
    out = [
        [sum(w * v[j] for w, v in zip(row, values, strict=True)) for j in (0, 1)] for row in weights
    ]
    text = "\n".join(
        [
            "V = [[2.0, 1.0], [0.0, 3.0], [1.0, -1.0]]",
            "",
            "A = [[0.297, 0.437, 0.266], [0.601, 0.257, 0.142]]",
            "",
            f"{words}:",
            "",
            "|  | d₁ | d₂ |",
            "|---|---|---|",
            f"| ik | {out[0][0]:.3f} | {out[0][1]:.3f} |",
            "| slaap | 1.858 | 0.716 |",
        ]
    )
    assert wrong(text) == [(p, f"{x:.3f}") for p, x in zip(("1.858", "0.716"), out[1], strict=True)]


@pytest.mark.parametrize("word", ["Exponenciály", "Muunnos", "Kipeo"])
def test_a_list_worked_out_from_the_one_before_is_no_further_row(word):
    """The exponentials of a list are judged, though it stands right below and no word says so."""
    text = f"Logity jsou [2.0, 0.5, 0.0, -1.0].\n\n1. {word}: [7.39, 1.65, 1.00, 0.39]\n"
    assert wrong(text) == [("0.39", "0.37")]


EMBEDDED, W = [[0.12, 0.45, -0.33, 0.8], [-0.21, 0.67, 0.05, 0.14], [0.9, -0.4, 0.31, 0.27]], "abc"
P = [[sin(p), cos(p), sin(p / 100), cos(p / 100)] for p in range(4)]


def numbers(row, places, by=0.0):
    """A row as text; its third number is spoilt."""
    return [f"{x + by * (j == 2):.{places}f}" for j, x in enumerate(row)]


@pytest.mark.parametrize("is_listed", [False, True])
@pytest.mark.parametrize("by", [0.0, 0.1])
def test_an_input_is_the_embeddings_and_the_rows_below_each_other(is_listed, by):
    """No word says that they are added; their lists have other places than the embeddings."""
    heads = "sana | d1 | d2 | d3 | d4".split(" | ")
    rows = [[W[i], *numbers(row, 2)] for i, row in enumerate(EMBEDDED)]
    lists = "\n".join(f"- {w}: [{', '.join(r)}]" for w, *r in rows)
    given = lists if is_listed else drawn(heads, rows, "markdown")
    codes = "\n".join(f"- p{p}: [{', '.join(numbers(P[p], 4))}]" for p in range(3))
    total = [
        [a + b for a, b in zip(e, p, strict=True)] for e, p in zip(EMBEDDED, P[:3], strict=True)
    ]
    printed = [[W[i], *numbers(row, 4, by * (i == 1))] for i, row in enumerate(total)]
    made = drawn(heads, printed, "markdown")
    text = f"Upotukset\n\n{given}\n\nPaikat\n\n{codes}\n\nYhdessä\n\n{made}\n"
    assert wrong(text) == ([(printed[1][3], f"{total[1][2]:.4f}")] if by else [])


@pytest.mark.parametrize(
    ("label", "between"),
    [
        ("  pos={}:  ", " "),
        ("- PE({}): ", " "),
        ("p = {}: ", " "),
        ("t{}   ", " "),
        ("* rad {}: ", ", "),
    ],
)
@pytest.mark.parametrize("by", [0.0, 0.02])
def test_rows_behind_counted_labels(label, between, by):
    """A line for each position, its numbers parted by blanks or commas."""
    lines = [label.format(p) + between.join(numbers(P[p], 4, by * (p == 2))) for p in range(4)]
    text = "Positionskoder:\n\n" + "\n".join(lines) + "\n\nKlart.\n"
    assert wrong(text) == ([("0.0400", "0.0200")] if by else [])


S = [[0.6, 1.9, -0.4], [1.3, 0.2, 0.7], [-0.5, 0.8, 1.1]]


@pytest.mark.parametrize(
    ("line", "between", "scale"),
    [
        ("- {}: {}", ", ", 1),
        ("- {} mira a {}", " y ", 1),
        ("- «{}»: {}", ", ", 100),
        ("    {}  {}", "  ", 1),
    ],
)
@pytest.mark.parametrize("spoilt", [None, 1, 2])
def test_one_number_then_two_then_three(line, between, scale, spoilt):
    """What a mask leaves of each row stands in a line of its own; the first entry is spoilt."""
    shown, right = [], ""
    for i, row in enumerate(S):
        powers = [exp(x) for x in row[: i + 1]]
        places = 1 if scale > 1 else 3
        shares = [f"{scale * x / sum(powers):.{places}f}" for x in powers]
        if i == spoilt:
            right, shares[0] = shares[0], f"{float(shares[0]) + 0.06 * scale:.{places}f}"
        unit = "%" if scale > 1 else ""
        shown.append(line.format("abc"[i], between.join(s.rstrip() + unit for s in shares)))
    given = drawn(
        " |a|b|c".split("|"), [["abc"[i], *map(str, r)] for i, r in enumerate(S)], "markdown"
    )
    found = wrong(f"Puntos:\n\n{given}\n\nTapamos lo de después:\n\n" + "\n".join(shown) + "\n")
    assert [r.rstrip("%").strip() for _, r in found] == ([right] if spoilt else [])


STEPS = """| Input | Thinking | Machines |
|---|---|---|
| Score | q1 {dot} k1 = 112 | q1 {dot} k2 = 96 |
| {divide} | 14 | {second} |
| Softmax | {share} | {rest} |
"""


@pytest.mark.parametrize("dot", ["·", "•", "⋅"])
@pytest.mark.parametrize("divide", ["Divide by 8 (√dk)", "Score / 8", "geteilt durch 8", "除以 8"])
@pytest.mark.parametrize("second", ["12", "12.5"])
def test_a_row_says_by_what_the_row_above_is_divided(dot, divide, second):
    """The last row is the softmax of what is printed above it."""
    gap = exp(float(second) - 14)
    share, rest = f"{1 / (1 + gap):.2f}", f"{gap / (1 + gap):.2f}"
    text = STEPS.format(dot=dot, divide=divide, second=second, share=share, rest=rest)
    claims = verify(text, "a.md").claims
    seen = {c.printed: c.verdict for c in claims}
    assert seen["112"] == seen["96"] == "assumed"
    assert seen["14"] == "correct"
    assert seen[second] == ("correct" if float(second) == 96 / 8 else "wrong")
    assert seen[share] in ("correct", "propagated", "consequence")
    assert len(claims) == 6


SLIPPED = "| {} | {} |\n|---|---|\n"


@pytest.mark.parametrize(
    ("heads", "rows", "right"),
    [
        # log2 in place of ln: ln 2, 2 ln 2, 3 ln 2
        (("$p$", r"$-\ln p$"), ("0.5 1.000", "0.25 2.000", "0.125 3.000"), "0.693 1.386 2.079"),
        # one of four is right, with all its digits: e, e², e⁴
        (("z", "exp(z)"), ("1 2.178", "2 8.389", "3 20.086", "4 55.598"), "2.718 7.389 54.598"),
    ],
)
def test_a_formula_over_a_column_is_meant_where_most_is_wrong(heads, rows, right):
    text = SLIPPED.format(*heads) + "\n".join(f"| {' | '.join(r.split())} |" for r in rows)
    claims = verify(text, "a.md").claims
    assert [c.right for c in claims if c.verdict == "wrong"] == right.split()


@pytest.mark.parametrize(("loss", "is_wrong"), [("1.8620", False), ("1.8602", True)])
def test_probabilities_of_targets_are_those_printed_before(loss, is_wrong):
    """-ln(1/(1 + 2e)) = 1.86199, and not -ln 0.1554 = 1.86175."""
    text = (
        r"$$Z = \begin{bmatrix}1&2&0\\0&1&1\end{bmatrix}$$" + "\n\n"
        r"$$P = \mathrm{softmax}(Z) = \begin{bmatrix}0.2447&0.6652&0.0900\\0.1554&0.4223&0.4223"
        r"\end{bmatrix}$$" + "\n\n"
        "| example | target | $p$ | $-\\ln p$ |\n|---|---|---|---|\n"
        f"| 1 | 2 | 0.6652 | 0.4076 |\n| 2 | 1 | 0.1554 | {loss} |\n"
    )
    wrong = [c.printed for c in verify(text, "a.md").claims if c.verdict == "wrong"]
    assert wrong == [loss] * is_wrong


FIRST, NEXT = (
    {"le": 0.5, "la": 0.3, "un": 0.2},
    [("le", 0.4), ("le", 0.6), ("la", 0.7), ("la", 0.3)],
)


@pytest.mark.parametrize("label", ["{} | mot{}", "{} mot{} |", "*{}* | mot{}"])
@pytest.mark.parametrize("spoilt", [False, True])
def test_a_total_goes_on_from_the_row_of_another_table(label, spoilt):
    """The logarithm of a prefix, in the table before, plus that of the next word."""
    totals = [log(FIRST[word]) + log(p) for word, p in NEXT]
    totals[2] += 0.1 * spoilt
    heads = "| mot | p | log p |\n|---|---|---|\n"
    rows = "".join(f"| {word} | {p} | {log(p):.3f} |\n" for word, p in FIRST.items())
    width = label.count("|") if label.endswith("|") else 2
    text = heads + rows + "\nPuis :\n\n| a " + "| b " * (width - 1) + "| p | log p | total |\n"
    text += "|---" * (width + 3) + "|\n"
    for place, ((word, p), total) in enumerate(zip(NEXT, totals, strict=True)):
        first = label.format(word, place).rstrip(" |")
        text += f"| {first} | {p} | {log(p):.3f} | {total:.3f} |\n"
    text += f"\nRestent {totals[0]:.3f} et {totals[1]:.3f}. "
    text += f"Divisés par la longueur 2 : {totals[0] / 2:.4f}.\n"
    found = [(c.printed, c.verdict) for c in verify(text, "a.md").claims]
    told = [v for p, v in found for t in totals if p == f"{t:.3f}" and p not in rows]
    assert set(told) <= {"correct", "propagated", "wrong"} and told.count("wrong") == spoilt
    assert [v for _, v in found if v == "wrong"] == ["wrong"] * spoilt
    assert found[-1][1] in ("correct", "propagated")


def test_costs_that_do_not_go_on_from_another_table():
    rows = ["small | a | 1.5 | 12", "small | b | 2.5 | 18", "large | a | 6.0 | 44"]
    text = "| model | layers |\n|---|---|\n| small | 6 |\n| large | 24 |\n\n"
    text += "| model | run | hours | cost |\n|---|---|---|---|\n"
    text += "".join(f"| {row} |\n" for row in rows)
    assert {v.verdict for v in verify(text, "a.md").claims} <= {"assumed", "unchecked"}


def test_a_sum_told_before_its_table():
    powers = [exp(z) for z in (2.0, 1.5, 1.1, -1.9)]
    rows = "".join(
        f"| {w} | {log(x):.1f} | {x:.3f} |\n" for w, x in zip("abcd", powers, strict=True)
    )
    text = f"Die Summe der Exponentialwerte ist {{}}.\n\n| Wort | z | exp |\n|---|---|---|\n{rows}"
    total = f"{sum(powers):.3f}"
    (first, *_) = verify(text.format(total), "a.md").claims
    assert (first.printed, first.verdict) == (total, "correct")


STATES, QUERY = [(0.2, 0.9), (0.8, 0.4), (0.5, 0.1)], (1.5, 1.0)
WEIGHED = [exp(sum(q * x for q, x in zip(QUERY, h, strict=True))) for h in STATES]
ALONE = [f"{w / sum(WEIGHED):.3f}" for w in WEIGHED]
CONTEXT = [
    sum(w * h[k] for w, h in zip(WEIGHED, STATES, strict=True)) / sum(WEIGHED) for k in (0, 1)
]


@pytest.mark.parametrize("head", ["权重 α", "attention weight", "Gewicht", "poids", "重み"])
@pytest.mark.parametrize("spoilt", [False, True])
def test_a_single_column_of_weights(head, spoilt):
    """The weights of scores in sentences stand under one head; 0.467 is printed as 0.476."""
    rows = [ALONE[0], "0.476" if spoilt else ALONE[1], ALONE[2]]
    states = ", ".join(f"$h_{i} = [{x}, {y}]$" for i, (x, y) in enumerate(STATES, 1))
    text = (
        f"{states}, $s = [1.5, 1.0]$.\n\n"
        "- $1.5 * 0.2 + 1.0 * 0.9 = 1.20$\n- $1.5 * 0.8 + 1.0 * 0.4 = 1.60$\n"
        "- $1.5 * 0.5 + 1.0 * 0.1 = 0.85$\n\n"
        f"| | {head} |\n|---|---|\n"
        + "".join(f"| w{i} | {w} |\n" for i, w in enumerate(rows))
        + f"\n$c = [{CONTEXT[0]:.3f}, {CONTEXT[1]:.3f}]$, "
        f"$[c; s] = [{CONTEXT[0]:.3f}, {CONTEXT[1]:.3f}, 1.5, {1.1 if spoilt else 1.0}]$.\n"
    )
    assert wrong(text) == ([("0.476", "0.467"), ("1.1", "1.0")] if spoilt else [])
    weights = [c.verdict for c in verify(text, "a.md").claims if c.printed in rows]
    assert weights == (["correct", "wrong", "correct"] if spoilt else ["correct"] * 3)
