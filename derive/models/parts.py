"""The parts that models are made of: each adds its steps to a derivation.

A part works at a place: a layer, or a layer's self- or cross-attention, whose name stands before
the names of its steps (L2.A^(1) is A of head 1 in layer 2).
"""

from __future__ import annotations

from dataclasses import dataclass

from derive.conventions import Conventions
from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, Scalar, number
from derive.op import Op
from derive.ops import (
    Affine,
    Alibi,
    Columns,
    Concat,
    Contributions,
    Deviation,
    DivideRows,
    Exponential,
    Gain,
    Gate,
    Gelu,
    Linear,
    Mask,
    MeanSquares,
    Mix,
    Normalize,
    Relu,
    Residual,
    Rotate,
    RowMeans,
    Rows,
    RowSums,
    Scale,
    ScaleColumns,
    Scores,
    Silu,
    Softmax,
    Transpose,
    Variance,
)
from derive.ops.mask import causal

GATED = {"swiglu": "silu", "geglu": "gelu"}


@dataclass(frozen=True)
class Attention:
    """Where an attention stands, what asks and what answers, and under which mask.

    queries and source are names of steps; `scope` stands before the names, as "L1." does.
    """

    queries: str
    source: str
    scope: str = ""
    mask: str | Matrix | None = None

    def __call__(self, base: str, head: int | None = None) -> str:
        """The name of a step."""
        return self.scope + base + (f"^({head})" if head else "")


def project(d: Derivation, name: str, x: str, weight: str, bias: str) -> Derivation:
    """X W, and the bias where it is given."""
    if bias in d:
        return d.then(name, Affine(), x, weight, bias)
    return d.then(name, Linear(), x, weight)


def attend(d: Derivation, at: Attention) -> Derivation:
    """One head: Q, K, V, and O = softmax(Q K^T / scale) V     (Vaswani et al. 2017, eq. 1)."""
    d = project(d, at("Q"), at.queries, at("W_Q"), at("b_Q"))
    d = project(d, at("K"), at.source, at("W_K"), at("b_K"))
    d = project(d, at("V"), at.source, at("W_V"), at("b_V"))
    return weigh(d, at)


