"""A bias on the keys cancels in the softmax; not where a rotation follows it."""

from __future__ import annotations

from derive.exact import Matrix, matrix, number
from derive.exact.trace import Grid, Indexed, Row
from derive.numerals import Format
from derive.ops import Rotate, Softmax
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import K, Q, S, applied, free, head, of, row, softmax, total
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

B = Indexed("b_K")
QUERIES, KEYS, BIAS = free("Q", 2, 2), free("K", 3, 2), row("b", 2)
ONES = Matrix([[number(1)]] * 3)
FREE = (
    Setting(
        {
            "Q": QUERIES, "K": KEYS, "b_K": BIAS, "1": ONES, "S": QUERIES @ KEYS.T,
            "c": QUERIES @ BIAS.T,
        },
        {"n": 2, "m": 3, "d_k": 2},
    ),
)  # fmt: skip
BIASED = of("Q") @ (of("K") + of("1") @ of("b_K")).T


def theorem() -> Theorem:
    """softmax(Q (K + 1 b)^T) = softmax(Q K^T)."""
    plain = of("Q") @ of("K").T
    return Theorem(
        "key-bias",
        statement=(*said("statement"), claim(softmax(BIASED), softmax(plain), settings=FREE)),
        assumptions=said("assumptions"),
        proof=(*said("score"), *_proof(), *said("cancels")),
        example=_example(),
        breaks=(*said("rotated"), *_rotated(), *said("query"), _query(), note("rotary")),
        letters={"c_i": Indexed("c")["i"]},
        example_of=head(),
    )


def _proof() -> tuple[Claim, ...]:
    b, c = B["c"], Indexed("c")["i"]
    each = total(Q["i", "c"] * (K["j", "c"] + b), "c", "d_k")
    own = total(Q["i", "c"] * b, "c", "d_k")
    return (
        claim(each, S["i", "j"] + own, S["i", "j"] + c, over="i:n j:m", settings=FREE),
    )  # fmt: skip


def _example() -> tuple[Item, ...]:
    """The head of the examples with the bias (3, -1): other scores, the same weights."""
    d, bias = head(), matrix([[3, -1]])
    q, k = (d.step(x).value for x in "QK")
    root = number(2).sqrt()
    moved = q @ (k + bias).T
    found = applied(Softmax(), moved / root)
    values = Setting({"S": d.step("S").value, "A": d.step("A").value})
    return (
        *said("example"),
        claim(of("S"), Grid(d.step("S").value.rows), settings=(values,)),
        *said("moved"),
        claim(BIASED, Grid(moved.rows), settings=(_biased(q, k, bias),)),
        *said("same"),
        claim(of("A"), Grid(found.rows), settings=(values,)),
    )  # fmt: skip


def _biased(q: Matrix, k: Matrix, bias: Matrix) -> Setting:
    return Setting({"Q": q, "K": k, "b_K": bias, "1": ONES})


def _rotated() -> tuple[Item, ...]:
    """RoPE after the bias: the weights of the second row change."""
    d = head()
    q, k = (applied(Rotate(base=10000), d.step(x).value) for x in "QK")
    with_bias = applied(Rotate(base=10000), d.step("K").value + matrix([[3, -1]]))
    rows = [applied(Softmax(), (q @ keys.T).pick((2,))) for keys in (k, with_bias)]
    shown = [Grid((tuple(digits(x, Format(places=3)) for x in row),)) for row in rows]
    settings = tuple(Setting({"A": row}, places={"2": 1}) for row in rows)
    left = claim(Row("A", "2"), ("~", shown[0]), settings=settings[:1])
    right = claim(Row("A", "2"), ("~", shown[1]), settings=settings[1:])
    differ = claim(Grid(rows[0].rows), ("!=", Grid(rows[1].rows)), is_shown=False)
    return (left, *said("with bias"), right, differ)


def _query() -> Claim:
    """A bias on the queries adds what depends on j."""
    b = Indexed("b_Q")["c"]
    each = total((Q["i", "c"] + b) * K["j", "c"], "c", "d_k")
    own = total(b * K["j", "c"], "c", "d_k")
    settings = (Setting({**FREE[0].values, "b_Q": row("a", 2)}, FREE[0].sizes),)
    return claim(each, S["i", "j"] + own, over="i:n j:m", settings=settings)
