"""Attention, one head or many: each part adds its steps to a derivation.

A part works at a place: a layer, or a layer's self- or cross-attention, whose name stands before
the names of its steps (L2.A^(1) is A of head 1 in layer 2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from derive.conventions import Conventions
from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, Scalar, number
from derive.op import Op
from derive.ops import (
    Affine,
    Alibi,
    Columns,
    ColumnSums,
    Concat,
    Contributions,
    Exponential,
    Linear,
    Mask,
    Mix,
    Rotate,
    Rows,
    RowSums,
    Scale,
    Scores,
    Softmax,
    Transpose,
)
from derive.ops.mask import causal


@dataclass(frozen=True)
class Attention:
    """Where an attention stands, what asks and what answers, and under which mask.

    queries and source are names of steps; `scope` stands before the names, as "L1." does.
    start: how many places the first query stands after the first position.
    before: the scopes of the positions whose keys and values are remembered; None for no memory.
    """

    queries: str
    source: str
    scope: str = ""
    mask: str | Matrix | None = None
    start: int = 0
    before: tuple[str, ...] | None = None

    def __call__(self, base: str, head: int | None = None) -> str:
        """The name of a step."""
        return self.scope + base + (f"^({head})" if head else "")


def attended(d: Derivation, at: Attention) -> tuple[Derivation, str]:
    """An attention, and the name of what it gives: Y, or O without W_O."""
    d = attend_in_heads(d, at)
    return d, at("Y") if at("Y") in d else at("O")


def project(d: Derivation, name: str, x: str, weight: str, bias: str) -> Derivation:
    """X W, and the bias where it is given."""
    if bias in d:
        return d.then(name, Affine(), x, weight, bias)
    return d.then(name, Linear(), *in_order(d, x, weight))


def in_order(d: Derivation, left: str, right: str) -> tuple[str, str]:
    """Of vectors as rows; as columns they are multiplied from the left: Q = W_Q H, O = V A."""
    return (left, right) if d.problem.conventions.vectors == "rows" else (right, left)


def attend(d: Derivation, at: Attention) -> Derivation:
    """One head: Q, K, V, and O = softmax(Q K^T / scale) V     (Vaswani et al. 2017, eq. 1)."""
    d = project(d, at("Q"), at.queries, at("W_Q"), at("b_Q"))
    if at("K") not in d:
        d = project(d, at("K"), at.source, at("W_K"), at("b_K"))
        d = project(d, at("V"), at.source, at("W_V"), at("b_V"))
    return weigh(d, at)


def answers(d: Derivation, at: Attention) -> Derivation:
    """What a source answers with before anything is asked: K, V and K^T, by groups of heads."""
    choices: Conventions = d.problem.conventions
    groups = choices.kv_heads or choices.heads
    for g in [None] if choices.heads == 1 else range(1, groups + 1):
        for letter in "KV":
            if g is None:
                d = project(d, at(letter), at.source, at(f"W_{letter}"), at(f"b_{letter}"))
            else:
                d = slice_projection(d, at, letter, at.source, g, groups)
        k = at("K", g)
        if choices.positions == "rope":
            rotate = Rotate(choices.first_position, choices.base, choices.layout)
            d, k = d.then(at("K_R", g), rotate, k), at("K_R", g)
        d = d.then(at("K^T", g), Transpose(), k)
    return d


def weigh(
    d: Derivation, at: Attention, head: int | None = None, group: int | None = None
) -> Derivation:
    """From queries, keys and values to a head's output; heads of a group share K and V."""
    d, q, k = turned(d, at, head, group)
    transposed = at("K^T", group)
    if transposed not in d:
        d = d.then(transposed, Transpose(), k)
    if at.before is None:
        scores = Scores(d.problem.conventions.vectors)
        return mixed(d.then(at("S", head), scores, q, k), at, head, at("V", group))
    d = remembered(d, at, group)
    d = d.then(at("S", head), Linear(), q, at("keys", group))
    return mixed(d, at, head, at("values", group))


def turned(
    d: Derivation, at: Attention, head: int | None, group: int | None
) -> tuple[Derivation, str, str]:
    """The queries and keys that meet, rotated where the conventions say so     (Su et al. 2021)."""
    choices, q, k = d.problem.conventions, at("Q", head), at("K", group)
    if choices.positions != "rope":
        return d, q, k
    rotate = Rotate(choices.first_position + at.start, choices.base, choices.layout)
    rotated = at("K_R", group)
    d = d.then(at("Q_R", head), rotate, q)
    return (d if rotated in d else d.then(rotated, rotate, k)), at("Q_R", head), rotated


def remembered(d: Derivation, at: Attention, group: int | None) -> Derivation:
    """keys (d_k x t) and values (t x d_v): those of the positions before, and this one's."""
    if at("keys", group) in d:
        return d
    every = [replace(at, scope=scope) for scope in (*(at.before or ()), at.scope)]
    return (
        d.then(at("keys", group), Concat(), *(one("K^T", group) for one in every))
        .then(at("V^T", group), Transpose(), at("V", group))
        .then(at("values^T", group), Concat(), *(one("V^T", group) for one in every))
        .then(at("values", group), Transpose(), at("values^T", group))
    )


def mixed(d: Derivation, at: Attention, head: int | None, v: str) -> Derivation:
    """From the scores S to O: scaled, biased and masked where the conventions say so, then A V."""
    choices: Conventions = d.problem.conventions
    d = d.then(at("scaled", head), scale(d, at("Q", head), v), at("S", head))
    last = at("scaled", head)
    if choices.positions == "alibi":
        d, last = d.then(at("biased", head), alibi(choices, head), last), at("biased", head)
    if at.mask is not None:
        d, last = d.then(at("masked", head), mask(d, at, last), last), at("masked", head)
    sums: Op = RowSums() if choices.vectors == "rows" else ColumnSums()
    return (
        d.then(at("exp", head), Exponential(), last)
        .then(at("Z", head), sums, at("exp", head))
        .then(at("A", head), Softmax(choices.vectors), last)
        .then(at("C", head), Contributions(choices.vectors), at("A", head), v)
        .then(at("O", head), Mix(), *in_order(d, at("A", head), v))
    )


