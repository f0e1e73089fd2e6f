"""Kinds of exercises beside working out: what is asked, what the key says, how it is marked."""

import json
import math
import re
from fractions import Fraction
from functools import partial

import numpy
import pytest
from by_hand import floats, rounded

from derive import InputError, builtin
from derive.cli.main import run
from derive.handout import Looks, keys_printed, sheets_printed
from derive.theorems import ORDER
from derive.views.worksheet_data import manifest
from derive.views.worksheet_kinds import PAGES
from derive.words import LANGUAGES, words
from derive.worksheet.changes import CHANGES, changed_by, fitting
from derive.worksheet.kinds import KINDS
from derive.worksheet.manifest import read_manifest
from derive.worksheet.marking import marked, papers
from derive.worksheet.mistakes_back import BACK
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants
from derive.worksheet.shaping import matching_of, shapes_of
from derive.worksheet.stress import stress
from derive.worksheet.widened import widened
from derive.worksheet.written import is_right, written

HALF = Fraction(1, 2)


def made(kind, name="head", count=3, change=None, **wishes):
    problem, before = widened(builtin(name)), None
    if kind == "what-if":
        before, problem = problem, changed_by(problem, change)
    plan = Plan(problem, seed=5, kind=kind, before=before, **wishes)
    return list(variants(plan, range(1, count + 1)))


def page(v, kind, lang="en", key=False, format="terminal"):
    printed = keys_printed if key else sheets_printed
    return printed([v], format, Looks(lang))


def sheet_of(v, tmp_path):
    path = tmp_path / "keys.jsonl"
    path.write_text(manifest([v]), "utf-8")
    return read_manifest(str(path))[v.id]


