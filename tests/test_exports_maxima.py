"""STACK's questions, answered by Maxima: it works each out from H and the weights by itself."""

import pytest
from lxml import etree
from maxima import matrix, maxima

from derive import builtin
from derive.handout import Looks, data_printed
from derive.worksheet.plan import Plan
from derive.worksheet.search import variants

pytestmark = pytest.mark.maxima

ANSWERS = {
    "head": ("softmax(scaled(Q, K), false)", "heads(Q, K, V, 1, false)"),
    "causal": ("softmax(scaled(Q, K), true)", "heads(Q, K, V, 1, true)"),
    "multihead": ("heads(Q, K, V, 2, false) . W_O",),
    "layernorm": ("norm(H, gamma, beta)",),
}
BLANKS = {"head": ("A", "O"), "causal": ("A", "O"), "multihead": (), "layernorm": ()}
MISTAKES = {
    "not scaled": "softmax(Q . transpose(K), false) . V",
    "divided by the square": "softmax(Q . transpose(K) / length(Q[1]), false) . V",
    "softmax along the other side": "transpose(softmax(transpose(scaled(Q, K)), false)) . V",
    "not normalised": "powers(scaled(Q, K), false) . V",
    "weights transposed": "transpose(softmax(scaled(Q, K), false)) . V",
    "input in place of values": "softmax(scaled(Q, K), false) . H",
    "roles exchanged": "softmax(scaled(K, Q), false) . V",
}
SAID = {
    "not scaled": "the scores are not divided",
    "divided by the square": "the scores are divided by the square",
    "softmax along the other side": "the softmax runs along the other side",
    "not normalised": "the powers of e are not divided by their sum",
    "weights transposed": "the attention weights are transposed",
    "input in place of values": "the weights are applied to the input",
    "roles exchanged": "queries and keys are exchanged",
}


def given(v):
    for name, found in v.candidate.problem.given.items():
        yield f"{name}: {matrix(found.rows)}"
    if "W_Q" in v.candidate.problem.given:
        yield from (f"{x}: H . W_{x}" for x in "QKV")


def question_of(v):
    root = etree.fromstring(data_printed([v], "moodle", Looks("en")).encode())
    (found,) = root.iterfind("question[@type='stack']")
    return found


def own(question, tree="prt1"):
    """The question's own variables, and those of a tree."""
    lines = question.findtext("questionvariables/text").splitlines()
    (found,) = (x for x in question.iterfind("prt") if x.findtext("name") == tree)
    lines += found.findtext("feedbackvariables/text").splitlines()
    return [line.rstrip(";") for line in lines]


@pytest.mark.parametrize("name", ANSWERS)
def test_maxima_comes_to_the_same_matrix(name):
    """Exactly where the answer is exact, and within half a unit where it is in decimals; what it
    comes to is right when it is rounded, and when it is not."""
    for v in variants(Plan(builtin(name), seed=7, blank=BLANKS[name]), (1, 2)):
        question = question_of(v)
        for k, answer in enumerate(ANSWERS[name], 1):
            is_exact = "." not in own(question)[k - 1]
            bound = "10b0^-50" if is_exact else "0.000501b0"
            found = maxima(
                *given(v),
                *own(question, f"prt{k}"),
                f"mine: {answer}",
                f"print(near(ta{k}, mine, {bound}))",
                "print(fits(mine, right), fits(decimal(mine), right), fits(2 * mine, right))",
            )
            assert found == ["true", "true true false"], (v.id, answer)


def test_maxima_makes_the_mistakes_and_is_told_which():
    """The first node that holds is that of the mistake, or of one that leads to the same there."""
    seen = set()
    for v in variants(Plan(builtin("head"), seed=7, level=3), (1, 2, 3)):
        question = question_of(v)
        nodes = [(node.findtext("sans"), node.findtext("truefeedback/text"))
                 for node in question.iterfind("prt/node")]  # fmt: skip
        told = {t.name for t in v.key.told}
        for name in MISTAKES.keys() & told:
            tests = ", ".join(test.replace("ans1", "wrong") for test, _ in nodes)
            (line,) = maxima(
                *given(v), *own(question), f"wrong: decimal({MISTAKES[name]})", f"print({tests})"
            )
            holds = [x == "true" for x in line.split()]
            assert not holds[0], name
            said = [text for hold, (_, text) in zip(holds, nodes, strict=True) if hold]
            assert any(SAID[name] in text for text in said), (v.id, name)
            seen.add(name)
    assert len(seen) > 4


def test_a_number_that_is_none_is_wrong_and_no_error():
    (v,) = variants(Plan(builtin("head"), seed=7), (1,))
    question = question_of(v)
    (line,) = maxima(*own(question), "print(fits(matrix([a,b],[c,d],[x,y]), right))")
    assert line == "false"


def test_nodes_lead_to_one_another_and_end():
    (v,) = variants(Plan(builtin("head"), seed=7, blank=("A", "O")), (1,))
    for tree in question_of(v).iterfind("prt"):
        nodes = tree.findall("node")
        assert [node.findtext("name") for node in nodes] == [str(k) for k in range(len(nodes))]
        following = [node.findtext("falsenextnode") for node in nodes]
        assert following == [*map(str, range(1, len(nodes))), "-1"]
        assert nodes[0].findtext("truescore") == "1"
        assert {node.findtext("truescore") for node in nodes[1:]} == {"0.5"}
        notes = [node.findtext(f"{x}answernote") for node in nodes for x in ("true", "false")]
        assert len(set(notes)) == len(notes)
