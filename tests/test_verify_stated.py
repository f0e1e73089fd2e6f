"""Sentences that name a measure, the letter sigma, and tables of values in spreadsheets."""

import io
import math
import zipfile

import pytest

from derive.verify import verify
from derive.verify.documents.document import document, opened
from derive.verify.report import verified

Z = (2, 1, 0.1)
EXP = [math.exp(z) for z in Z]
SHARES = [e / sum(EXP) for e in EXP]


def claim(text, printed, name="a.md"):
    return next(c for c in verify(text, name).claims if c.printed == printed)


def entropy(p, log=math.log):
    return -sum(x * log(x) for x in p)


def softmaxed(z):
    return [math.exp(x) / sum(map(math.exp, z)) for x in z]


def spread(x):
    return sum((y - sum(x) / len(x)) ** 2 for y in x) / len(x)


P, X = (0.5, 0.3, 0.2), (1, 3, 5, 8)
GIVEN = f"Let p = {P}. Let x = {X}. "
STATED = [
    (f"Let x = {X}. The mean is ", "4.35", sum(X) / 4, 2, "."),
    (f"Let x = {X}. The mean is 4.25 and the variance is ", "7.69", spread(X), 2, "."),
    (f"Let x = {X}. The standard deviation is ", "2.95", math.sqrt(spread(X)), 2, "."),
    (f"{GIVEN}The mean of x is ", "4.35", sum(X) / 4, 2, "."),
    (f"Let p = {P}. The entropy is ", "1.458", entropy(P, math.log2), 3, " bits."),
    (f"Let p = {P}. The entropy is ", "1.092", entropy(P), 3, " nats."),
    ("Let $p = (0.5, 0.25, 0.25)$. The entropy is ", "1.049", 1.5 * math.log(2), 3, " nats."),
    ("softmax([2, 1, 0.1]) = [0.659, 0.242, 0.099]. The loss of class 1 is ", "0.471",
     -math.log(SHARES[0]), 3, "."),
    (f"Let x = {X}. The mean of x is $\\mu = ", "4.35", sum(X) / 4, 2, "$."),
    ("Let $a = (1, 2, 3)$. Then $\\|a\\| = ", "3.724", math.sqrt(14), 3, "$."),
    ("softmax([2, 1, 0.1]) = [0.659, 0.242, 0.099]. The entropy is "
     "$H = -\\sum_i p_i \\ln p_i \\approx ", "0.874", entropy(SHARES), 3, "$."),
]  # fmt: skip


@pytest.mark.parametrize(("before", "wrong", "exact", "places", "behind"), STATED)
def test_what_a_sentence_says_is_measured(before, wrong, exact, places, behind):
    right = f"{exact:.{places}f}"
    found = claim(before + wrong + behind, wrong)
    assert (found.verdict, found.right) == ("wrong", right)
    assert claim(before + right + behind, right).verdict == "correct"


OPEN = (
    f"Let x = {X}. The mean loss is 4.35.",
    f"Let x = {X}. It was measured at 20 degrees. The mean is 4.35.",
    f"Let $x = {X}$ and $y = (1, 1, 1, 2)$. The mean is $4.35$.",
    "Accuracies were 0.5, 0.3 and 0.2. The mean is 4.35.",
)


@pytest.mark.parametrize("text", OPEN)
def test_what_is_not_certain_is_not_checked(text):
    assert claim(text, "4.35").verdict == "unchecked"


def test_a_list_that_words_announce_is_no_row_of_the_one_before():
    text = "The logits are [2.0, 1.0, 0.1]. Their exponentials are [{:.3f}, {:.3f}, {:.3f}], "
    total = f"{sum(EXP):.3f}"
    assert claim(f"{text.format(*EXP)}with sum {total}.", total).verdict == "correct"


@pytest.mark.parametrize("value", [SHARES, [1 / (1 + math.exp(-z)) for z in Z]])
def test_sigma_is_what_the_numbers_say(value):
    printed = "\\\\".join(f"{x:.3f}" for x in value)
    column = "\\begin{bmatrix}2\\\\1\\\\0.1\\end{bmatrix}"
    text = f"$\\sigma\\left({column}\\right) = \\begin{{bmatrix}}{printed}\\end{{bmatrix}}$"
    assert [c.verdict for c in verify(text).claims][-3:] == ["correct"] * 3


