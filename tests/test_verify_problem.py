"""Articles that are checked against a problem: inputs and conventions are fixed by hand."""

import json
import random

import pytest
from articles.arithmetic import figures, real
from articles.models import head_of, matrix
from articles.notations import listed

import derive
from derive.cli.main import run
from derive.errors import InputError
from derive.verify import verify

# The head of three tokens, by hand: S = Q K^T with Q = H and K = [[1, 1], [0, 1], [1, 2]];
# softmax(S / sqrt 2) to three places; without and with a causal mask.
S = "S = [[1, 0, 1], [1, 1, 2], [2, 1, 3]]\n"
A = "A = [[0.401, 0.198, 0.401], [0.248, 0.248, {0}], [0.284, 0.140, 0.576]]\n"
O = "O = [[1.401, 0.599], [1.503, 0.752], [1.576, 0.716]]\n"
MASKED = "A = [[1.000, 0.000, 0.000], [0.500, 0.500, 0.000], [0.284, 0.140, 0.576]]\n"


def checked(text, problem="head"):
    return verify(text, "a.md", problem=derive.builtin(problem))


def verdicts(report):
    return {v: n for v, n in report.counts.items() if n}


def test_results_alone_are_checked():
    report = checked("My weights: " + A.format("0.503") + "and the result: " + O)
    assert verdicts(report) == {"correct": 15}
    assert {c.quantity[0] for c in report.claims} == {"A", "O"}


def test_a_wrong_result_and_what_follows_from_it():
    report = checked(A.format("0.504") + "So 2 * 0.504 = 1.008.\n")
    wrong = {(c.quantity, c.right) for c in report.claims if c.verdict == "wrong"}
    assert wrong == {("A[2][3]", "0.503")}
    assert {c.root for c in report.claims if c.verdict == "consequence"} == {"A[2][3]"}


def test_an_input_that_the_problem_gives_otherwise_is_wrong():
    H = "[[1, 0], [0, 1], [1, 1]]"
    report = checked(f"H = {H}\n\nW_V = [[1, 0], [0, 1]]\n\nV = {H}\n")
    found = [(c.quantity, c.printed, c.right) for c in report.claims if c.verdict == "wrong"]
    assert found == [("W_V[2][1]", "0", "1")]
    follow = [(c.quantity, c.root) for c in report.claims if c.verdict == "consequence"]
    assert follow == [("V[2][1]", "W_V[2][1]"), ("V[3][1]", "W_V[2][1]")]
    assert verdicts(verify("W_V = [[1, 0], [0, 1]]\n")) == {"assumed": 4}


def test_conventions_are_those_of_the_problem():
    assert not checked(S + A.format("0.503")).counts["wrong"]
    report = checked(S + A.format("0.503"), "causal")
    wrong = [c for c in report.claims if c.verdict == "wrong"]
    assert len(wrong) == 6 and {c.cause and c.cause[0] for c in wrong} == {"mask left out"}
    assert not checked(S + MASKED, "causal").counts["wrong"]
    assert report.conventions == {"scale": "sqrt(d_k)", "mask": "causal"}


def test_symbols_are_no_numbers():
    with pytest.raises(InputError, match="letters"):
        checked(A, "symbolic")


FILES = {
    "key.toml": 'model = "attention"\n[given]\nH = [[1, 0], [0, 1], [1, 1]]\n'
    "W_Q = [[1, 0], [0, 1]]\nW_K = [[1, 1], [0, 1]]\nW_V = [[1, 0], [1, 1]]\n",
    "key.md": r"""$$H = \begin{bmatrix} 1 & 0 \\ 0 & 1 \\ 1 & 1 \end{bmatrix}$$
$$W^Q = \begin{bmatrix} 1 & 0 \\ 0 & 1 \end{bmatrix}$$
$$W^K = \begin{bmatrix} 1 & 1 \\ 0 & 1 \end{bmatrix}$$
$$W^V = \begin{bmatrix} 1 & 0 \\ 1 & 1 \end{bmatrix}$$
""",
}
FILES["key.tex"] = FILES["key.md"]


@pytest.mark.parametrize("name", FILES)
def test_problem_files(tmp_path, monkeypatch, capsys, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    (tmp_path / "mine.md").write_text(A.format("0.504") + O, encoding="utf-8")
    assert run(["verify", "--problem", name, "mine.md", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["problem"]["model"] == "attention"
    assert found["problem"]["given"]["W_V"] == [["1", "0"], ["1", "1"]]
    assert found["summary"]["wrong"] == 1 and found["summary"]["correct"] == 14


def test_a_worksheet_is_a_problem(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["worksheet", "head", "--seed", "3", "-o", "sheet.md"]) == 0
    lines = (tmp_path / "sheet.jsonl").read_text("utf-8").splitlines()
    blanks = json.loads(lines[-1])["blanks"]
    keys = {blank["id"]: blank["key"] for blank in blanks}
    rows = ", ".join(f"[{keys[f'O[{i}][1]']}, {keys[f'O[{i}][2]']}]" for i in (1, 2, 3))
    (tmp_path / "mine.md").write_text(f"My answer: O = [{rows}]\n", encoding="utf-8")
    assert run(["verify", "--problem", "sheet.md", "mine.md", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["summary"]["correct"] == 6


def problem_of(texts):
    """The printed inputs of a head as a problem."""
    names = {"H": "X", "W_Q": "W_Q", "W_K": "W_K", "W_V": "W_V"}
    text = "\n".join(f"{name} = {texts[mine]}" for name, mine in names.items())
    return derive.read_toml(f"[given]\n{text}\n".replace("'", '"'), "key.toml")


@pytest.mark.parametrize("seed", range(12))
def test_random_heads_of_which_only_results_are_printed(seed):
    rng = random.Random(seed)
    inputs = [matrix(rng, n, 2, (-9, 15, "0.1")) for n in (3, 2, 2, 2)]
    values = head_of(*inputs).values()
    texts = {k: [[figures(x, 4) for x in row] for row in rows] for k, rows in values.items()}
    changed = rng.choice(("S", "scaled", "A", "O"))
    (first, *rest), *below = texts[changed]
    new = figures(real(first) + rng.choice((-9, -4, 3, 7, 11)) * real("0.0001"), 4)
    wrong = texts | {changed: [[new, *rest], *below]}
    for found, is_wrong in ((texts, False), (wrong, True)):
        text = "\n\n".join(f"{k} = {listed(found[k])}" for k in ("S", "scaled", "A", "O"))
        report = verify(text, "a.md", problem=problem_of(texts))
        bad = {c.printed for c in report.claims if c.verdict == "wrong"}
        assert (new in bad) if is_wrong else not bad
        assert report.counts["unchecked"] == report.counts["assumed"] == 0


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        # LayerNorm of (1, 0, 0, 0): mean 1/4, variance 3/16, by hand
        ("layernorm", "x̂ of the first row is [1.732, -0.577, -0.577, -0.577]."),
        # sin 1 = 0.841, cos 1 = 0.540, sin 0.01 = 0.010, cos 0.01 = 1.000
        ("positions", "PE = [[0.000, 1.000, 0.000, 1.000], [0.841, 0.540, 0.010, 1.000]]"),
    ],
)
def test_other_models(problem, text):
    report = checked(text, problem)
    assert report.counts["correct"] >= 4 and not report.counts["wrong"]