def attend_in_heads(d: Derivation, at: Attention) -> Derivation:
    """Every head on its own columns of the weights, joined and mixed by W_O into Y.

    Y = [O^(1) | ... | O^(h)] W_O                              (Vaswani et al. 2017, sect. 3.2.2)
    """
    choices: Conventions = d.problem.conventions
    heads, groups = choices.heads, choices.kv_heads or choices.heads
    if heads == 1:
        d = attend(d, at)
    else:
        _check_heads(d, at, heads, groups)
        for h in range(1, heads + 1):
            g = (h - 1) // (heads // groups) + 1
            d = slice_projection(d, at, "Q", at.queries, h, heads)
            if at("K", g) not in d:
                d = slice_projection(d, at, "K", at.source, g, groups)
                d = slice_projection(d, at, "V", at.source, g, groups)
            d = weigh(d, at, h, g)
        d = join(d, at, heads)
    if at("W_O") in d:
        d = project(d, at("Y"), at("O"), at("W_O"), at("b_O"))
    return d


def slice_projection(
    d: Derivation, at: Attention, letter: str, x: str, part: int, parts: int
) -> Derivation:
    """Q^(h) = H W_Q^(h), where W_Q^(h) is a head's columns of the wide W_Q."""
    weight, bias = at(f"W_{letter}", part), at(f"b_{letter}", part)
    width = d.step(at(f"W_{letter}")).shape[1] // parts
    columns = Columns((part - 1) * width + 1, part * width)
    d = d.then(weight, columns, at(f"W_{letter}"))
    if at(f"b_{letter}") in d:
        d = d.then(bias, columns, at(f"b_{letter}"))
    return project(d, at(letter, part), x, weight, bias)


def join(d: Derivation, at: Attention, heads: int) -> Derivation:
    """What each head contributes to Y, and the heads side by side."""
    every = range(1, heads + 1)
    if at("W_O") in d:
        for h in every:
            width = d.step(at("O", h)).shape[1]
            d = d.then(at("W_O", h), Rows((h - 1) * width + 1, h * width), at("W_O"))
            d = d.then(at("Y", h), Linear(), at("O", h), at("W_O", h))
    return d.then(at("O"), Concat(), *(at("O", h) for h in every))


def _check_heads(d: Derivation, at: Attention, heads: int, groups: int) -> None:
    if groups > heads or heads % groups:
        raise InputError(
            f"{heads} heads cannot share {groups} heads of keys and values",
            expected="kv_heads that divides heads",
        )
    q, k, v = (
        _width(d, at(f"W_{letter}"), parts)
        for letter, parts in (("Q", heads), ("K", groups), ("V", groups))
    )
    if q != k:
        raise InputError(
            f"a head has {k} columns of {at('W_K')} and {q} of {at('W_Q')}",
            expected="queries and keys of one width",
        )
    if at("W_O") in d and d.step(at("W_O")).shape[0] != heads * v:
        raise InputError(
            f"{at('W_O')} has {d.step(at('W_O')).shape[0]} rows for {heads} heads of {v} columns",
            expected=f"{heads * v} rows",
        )


def _width(d: Derivation, weight: str, parts: int) -> int:
    """The columns of a head, of which so many share the weight."""
    columns = d.step(weight).shape[1]
    if columns % parts:
        raise InputError(
            f"{weight} has {columns} columns, which {parts} heads cannot share",
            expected=f"a number of columns that {parts} divides",
        )
    return columns // parts


def scale(d: Derivation, queries: str, values: str) -> Scale:
    """The scores over scale times temperature."""
    choices: Conventions = d.problem.conventions
    n, d_k = _by_rows(d, queries)
    sizes = {
        "n": n,
        "d_model": d.problem.width,
        "d_k": d_k,
        "d_v": _by_rows(d, values)[1],
    }
    numbers: dict[str, Scalar] = {name: number(size) for name, size in sizes.items()}
    divisor = choices.scale.substitute(numbers) * choices.temperature.substitute(numbers)
    return Scale(divisor, choices.scale * choices.temperature)


def _by_rows(d: Derivation, name: str) -> tuple[int, int]:
    """The shape of a step, how many vectors it holds first."""
    rows, columns = d.step(name).shape
    return (rows, columns) if d.problem.conventions.vectors == "rows" else (columns, rows)


def mask(d: Derivation, at: Attention, scores: str) -> Mask:
    """The mask of an attention, causal or given."""
    choices: Conventions = d.problem.conventions
    n, m = _by_rows(d, scores)
    usual = causal(n, m) if choices.vectors == "rows" else causal(n, m).T
    forbidden = at.mask if isinstance(at.mask, Matrix) else usual
    if forbidden.shape != d.step(scores).shape:
        (rows, columns), (height, width) = forbidden.shape, d.step(scores).shape
        raise InputError(
            f"the mask is {rows} x {columns}, and the scores are {height} x {width}",
            expected="an entry for each query and each key",
        )
    return Mask(forbidden, choices.mask_value, choices.mask_mode)


def alibi(choices: Conventions, head: int | None) -> Alibi:
    """The slope of a head: 2^(-8 h / heads)                   (Press et al. 2022, sect. 3)."""
    from derive.exact.power import power

    return Alibi(power(2, -8 * (head or 1), choices.heads))