def test_sigma_of_something_else_is_not_accused():
    assert not [c for c in verify("$\\sigma([2, 1, 0.1]) = [4, 2, 0.3]$").claims if c.right]


def test_swapped_digits_of_a_percentage():
    first = 100 / (1 + math.exp(-0.306))
    assert f"{first:.1f}" == "57.6"
    found = claim("softmax([1, 0.694]) = [56.7%, 42.4%]", "56.7%")
    assert found.cause[0] == "digits swapped"


def test_a_list_with_semicolons_leaves_the_comma_to_decimals():
    text = "Sei v = (3; 4). Der Vektor v hat die Länge |v| = 5,0, und cos = 0,8."
    assert claim(text, "5,0").verdict == "correct"


def sheet(rows):
    """A workbook with one sheet, its words inline."""
    cells = "".join(
        f'<row r="{r}">'
        + "".join(
            f'<c t="inlineStr"><is><t>{x}</t></is></c>'
            if isinstance(x, str)
            else f"<c><v>{x:g}</v></c>"
            for x in row
        )
        + "</row>"
        for r, row in enumerate(rows, 1)
    )
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    parts = {
        "xl/workbook.xml": f'<workbook xmlns:r="{rel}"><sheets><sheet name="S" r:id="a"/></sheets>'
        "</workbook>",
        "xl/_rels/workbook.xml.rels": '<R><Relationship Id="a" Target="s.xml"/></R>',
        "xl/s.xml": f"<worksheet><sheetData>{cells}</sheetData></worksheet>",
    }
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, text in parts.items():
            packed.writestr(name, text)
    return data.getvalue()


def test_values_under_heads_in_a_sheet():
    rows = [
        [z, round(e, 3), round(p, 3), round(-math.log(p), 3)]
        for z, e, p in zip(Z, EXP, SHARES, strict=True)
    ]
    right = rows[1][3]
    rows[1][3] = 1.471
    report = verified(opened(sheet([["z", "e^z", "p", "-ln p"], *rows]), "v.xlsx"))
    assert [(c.printed, c.right) for c in report.claims if c.right] == [("1.471", str(right))]
    assert report.counts["correct"] == 8


def attention(heads, given, over_columns=False):
    """Blocks of a sheet under the words for them: Q, K, V, scores, divided, weights, output."""
    q, k, v = given
    scores = [[sum(x * y for x, y in zip(a, b, strict=True)) for b in k] for a in q]
    divided = [[x / math.sqrt(2) for x in row] for row in scores]
    rows = zip(*divided, strict=True) if over_columns else divided
    weights = [[math.exp(x) / sum(map(math.exp, row)) for x in row] for row in rows]
    weights = list(zip(*weights, strict=True)) if over_columns else weights
    output = [
        [sum(w * y for w, y in zip(row, c, strict=True)) for c in zip(*v, strict=True)]
        for row in weights
    ]
    lines = []
    for head, block in zip(heads, (q, k, v, scores, divided, weights, output), strict=True):
        lines += [[head], *([round(x, 4) for x in row] for row in block)]
    return lines


@pytest.mark.parametrize(
    "heads",
    [
        ["Q", "K", "V", "Q K^T", "durch √2 geteilt", "Gewichte", "Ausgabe"],
        ["Q", "K", "V", "得分", "除以 √2", "softmax 之后的权重", "输出"],
    ],
)
def test_a_sheet_is_read_by_the_words_over_its_blocks(heads):
    given = [[1, 0], [1, 1], [3, 2]], [[2, 1], [0, 1], [2, 3]], [[1, 3], [2, 0], [5, 3]]
    report = verified(opened(sheet(attention(heads, given)), "a.xlsx"))
    assert not report.counts["wrong"] and not report.counts["consequence"]
    report = verified(opened(sheet(attention(heads, given, over_columns=True)), "a.xlsx"))
    assert report.counts["wrong"] == 9 and report.counts["consequence"] == 6
    assert {c.cause[0] for c in report.claims if c.verdict == "wrong"} == {"softmax of columns"}


def test_a_bare_nought_in_a_sheet_is_a_number_that_is_rounded():
    """The weights 0.00002 and 0.0000003 are stored as 0: no mask is left out in the other row."""
    given = [[-1, 4], [-2, 0], [-1, -3]], [[-7, -1], [-2, -2], [4, -2]], [[-1, 2], [2, 4], [2, 2]]
    heads = ["Q", "K", "V", "Оценки", "Делим на корень из 2", "Веса после softmax", "Выход"]
    lines = attention(heads, given)
    assert lines[21:23] == [[0.9983, 0.0017, 0.0], [0.9992, 0.0008, 0.0]]
    report = verified(opened(sheet(lines), "a.xlsx"))
    assert not report.counts["wrong"] and not report.counts["consequence"]


