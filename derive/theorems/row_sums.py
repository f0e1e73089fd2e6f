"""The weights of each row add up to 1."""

from __future__ import annotations

from derive.exact import NEG_INF
from derive.exact.trace import Digits, Sum, Value
from derive.numerals import Format
from derive.ops import Softmax
from derive.ops.mask import Mask, causal
from derive.theorems.claim import claim, digits
from derive.theorems.letters import A, E, S, Z, applied, fraction, free, head, terms, total, weights
from derive.theorems.theorem import Theorem, note, said
from derive.theorems.value import Setting

MASKED = applied(Mask(causal(3, 3)), free("S", 3, 3))
SETTINGS = (
    Setting(weights(free("S", 3, 4)), {"n": 3, "m": 4}),
    Setting(weights(MASKED), {"n": 3, "m": 3}),
)


def theorem() -> Theorem:
    """Each row of A sums to 1, masked or not."""
    row = total(A["i", "j"], "j", "m")
    whole = total(E["i", "k"], "k", "m")
    each, one = total(E["i", "j"] / Z["i"], "j", "m"), fraction(1)
    together = (fraction(1) / Z["i"]) * total(E["i", "j"], "j", "m")
    d = head()
    rows = d.step("A").value.rows
    numerals = [digits(x, Format(places=3)) for x in rows[1]]
    columns = applied(Softmax(), d.step("scaled").value.T).T
    nothing = Value(NEG_INF).exp()
    return Theorem(
        "row-sums",
        statement=(*said("statement"), claim(row, one, over="i:n", settings=SETTINGS)),
        assumptions=said("assumptions"),
        proof=(
            *said("definition"),
            claim(
                A["i", "j"], E["i", "j"] / whole, E["i", "j"] / Z["i"],
                over="i:n j:m", settings=SETTINGS,
            ),
            *said("sum"),
            claim(row, each, together, Z["i"] / Z["i"], one, over="i:n", settings=SETTINGS),
            *said("positive"),
        ),
        example=(
            *said("example"),
            *(claim(Sum(terms(row)), one) for row in rows),
            *said("rounded"),
            claim(Sum(tuple(numerals)), Digits("0.999")),
        ),
        breaks=(
            *said("columns"),
            claim(Sum(terms(columns.rows[0])), ("!=", one)),
            note("masked"),
            claim(Sum((nothing, nothing, nothing)), fraction(0)),
        ),
        letters={"E_ij": E["i", "j"], "S_ij": S["i", "j"]},
        example_of=d,
    )  # fmt: skip
