"""Entries written out in full: what is printed is the entry, and too much is refused."""

import re
from dataclasses import replace
from decimal import Decimal

import mpmath
import pytest
import sympy

from derive import InputError, attention, builtin, derive, read_toml
from derive.certify import Format
from derive.exact import NegativeInfinity
from derive.exact.extent import Extent
from derive.exact.ink import PLAIN
from derive.exact.write import write
from derive.pages import page
from derive.places import parse_place
from derive.read.symbols import symbol_matrix
from derive.render.blocks import Heading, Text
from derive.views.in_full import MOST_TERMS
from derive.views.walkthrough import Options, walkthrough

BLOCK = derive(builtin("block"))
MODEL = derive(builtin("language-model"))
MEANT = {
    "sqrt": mpmath.sqrt, "exp": mpmath.exp, "sin": mpmath.sin, "cos": mpmath.cos,
    "max": lambda *xs: max(xs), "ln": mpmath.log, "log": mpmath.log, "erf": mpmath.erf,
    "tanh": mpmath.tanh, "E": mpmath.e, "pi": mpmath.pi,
}  # fmt: skip
SIGNS = {"−": "-", "·": "*", "√(": "sqrt(", **{c: f"**{k}" for k, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}}


def symbols(name):
    problem = builtin(name)
    given = {n: symbol_matrix(n, *m.shape) for n, m in problem.given.items()}
    return derive(replace(problem, given=given))


def is_written_out(block):
    """An entry, and its formula along the line."""
    return isinstance(block, Text) and block.is_ragged and str(block.content[1]).startswith(" = ")


def pieces(d, place):
    """What stands between the equals sign and the decimals."""
    blocks = walkthrough(d, Options(expand=(place,), form=Format(digits=12))).blocks
    (content,) = [b.content for b in blocks if is_written_out(b)]
    ends = [k for k, x in enumerate(content) if isinstance(x, str) and x.endswith(" ≈ ")]
    body = (content[1][3:], *content[2 : ends[0] if ends else None])
    return (*body, content[ends[0]][:-3]) if ends else body


def printed(d, place):
    """The formula as Python, by reading the page aloud."""
    text = ""
    for piece in pieces(d, place):
        if isinstance(piece, str):
            for sign, meant in SIGNS.items():
                piece = piece.replace(sign, meant)
            text += piece
        else:
            text += f"({write(piece, PLAIN)})"
    return text


def computed(text, **letters):
    with mpmath.workdps(60):
        numbers = {k: mpmath.mpf(v) for k, v in letters.items()}
        # whole numbers as they are meant, not as Python divides them
        spelled = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", text)
        names = {"__builtins__": {}, "mpf": mpmath.mpf, **MEANT, **numbers}
        return eval(spelled, names)  # noqa: S307


CLOSED = [(BLOCK, p) for p in ("O[1][1]", "A[2][3]", "N1[1][1]", "U[2][3]", "mu2[1]", "N2[2][1]")]
CLOSED += [(MODEL, p) for p in ("L1.S[3][3]", "L1.A[3][2]", "L1.sigma1[2]", "L1.U[1][1]")]


@pytest.mark.parametrize(("d", "place"), CLOSED, ids=[place for _, place in CLOSED])
def test_the_formula_is_the_entry(d, place):
    """Read from the page and computed with 60 digits, it has the proved decimals."""
    name, i, j = parse_place(place)
    proved = d.digits(name, 12)[i - 1][j - 1]
    found = computed(printed(d, place))
    assert abs(found - mpmath.mpf(proved)) <= abs(found) * mpmath.mpf(10) ** -11


@pytest.mark.parametrize("place", ["S[2][3]", "A[1][2]", "O[3][1]"])
def test_symbols_are_put_in_down_to_the_inputs(place):
    """With the input's numbers for its symbols it is the entry of the problem in numbers."""
    problem = builtin("head")
    d, known = symbols("head"), derive(problem)
    letters = {
        f"{name}_{i}{j}": x.fraction[0]
        for name, m in problem.given.items()
        for i, row in enumerate(m.rows, 1)
        for j, x in enumerate(row, 1)
    }
    text = printed(d, place)
    letters |= {f"{k[:-2]}_{k[-2]}_{k[-1]}": v for k, v in letters.items()}
    found = computed(text, **letters)
    with mpmath.workdps(60):
        expected = mpmath.mpf(str(sympy.N(known.entry(place), 40)))
        assert abs(found - expected) < mpmath.mpf(10) ** -35


