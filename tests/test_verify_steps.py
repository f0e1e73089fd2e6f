"""Which step a printed list belongs to: caches, masks of single rows, columns, encodings.

The figures are worked out here with floats.
"""

from __future__ import annotations

from math import cos, exp, sin, sqrt

import pytest

import derive

RIGHT = {"correct", "propagated", "truncated"}


def softmax(row):
    powers = [exp(x) for x in row]
    return [x / sum(powers) for x in powers]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def mixed(weights, rows):
    return [dot(weights, column) for column in zip(*rows, strict=True)]


def shown(row, places=3):
    return "[" + ", ".join(f"{x:.{places}f}" for x in row) + "]"


def verdicts(article, line):
    found = derive.verify(article, "article.md")
    return [claim.verdict for claim in found.claims if claim.line == line]


KEYS, VALUES = [[1, 0], [0, 2], [2, 1]], [[1, 3], [2, 0], [0, 4]]
NAMES = [
    ("The KV cache holds", "K_cache", "V_cache", "the new token has", "q", "k", "v", "Output"),
    ("Im KV-Cache liegen", "K", "V", "das neue Token hat", "q", "k_neu", "v_neu", "Ausgabe"),
    ("缓存中已有", "K_cache", "V_cache", "新词有", "q_3", "k_3", "v_3", "输出"),
]


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("is_right", [True, False])
def test_the_key_of_a_new_token_stands_below_the_cache(names, is_right):
    cached, K, V, comes, q, k, v, output = names
    scores = [dot([1, 1], key) for key in KEYS]
    scaled = [x / sqrt(2) for x in scores]
    weights = softmax(scaled)
    printed = [x + 0.1 * (not is_right and i == 2) for i, x in enumerate(scaled)]
    article = (
        f"{cached}\n{K} = [[1, 0], [0, 2]]\n{V} = [[1, 3], [2, 0]]\n{comes}\n"
        f"{q} = [1, 1]\n{k} = [2, 1]\n{v} = [0, 4]\n\n"
        f"{q} K^T = {shown(scores, 0)}\n\n/ √2: {shown(printed)}\n\n"
        f"softmax: {shown(weights)}\n\n{output}: {shown(mixed(weights, VALUES))}\n"
    )
    assert set(verdicts(article, 9)) <= RIGHT
    assert ("wrong" in verdicts(article, 11)) is not is_right
    assert "assumed" not in verdicts(article, 13) + verdicts(article, 15)


@pytest.mark.parametrize("title", ["Causal attention by hand", "因果掩码", "Máscara causal"])
@pytest.mark.parametrize("is_right", [True, False])
def test_a_mask_forgotten_in_one_row(title, is_right):
    Q, K = [[1, 2], [2, 1], [0, 1]], [[1, 1], [2, 0], [0, 3]]
    scores = [[dot(q, k) / sqrt(2) for k in K] for q in Q]
    second = softmax(scores[1][:2]) if is_right else softmax(scores[1])
    article = (
        f"# {title}\n\nQ = {Q}\n\nK = {K}\n\n"
        f"Q K^T / √2 = [{', '.join(shown(row) for row in scores)}]\n\n"
        f"weights: {shown(second)}\n\nweights: {shown(softmax(scores[2]))}\n"
    )
    found = verdicts(article, 9)
    assert set(found) <= RIGHT if is_right else "wrong" in found
    assert set(verdicts(article, 11)) <= RIGHT


@pytest.mark.parametrize("is_right", [True, False])
def test_symmetric_scores_with_tokens_as_columns_have_the_softmax_of_columns(is_right):
    article_ = "Tokens are columns.\n\nQ = [[1, 0, 2], [1, 1, 3]]\n\n"
    article_ += "K = [[0, 1, 1], [1, 0, 2]]\n\n"
    scores = [[1, 1, 3], [1, 0, 2], [3, 2, 8]]
    rows = [softmax(row) for row in scores]
    weights = [list(row) for row in zip(*rows, strict=True)] if is_right else rows
    printed = ", ".join(shown(row) for row in weights)
    article = f"{article_}K^T Q = {scores}\n\nA = softmax = [{printed}]\n"
    found = verdicts(article, 9)
    assert set(found) <= RIGHT if is_right else "wrong" in found


@pytest.mark.parametrize("said", ["", "Denominators 10000^0 and 10000^{2/4}.\n\n"])
@pytest.mark.parametrize("third", [2, 3])
def test_a_row_of_an_encoding_at_another_position_is_wrong(said, third):
    rows = [[sin(p), cos(p), sin(p / 100), cos(p / 100)] for p in (0, 1, third)]
    article = f"{said}PE = [{', '.join(shown(row, 4) for row in rows)}]\n"
    found = verdicts(article, 3 if said else 1)
    assert found[:8] == ["correct"] * 8
    assert found[8:11] == ["correct" if third == 2 else "wrong"] * 3


@pytest.mark.parametrize("is_right", [True, False])
def test_a_running_sum_is_multiplied_where_the_largest_score_has_grown(is_right):
    old, factor = 1 + exp(-0.5), exp(-1)
    new = old * (factor if is_right else 1) + 1 + exp(-0.5)
    before = f"{factor:.3f} * " if is_right else ""
    article = (
        f"m = 1.0\n\nl = exp(1.0 - 1.0) + exp(0.5 - 1.0) = {old:.3f}\n\n"
        f"m = 2.0\n\nc = exp(1.0 - 2.0) = {factor:.3f}\n\n"
        f"l = {before}{old:.3f} + 1 + {exp(-0.5):.3f} = {new:.3f}\n"
    )
    assert (verdicts(article, 9)[-1] == "wrong") is not is_right


@pytest.mark.parametrize("worked", ["0/0", "\\sum_{i=1}^{10^9} \\frac{1}{i^2}", "\\log 0"])
def test_what_has_no_value_is_not_checked(worked):
    assert verdicts(f"$x = {worked} = 1.75$\n", 1)[-1] == "unchecked"
