"""The parts of a layer beside its attention: norms, feed-forward, residual sums.

Each adds its steps to a derivation; `scope` stands before their names, as "L2." does.
"""

from __future__ import annotations

from collections.abc import Callable

from derive.conventions import Conventions
from derive.derivation import Derivation
from derive.errors import InputError
from derive.models.parts import project
from derive.models.sizes import GATED
from derive.op import Op
from derive.ops import (
    Deviation,
    DivideRows,
    Gain,
    Gate,
    Gelu,
    Linear,
    MeanSquares,
    Normalize,
    Relu,
    Residual,
    RowMeans,
    ScaleColumns,
    Silu,
    Variance,
)

Made = tuple[Derivation, str]
"""A derivation and the name of the step that matters next."""


def sublayer(
    d: Derivation, x: str, scope: str, k: str, make: Callable[[Derivation, str], Made]
) -> Made:
    """The k-th sublayer with its residual sum, and a norm after the sum or before the sublayer."""
    if d.problem.conventions.norm == "pre":
        d, normal = normalise(d, x, scope, k)
        d, made = make(d, normal)
        return residual(d, f"{scope}R{k}", x, made), f"{scope}R{k}"
    d, made = make(d, x)
    return normalise(residual(d, f"{scope}R{k}", x, made), f"{scope}R{k}", scope, k)


def normalise(d: Derivation, x: str, scope: str, k: str = "") -> Made:
    """LayerNorm or RMSNorm of the step x; the k-th of its block.  The name of the result."""
    choices: Conventions = d.problem.conventions
    deviation = Deviation(choices.eps, choices.eps_place)

    def at(base: str) -> str:
        return f"{scope}{base}{k}"

    if choices.normalization == "rmsnorm":
        d = d.then(at("ms"), MeanSquares(), x).then(at("rms"), deviation, at("ms"))
        d = d.then(at("xhat"), DivideRows(), x, at("rms"))
    else:
        d = d.then(at("mu"), RowMeans(), x)
        d = d.then(at("var"), Variance(choices.correction), x, at("mu"))
        d = d.then(at("sigma"), deviation, at("var"))
        d = d.then(at("xhat"), Normalize(), x, at("mu"), at("sigma"))
    return gain(d, at("N"), at("xhat"), at("gamma"), at("beta"))


def gain(d: Derivation, name: str, x: str, gamma: str, beta: str) -> Made:
    """x, the columns scaled by gamma and moved by beta, as far as these are given."""
    if beta in d and gamma in d:
        return d.then(name, Gain(), x, gamma, beta), name
    if beta in d:
        raise InputError(f"{beta} is given without {gamma}", expected=f"{gamma}, a row of 1s")
    return (d.then(name, ScaleColumns(), x, gamma), name) if gamma in d else (d, x)


def feed_forward(d: Derivation, x: str, scope: str) -> Made:
    """F: a wide layer, an activation, and back     (Vaswani et al. 2017, eq. 2; Shazeer 2020)."""

    def at(base: str) -> str:
        return scope + base

    choices: Conventions = d.problem.conventions
    if choices.activation in GATED:
        d = d.then(at("U"), Linear(), x, at("W_g"))
        d = d.then(at("G"), activation(choices), at("U"))
        d = d.then(at("up"), Linear(), x, at("W_u"))
        d = d.then(at("gated"), Gate(), at("G"), at("up"))
        return d.then(at("F"), Linear(), at("gated"), at("W_d")), at("F")
    d = project(d, at("U"), x, at("W_1"), at("b_1"))
    d = d.then(at("G"), activation(choices), at("U"))
    return project(d, at("F"), at("G"), at("W_2"), at("b_2")), at("F")


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
    """What went in, plus what the sublayer made of it     (He et al. 2016, eq. 1).

    InputError where the sublayer changes the width.
    """
    (_, width), (_, made) = d.step(x).shape, d.step(sublayer).shape
    if width != made:
        raise InputError(
            f"{sublayer} has {made} columns and is added to {x}, which has {width}",
            expected=f"{width} columns",
        )
    return d.then(name, Residual(), x, sublayer)
