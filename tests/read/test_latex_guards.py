"""What is hostile, or only long: refused, and nothing is printed or left behind."""

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.errors import InputError
from derive.read.latex import adapter, read_latex

TABLE = json.loads((Path(__file__).parents[1] / "figures" / "latex.json").read_text("utf-8"))
FORMULAS = [row[0] for rows in TABLE.values() for row in rows]
PIECES = (
    r"\frac \sqrt { } ( ) [ ] ^ _ + - * / = \cdot \times 1 2 10 0.5 x y e i d E \alpha \pi \infty "
    r"\sum_{i=1}^{n} x_i \exp \ln \max , & \\ \begin{bmatrix} \end{bmatrix} \begin{cases} "
    r"\end{cases} \left( \right) | ! ' \text{if} \mathrm{abc} \mathbf \tilde \top T \% . ; $ \quad "
    r"\, ~ \operatorname{f} \approx < \log_ A B Q \lfloor \rfloor 999 \binom \partial \mathbf{1} "
    r"\begin{aligned} \end{aligned} W^{Q}_{11} ½ √ ² 语 \cr"
).split()


def outcome(text, matrices=()):
    """The reading or the refusal; anything else is raised."""
    try:
        found = read_latex(text, matrices)
        return getattr(found, "values", found)
    except InputError as error:
        assert error.hint and error.place.line and error.place.column
        return str(error)


@given(st.text(max_size=40))
def test_any_text(text):
    outcome(text)


@given(st.lists(st.sampled_from(PIECES), max_size=16), st.sampled_from(["", "AB", "QAK"]))
def test_any_tokens(pieces, matrices):
    outcome(" ".join(pieces), matrices)


@given(st.sampled_from(FORMULAS), st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_any_mutation(text, rnd):
    characters = list(text)
    for _ in range(rnd.randint(1, 3)):
        at = rnd.randrange(len(characters) + 1)
        if rnd.random() < 0.5 and characters:
            del characters[min(at, len(characters) - 1)]
        else:
            characters.insert(at, rnd.choice(PIECES))
    outcome("".join(characters))


@pytest.mark.parametrize(
    "text",
    [
        "9^{9^{9}}",
        "9^{9^{9^{9}}}",
        "100000000!",
        "(9^{300})!",
        "1E999999999",
        "1" * 5_000,
        "x" * 30_000,
        "x + " * 4_900 + "x",
        "+".join("x" * 4_000),
        "(" * 1_000 + "x" + ")" * 1_000,
        "{" * 5_000,
        r"\frac{1}{" * 1_000 + "2" + "}" * 1_000,
        r"\binom{10000}{5000}",
        r"\max(e^{e^{e^{9}}}, 1)",
        r"\lfloor e^{e^{e^{9}}} \rfloor",
        r"\left(10^{300}\right)^{300}",
        "*".join(["400!"] * 900),
        r"\gcd(2, 4)",
        r"__import__('os').system('true')",
        r"\begin{bmatrix}1&1\\1&0\end{bmatrix}^{400000000}",
        r"\begin{bmatrix}x&1\\1&y\end{bmatrix}^{300}",
        r"\left(\left(\begin{bmatrix}x&1\\1&y\end{bmatrix}^{4}\right)^{4}\right)^{4}",
        "\0x",
        "\ud800",
        "|" * 3_000,
    ],
    ids=lambda text: text[:20].encode("ascii", "backslashreplace").decode(),
)
def test_refused(text):
    with pytest.raises(InputError) as caught:
        read_latex(text)
    assert caught.value.hint


def test_towers_of_e_stay_as_they_are():
    assert str(read_latex("e^{e^{e^{9}}}")) == "exp(exp(exp(9)))"


def test_nothing_is_printed(capfd):
    rnd = random.Random(7)
    for _ in range(300):
        outcome(" ".join(rnd.choice(PIECES) for _ in range(rnd.randint(1, 10))))
    assert capfd.readouterr() == ("", "")


def test_nothing_is_left_behind():
    outcome("x = 1")
    outcome("4 d n")
    library = adapter._library()
    assert (library.variances, library.var, library.VARIABLE_VALUES) == ({}, {}, {})
    assert library.is_real is None
    assert "gen" not in sys.modules and "gen.PSParser" not in sys.modules
    assert str(read_latex("4 d n")) == "4*d*n"


def test_threads():
    texts = [text for text in FORMULAS if len(text) < 60] * 3
    random.Random(3).shuffle(texts)
    alone = {text: str(outcome(text)) for text in texts}
    adapter.parse.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: str(outcome(text)), texts))
    assert together == [alone[text] for text in texts]


def run(code, folder):
    """Run code in a folder, this checkout on the path."""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(root)!r})\n{code}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "" and done.returncode == 0, done.stderr
    return done.stdout


def test_folders_of_the_same_name_do_no_harm(tmp_path):
    for name in ("gen", "tests", "antlr4"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("here = True\n")
    code = """
sys.path.insert(0, "")
import gen
before = list(sys.path)
from derive.read.latex import read_latex
print(read_latex("x^2"), sys.path == before, sys.modules["gen"] is gen, gen.here)
"""
    assert run(code, tmp_path) == "x**2 True True True\n"


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("import derive.read", ("sympy", "latex2sympy2", "derive.read.latex")),
        ("from derive.read.toml import read_toml", ("sympy", "latex2sympy2", "derive.read.latex")),
        (
            r"from derive.read.literals import read_scalar; read_scalar('\\frac{\\sqrt2}{2}')",
            ("sympy", "latex2sympy2"),
        ),
        (
            r"from derive.read.latex import read_latex; read_latex('[[1, 2], [3, 4/5]]')",
            ("latex2sympy2",),
        ),
        (
            r"from derive.read.latex import read_latex; "
            r"read_latex('\\begin{bmatrix} 1 & 0.5 \\\\ -3 & 4 \\end{bmatrix}')",
            ("latex2sympy2",),
        ),
    ],
)
def test_loaded_only_when_needed(code, absent, tmp_path):
    said = run(f"{code}\nprint([m for m in {absent!r} if m in sys.modules])", tmp_path)
    assert said == "[]\n"


@pytest.mark.parametrize("text", [r"\max\{0,\frac{1}{0}-\frac{1}{0}\}", r"\min(1/0 - 1/0, 2)"])
def test_a_maximum_of_what_has_no_value_has_none(text):
    with pytest.raises(InputError):
        read_latex(text)
