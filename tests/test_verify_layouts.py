"""Numbers however they are laid out: drawn matrices, sheets, other digits, running sums."""

from __future__ import annotations

import math

import derive


def verdicts(text, line, name="a.md"):
    claims = [c for c in derive.verify(text, name).claims if c.line == line]
    return [(c.printed, c.verdict) for c in claims]


BLACKBOARD = """      | 1  0 |           | 0  1 |
W_q = | 0  1 |     W_k = | 1  1 |

    | 1  2 |
X = | 0  1 |
    | 3  1 |

          ( 1  2 )
Q = XWq = ( 0  1 )
          ( 3  1 )

K = ( 2  3 )
    ( 1  1 )
    ( 1  4 )

       (  8  3  9 )
QK^T = (  3  1  5 )
       (  9  4  7 )
"""


def test_the_name_of_a_drawn_matrix_stands_beside_any_row():
    Q, K = [[1, 2], [0, 1], [3, 1]], [[2, 3], [1, 1], [1, 4]]
    printed = [[8, 3, 9], [3, 1, 5], [9, 4, 7]]
    for line, q, row in zip((16, 17, 18), Q, printed, strict=True):
        right = [sum(a * b for a, b in zip(q, k, strict=True)) for k in K]
        wanted = ["correct" if a == b else "wrong" for a, b in zip(row, right, strict=True)]
        assert [v for _, v in verdicts(BLACKBOARD, line, "a.txt")] == wanted
    assert "wrong" not in {v for line in (8, 9, 10, 12) for _, v in verdicts(BLACKBOARD, line)}


def test_a_product_drawn_with_an_x():
    text = "```\n            [0, 3, 2]\n[1, 0, 2] x [1, 2, 2] = [2, 3, 5]\n"
    text += "            [1, 0, 1]\n```\n"
    right = [1 * a + 2 * b for a, b in zip((0, 3, 2), (1, 0, 1), strict=True)]
    assert right == [2, 3, 4]
    assert [v for _, v in verdicts(text, 3)][-3:] == ["correct", "correct", "wrong"]


SHEET = """Blad van de oefening

X\tt1\tt2\tt3
f1\t2\t0\t1
f2\t1\t1\t0
f3\t0\t1\t3

Wq
\t1\t0\t1
\t0\t1\t0

Q = MMULT(Wq;X)
\tq1\tq2\tq3
\t2\t1\t4
\t1\t1\t1
"""


def test_a_sheet_with_tabs_and_its_product():
    X, W = [[2, 0, 1], [1, 1, 0], [0, 1, 3]], [[1, 0, 1], [0, 1, 0]]
    printed = [[2, 1, 4], [1, 1, 1]]
    for line, w, row in zip((14, 15), W, printed, strict=True):
        columns = zip(*X, strict=True)
        right = [sum(a * x for a, x in zip(w, column, strict=True)) for column in columns]
        wanted = ["correct" if a == b else "wrong" for a, b in zip(row, right, strict=True)]
        assert [v for _, v in verdicts(SHEET, line, "a.txt")] == wanted


PERSIAN = """| کلمه | امتیاز | T=۰٫۵ | T=۲ |
|---|---|---|---|
| چای | ۲٫۵ | ۰٫۹۴۴ | ۰٫۵۵۹ |
| قهوه | ۱٫۰ | ۰٫۰۴۷ | ۰٫۲۶۴ |
| آب | ۰٫۲ | ۰٫۰۰۹ | ۰٫۱۸۷ |
"""


def test_other_digits_in_tables_of_temperatures():
    parts = [math.exp(z / 2) for z in (2.5, 1.0, 0.2)]
    assert [round(p / sum(parts), 3) for p in parts] == [0.559, 0.264, 0.177]
    found = [v for line in (3, 4, 5) for _, v in verdicts(PERSIAN, line)]
    assert found.count("wrong") == 1
    assert verdicts(PERSIAN, 5)[-1] == ("۰٫۱۸۷", "wrong")


