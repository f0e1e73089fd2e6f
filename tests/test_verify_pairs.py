"""Tables with a row for each pair of tokens, steps in rows, labelled lists, cosines."""

from __future__ import annotations

import math

import pytest

import derive
from derive.verify.tables.pairs import pairs

Q, K = [[1, 2], [0, 1]], [[1, 0], [1, 1]]
S = [[sum(x * y for x, y in zip(q, k, strict=True)) for k in K] for q in Q]
SCALED = [[s / math.sqrt(2) for s in row] for row in S]
A = [[math.exp(s) / sum(map(math.exp, row)) for s in row] for row in SCALED]
GIVEN = "$Q = [[1, 2], [0, 1]]$, $K = [[1, 0], [1, 1]]$\n\n"
HEADS = {
    "de": "| Anfrage | Schlüssel | Skalarprodukt | geteilt durch √2 | Gewicht |",
    "ru": "| запрос | ключ | скалярное произведение | масштабированный | вес |",
    "ja": "| 見る側 | 見られる側 | 内積 | ÷√2 | 重み |",
}
TOKENS = ("Katze", "Hund")


def table(head: str, weights: list[list[float]]) -> str:
    rows = [
        f"| {TOKENS[i]} | {TOKENS[j]} | {S[i][j]} | {SCALED[i][j]:.3f} | {weights[i][j]:.3f} |"
        for i in range(2)
        for j in range(2)
    ]
    return GIVEN + "\n".join([head, "|---|---|---|---|---|", *rows]) + "\n"


def wrong(text: str) -> list[str]:
    return [c.printed for c in derive.verify(text, "a.md").claims if c.verdict == "wrong"]


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_a_row_for_each_pair(head):
    assert S == [[1, 3], [0, 1]]
    claims = [c for c in derive.verify(table(head, A), "a.md").claims if c.line > 4]
    assert {c.verdict for c in claims} == {"correct"} and len(claims) == 12
    assert wrong(table(head, [A[0], [0.37, A[1][1]]])) == ["0.370"]


@pytest.mark.parametrize(
    ("labels", "places"),
    [
        (["a → a", "a → b", "b → a", "b → b"], [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (["s11", "s12", "s21", "s22"], [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (["a | a", " | b", "b | a", " | b"], [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (["1 1", "2 1", "2 2", "3 1", "3 2", "3 3"],
         [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]),
        (["a, b", "a, c", "b, c"], [(0, 1), (0, 2), (1, 2)]),
        (["layer 1", "layer 2", "layer 3", "layer 4"], []),
        (["mean", "std", "rms", "max"], []),
    ],
)  # fmt: skip
def test_labels_of_pairs(labels, places):
    assert pairs(labels) == places


def test_steps_in_rows():
    scores = [1, 3, 4]  # q · k of q = (1, 2) and the keys (1, 0), (1, 1), (0, 2)
    scaled = [s / math.sqrt(2) for s in scores]
    weights = [math.exp(s) / sum(map(math.exp, scaled)) for s in scaled]
    text = (
        "q = [1, 2], k1 = [1, 0], k2 = [1, 1], k3 = [0, 2]\n\n"
        "| | k1 | k2 | k3 |\n|---|---|---|---|\n"
        "| score | 1 | 3 | 4 |\n"
        f"| scaled by √2 | {' | '.join(f'{x:.3f}' for x in scaled)} |\n"
        f"| weight | {' | '.join(f'{x:.3f}' for x in weights)} |\n"
    )
    assert "2.121" in text and not wrong(text)
    assert wrong(text.replace("2.121", "2.112")) == ["2.112"]


def test_lists_behind_labels():
    names = ("Ann", "Bob", "cat")
    scores = [[1, 3, 4], [0, 1, 2], [2, 2, 0]]
    scaled = [[s / 2 for s in row] for row in scores]
    text = "Scores:\n\n" + "".join(
        f"- {t} to Ann {a}, to Bob {b}, to cat {c}\n"
        for t, (a, b, c) in zip(names, scores, strict=True)
    )
    text += "\nAs the keys have four entries, halved:\n\n" + "".join(
        f"- {t}: {', '.join(f'{x:.2f}' for x in row)}\n"
        for t, row in zip(names, scaled, strict=True)
    )
    found = [c for c in derive.verify(text, "a.md").claims if c.line > 6]
    assert [c.verdict for c in found] == ["correct"] * 9
    assert wrong(text.replace("1.50", "1.70")) == ["1.70"]


def test_cosines_between_named_vectors():
    cosine = (3 * 1 + 4 * 2 + 0 * 2) / (5 * 3)
    text = (
        "- gato = (3, 4, 0)\n- cão = (1, 2, 2)\n\nSemelhança de cosseno:\n\n"
        f"| | gato | cão |\n|---|---|---|\n| gato | 1.000 | {cosine:.3f} |\n"
        f"| cão | {cosine:.3f} | 1.000 |\n"
    )
    assert f"{cosine:.3f}" == "0.733"
    found = [c for c in derive.verify(text, "a.md").claims if c.line > 7]
    assert [c.verdict for c in found] == ["correct"] * 4


TURNS = """θ₁ = 1, θ₂ = 0.1.

|  | cos(mθ₁) | sin(mθ₁) | cos(mθ₂) | sin(mθ₂) |
|---|---|---|---|---|
| m = 1 | 0.5403 | 0.8415 | 0.9950 | 0.0998 |
| m = 4 | -0.6536 | -0.7568 | 0.9211 | 0.3894 |
"""
ADDED = """PE(pos,2i) = sin(pos/10000^{2i/d}), PE(pos,2i+1) = cos(pos/10000^{2i/d}), d = 4.

PE(1) = [0.8415, 0.5403, 0.0100, 1.0000]

Supposons que le vecteur de « chat » soit [0.40, -0.10, 0.60, 0.20] ; en ajoutant PE(1) on obtient
[1.2415, 0.4403, 0.6100, 1.2000].
"""


@pytest.mark.parametrize(
    ("text", "right", "other"), [(TURNS, "0.3894", "0.3984"), (ADDED, "0.4403", "0.4430")]
)
def test_each_angle_of_a_table_and_what_follows_from_an_assumption(text, right, other):
    assert not [c.printed for c in derive.verify(text, "a.md").claims if c.verdict == "wrong"]
    spoilt = derive.verify(text.replace(right, other), "a.md").claims
    assert [c.printed for c in spoilt if c.verdict == "wrong"] == [other]
