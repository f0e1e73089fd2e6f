"""What a sentence declares behind a formula is known where the formula is judged."""

import pytest

from derive import verify

Z = r"Z = \begin{bmatrix}2.0 & 0.5\\0.0 & 1.0\end{bmatrix}"
BEFORE = "$x = [1, 2]$, $b = [0, 1]$. Then "
W = r"$W = \begin{bmatrix}1&1\\1&3\end{bmatrix}$"


def verdicts(text, printed):
    """The verdicts on what is printed so."""
    return [c.verdict for c in verify(text).claims if c.printed == printed]


@pytest.mark.parametrize(
    "behind",
    [
        "$y = Wx + b = [3, {}]$ with " + W + ".",
        "$y = Wx + b = [3, {}]$, wobei " + W + ".",
        "$y = Wx + b = [3, {}]$，其中 " + W + "。",
        "$$y = W x + b = [3, {}]$$\n\nwhere " + W + ".",
        r"$y = Wx + b = [3, {}], \quad W = \begin{{bmatrix}}1&1\\1&3\end{{bmatrix}}$",
    ],
)
def test_a_matrix_declared_behind(behind):
    """W x + b = (1 + 2, 1 + 6 + 1) = (3, 8)."""
    behind = behind if "{{" in behind else behind.replace("{}", "\0")
    for last, verdict in (("8", "correct"), ("9", "wrong")):
        text = behind.format(last) if "{{" in behind else behind.replace("\0", last)
        assert verdicts(BEFORE + text, last) == [verdict]


def test_targets_declared_behind():
    """(Z - Y)/2 = ((2 - 1)/2, 0.25; 0, 0) by hand."""
    text = rf"${Z}$ and $G = \frac{{Z - Y}}{{2}} = \begin{{bmatrix}}0.5&0.25\\0&%s\end{{bmatrix}}$"
    behind = r", where $Y = \begin{bmatrix}1&0\\0&1\end{bmatrix}$."
    assert {c.verdict for c in verify(text % "0.0" + behind).claims} == {"assumed", "correct"}
    assert verdicts(text % "0.7" + behind, "0.7") == ["wrong"]


def test_another_sentence_declares_nothing_for_this_one():
    """The W behind the full stop is another, and W x = (3, 4) is no claim of it."""
    text = "$x = [1, 2]$, and $y = W x = [3, 4]$. Now let " + W + "."
    assert "wrong" not in {c.verdict for c in verify(text).claims}


def test_a_square_is_what_a_number_is_called_by():
    """σ² = 4 is printed first, and σ = 3 is wrong by it, not the other way round."""
    text = r"$x = [2, 6]$ has mean $4$, $\sigma^2 = 4$, $\sigma = 3$."
    assert verdicts(text, "3") == ["wrong"]