def test_terms_are_counted_before_they_are_written():
    """A weight of three tokens in symbols: one exponential over three, 4 products of sums each."""
    d = symbols("head")
    extent = Extent()
    assert extent.terms(d.exact("Q[1][1]")) == 2  # H_11 W_11 + H_12 W_21
    assert extent.terms(d.exact("S[1][2]")) == 2 * (2 + 2)
    assert extent.terms(d.exact("A[1][2]")) == 4 * 2 * (2 + 2)
    assert Extent().terms(BLOCK.exact("O[1][1]")) == 4  # (3t + 1)/(2t + 1)


def test_a_count_of_a_deep_stack_is_quick_and_large():
    terms = Extent().terms(MODEL.exact("loss"))
    assert terms > 10**9


def test_what_is_too_long_is_refused_with_its_size():
    with pytest.raises(InputError) as error:
        page(MODEL, "terminal", expand=("L1.xhat2[3][1]",))
    count = Extent().terms(MODEL.exact("L1.xhat2[3][1]"))
    assert count > MOST_TERMS and f"{count:,} terms" in error.value.message
    with pytest.raises(InputError, match="terms"):
        MODEL.expanded("loss")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("X[1][1]", 'no step "X"'),
        ("O", "names no entry"),
        ("O[9][1]", "outside O"),
        ("H[1][1]", "is given"),
        ("__import__('os')", "names no entry"),
    ],
)
def test_no_such_entry(place, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        page(BLOCK, "latex", expand=(place,))


def test_expanded_is_a_sympy_expression_in_the_inputs():
    t = sympy.exp(sympy.sqrt(2) / 2)
    assert sympy.simplify(BLOCK.expanded("O[1][1]") - (3 * t + 1) / (2 * t + 1)) == 0
    d = symbols("head")
    given = {x for name in ("H", "W_Q", "W_K", "W_V") for x in d[name].free_symbols}
    assert d.expanded("O[1][1]").free_symbols <= given


def test_a_forbidden_score_is_written_as_it_is():
    d = derive(builtin("causal"))
    assert isinstance(d.exact("masked[1][2]"), NegativeInfinity)
    assert "−∞" in page(d, "terminal", steps=("masked",), expand=("masked[1][2]",))


def test_it_comes_after_the_steps():
    blocks = walkthrough(BLOCK, Options(expand=("O[1][1]", "O[1][2]"))).blocks
    parts = [b.text for b in blocks if isinstance(b, Heading) and b.level == 2]
    assert parts[-2:] == ["In full", "From line to line"]
    assert sum(map(is_written_out, blocks)) == 2


def test_a_deep_step_says_how_large_it_would_be():
    text = " ".join(page(MODEL, "terminal", steps=("L1.xhat2",)).split())
    count = Decimal(Extent().terms(MODEL.exact("L1.xhat2[3][4]")))
    power = str(count.adjusted()).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    assert f"would have {count.scaleb(-count.adjusted()):.1f}·10{power} terms" in text
    assert "would have" not in page(derive(builtin("head")), "terminal")


def test_negative_terms_and_powers_keep_their_brackets():
    d = derive(read_toml('model = "layernorm"\n[given]\nH = [["a", "-b"], ["a*b", "1/3"]]\n'))
    text = printed(d, "var1[1]") if "var1" in d else printed(d, "var[1]")
    with mpmath.workdps(60):
        a, b = mpmath.mpf(7) / 3, mpmath.mpf(11) / 5
        assert abs(computed(text, a=a, b=b) - ((a + b) / 2) ** 2) < mpmath.mpf(10) ** -40


def test_one_by_one():
    d = attention([[1]], [[1]], [[1]], [[3]])
    assert "O₁₁ = 3" in page(d, "terminal", expand=("O[1][1]",))
