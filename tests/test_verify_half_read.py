"""Claims that were once checked only where they are right; right totals below one wrong share."""

from math import exp

import derive

TABLE = """
| key | score | exp | weight |
|---|---|---|---|
| k1 | 2 | 7.3891 | 0.7311 |
| k2 | 1 | 2.7183 | {} |
| sum | | 10.1073 | 1.0000 |
"""


def wrong(text: str) -> list[tuple[str, str]]:
    """The numbers that are accused, and what is printed in their place."""
    return [(c.printed, c.right) for c in derive.verify(text).claims if c.verdict == "wrong"]


def test_a_wrong_share_is_accused_and_not_the_total_below_it() -> None:
    """The other of two weights is 1 / (1 + e)."""
    right = f"{1 / (1 + exp(1)):.4f}"
    assert wrong(TABLE.format("0.2698")) == [("0.2698", right)]
    assert wrong(TABLE.format(right)) == []
    assert wrong(TABLE.format("0.1503")) == []


def test_softmax_of_numbers_in_its_own_brackets_is_judged() -> None:
    """Floats give the three shares."""
    exps = [exp(x) for x in (-0.7, 0.4, 0.5)]
    right = [f"{x / sum(exps):.3f}" for x in exps]
    assert wrong(f"softmax(−0.7, 0.4, 0.5) = ({', '.join(right)})") == []
    found = wrong("softmax(−0.7, 0.4, 0.5) = (0.391, 0.433, 0.176)")
    assert found == list(zip(("0.391", "0.433", "0.176"), right, strict=True))


def test_a_formula_over_printed_formulas_is_what_is_judged() -> None:
    """A gate times a list is not the list before the gate times it."""
    text = "xW = (1.5, -1, 0.3), xV = (0.5, 2, -1). SiLU(xW) = (1.2264, -0.2689, 0.1723)."
    gated = [x / (1 + exp(-x)) * y for x, y in ((1.5, 0.5), (-1, 2), (0.3, -1))]
    right = [f"{x:.4f}" for x in gated]
    assert wrong(f"{text} SiLU(xW) ⊙ xV = ({', '.join(right)})") == []
    found = wrong(f"{text} SiLU(xW) ⊙ xV = (0.7500, -2.0000, -0.3000)")
    assert found == list(zip(("0.7500", "-2.0000", "-0.3000"), right, strict=True))
