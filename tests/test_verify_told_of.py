"""What findings are called and what they say: the author's names, and one mistake told once."""

from math import cos, sin

import pytest

from derive import verify
from derive.verdicts import verdicts_printed


def page(text):
    return verdicts_printed(verify(text), "terminal")


HEAD = r"$X = \begin{bmatrix}1&2\\0&1\end{bmatrix}$, $W = \begin{bmatrix}1&0\\1&1\end{bmatrix}$, "


@pytest.mark.parametrize("name", ["Y", "P", "Z"])
def test_the_name_of_the_author(name):
    """softmax(3, 2) = (0.731, 0.269)."""
    shares = r"\begin{bmatrix}0.713&0.269\\0.5&0.5\end{bmatrix}"
    text = rf"${name} = \mathrm{{softmax}}(XW) = {shares}$."
    found = page(HEAD + text)
    assert f"{name}, row 1, column 1 · line 1" in found
    assert f"{name}₁₁ = " in found
    assert "A[1][1]" not in found


def test_a_sum_of_whole_numbers_is_no_sum_of_powers():
    text = "softmax([0, 0, 0, 0, 0, 0]) = [0.167, 0.167, 0.167, 0.167, 0.167, 0.167]. "
    assert "\nZ" not in page(text + "It is worked out $1 + 2 + 3 = 7$ times.")


def turned(x, y, angle, sign):
    return x * cos(angle) - sign * y * sin(angle), sign * x * sin(angle) + y * cos(angle)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("pairs", [[(1, 2, 2), (3, 4, 0.02)], [(1, 0.5, 1)]])
def test_several_numbers_that_are_wrong_by_one_mistake(sign, pairs):
    lines = []
    for x, y, angle in pairs:
        first, second = turned(x, y, angle, sign)
        lines += [
            rf"${x} \cdot \cos {angle} - {y} \cdot \sin {angle} = {first:.4f}$",
            rf"${x} \cdot \sin {angle} + {y} \cdot \cos {angle} = {second:.4f}$",
        ]
    report = verify("RoPE turns each pair:\n\n" + "\n\n".join(lines))
    causes = [c.cause for c in report.claims if c.verdict == "wrong"]
    assert causes == [("turned backwards", ())] * (0 if sign == 1 else 2 * len(pairs))
    assert len(report.findings()) == (sign == -1)


def test_one_number_alone_tells_no_such_mistake():
    text = (
        r"$1 \cdot \sin 2 + 2 \cdot \cos 2 = 0.0770$ and $1 \cdot \cos 2 - 2 \cdot \sin 2 = 1.4024$"
    )
    (claim,) = (c for c in verify(text).claims if c.verdict == "wrong")
    assert claim.cause is None


def test_an_entry_of_another_place_is_told_by_the_name_of_the_author():
    """2 · 4.5 = 9.0, and what is printed is 2 · 3.75, the entry before it."""
    head = r"$G = \begin{bmatrix}1.5&2.25\\3.75&4.5\end{bmatrix}$, "
    text = head + r"$R = 2 G = \begin{bmatrix}3.0&4.5\\7.5&7.5\end{bmatrix}$"
    assert "the number that belongs to R[2][1] stands here too" in page(text)


def test_a_formula_is_in_the_letters_of_the_author():
    """y = 2 x = (2, 4, 6), where x is the input."""
    text = "$x = [1, 2, 3]$, $y = 2 x = [2.000, 4.125, 6.000]$"
    assert "y = 2 x\n" in page(text)
