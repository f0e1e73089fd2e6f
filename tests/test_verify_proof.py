"""What proves a finding: closed forms against mpmath, the numbers put in, what is only assumed."""

import json
import time
from fractions import Fraction

import mpmath
import pytest
import sympy

import derive
from derive.cli.main import run
from derive.exact import matrix, number
from derive.exact.ball import precision
from derive.exact.enclosure import Enclosures
from derive.verdicts import verdicts_printed
from derive.verify.values import domain_functions, operations

HEAD = """
X = [[1, 0], [0, 1], [1, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 1], [0, 1]]
W_V = [[1, 0], [1, 1]]
"""
A = "A = [[0.401, 0.198, 0.401], [0.248, 0.248, 0.504], [0.284, 0.140, 0.576]]\n"
O = "O = [[1.401, 0.599], [1.503, 0.752], [1.576, 0.716]]\n"
CLAIMS = (
    HEAD + A + O,
    "LayerNorm([1, 2, 4]) = [-1.069, -0.267, 1.336]",
    "$e^{0.5} + \\sqrt{3}/2 = 2.515$ and $\\frac{1}{3} - 0.25 = 0.083$",
    "softmax([1, 0, 1]) = [0.422, 0.155, 0.422] and log(2) = 0.693",
    "1 - 0.1 * 2 = 0.8 and (2 + 1/4)^2 = 5.0625",
    "sigmoid(0.5) = 0.622, GELU(1) = 0.841, SiLU(2) = 1.762",
    "loss = -log(0.25) = 1.386 and max(1, 2, 3.5) = 3.5",
)


@pytest.mark.parametrize("text", CLAIMS)
def test_closed_forms_are_the_exact_values(text):
    claims = [c for c in derive.verify(text).claims if c.exact and c.verdict != "assumed"]
    assert claims
    for claim in claims:
        assert claim.closed_form is not None, claim
        exact = sympy.N(sympy.S(claim.closed_form), 30)
        assert abs(exact - mpmath.mpf(claim.exact.rstrip("…"))) < 1e-13


GIVENS = {
    "masked": ([[1, 2], [3, 4]], [[1, 0], [1, 1]]),
    "layernorm given": ([[1, 2, 4]], [[Fraction(1, 10)]]),
    "beside": ([[1], [2]], [[3], [4]]),
    "average": ([[1, 2]], [[3, 5]], [[0, 1]]),
    "softmax back": ([[Fraction(1, 4), Fraction(3, 4)]], [[2, -1]]),
}
ROWS = ([[Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)], [1, 2, Fraction(5, 2)], [3, 1, 2]],)


@pytest.mark.parametrize("name", domain_functions.FUNCTIONS)
def test_a_function_on_exact_numbers_is_the_one_on_balls(name):
    """Two implementations of each function, of which one has no algebra."""
    given = GIVENS.get(name, ROWS)
    exact = [
        matrix([[number(*Fraction(x).as_integer_ratio()) for x in r] for r in m]) for m in given
    ]
    with precision(200):
        found = Enclosures.of(domain_functions.FUNCTIONS[name](*exact))
        wanted = operations.function(name, list(map(Enclosures.of, exact)))
        assert found.shape == wanted.shape
        for row, other in zip(found.rows, wanted.rows, strict=True):
            for x, y in zip(row, other, strict=True):
                assert x.overlaps(y) and (x.rad() < 1e-40 or not x.is_finite())


UNKNOWN = (
    ("X = [[0.4967142, -0.1382643]]\nW = [[1.25], [2.5]]\n\nX W = [[0.275]]", "0.275"),
    ("It took 3.75 seconds.", "3.75"),
)


@pytest.mark.parametrize(("text", "printed"), UNKNOWN)
def test_what_is_not_exact_has_no_closed_form(text, printed):
    found = [c for c in derive.verify(text).claims if c.printed == printed]
    assert found and all(c.closed_form is None for c in found)


def test_a_number_of_thousand_digits_is_not_told():
    (claim,) = [c for c in derive.verify("7^64 = 3.5").claims if c.printed == "3.5"]
    assert claim.closed_form == str(7**64)


