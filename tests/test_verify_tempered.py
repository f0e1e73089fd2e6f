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


def upright(head, rows):
    """A Markdown table with a column for each temperature."""
    words = zip(("cat", "dog", "bird"), zip(*rows, strict=True), strict=True)
    body = "".join(f"| {word} | {' | '.join(row)} |\n" for word, row in words)
    return f"{head}\n|---|---|---|---|\n{body}"


LAYOUTS = {
    "a column": table("| T | cat | dog | bird |", "| {t} | {p} |\n"),
    "labels": table("| | Katze | Hund | Vogel |", "| T = {t} | {p} |\n"),
    "words as labels": table("| | 猫 | 狗 | 鸟 |", "| 温度 {t} | {p} |\n"),
    "a column for each": lambda rows: upright("| | T = 0.5 | T = 1 | T = 2 |", rows),
    "columns under numbers": lambda rows: upright("| word \\ T | 0.5 | 1 | 2 |", rows),
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


def test_a_table_repeats_the_lists_before_it():
    """Under each temperature stands what was printed for it; what follows of a slip stays so."""
    rows = [weights(t) for t in TEMPERATURES]
    powers = [exp(z / 2) for z in LOGITS]
    slip = round(powers[1] + 0.09, 3)  # e^0.5, two digits of which are exchanged
    rows[2] = [f"{p / (powers[0] + slip + powers[2]):.3f}" for p in (powers[0], slip, powers[2])]
    text = (
        f"The logits are z = [2.0, 1.0, 0.1]. At T = 0.5: p = [{', '.join(rows[0])}].\n\n"
        f"At T = 1: p = [{', '.join(rows[1])}].\n\n"
        f"At T = 2 we take exponentials: e^1.0 = 2.718, e^0.5 = {slip}, e^0.05 = 1.051, "
        f"so p = [{', '.join(rows[2])}].\n\n" + upright("| | T=0.5 | T=1 | T=2 |", rows)
    )
    table = verify(text, "a.md").claims[-9:]
    assert [c.verdict for c in table] == ["correct", "correct", "consequence"] * 3