# --- every kind


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("format", ["latex", "markdown", "html", "terminal", "pdf", "docx"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_in_every_format(kind, format, lang):
    (v,) = made(kind, count=1, level=2)
    sheet, key = (page(v, kind, lang, is_key, format) for is_key in (False, True))
    assert sheet != key
    if format not in ("pdf", "docx"):
        assert all(v.id in text.replace("\\", "") for text in (sheet, key))


def test_every_kind_has_its_pages():
    assert set(PAGES) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_is_made_again_from_its_number(kind, tmp_path):
    sheet, again = tmp_path / "sheet.md", tmp_path / "again.md"
    assert run(["worksheet", "--kind", kind, "--seed", "3", "-o", str(sheet)]) == 0
    (row,) = (tmp_path / "sheet.jsonl").read_text("utf-8").splitlines()
    assert run(["worksheet", "--from", json.loads(row)["id"], "-o", str(again)]) == 0
    assert sheet.read_bytes() == again.read_bytes()
    assert (tmp_path / "sheet-key.md").read_bytes() == (tmp_path / "again-key.md").read_bytes()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("suffix", [".xml", ".zip", ".ptx", ".ipynb", ".csv"])
def test_numbers_go_to_every_bank(kind, suffix, tmp_path):
    path = tmp_path / f"bank{suffix}"
    assert run(["worksheet", "--kind", kind, "-o", str(path)]) == 0
    assert path.stat().st_size > 300


# --- gradients, against differences of floating point


def softmax(row):
    powers = [math.exp(x) if x > -math.inf else 0.0 for x in row]
    return [p / sum(powers) for p in powers]


def product(x, y):
    return [
        [sum(a * b for a, b in zip(r, c, strict=True)) for c in zip(*y, strict=True)] for r in x
    ]


def head(given, is_causal):
    source = given.get("context", given["H"])
    q, k = product(given["H"], given["W_Q"]), product(source, given["W_K"])
    scores = product(q, list(zip(*k, strict=True)))
    values, root = product(source, given["W_V"]), math.sqrt(len(given["W_Q"][0]))
    hidden = [[is_causal and j > i for j in range(len(scores[0]))] for i in range(len(scores))]
    return scores, values, root, hidden


def number(scores, values, root, hidden, slopes):
    rows = [
        softmax([-math.inf if h else s / root for s, h in zip(row, hides, strict=True)])
        for row, hides in zip(scores, hidden, strict=True)
    ]
    out = product(rows, values)
    return sum(a * b for r, s in zip(out, slopes, strict=True) for a, b in zip(r, s, strict=True))


def by_values(scores, root, hidden, slopes, values):
    return number(scores, values, root, hidden, slopes)


def slope(rows, i, j, f):
    """The central difference of f by an entry of some rows."""
    step, moved = 1e-5, []
    for sign in (1, -1):
        other = [list(map(float, row)) for row in rows]
        other[i][j] += sign * step
        moved.append(f(other))
    return (moved[0] - moved[1]) / (2 * step)


@pytest.mark.parametrize("name", ["head", "causal", "cross", "unscaled"])
def test_gradients_of_a_head_are_its_differences(name):
    for v in made("gradient", name, level=2):
        scores, values, root, hidden = head(floats(v.candidate.problem), name == "causal")
        root = 1 if name == "unscaled" else root
        slopes = v.candidate.given["dO"]
        of_values = partial(by_values, scores, root, hidden, slopes)
        of_scores = partial(number, values=values, root=root, hidden=hidden, slopes=slopes)
        by = {"dV": (values, of_values), "dS": (scores, of_scores)}
        seen = set()
        for answer in v.key.answers:
            if answer.step in by:
                rows, f = by[answer.step]
                wanted = slope(rows, answer.row - 1, answer.column - 1, f)
                assert abs(float(answer.key) - wanted) < 0.0005 + 1e-7, (v.id, answer)
                seen.add(answer.step)
        assert seen == {"dV", "dS"}


def test_the_gradient_of_logits_is_its_difference():
    for v in made("gradient", "language-model"):
        logits = [list(map(float, row)) for row in v.candidate.derivation.places("logits", 14)]
        vocabulary = v.plan.problem.vocabulary
        right = [vocabulary.index(word) for word in v.plan.problem.targets]

        def loss(rows, right=right):
            chances = [softmax(row)[y] for row, y in zip(rows, right, strict=True)]
            return -sum(map(math.log, chances)) / len(chances)

        for answer in v.key.answers:
            wanted = slope(logits, answer.row - 1, answer.column - 1, loss)
            assert abs(float(answer.key) - wanted) < 0.0005 + 1e-7


@pytest.mark.parametrize("places", [3, 4, 5])
def test_who_goes_back_in_rounded_steps_is_right(places):
    """From the printed weights and values, rounded after every step to some places or to more."""
    for v in made("gradient", count=25, level=2):
        r = lambda x: rounded(x, places)  # noqa: E731
        d = v.candidate.derivation
        weights = [list(map(float, row)) for row in d.places("A", 3)]
        values = [list(map(float, row)) for row in d.places("V", 3)]
        slopes = v.candidate.given["dO"]
        found = {"dA": product(slopes, list(zip(*values, strict=True)))}
        found["dV"] = product(list(zip(*weights, strict=True)), slopes)
        found["dscaled"] = []
        for a, s in zip(weights, found["dA"], strict=True):
            mean = r(sum(r(p * q) for p, q in zip(a, s, strict=True)))
            found["dscaled"].append([r(p * r(q - mean)) for p, q in zip(a, s, strict=True)])
        found["dS"] = [[r(x / r(math.sqrt(2))) for x in row] for row in found["dscaled"]]
        for a in v.key.answers:
            x = round(rounded(found[a.step][a.row - 1][a.column - 1], 3) * 1000)
            assert a.low <= x <= a.high, (v.id, a, x)


@pytest.mark.parametrize(
    ("name", "wishes"),
    [
        ("head", {}),
        ("causal", {"level": 2}),
        ("cross", {"level": 2}),
        ("layernorm", {"level": 2}),
        ("multihead", {}),
        ("language-model", {}),
        ("head", {"blank": ("dQ", "dK")}),
        ("columns", {"level": 2}),
    ],
)
def test_gradients_by_the_second_route(name, wishes):
    report = stress(Plan(builtin(name), seed=2, kind="gradient", **wishes), 10)
    assert report.failures == () and not report.duplicates and report.keys


def test_every_mistake_on_the_way_back_shows_in_some_sheet():
    shown = set()
    every = [
        ("head", ("dV", "dS", "dQ", "dK")),
        ("language-model", ("dlogits",)),
        ("block", ("dgamma2", "dxhat2")),
        ("block", ("dG", "dU", "dN1", "dW_1")),
        ("multihead", ("dO", "dW_O")),
        ("layernorm", ("dgamma", "dxhat")),
    ]
    for name, blank in every:
        for v in made("gradient", name, 8, blank=blank):
            shown |= {told.name for told in v.key.told}
    assert {name for name, _ in BACK} <= shown


def test_an_own_slope_is_carried_forward(tmp_path):
    """dS = dscaled / sqrt 2 of whatever the pupil has."""
    (v,) = made("gradient", count=1, blank=("dscaled", "dS"))
    sheet = sheet_of(v, tmp_path)
    answers = {b.id: b.key for b in sheet.blanks} | {"dscaled[1][1]": "0.8"}
    answers["dS[1][1]"] = f"{0.8 / math.sqrt(2):.3f}"
    found = {c.blank.id: c.verdict for c in marked(sheet, answers, HALF)}
    assert found["dscaled[1][1]"] == "wrong" and found["dS[1][1]"] == "carried"


# --- what changes


def weights_of(problem, **choices):
    """A in floating point under other choices."""
    scores, _, root, hidden = head(floats(problem), choices.get("causal", False))
    root = choices.get("root", root) * choices.get("temperature", 1)
    return [
        softmax([-math.inf if h else s / root for s, h in zip(row, hides, strict=True)])
        for row, hides in zip(scores, hidden, strict=True)
    ]


OTHERWISE = {
    "unscaled": {"root": 1},
    "causal": {"causal": True},
    "cold": {"temperature": 0.5},
}


@pytest.mark.parametrize("change", OTHERWISE)
def test_what_changes_and_what_stays(change):
    for v in made("what-if", change=change, blank=("A",)):
        problem = v.candidate.problem
        before, after = weights_of(problem), weights_of(problem, **OTHERWISE[change])
        for a in v.key.answers:
            assert abs(float(a.key) - after[a.row - 1][a.column - 1]) < 0.0005 + 1e-9
        key = page(v, "what-if", key=True)
        part = key.split("A, as given and changed.")[1].split("as given and changed")[0]
        same = {
            f"A{'₀₁₂₃'[i + 1]}{'₀₁₂₃'[j + 1]}"
            for i, rows in enumerate(zip(before, after, strict=True))
            for j, (x, y) in enumerate(zip(*rows, strict=True))
            if abs(x - y) < 1e-12
        }
        said = re.search(r"As before: ([^.]*)\.", part)
        assert set(re.findall("A[₁₂₃]{2}", said[1] if said else "")) == same
        if not same:
            assert "No entry is as before." in part


@pytest.mark.parametrize("is_key", [False, True])
def test_what_is_given_is_not_changed_yet(is_key):
    """The mask is what changes: the derivation that stands on the sheet has none."""
    for v in made("what-if", change="causal"):
        given = page(v, "what-if", key=is_key).split("Given")[1]
        assert "There is no mask" in given and "The mask is causal" not in given


def test_changes_fit_their_problems():
    assert set(OTHERWISE) <= set(fitting(builtin("head")))
    assert "causal" not in fitting(builtin("causal")) and "unscaled" not in fitting(
        builtin("unscaled")
    )
    assert fitting(builtin("layernorm")) == ["sample"] and fitting(builtin("positions")) == []
    assert "pre-norm" in fitting(builtin("block"))
    for lang in LANGUAGES:
        assert all(f"change {name}" in words(lang)["worksheet"] for name in CHANGES)


# --- shapes


def shapes_by_numpy(sizes):
    """The shapes of a head and of a block, as numpy has them."""
    one = lambda *names: numpy.ones([sizes.get(x, x) for x in names])  # noqa: E731
    h = one("n", "d_model")
    q, k, v = h @ one("d_model", "d_k"), h @ one("d_model", "d_k"), h @ one("d_model", "d_v")
    s = q @ k.T
    found = {"Q": q, "K": k, "V": v, "S": s, "scaled": s, "exp": numpy.exp(s), "A": s}
    found |= {"Z": s.sum(axis=1, keepdims=True), "O": s @ v}
    if "d_ff" in sizes:
        y = found["O"] @ one("d_v", "d_model")
        u = (h + y) @ one("d_model", "d_ff") + one(1, "d_ff")
        f = u @ one("d_ff", "d_model") + one(1, "d_model")
        found |= {"Y": y, "U": u, "G": numpy.maximum(u, 0), "F": f}
        for number in "12":
            mean = y.mean(axis=1, keepdims=True)
            found |= {f"{x}{number}": mean for x in ("mu", "var", "sigma")}
            found |= {f"{x}{number}": y for x in ("R", "xhat", "N")}
    return {name: array.shape for name, array in found.items()}


@pytest.mark.parametrize("name", ["head", "block"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_shapes_are_those_of_numpy(name, level):
    for v in made("shapes", name, level=level):
        table = shapes_of(v)
        wanted = shapes_by_numpy(table.sizes)
        assert {line.name: line.numbers for line in table.lines} == wanted
        sizes = table.sizes | {"1": 1}
        assert len(set(table.sizes.values())) == len(table.sizes)
        for line in table.lines:
            assert tuple(sizes[x] for x in line.letters) == line.numbers
            assert len(line.hidden) == level


def test_every_kind_of_model_has_its_table():
    blank = ("dec.L1.cross.S", "logits", "P")
    plain = ("multihead", "rope", "cross", "columns", "positions", "layernorm")
    for name, wishes in (*((name, {}) for name in plain), ("seq2seq", {"blank": blank})):
        (v,) = made("shapes", name, 1, **wishes)
        assert shapes_of(v).lines and matching_of(v)[1].shapes


FORMULAS = {"Q": "H W_Q", "K": "H W_K", "V": "H W_V", "S": "Q Kᵀ", "O": "A V", "Z": "E 1",
            "exp": "exp(S̃)", "A": "softmax(S̃)", "scaled": "S/√(d_k)"}  # fmt: skip


def test_formulas_are_matched():
    for v in made("match", count=5):
        text = page(v, "match", key=True)
        rows = [line.split() for line in text.split("Formulas")[1].splitlines()]
        letters = {}
        for row in rows:
            for k, cell in enumerate(row):
                if len(cell) == 1 and cell in "abcdefgh" and k + 1 < len(row):
                    letters[cell] = " ".join(row[k + 1 :])
        for line in matching_of(v)[1].lines:
            formula, shape = matching_of(v)[1].answer(line)
            assert letters["abcdefgh"[formula]].startswith(FORMULAS[line.name])
            assert matching_of(v)[1].shapes[shape] == line.numbers


@pytest.mark.parametrize(
    ("text", "accepted", "is_it"),
    [
        ("3x2", "3 x 2", True),
        ("(3, 2)", "3 x 2", True),
        ("3 × 2", "3 x 2", True),
        ("[3,2]", "3 x 2", True),
        ("2 x 3", "3 x 2", False),
        ("n × d_k", "n x d_k", True),
        ("(n, dk)", "n x d_k", True),
        ("", "3 x 2", False),
        ("32", "3 x 2", False),
        ("B", "b", True),
    ],
)
def test_answers_in_words(text, accepted, is_it):
    assert is_right(text, (accepted,)) is is_it


# --- marking


@pytest.mark.parametrize("kind", ["shapes", "match", "find-mistake"])
def test_the_key_has_all_points(kind, tmp_path):
    for v in made(kind, level=2):
        sheet = sheet_of(v, tmp_path)
        answers = {b.id: b.key for b in sheet.blanks}
        cells = list(marked(sheet, answers, HALF))
        assert {c.verdict for c in cells} == {"right"}
        points = sum(c.points for c in cells)
        assert points == sum(b.points for b in sheet.blanks)
        assert f"Points (of {points})" in page(v, kind)


def test_other_answers_are_wrong_or_for_a_person(tmp_path):
    (v,) = made("shapes", count=1, level=3)
    sheet = sheet_of(v, tmp_path)
    assert {one.id.rpartition(".")[2] for one in written(v)} == {
        "letters",
        "numbers",
        "name",
        "formula",
    }
    for cell in marked(sheet, {b.id: "nothing" for b in sheet.blanks}, HALF):
        is_formula = cell.blank.id.endswith(".formula")
        assert cell.verdict == ("open" if is_formula else "wrong") and cell.points == 0
    assert {c.verdict for c in marked(sheet, {}, HALF)} == {"missing"}


def test_what_must_be_read_by_a_person_is_not_marked(tmp_path):
    (v,) = made("explain", count=1, level=2)
    sheet = sheet_of(v, tmp_path)
    path = tmp_path / "answers.csv"
    path.write_text(f"student,id,blank,answer\nAda,{v.id},Q.operation,linear map\n", "utf-8")
    assert run(["grade", str(tmp_path / "keys.jsonl"), str(path), "-o", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()
    from derive.worksheet.answers import read_answers

    with pytest.raises(InputError, match="person"):
        list(papers({v.id: sheet}, read_answers(str(path)), "answers.csv", HALF))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_class_is_marked_in_words(lang, tmp_path):
    sheet = tmp_path / "sheet.md"
    assert run(["worksheet", "--kind", "true-false", "--seed", "3", "-o", str(sheet)]) == 0
    from derive.views.worksheet_truth import truths

    (truth,) = truths(3, [1])
    rows = ["student,id,blank,answer"]
    for k, one in enumerate(truth.statements, 1):
        assert one.theorem in ORDER
        right, wrong = ("对", "错") if lang == "zh" else ("T", "F")
        said = right if one.is_true else wrong
        rows.append(f"Ada,{truth.id},{k},{said}")
        rows.append(f"Bob,{truth.id},{k},{'true' if k % 2 else 'false'}")
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(rows), "utf-8")
    keys, out = str(tmp_path / "sheet.jsonl"), tmp_path / "out"
    assert run(["grade", keys, str(path), "--lang", lang, "-o", str(out)]) == 0
    table = (out / "class.csv").read_text("utf-8").splitlines()
    half = sum(one.is_true == bool(k % 2) for k, one in enumerate(truth.statements, 1))
    assert f"Ada,{truth.id},8,8" in table and f"Bob,{truth.id},{half},8" in table


# --- explained


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_reason_stands_on_the_key_alone(lang):
    (v,) = made("explain", count=1, level=2)
    sheet, key = (page(v, "explain", lang, is_key, "markdown") for is_key in (False, True))
    for name in ("Q", "S", "scaled", "exp", "Z", "A", "O"):
        said = words(lang)["steps"][name]["sentence"]
        assert said in key.replace("\\", "") and said not in sheet.replace("\\", "")


# --- what does not fit


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--kind", "riddle"], "riddle"),
        (["positions", "--kind", "what-if"], "what-if"),
        (["positions", "--kind", "gradient"], "--blank"),
        (["head", "--kind", "gradient", "--blank", "S"], "names no gradient"),
        (["head", "--kind", "gradient", "--blank", "dX"], 'no step "X"'),
        (["head", "--kind", "gradient", "--blank", "dO"], "dO"),
        (["head", "--kind", "what-if", "--change", "pink"], "pink"),
        (["causal", "--kind", "what-if", "--change", "causal"], "changes nothing"),
        (["head", "--change", "causal"], "what-if"),
        (["language-model", "--kind", "shapes"], "--blank"),
        (["head", "--kind", "shapes", "--blank", "B"], 'no step "B"'),
        (["language-model", "--level", "2"], "--blank"),
        (["seq2seq", "--level", "3"], "--blank"),
        (["head", "--kind", "shapes", "--choices"], "--choices"),
        (["language-model", "--kind", "find-mistake", "--blank", "P"], "is long"),
        (["language-model", "--kind", "what-if"], "what-if"),
        (["language-model", "--kind", "explain"], "--blank"),
        (["symbolic"], "letters"),
        (["temperature"], "tau"),
    ],
)
def test_kinds_that_do_not_fit(arguments, said, capsys):
    assert run(["worksheet", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error:") and said in error and "Traceback" not in error


@pytest.mark.parametrize(("lang", "said"), [("en", "division by zero"), ("zh", "除以零")])
def test_the_reason_of_a_root_speaks_of_eps_only_where_there_is_one(lang, said):
    """LayerNorm by hand has none; that of a block has 1/100000."""
    from derive.pages import rendered
    from derive.views.worksheet_explain import explain_key_page

    for name, has_one in (("layernorm", False), ("block", True)):
        (v,) = variants(Plan(builtin(name), kind="explain", level=2), (1,))
        assert (said in rendered(explain_key_page([v], lang), "markdown")) is has_one


def test_a_key_counts_what_stands_on_its_sheet():
    """Of the gradient by V only A and dO stand there: nothing of H, the weights or the scores."""
    key = page(made("gradient")[0], "gradient", key=True).partition("How it was drawn")[2]
    assert "dO" in key or "dO" in key.replace("$", "")
    assert "Entries of H" not in key and "Entries of the weights" not in key
    assert "powers of e" not in key


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_statements_say_what_they_rest_on(lang):
    """A score has variance d_k for entries of mean 0 and variance 1; q and k come into a rotary
    score too; and what is not said of this program is not spoken of."""
    from derive.pages import rendered
    from derive.views.worksheet_truth import Statement, Truths, said_of, truth_page

    needed = {"variance": ("independent", "独立"), "rope-distance": ("given query", "给定的查询"),
              "cache": ("the same", "相同"), "row-sums": ("at least one", "至少")}  # fmt: skip
    for name, texts in needed.items():
        assert texts[lang == "zh"] in said_of(Statement(name, True), lang)
    sheet = Truths(1, 1, tuple(Statement(x, True) for x in ("variance", "shared-qk")))
    page = rendered(truth_page([sheet], lang), "markdown")
    assert "$`d_{k}`$" in page and "$`W^{Q}`$" in page and "d\\_k" not in page
    assert "theorem" not in page and "程序" not in page
