"""Matrices by their entries, sums over an index, bold ones, gradients; the figures by hand.

A = [[1, 2], [3, -1]], B = [[2, 1], [0, 3]]: A B = [[2, 7], [6, 0]], A B^T = [[4, 6], [5, -3]].
"""

import pytest

from derive.verify import verify

GIVEN = r"$A = \begin{bmatrix}1&2\\3&-1\end{bmatrix}$, $B = \begin{bmatrix}2&1\\0&3\end{bmatrix}$. "
SHOWN = {
    "a sum over an index": (
        r"$C_{ij} = \sum_{k=1}^{d_{\text{in}}} A_{ik} B_{kj}$, so $C = [[2, 7], [6, {}]]$",
        "0", "1"),
    "a sum over the columns of both": (
        r"$S_{ij} = \sum_{c} A_{ic} B_{jc}$ and $S = [[4, 6], [5, {}]]$", "-3", "3"),
    "entries in another order": (
        r"$F = [[0.25, 1.5], [3.75, 2.5]]$, $D_{ij} = F_{ji}$ and $D = [[0.25, 3.75], [1.5, {}]]$",
        "2.5", "2.75"),
    "behind a bracket": (
        r"$(B)^\top_{ij} = B_{ji}$ and $C = A (B)^{\top} = [[4, 6], [{}, -3]]$", "5", "6"),
    "a mark that turns": (
        r"$W^{h} = \begin{bmatrix}1&5\\2&7\end{bmatrix}$ and "
        r"$W^{\mathrm{h}\top} = \begin{bmatrix}1&2\\{}&7\end{bmatrix}$", "5", "3"),
    "sums of rows": (r"$r_i = \sum_j A_{ij}$, $r = [3, {}]$", "2", "1"),
    "by a bold 1": (r"$r = A \mathbf{1} = \begin{bmatrix}3\\{}\end{bmatrix}$", "2", "4"),
    "by a bold 1 with an index": (
        r"$r = A \mathbb 1_n = \begin{bmatrix}3\\{}\end{bmatrix}$", "2", "4"),
    "one row below each row": (
        r"$b = [10, 20]$ and $U = A + \mathbf{1} b = [[11, 22], [13, {}]]$", "19", "21"),
    "one column beside each column": (
        r"$m = [1.5, 1]$ and $A - m \mathbf{1}^\top = [[-0.5, 0.5], [2, {}]]$", "-2", "-2.5"),
    "columns that an array declares": (
        r"$A B = \left[\begin{array}{@{}r|r@{}} 2 & 7 \\ 6 & {} \end{array}\right]$", "0", "3"),
    "a layer in brackets": (
        r"$W^{[1]} = [[1, 1], [0, 2]]$, $Z^{[1]} = A W^{[1]} = [[1, 5], [3, {}]]$", "1", "2"),
    "a gradient": (
        r"$\mathrm{d}Y = [[1, 0], [0, 2]]$, $\mathrm{d}X = \mathrm{d}Y B^\top = "
        r"[[2, 0], [2, {}]]$", "6", "5"),
    "the gradient of what bears a hat": (
        r"$\mathrm{d}\hat{X} = [2.5, 4]$, so $2 \mathrm{d}\hat{X} = [5, {}]$", "8", "6"),
    "side by side with a bar": (
        r"$C = \left[A \mid B\right] = [[1, 2, 2, 1], [3, -1, 0, {}]]$", "3", "2"),
}  # fmt: skip
LINES = r"""$$\begin{aligned}
x &= \frac{1}{4} + 2 \\
 &\quad + 3 \\
 &= 5.25
\end{aligned}$$
"""
EPSILON = """LayerNorm with ε = $`\\frac{1}{4}`$ under the root, x = [1, 2].

LayerNorm(x) = [%s, 0.707]
"""


def judged(text):
    return [(c.printed, c.verdict) for c in verify(text + "\n", "a.md").claims]


@pytest.mark.parametrize(("text", "right", "wrong"), SHOWN.values(), ids=SHOWN)
def test_what_is_worked_out_of_entries(text, right, wrong):
    assert {v for _, v in judged(GIVEN + text.replace("{}", right))} <= {"assumed", "correct"}
    assert judged(GIVEN + text.replace("{}", right))[8:].count((right, "correct")) > 0
    found = [p for p, v in judged(GIVEN + text.replace("{}", wrong)) if v == "wrong"]
    assert found == [wrong]


def test_a_sum_goes_on_in_the_next_line():
    assert judged(LINES)[-1] == ("5.25", "correct")
    assert judged(LINES.replace("5.25", "2.25"))[-1] == ("2.25", "wrong")


def test_rows_of_a_column_do_not_go_on():
    text = (
        r"$A = \begin{bmatrix}1\\+2\\-3\end{bmatrix}$, $2 A = \begin{bmatrix}2\\4\\-6\end{bmatrix}$"
    )
    assert [v for _, v in judged(text)] == ["assumed"] * 3 + ["correct"] * 3


def test_a_bold_number_is_no_vector_of_ones():
    assert judged(r"$0.5 + 0.5 = \mathbf{1}$")[-1] == ("1", "correct")


def test_the_declared_epsilon_stands_under_the_root():
    """(1 - 1.5) / sqrt(0.25 + 0.25) = -0.7071; without it, -1."""
    assert judged(EPSILON % "-0.707")[-2:] == [("-0.707", "correct"), ("0.707", "correct")]


BOUNDS = """$Q = [[1, 0], [0, 1], [1, 1]]$, $K = [[1, 2], [2, 1], [0, 1]]$, $S = Q K^T$:

$S = [[1, 2, 0], [2, 1, 1], [3, 3, 1]]$ and
$A = softmax(S) = [[0.245, 0.665, 0.090], [0.576, 0.212, 0.212], [0.468, 0.468, 0.063]]$.

| entry | value | from | to | | entry | value | from | to |
|---|--:|--:|--:|---|---|--:|--:|--:|
| $A_{22}$ | $0.212$ | $0.211$ | $0.212$ | | $A_{31}$ | $0.468$ | $0.466$ | $0.469$ |
| $A_{23}$ | $0.212$ | $0.211$ | $0.213$ | | $A_{11}$ | $0.245$ | $0.254$ | $0.246$ |
"""


def test_bounds_beside_an_entry_are_no_row():
    assert not [p for p, v in judged(BOUNDS) if v in ("wrong", "consequence")]
