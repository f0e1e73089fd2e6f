"""What is counted as checked, and what is told of what cannot be read."""

import io

import pytest

from derive import verify
from derive.errors import InputError
from derive.render.terminal import terminal
from derive.verify.documents.document import opened
from derive.verify.report import verified
from derive.views.verdicts import verdicts_page


def test_inputs_are_not_checked():
    """Three inputs and three weights: e^0 = 1, e^1.3 = 3.669; 1 / 5.669 = 0.176."""
    report = verify("softmax([0, 0, 1.3]) = [0.176, 0.176, 0.647]", "a.md")
    assert report.counts["assumed"] == len(report.claims) - 3 == 1
    assert report.checked == report.as_json()["coverage"]["checked"] == 3
    assert "Checked 3 of 4 numbers; assumed: 1." in terminal(verdicts_page(report, "en"))


@pytest.mark.parametrize("text", ["The inputs are [0.5, 0.6].", "x = [1.5, 2.5]"])
def test_inputs_alone_are_nothing_checked(text):
    report = verify(text, "a.md")
    assert report.code() == 3 and report.checked == 0
    assert "Nothing could be checked." in terminal(verdicts_page(report, "en"))


UNEQUAL = [("0.5 = 0.6", ["0.6"]), ("x = 0.5 = 0.6", ["0.6"])]
EQUAL = [
    "0.50 = 0.5",
    "0.333 = 0.33",
    "0.5 = 50 %",
    "0.5 ≈ 0.6",
    "Quantiles: 0.5 = 0.67, 0.9 = 1.28",
]


@pytest.mark.parametrize(("text", "found"), [*UNEQUAL, *((text, []) for text in EQUAL)])
def test_decimals_that_are_not_equal(text, found):
    claims = verify(text, "a.md").claims
    assert [c.printed for c in claims if c.verdict in ("wrong", "consequence")] == found


def sheet(weight, formula=""):
    """A table of scores, exponentials and weights, and a formula without a value beside it."""
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    for row in (
        ["token", "score", "exp", "weight"],
        ["a", 1.0, 2.7183, 0.2689],
        ["b", 2.0, 7.3891, weight],
        ["sum", 3.0, 10.1073, 1.0],
    ):
        page.append(row)
    if formula:
        page["F2"] = formula
    data = io.BytesIO()
    book.save(data)
    return verified(opened(data.getvalue(), "a.xlsx"))


@pytest.mark.parametrize("formula", ["", "=B2+1"])
def test_a_formula_without_a_value_stops_no_table(formula):
    pytest.importorskip("openpyxl")
    assert sheet(0.7311, formula).counts["correct"] == 7
    assert [c.printed for c in sheet(0.7131, formula).claims if c.verdict == "wrong"] == ["0.7131"]


def test_a_macro_without_an_end_is_told_with_its_line():
    text = "\\newcommand{\\a}{\\b}\n\\newcommand{\\b}{\\a}\n\n$x = \\a$\n"
    with pytest.raises(InputError) as told:
        verify(text, "loop.tex")
    assert "loop.tex:4:6" in str(told.value) and "$x = \\a$" in str(told.value)