RUNNING = """| word | p |
|---|---|
| a | 0.502 |
| b | 0.276 |
| c | 0.167 |
| d | 0.055 |

Add from the top: a and b are 0.778, with c it is 0.945.

The cumulative sums are [0.502, 0.778, 0.954, 1.000].
"""


def test_running_sums_in_words_and_lists():
    p = [0.502, 0.276, 0.167, 0.055]
    assert [round(sum(p[:k]), 3) for k in (2, 3, 4)] == [0.778, 0.945, 1.0]
    assert verdicts(RUNNING, 10)[2] == ("0.954", "wrong")
    assert [v for _, v in verdicts(RUNNING, 10)].count("wrong") == 1


def test_a_result_printed_twice_keeps_its_own_digits():
    text = "X = [[1, 2], [3, 1]], W = [[1, 0], [1, 1]]\nQ = XW = [[3, 2], [4, 2]]\n\n"
    text += "[[1, 2], [3, 1]] · [[1, 0], [1, 1]] = [[3, 2], [4, 1]]\n"
    assert 3 * 0 + 1 * 1 == 1
    assert verdicts(text, 2)[-1] == ("2", "wrong")
    assert verdicts(text, 4)[-1] == ("1", "correct")


WALKED = """Input 1: [1, 0, 2]
Input 2: [0, 2, 1]
Input 3: [1, 1, 1]

Weights for key:
[[0, 1],
 [1, 1],
 [2, 0]]

Weights for query:
[[1, 0],
 [0, 1],
 [1, 1]]

Weights for value:
[[1, 3],
 [0, 1],
 [1, 0]]

            [0, 1]
[1, 0, 2]   [1, 1]   [4, 1]
[0, 2, 1] x [2, 0] = [4, 2]
[1, 1, 1]            [3, 2]

Scores of input 1, whose query is [3, 2]:

            [4, 4, 3]
[3, 2]  x   [1, 2, 2] = [14, 16, 13]

```python
weights = softmax(scores)
# tensor([[1.1420e-01, 8.4379e-01, 4.2010e-02],
#         [3.5119e-02, 7.0538e-01, 2.5950e-01],
#         [1.0651e-01, 7.8966e-01, 1.0651e-01]])
```
"""


def test_a_walk_through_three_inputs_with_matrices_drawn_side_by_side():
    """Rows that begin above or below the sign; weights that words introduce; later printouts."""
    claims = derive.verify(WALKED, "a.md").claims
    inputs = [c for c in claims if c.line < 20 and c.verdict != "unchecked"]
    assert {c.verdict for c in inputs} == {"assumed"} and len(inputs) == 9 + 18
    assert {c.quantity[:3] for c in inputs if c.line > 3} == {"W_K", "W_Q", "W_V"}
    assert "wrong" not in {c.verdict for c in claims if c.line < 31}
    H = [[1, 0, 2], [0, 2, 1], [1, 1, 1]]
    W_K, W_Q = [[0, 1], [1, 1], [2, 0]], [[1, 0], [0, 1], [1, 1]]
    Q, K = ([[sum(a * w[c] for a, w in zip(h, W, strict=True)) for c in (0, 1)] for h in H]
            for W in (W_Q, W_K))  # fmt: skip
    printed = [
        [0.1142, 0.84379, 0.04201],
        [0.035119, 0.70538, 0.2595],
        [0.10651, 0.78966, 0.10651],
    ]  # the last has two digits the other way round

    for line, q, row in zip((32, 33, 34), Q, printed, strict=True):
        es = [math.exp(sum(a * b for a, b in zip(q, k, strict=True))) for k in K]
        right = [abs(e / sum(es) - x) < 1e-5 for e, x in zip(es, row, strict=True)]
        seen = [c.verdict == "correct" for c in claims if c.line == line]
        assert seen == right, line
