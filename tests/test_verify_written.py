"""Formulas as LaTeX is written; the figures are plain arithmetic."""

import pytest

from derive.verify import verify

RIGHT = {
    "a fraction without braces": r"$\mu = \frac14(1+2+3+6) = 3$",
    "a half of a letter": r"$x = 4$, $\frac12 x = 2$",
    "quarters": r"$\frac12 \cdot 1 + \frac14 \cdot 2 + \frac14 \cdot 2 = 1.5$",
    "a half of a matrix": r"$A = \begin{bmatrix}1&2\\3&4\end{bmatrix}$, "
                          r"$\frac12 A = \begin{bmatrix}0.5&1\\1.5&2\end{bmatrix}$",
    "a coefficient and a space": r"$t = 3$, so $Z = t + 1 + t = 2 t + 1$ and $Z = 7$.",
    "a coefficient at the end": r"$n = 8$: $n + n = 2 n$ rows",
    "e by itself": r"$\frac{e^2}{e^2+e^1} = \frac{e}{e+1} = 0.731$",
    "per cent behind a space": r"$e^{2}/(e^{2}+e^{1}+e^{0}) \approx 66.5\,\%$",
    "per cent behind a tie": r"$1/8 = 12.5~\%$",
    "per cent in words": r"$1/8 = 12.5$ percent",
    "Prozent": "Werte 0,5 und 0,25 und 0,75: $1/8 = 12{,}5$ Prozent",
    "thousands": r"$4 \cdot 512 \cdot 512 = 1{,}048{,}576$ and $2^{15} = 32{,}768$",
    "gigabytes": r"$7\cdot 10^9 \cdot 2 = 14\,\text{GB}$",
    "mebibytes": r"$1024 \cdot 1024 = 1$ MiB",
    "millions": r"$2 \cdot 3 \cdot 10^{6} = 6$ million",
    "an event": r"$\Pr[X = 1] = 0.3$, $f[n = 2] = 0.4$",
    "an array in brackets": r"$A = \begin{bmatrix}1&2\\3&4\end{bmatrix}$, $A\left("
                            r"\begin{array}{c}1\\1\end{array}\right) = "
                            r"\left(\begin{array}{c}3\\7\end{array}\right)$",
    "congruences": r"$7 = 2 \cdot 3 + 1 \equiv 1 \pmod 3$",
}  # fmt: skip
WRONG = {
    r"$\mu = \frac14(1+2+3+6) = 3.5$": "3.5",
    r"$x = 4$, $\frac12 x = 3$": "3",
    r"$\frac12 \cdot 1 + \frac14 \cdot 2 = 1.5$": "1.5",
    r"$e^{2}/(e^{2}+e^{1}+e^{0}) \approx 65.6\,\%$": r"65.6\,\%",
    r"$1/8 = 15.2$ percent": "15.2",
    r"$4 \cdot 512 \cdot 512 = 1{,}084{,}576$ and $2^{15} = 32{,}768$": "1{,}084{,}576",
    r"$t = 3$, so $t + t = 2 t = 7$": "7",
}


def wrong(text):
    return [c.printed for c in verify(text + "\n", "a.md").claims if c.verdict == "wrong"]


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_what_is_right_is_not_accused(text):
    assert wrong(text) == []


@pytest.mark.parametrize(("text", "printed"), WRONG.items())
def test_what_is_wrong_is_found(text, printed):
    assert wrong(text) == [printed]


@pytest.mark.parametrize(("group", "is_decimal"), [("1{,}414", True), ("32{,}768", False)])
def test_three_digits_behind_a_braced_comma_are_told_by_the_arithmetic(group, is_decimal):
    formula = r"\sqrt{2} \approx" if is_decimal else "2^{15} ="
    claims = verify(f"${formula} {group}$\n", "a.md").claims
    assert [(c.printed, c.verdict) for c in claims if c.printed == group] == [(group, "correct")]


def test_a_sum_of_per_cents_is_one():
    """Per cent, said once behind a sum, is meant of each term."""
    text = "Their mass is 50.6 + 37.5 + 8.4 = 96.5 percent.\n"
    assert [c.verdict for c in verify(text, "a.md").claims if c.printed == "96.5"] == ["correct"]
    assert wrong(text.replace("96.5", "95.6")) == ["95.6"]


def test_a_power_of_a_matrix_is_a_product_with_itself():
    """[[1, 2], [3, 4]] squared is [[7, 10], [15, 22]], cubed [[37, 54], [81, 118]]."""
    matrix = r"\begin{{bmatrix}}{}\end{{bmatrix}}".format
    text = f"$M = {matrix('1&2//3&4')}$, $M^2 = {matrix('7&10//15&22')}$, "
    text += f"$M^3 = {matrix('37&54//81&118')}$, $M^{{-1}} = {matrix('-2&1//1.5&-0.5')}$"
    text = text.replace("//", r"\\")
    assert wrong(text) == []
    assert wrong(text.replace("118", "119")) == ["119"]
    assert wrong(text.replace("1.5&-0.5", "1.5&0.5")) == ["0.5"]
