r"""What looks plain and means something else: refused; and what is plain after all: read."""

import pytest
import sympy

from derive.errors import InputError
from derive.read.latex import Chain, read_formulas, read_latex


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (r"\mathbf{h}^{[l]}", "label or a power"),
        ("u^{(3k+1)}", "label or a power"),
        (r"(A B)^{(k)}", "label or a power"),
        ("R^{ij}", "label or a power"),
        ("y^{jk}", "label or a power"),
        (r"\Omega^{ab}", "label or a power"),
        ("c^e", "label or a power"),
        ("k^{th}", "place in an order"),
        (r"k^{\mathrm{nd}}", "place in an order"),
        (r"\chi^2(k)", "function's value or a product"),
        (r"g_1(1 + g_1)", "function's value or a product"),
        (r"\frac{dz}{dt}(t)", "derivative at a value"),
        (r"\frac{d}{dt}", "nothing is differentiated"),
        (r"\frac{d n m}{d k}", "not clear what is differentiated"),
        ("dg_1", "one name or a product"),
        (r"\sin(a+2)t", "where the argument"),
        (r"\operatorname{rank} B", "function or a factor"),
        (r"\text{inf}_t |x|", "function or a factor"),
        (r"\prod_{k=1}^{m} y_k / m", "product over k ends"),
        (r"\prod_{k=1}^{m} y_k z", "product over k ends"),
        (r"\sum_{k=1}^{m} b_{3k}", "which indices"),
        ("P^{-1} D P", "own inverse or transpose"),
        ("Z' Z", "own inverse or transpose"),
        (r"B z = \begin{bmatrix} 1 \\ 2 \end{bmatrix}", "equal to a matrix"),
        (r"B^{-1} = [[1, 0], [2, 1]]", "equal to a matrix"),
        (r"x \quad y", "wide space separates"),
        ("x^2.", "full stop"),
        ("x >= 1", r"no sign of LaTeX"),
        ("x**2", r"no sign of LaTeX"),
        (r"\cdot x", r"value is missing before \\cdot"),
        (r"\{x\}y", "braces that show"),
        (r"\det(x)", "read only of one matrix"),
    ],
)
def test_refused(text, message):
    with pytest.raises(InputError, match=message) as caught:
        read_latex(text)
    assert caught.value.hint and caught.value.place.line == 1


@pytest.mark.parametrize("text", ["B z", r"B^{\top} z", r"B \beta", "B = 3"])
def test_refused_of_a_matrix(text):
    with pytest.raises(InputError):
        read_latex(text, matrices=("B",))


def test_a_transpose_says_how_its_letter_is_declared():
    with pytest.raises(InputError) as caught:
        read_latex(r"\mathbf{w}_{1}^\top x")
    assert 'matrices=("w_1",)' in caught.value.hint
    assert str(read_latex(r"\mathbf{w}_{1}^\top x", ("w_1", "x"))) == "w_1.T*x"


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (r"\frac{n(n-1)}{2}", "n*(n - 1)/2"),
        ("q^2(1-q)^3", "q**2*(1 - q)**3"),
        (r"\hat{q}(1-\hat{q})", "hatq*(1 - hatq)"),
        (r"\frac{d}{dt} t^3", "Derivative(t**3, t)"),
        (r"\frac{d y}{d t}", "Derivative(y, t)"),
        (r"\frac{d}{d t}\left(t+1\right)", "Derivative(t + 1, t)"),
        (r"\frac{d n}{m}", "d*n/m"),
        (r"\frac{d}{d_k}", "d/d_k"),
        ("P_n^{(\\alpha)}", "P_n^(alpha)"),
        ("w^{(t+1)}", "w^(t+1)"),
        ("(1+z)^{(a-1/2)}", "(z + 1)**(a - 1/2)"),
        ("2^{(n+1)}", "2**(n + 1)"),
        (r"\prod_{k=1}^{m} \frac{y_k}{m}", "Product(y[k]/m, (k, 1, m))"),
        (r"\sum_{k=1}^{m} b_{k1}", "Sum(b[k, 1], (k, 1, m))"),
        (r"\sum_{k=1}^{m} (b_{2k} + b_{2k+1})", "Sum(b[2*k + 1] + b[2*k], (k, 1, m))"),
        (r"\exp(a+b)c", "c*exp(a + b)"),
        (r"\det\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}", "-2"),
        (r"\textbf{Q}\textbf{K}", "K*Q"),
    ],
)
def test_read(text, right):
    assert str(read_latex(text)) == right


def test_conditions_of_two_comparisons():
    x = sympy.Symbol("x")
    found = read_latex(r"\begin{cases} x & 0 < x < 1 \\ 0 & \text{otherwise} \end{cases}")
    assert [found.subs(x, v) for v in (-1, sympy.Rational(1, 2), 2)] == [0, sympy.Rational(1, 2), 0]


def test_a_name_that_equals_matrices_is_one():
    chain = read_latex(r"S = \frac{QK^\top}{2}", ("Q", "K"))
    assert isinstance(chain, Chain) and isinstance(chain.members[0], sympy.MatrixSymbol)
    assert chain.members[0].shape == chain.members[1].shape


def test_the_full_stop_of_a_sentence_behind_a_number():
    found = read_formulas("$$y = 3 x^2.$$ and $z = 4.$")
    assert [str(f.reading) for f in found] == ["y = 3*x**2", "z = 4"]
