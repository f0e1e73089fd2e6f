"""Temperatures wherever an article tells them: the weights are softmax(z / T) in floats."""

from math import exp

import pytest

from derive import verify

LOGITS = (2.0, 1.0, 0.1)
TEMPERATURES = (0.5, 1, 2)


def weights(t):
    """softmax(z / t), three places."""
    powers = [exp(z / t) for z in LOGITS]
    return [f"{p / sum(powers):.3f}" for p in powers]


def spoilt(rows):
    """The second weight of the last row with two digits exchanged: 0.304 becomes 0.340."""
    assert rows[2][1] == "0.304"
    return [*rows[:2], [rows[2][0], "0.340", rows[2][2]]]


def lines(template, rows, between=", "):
    """A line for each temperature."""
    scaled = [between.join(f"{z / t:.2f}" for z in LOGITS) for t in TEMPERATURES]
    pairs = zip(TEMPERATURES, rows, scaled, strict=True)
    return "".join(template.format(t=t, p=between.join(p), z=z) for t, p, z in pairs)


def table(head, template):
    """A Markdown table under a head."""
    rule = "|" + "---|" * (head.count("|") - 1)
    return lambda rows: f"{head}\n{rule}\n{lines(template, rows, ' | ')}"


LAYOUTS = {
    "a column": table("| T | cat | dog | bird |", "| {t} | {p} |\n"),
    "labels": table("| | Katze | Hund | Vogel |", "| T = {t} | {p} |\n"),
    "words as labels": table("| | 猫 | 狗 | 鸟 |", "| 温度 {t} | {p} |\n"),
    "lists in cells": lambda rows: (
        "| T | probabilités |\n|---|---|\n" + lines("| {t} | [{p}] |\n", rows)
    ),
    "quotients and weights": lambda rows: (
        "| T | logits/T | softmax |\n|---|---|---|\n" + lines("| {t} | [{z}] | [{p}] |\n", rows)
    ),
    "arrows": lambda rows: lines("- T = {t}: [{z}] → [{p}]\n", rows),
    "sentences": lambda rows: lines("Con temperatura {t} las probabilidades son {p}.\n", rows),
    "a printout": lambda rows: "```\n" + lines("T={t}: [{p}]\n", rows, " ") + "```\n",
    "a printout of words": lambda rows: (
        "```\n" + lines("temperature {t} -> [{p}]\n", rows, " ") + "```\n"
    ),
}


def verdicts(layout, rows):
    """The verdicts on the nine weights."""
    report = verify(f"# Sampling\n\nThe logits are [2.0, 1.0, 0.1].\n\n{layout(rows)}", "a.md")
    every = {figure for row in rows for figure in row}
    return [c for c in report.claims if c.printed in every]


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_weights_at_each_temperature_are_checked(layout):
    rows = [weights(t) for t in TEMPERATURES]
    assert [c.verdict for c in verdicts(layout, rows)] == ["correct"] * 9


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=list(LAYOUTS))
def test_a_wrong_weight_is_found_at_its_temperature(layout):
    rows = spoilt([weights(t) for t in TEMPERATURES])
    found = [c for c in verdicts(layout, rows) if c.verdict != "correct"]
    assert [(c.printed, c.verdict, c.cause[0]) for c in found] == [
        ("0.340", "wrong", "digits swapped")
    ]