def weigh(d: Derivation, at: Attention, head: int | None = None, group: int | None = None):
    """From queries, keys and values to a head's output; heads of a group share K and V."""
    choices: Conventions = d.problem.conventions
    q, k, v = at("Q", head), at("K", group), at("V", group)
    if choices.positions == "rope":
        rotate = Rotate(choices.first_position, choices.base, choices.layout)
        d = d.then(at("Q_R", head), rotate, q)
        q, rotated = at("Q_R", head), at("K_R", group)
        k, d = rotated, d if rotated in d else d.then(rotated, rotate, k)
    transposed = at("K^T", group)
    if transposed not in d:
        d = d.then(transposed, Transpose(), k)
    d = d.then(at("S", head), Scores(), q, k).then(
        at("scaled", head), scale(d, q, v), at("S", head)
    )
    last = at("scaled", head)
    if choices.positions == "alibi":
        d, last = d.then(at("biased", head), alibi(choices, head), last), at("biased", head)
    if at.mask is not None:
        d, last = d.then(at("masked", head), mask(d, at, last), last), at("masked", head)
    return (
        d.then(at("exp", head), Exponential(), last)
        .then(at("Z", head), RowSums(), at("exp", head))
        .then(at("A", head), Softmax(), last)
        .then(at("C", head), Contributions(), at("A", head), v)
        .then(at("O", head), Mix(), at("A", head), v)
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
    if heads % groups:
        raise InputError(
            f"{heads} heads cannot share {groups} heads of keys and values",
            expected="kv_heads that divides heads",
        )
    for letter, parts in (("Q", heads), ("K", groups), ("V", groups)):
        columns = d.step(at(f"W_{letter}")).shape[1]
        if columns % parts:
            raise InputError(
                f"{at(f'W_{letter}')} has {columns} columns, which {parts} heads cannot share",
                expected=f"a number of columns that {parts} divides",
            )


def scale(d: Derivation, queries: str, values: str) -> Scale:
    """The scores over scale times temperature."""
    choices: Conventions = d.problem.conventions
    n, d_k = d.step(queries).shape
    sizes = {
        "n": n,
        "d_model": d.problem.width,
        "d_k": d_k,
        "d_v": d.step(values).shape[1],
    }
    numbers: dict[str, Scalar] = {name: number(size) for name, size in sizes.items()}
    divisor = choices.scale.substitute(numbers) * choices.temperature.substitute(numbers)
    return Scale(divisor, choices.scale * choices.temperature)


def mask(d: Derivation, at: Attention, scores: str) -> Mask:
    """The mask of an attention, causal or given."""
    choices: Conventions = d.problem.conventions
    forbidden = at.mask if isinstance(at.mask, Matrix) else causal(*d.step(scores).shape)
    return Mask(forbidden, choices.mask_value, choices.mask_mode)


def alibi(choices: Conventions, head: int | None) -> Alibi:
    """The slope of a head: 2^(-8 h / heads)                   (Press et al. 2022, sect. 3)."""
    from derive.exact.power import power

    return Alibi(power(2, -8 * (head or 1), choices.heads))


def normalise(d: Derivation, x: str, scope: str, k: str = "") -> tuple[Derivation, str]:
    """LayerNorm or RMSNorm of the step x; the k-th of its block.  The name of the result."""
    choices: Conventions = d.problem.conventions
    deviation = Deviation(choices.eps, choices.eps_place)

    def at(base: str) -> str:
        return f"{scope}{base}{k}"

    if choices.normalization == "rmsnorm":
        d = d.then(at("ms"), MeanSquares(), x).then(at("rms"), deviation, at("ms"))
        d = d.then(at("xhat"), DivideRows(), x, at("rms"))
        gain: tuple[Op, tuple[str, ...]] = ScaleColumns(), (at("gamma"),)
    else:
        d = d.then(at("mu"), RowMeans(), x)
        d = d.then(at("var"), Variance(choices.correction), x, at("mu"))
        d = d.then(at("sigma"), deviation, at("var"))
        d = d.then(at("xhat"), Normalize(), x, at("mu"), at("sigma"))
        gain = Gain(), (at("gamma"), at("beta"))
    op, parameters = gain
    if all(name in d for name in parameters):
        return d.then(at("N"), op, at("xhat"), *parameters), at("N")
    return d, at("xhat")


def feed_forward(d: Derivation, x: str, scope: str) -> Derivation:
    """F: a wide layer, an activation, and back     (Vaswani et al. 2017, eq. 2; Shazeer 2020)."""

    def at(base: str) -> str:
        return scope + base

    choices: Conventions = d.problem.conventions
    if choices.activation in GATED:
        return (
            d.then(at("U"), Linear(), x, at("W_g"))
            .then(at("G"), activation(choices), at("U"))
            .then(at("up"), Linear(), x, at("W_u"))
            .then(at("gated"), Gate(), at("G"), at("up"))
            .then(at("F"), Linear(), at("gated"), at("W_d"))
        )
    d = project(d, at("U"), x, at("W_1"), at("b_1"))
    d = d.then(at("G"), activation(choices), at("U"))
    return project(d, at("F"), at("G"), at("W_2"), at("b_2"))


def activation(choices: Conventions) -> Op:
    """The activation by its name."""
    name = GATED.get(choices.activation, choices.activation)
    made: dict[str, Op] = {
        "relu": Relu(),
        "leaky_relu": Relu(choices.slope),
        "gelu": Gelu(),
        "gelu_tanh": Gelu("tanh"),
        "silu": Silu(),
    }
    return made[name]


def residual(d: Derivation, name: str, x: str, sublayer: str) -> Derivation:
    """What went in, plus what the sublayer made of it     (He et al. 2016, eq. 1)."""
    return d.then(name, Residual(), x, sublayer)
