"""How long formulas take to read, once the library is loaded."""

import random

import pytest

from derive.errors import InputError
from derive.read.latex import read_latex
from derive.read.latex.entries import read_rows

SCORES = r"""\begin{bmatrix} \frac{\sqrt{2}}{2} & 0 & \frac{\sqrt{2}}{2} \\[8pt]
\frac{\sqrt{2}}{2} & \frac{\sqrt{2}}{2} & \sqrt{2} \\[8pt]
\sqrt{2} & \frac{\sqrt{2}}{2} & \frac{3 \sqrt{2}}{2} \end{bmatrix}"""


def softmax(n):
    rnd = random.Random(1)
    rows = []
    for _ in range(n):
        powers = [rf"e^{{{rnd.randint(-9, 9)} \sqrt{{2}}/4}}" for _ in range(n)]
        rows.append(" & ".join(rf"\frac{{{p}}}{{{' + '.join(powers)}}}" for p in powers))
    return r"\begin{bmatrix}" + r"\\".join(rows) + r"\end{bmatrix}"


TEXTS = {
    "article": SCORES,
    "softmax-8x8": softmax(8),
    "terms-500": " + ".join(f"x_{{{i}}} y_{{{i}}}" for i in range(500)),
    "integers-16x16": r"\begin{bmatrix}" + r"\\".join(["&".join("7" * 16)] * 16) + r"\end{bmatrix}",
}


@pytest.mark.parametrize("name", TEXTS)
def test_reading(benchmark, name):
    read_latex(r"\alpha")
    benchmark(read_latex, TEXTS[name])


def test_entries_of_a_problem(benchmark):
    benchmark(read_rows, SCORES)


@pytest.mark.parametrize(
    "text", ["9^{9^{9}}", r"\frac{1}{" * 1_000 + "2" + "}" * 1_000, "x+" * 9_000]
)
def test_refusing(benchmark, text):
    def refused():
        with pytest.raises(InputError):
            read_latex(text)

    benchmark(refused)