@pytest.mark.parametrize(
    "said", ["$62.4$ %", r"$62.4$~\%", "62.4 percent", "62,4 Prozent", "62,4 procent"]
)
def test_a_percentage_whose_sign_stands_apart(said):
    comma = "," in said
    shares = [f"{x:.3f}" for x in softmaxed((3.0, 2.0, 1.0, 0.5, -1.0))]
    text = f"Aus z = (3.0; 2.0; 1.0; 0.5; -1.0) wird p = ({'; '.join(shares)}). Das sind {said}."
    text = text.replace(".", ",").replace("),", ").") if comma else text
    claims = verified(document(text, "a.md")).claims
    assert [c.verdict for c in claims][-6:] == ["correct"] * 6


def test_a_percentage_of_something_else_is_not_judged():
    text = "z = (2.0, 1.0, 0.1) gives p = (0.659, 0.242, 0.099). It took 35.7 percent longer."
    assert verified(document(text, "a.md")).claims[-1].verdict == "unchecked"


@pytest.mark.parametrize("arrow", ["T = {} → ({})", "τ = {} → [{}]"])
@pytest.mark.parametrize("slip", [False, True])
def test_weights_to_which_a_temperature_leads(arrow, slip):
    z, lines = (2.0, 1.0, 0.0), []
    for t in (2.0, 0.5):
        values = [f"{x:.3f}" for x in softmaxed([x / t for x in z])]
        lines.append(arrow.format(t, ", ".join([*values[:2], "0.061" if slip else values[2]])))
    claims = verified(document("z = (2.0, 1.0, 0.0)\n\n" + "\n".join(lines), "a.md")).claims
    last = "wrong" if slip else "correct"
    assert [c.verdict for c in claims][4:7] == ["correct", "correct", last]
    assert [c.verdict for c in claims][8:] == ["correct", "correct", last]


PE = [
    [f(k / 100**j) for j in (0, 1) for f in (math.sin, math.cos)] for k in range(3)
]  # base 10000, four wide
EMBEDDED = [[0.2, 0.5, -0.3, 0.1], [0.7, -0.1, 0.4, 0.6], [-0.2, 0.3, 0.9, 0.0]]


def bracketed(rows, places):
    lines = (" & ".join(f"{x:.{places}f}" for x in row) for row in rows)
    return r"\begin{bmatrix} " + r" \\ ".join(lines) + r" \end{bmatrix}"


@pytest.mark.parametrize("head", ["X = E + PE = ", "X = "])
@pytest.mark.parametrize("slip", [False, True])
def test_an_input_is_worked_out_where_most_of_it_agrees(head, slip):
    added = [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(EMBEDDED, PE, strict=True)]
    added[2][2] += 0.18 * slip
    text = (
        f"Sinusoidal positions. $$E = {bracketed(EMBEDDED, 2)}$$\n\n$${head}{bracketed(added, 4)}$$"
    )
    verdicts = [c.verdict for c in verify(text, "a.md").claims]
    assert verdicts[:12] == ["assumed"] * 12
    assert verdicts[12:] == ["correct"] * 10 + ["wrong" if slip else "correct", "correct"]


def test_an_input_that_agrees_with_nothing_is_given():
    text = f"$$E = {bracketed(EMBEDDED, 2)}$$ $$X = {bracketed(PE[::-1], 4).replace('9', '3')}$$"
    assert {c.verdict for c in verify(text, "a.md").claims} <= {"assumed", "correct"}


SIGNED_ = "gelu(x) with x = [-1.0, 0.5, 2.0]. gelu = [-0.159, 0.346, 1.954]. {}"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("The first output of GELU is 0.159, which is not 0.", "wrong"),
        ("The first output of GELU is -0.159, which is not 0.", "correct"),
        ("The absolute value of GELU is 0.159.", "unchecked"),
        ("The training of 0.159 epochs was short.", "unchecked"),
    ],
)
def test_the_sign_of_a_number_behind_the_name_of_its_list(said, verdict):
    claims = verify(SIGNED_.format(said), "a.md").claims
    assert next(c for c in claims[6:] if "0.159" in c.printed).verdict == verdict