def test_closed_forms_cost_little(tmp_path):
    rows = "".join(f"exp({k}/7) + sqrt({k}) = {k}.125\n" for k in range(2, 302))
    start = time.perf_counter()
    report = derive.verify(rows)
    assert sum(c.closed_form is not None for c in report.claims) >= 300
    assert time.perf_counter() - start < 10


# --- pages


def page(text, **options):
    return verdicts_printed(derive.verify(text), "terminal", **options)


def test_a_finding_is_proved_on_the_page():
    found = page(HEAD + A)
    assert "A₂₃ = e^(√2)/(e^(√2/2) + e^(√2/2) + e^(√2)) = e^(√2/2)/(e^(√2/2) + 2)" in found
    assert "0.503489843" in found and "A = softmax(S̃)" in found
    assert "row 2, column 3" in found
    quoted = found.splitlines()
    marked = next(k for k, line in enumerate(quoted) if "^^^^^" in line)
    assert quoted[marked - 1][quoted[marked].index("^") :].startswith("0.504")


def test_rows_and_columns_in_chinese():
    assert "第 2 行第 3 列" in page(HEAD + A, lang="zh")


@pytest.mark.parametrize("format", ["latex", "markdown", "html", "pdf"])
def test_every_format(format):
    text = HEAD + A + "<b>`*_$~^\\#|{}\nexp(1) = 2.81 <script>&amp; ১২ 😀"
    found = verdicts_printed(derive.verify(text), format)
    if isinstance(found, bytes):
        assert found.startswith(b"%PDF")
        return
    assert "0.503" in found
    assert "<script>&" not in found.replace("```text\nexp(1) = 2.81 <script>&", "")


def test_what_is_only_assumed_has_the_truth_beside_it():
    scores = "S = [[1, 0, 1], [1, 1, 2], [2, 1, 3]]\n\n"
    text = f"{HEAD}{scores}We assume the weights [0.45, 0.10, 0.45]."
    report = derive.verify(text)
    (found,) = report.supposed  # softmax(1, 0, 1) = (0.4223, 0.1554, 0.4223)
    assert found.printed == ("0.45", "0.10", "0.45")
    assert found.true in (("0.42", "0.16", "0.42"), ("0.40", "0.20", "0.40"))
    assert ", ".join(found.true) in " ".join(page(text).split())


def test_consequences_are_folded_under_their_root():
    text = "s = exp(1) = 2.81\n\n" + "\n".join(f"2.81 + {k} = {k + 2}.81" for k in range(1, 30))
    found = page(text)
    assert found.count("Printed 2.81") == 1 and "3.81 (line 3)" in found and "more" in found


def test_hundreds_of_numbers_are_one_finding():
    rows = ", ".join(f"{k}.5" for k in range(300))
    factors = ", ".join(f"{k}" for k in range(300))
    text = f"a = [{factors}]\nb = 2 * [{factors}] = [{rows}]\n"
    report = derive.verify(text)
    assert report.counts["wrong"] > 200
    assert len(report.findings()) == 1
    assert len(page(text).splitlines()) < 60


def test_json_keeps_what_it_had(tmp_path, capsys):
    path = tmp_path / "a.md"
    path.write_text(HEAD + A, encoding="utf-8")
    run(["verify", str(path), "--json"])
    found = json.loads(capsys.readouterr().out)
    (wrong,) = (c for c in found["claims"] if c["verdict"] == "wrong")
    assert sympy.S(wrong["closed_form"]) == sympy.exp(sympy.sqrt(2) / 2) / (
        2 + sympy.exp(sympy.sqrt(2) / 2)
    )


def test_the_width_of_the_keys_is_no_gradient():
    text = (
        "Let $d_k = 2$.\n\n$$Q = \\begin{bmatrix}1&0\\\\0&1\\end{bmatrix}, K = "
        "\\begin{bmatrix}1&2\\\\3&1\\end{bmatrix}$$\n\n$$S = \\frac{QK^T}{\\sqrt{d_k}} = "
        "\\begin{bmatrix}0.707&2.121\\\\1.414&0.807\\end{bmatrix}$$\n"
    )
    shown = page(text)
    assert "√(d_k)" in shown and "dK" not in shown
