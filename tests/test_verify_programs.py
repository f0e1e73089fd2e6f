"""Programs: their own functions, loops, remarks; figures worked out with NumPy or by hand."""

from math import exp

import pytest

from derive.verify.documents.document import document
from derive.verify.reading import read

PYTHON = '''"""A demo."""
import numpy as np
z = np.array([2.0, 1.0, 0.1])
def softmax(v):
    e = np.exp(v - v.max())
    return e / e.sum()
for t in (0.5, 2.0):
    print(t, softmax(z / t).round(3))
# 0.5 [0.864 0.117 0.019]
# 2.0 [0.502 0.304 0.194]
print(z.mean().round(3), z.max())
# 1.033 2.0
'''
MATLAB = """X = [1 2 3 6
     4 0 2 2];
mu = mean(X, 2);
% mu = [3; 2]
v = sum((X - mu).^2, 2) / 4;
% row 1: 3.5000
% row 2: 2.0000
s = sqrt(v);
% s(1) = 1.8708
Y = (X - mu) ./ s
%  -1.0690   -0.5345    0.0000    1.6036
%   1.4142   -1.4142    0.0000    0.0000
"""
JULIA = """softmax(z) = exp.(z) ./ sum(exp.(z))
W = [1.0 2.0; 0.5 -1.0; 0.0 1.0]
z = [2.0, 1.0, 0.1]
y = W' * z
# y = [2.5, 3.1]
println(round.(softmax(z), digits=3))
# [0.659, 0.242, 0.099]
"""
LISTS = """import math
Q = [[1, 2], [0, 1]]
K = [[1, 0], [2, 1]]
V = [[1, 0], [0, 2]]

def dot(u, v):
    return sum(a * b for a, b in zip(u, v))

S = [[dot(q, k) / 2 for k in K] for q in Q]
# [[0.5, 2.0], [0.0, 0.5]]
def soft(row):
    e = [math.exp(x) for x in row]
    return [y / sum(e) for y in e]
A = [soft(r) for r in S]
# [[0.182, 0.818], [0.378, 0.622]]
out = [[sum(w * v[j] for w, v in zip(a, V)) for j in range(len(V[0]))] for a in A]
# [[0.182, 1.635], [0.378, 1.245]]
each = [sum(w * v for w, v in zip(a, V)) for a in A]
# [[0.182, 1.635], [0.378, 1.245]]
"""
SPREAD = """import numpy as np
z = np.array([2.0, 1.0, 0.1])
def softmax(x, T=1.0):
    e = np.exp(x / T)
    return e / e.sum()
for T in (0.5, 2.0):
    p = softmax(z, T)
    print(f"T={T}:", *[f"{v:.3f}" for v in p], f"H={-(p * np.log(p)).sum():.3f}")
# T=0.5: 0.864 0.117 0.019 H=0.454
# T=2.0: 0.502 0.304 0.194 H=1.026
"""
ONE = """```python
word_1 = array([1, 0, 0])
word_2 = array([1, 1, 0])
W = array([[2, 0, 2],
           [0, 1, 1],
           [0, 1, 1]])
key_1 = word_1 @ W
scores = array([dot(key_1, key_1), dot(key_1, key_2)])
print(scores)
print(scores / key_1.shape[0] ** 0.5)
```

```
[ 8 10]
[4.61880215 5.77350269]
```
"""  # key_2 = [2, 1, 3]: 2 * 2 + 2 * 3; 8 / sqrt 3 and 10 / sqrt 3
PROGRAMS = {
    "one.md": (ONE, (("10]", "12]"), ("5.77350269", "5.75350269"))),
    "lists.py": (LISTS, (("2.0]", "2.5]"), ("0.622", "0.642"), ("1.245]]\neach", "1.275]]\neach"))),
    "spread.py": (SPREAD, (("0.117", "0.127"), ("0.194", "0.154"), ("1.026", "1.126"))),
    "a.py": (PYTHON, (("0.304", "0.334"), ("1.033", "1.063"), ("0.019", "0.049"))),
    "a.m": (MATLAB, (("2.0000", "2.6667"), ("1.8708", "2.1602"), ("1.6036", "1.3887"))),
    "a.jl": (JULIA, (("3.1]", "3.4]"), ("0.242", "0.252"))),
}


def wrong(text, name):
    claims = read(document(text, name)).state.claims
    return [c.figure.text for c in claims if c.is_wrong]


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_programs_print_is_judged_by_what_they_compute(name):
    text, changes = PROGRAMS[name]
    assert wrong(text, name) == []
    for right, other in changes:
        assert other.split("]")[0] in wrong(text.replace(right, other, 1), name), other


@pytest.mark.parametrize("call", ["as.vector(h %*% W)", "as.numeric(h %*% W)", "h %*% W"])
@pytest.mark.parametrize("spoilt", [False, True])
def test_names_of_R_with_a_point_stay_whole_inside_of_a_call(call, spoilt):
    """h W = (1.2, 0.2, -0.3), and its softmax."""
    powers = [exp(z) for z in (1.2, 0.2, -0.3)]
    shares = [f"{p / sum(powers):.4f}" for p in powers]
    printed = [shares[0], "0.2132" if spoilt else shares[1], shares[2]]
    text = (
        "softmax <- function(v) exp(v) / sum(exp(v))\n"
        "W <- matrix(c(0.2, -0.4, 0.1, 0.5, 0.3, -0.2), nrow = 2, byrow = TRUE)\n"
        f"h <- c(1, 2)\np_new <- softmax({call})\nround(p_new, 4)\n## [1] {' '.join(printed)}\n"
    )
    found = [c.verdict for c in read(document(text, "a.R")).state.claims][-3:]
    assert found == ["correct", "wrong" if spoilt else "correct", "correct"]


@pytest.mark.parametrize("spoilt", [False, True])
def test_a_quotient_in_a_program_is_no_number_that_a_name_is_given(spoilt):
    """4 // 2 = 2, 7 // 2 = 3 and 7 % 2 = 1; 3 << 2 is not read, and is not 3."""
    text = (
        "```python\nh = 2\nd = 4 // h\nprint(d)\nprint(7 // h, 7 % h)\n"
        "n = 3 << h\nprint(n)\n```\n\n"
        f"```\n{3 if spoilt else 2}\n3 1\n12\n```\n"
    )
    assert wrong(text, "a.md") == ["3"] * spoilt


DOCUMENTED = '''"""Weights of two words: exp(1) = 2.718."""
import numpy as np

s = np.array([1.0, 2.0])


class Head:
    \'\'\'A head.

    >>> softmax(s)
    array([0.26894142, 0.73105858])
    \'\'\'

    def erf(self, x):
        r"""The mean of [1, 2, 6] is (1 + 2 + 6)/3 = 3.

        - gelu(-1) = -0.1587
        """
        return x * 0.5
'''


@pytest.mark.parametrize("fence", ["", "```python\n"])
def test_what_documents_a_program_is_an_article_of_its_own(fence):
    """softmax of (1, 2): e/(e + e^2) = 0.2689; -1 times the normal distribution at -1: -0.1587."""
    text = fence + DOCUMENTED + ("```\n" if fence else "")
    name = "a.md" if fence else "a.py"
    assert wrong(text, name) == []
    changes = ("2.718", "2.781"), ("0.73105858", "0.73015858"), ("= 3.", "= 4."), ("-0.15", "0.15")
    for right, other in changes:
        assert any(other.strip("= .") in w for w in wrong(text.replace(right, other), name)), other
