"""What is very large, very deep or nearly 0: digits or one clear message, never a traceback."""

import json

import mpmath
import pytest

from derive import Format, builtin, derive
from derive.cli.main import run
from derive.exact import matrix
from derive.gradients import differentiate
from derive.problems import source
from derive.read.symbols import check_products

HUGE = """[given]
H = [[{}, 0], [0, 1]]
W_Q = [[1, 0], [0, 1]]
W_K = [[1, 0], [0, 1]]
W_V = [[1, 0], [0, 1]]
"""


@pytest.fixture
def call(capsys, tmp_path):
    """(exit code, stdout, stderr) of a command in which FILE is a file with the text."""

    def called(command, text=""):
        path = tmp_path / "problem.toml"
        path.write_text(text, encoding="utf-8")
        code = run([x if x != "FILE" else str(path) for x in command.split()])
        return (code, *capsys.readouterr())

    return called


@pytest.mark.parametrize(
    ("entry", "zeros"), [("1e300", 300), ("1e308", 308), ("1e400", 400), ('"10^200"', 200)]
)
def test_a_huge_entry_has_its_digits(call, entry, zeros):
    """A_12 = 1/(1 + e^s), s = h^2/sqrt(2): 10^-(s/ln 10) in all digits shown."""
    code, out, err = call("eval FILE --json --steps A", HUGE.format(entry))
    with mpmath.workdps(1000):
        decimal = -(mpmath.mpf(10) ** (2 * zeros)) / mpmath.sqrt(2) / mpmath.log(10)
        exponent = int(mpmath.floor(decimal))
        mantissa = mpmath.mpf(10) ** (decimal - exponent)
    head, _, tail = json.loads(out)["A"][0][1].partition("e")
    assert (code, err) == (0, "") and int(tail) == exponent
    assert abs(mpmath.mpf(head) - mantissa) < mpmath.mpf("0.0051")


@pytest.mark.parametrize(
    "command", ["FILE", "FILE --json", "grad FILE", "train FILE", "grad FILE --sensitivity A,H"]
)
def test_a_huge_entry_has_every_page(call, command):
    code, out, err = call(command, HUGE.format("1e400"))
    assert (code, err) == (0, "") and out


def test_the_translation_model_may_say_that_it_is_causal(call):
    """It is so anyway: to say it changes no number."""
    plain = call("eval seq2seq --json")
    said = source("seq2seq").replace("[conventions]\n", '[conventions]\nmask = "causal"\n')
    assert plain[0] == 0 and 'mask = "causal"' in said
    assert call("eval seq2seq --json --causal") == plain == call("eval FILE --json", said)


def test_a_causal_mask_over_another_context_is_refused(call):
    code, _, err = call("cross --causal")
    assert code == 2 and "as many keys as queries" in err


@pytest.mark.parametrize("name", ["mixed", "temperature"])
def test_gradients_beside_symbols(call, name):
    code, out, err = call(f"grad {name}")
    assert (code, err) == (0, "") and "dW_Q" in out


def square(side):
    """A problem of symbols alone."""
    return "[given]\n" + "".join(f"{x} = {{shape = [{side}, {side}]}}\n" for x in MATRICES)


MATRICES = ("H", "W_Q", "W_K", "W_V")


def test_gradients_of_many_symbols(call):
    code, out, err = call("grad FILE", square(10))
    assert (code, err) == (0, "") and "dW_Q" in out


@pytest.mark.parametrize("side", [100, 512])
@pytest.mark.parametrize("command", ["FILE", "grad FILE"])
def test_too_many_symbols_are_one_message(call, command, side):
    code, out, err = call(command, square(side))
    assert (code, out) == (2, "") and "too large" in err and "symbols" in err


def test_numbers_are_not_counted_as_symbols():
    check_products({"H": matrix([[1] * 400] * 400)})


def normalised(x, eps):
    """LayerNorm of a row of two."""
    mean = (x[0] + x[1]) / 2
    sigma = mpmath.sqrt(((x[0] - mean) ** 2 + (x[1] - mean) ** 2) / 2 + eps)
    return [(t - mean) / sigma for t in x]


def block(*entries):
    """N2 of the block by hand at H, row by row, without exact arithmetic."""
    m = {k: mpmath.matrix([list(map(fraction, r)) for r in v.rows]) for k, v in GIVEN.items()}
    H, eps = mpmath.matrix([entries[:2], entries[2:4], entries[4:]]), mpmath.mpf(10) ** -5
    scores = H * m["W_Q"] * (H * m["W_K"]).T / mpmath.sqrt(2)
    E = scores.apply(mpmath.exp)
    A = mpmath.matrix([[E[i, j] / sum(E[i, :]) for j in range(3)] for i in range(3)])
    R = H + A * H * m["W_V"] * m["W_O"]
    N = mpmath.matrix([normalised(R[i, :], eps) for i in range(3)])
    U = N * m["W_1"] + mpmath.matrix([list(m["b_1"])] * 3)
    F = U.apply(lambda t: max(t, mpmath.mpf(0))) * m["W_2"] + mpmath.matrix([list(m["b_2"])] * 3)
    return [t for i in range(3) for t in normalised((N + F)[i, :], eps)]


def fraction(x):
    """A rational as mpmath has it."""
    p, q = x.fraction
    return mpmath.mpf(p) / q


GIVEN = builtin("block").given


def test_the_sensitivity_of_a_block(call):
    """As many derivatives are exactly 0 as difference quotients at 80 digits vanish."""
    code, out, _ = call("grad block --sensitivity N2,H")
    here, h = [fraction(x) for row in GIVEN["H"].rows for x in row], mpmath.mpf(10) ** -40
    with mpmath.workdps(120):
        before, zeros = block(*here), 0
        for k in range(6):
            moved = block(*(x + h * (j == k) for j, x in enumerate(here)))
            changes = [abs(a - b) / h for a, b in zip(before, moved, strict=True)]
            zeros += sum(x < mpmath.mpf(10) ** -30 for x in changes)
    assert code == 0 and f"Exactly 0: {zeros} of the 36" in out


@pytest.mark.parametrize("quantity", ["temperature", "W_Q[1][1]"])
def test_a_deep_number_along_a_quantity_ends(call, quantity):
    """What takes too many terms is undecided, not for ever."""
    code, out, err = call(f"grad block --along {quantity}")
    assert (code, err) == (0, "") and "undecided" in out


def test_a_sum_behind_a_layernorm_is_decided():
    """dmu is minus the sum of a row of dxhat over sigma, and the third row adds up to 0."""
    found = differentiate(derive(builtin("language-model"))).derivation
    rows = [[float(c.digits) for c in row] for row in found.certified("L2.dxhat1", Format())]
    digits = [row[0] for row in found.certified("L2.dmu1", Format())]
    assert abs(sum(rows[2])) < 3e-3 < min(abs(sum(row)) for row in rows[:2])
    assert digits[2].digits == "0.000" and not digits[2].undecided
    assert all(float(c.digits) for c in digits[:2])
