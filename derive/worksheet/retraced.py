"""A variant by the second route: its problem in plain numbers, and every step from these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from derive.derivation import Problem
from derive.errors import InputError
from derive.exact import Matrix, Scalar, number
from derive.worksheet.deriving import seeds, slope_of
from derive.worksheet.search import Variant
from derive.worksheet.second import Setting, steps_of
from derive.worksheet.second_back import gradients_of
from derive.worksheet.second_models import Large, Rows, Texts, steps_of_large

LARGE = ("positions", "decoder", "language-model", "seq2seq")
"""The models of the second route for models of several layers."""


def retraced(variant: Variant, setting_of: Callable[[Problem], Setting]) -> Mapping[str, Rows]:
    """Every step by its name, an interval for each entry; of a gradient the way back.

    setting_of: how a smaller problem is put in plain numbers.  InputError for a choice that the
    second route does not know.
    """
    problem = variant.candidate.problem
    setting = large_of(problem) if problem.model in LARGE else setting_of(problem)
    for seed in seeds(variant.plan):
        return gradients_of(setting, slope_of(seed.name), variant.candidate.given[seed.name])
    return steps_of_large(setting) if isinstance(setting, Large) else steps_of(setting)


def large_of(problem: Problem) -> Large:
    """A problem of LARGE in plain numbers."""
    choices = problem.conventions
    _check(problem)
    return Large(
        problem.model,
        {
            name: [[_rational(x) for x in row] for row in m.rows]
            for name, m in problem.given.items()
        },
        _texts(problem),
        Fraction(1) if problem.model == "positions" else _divisor(problem),
        choices.layers,
        _rational(choices.eps),
        problem.model == "positions" or choices.positions == "sinusoidal",
        choices.base,
        choices.first_position,
    )


def _check(problem: Problem) -> None:
    choices = problem.conventions
    is_placed = choices.positions in ("none", "sinusoidal") and choices.layout == "adjacent"
    names = {name.rpartition(".")[2] for name in problem.given}
    odd = {
        "vectors": choices.vectors != "rows",
        "mask": isinstance(choices.mask, Matrix) or repr(choices.mask_value) != "-oo",
        "positions": not is_placed,
        "activation": choices.activation != "relu",
        "norm": choices.norm != "post" or choices.normalization != "layernorm",
        "correction": choices.correction != 0 or choices.eps_place != "inside",
        "heads": choices.heads != 1,
        "matrices": bool(names & {"W_O", "W_U", "b_Q", "b_K", "b_V", "W_P", "PE"}),
    }
    for name, is_odd in odd.items():
        if is_odd:
            raise InputError(f"the second route does not know this choice of {name}")


def _texts(problem: Problem) -> Texts:
    """The words by their numbers, read and right."""
    places = {word: k for k, word in enumerate(problem.vocabulary)}
    tokens = tuple(places[word] for word in problem.tokens if word in places)
    targets = tuple(places[word] for word in problem.targets or () if word in places)
    if problem.model == "seq2seq":
        return Texts(tokens, targets[:-1], targets[1:])
    return Texts((), tokens, targets)


def _divisor(problem: Problem) -> Fraction:
    """The square of what the scores are divided by."""
    keys, choices = _last(problem, "W_Q"), problem.conventions
    sizes = {
        "n": number(len(problem.tokens) or problem.given["H"].shape[0]),
        "d_model": number(problem.width),
        "d_k": number(keys.shape[1] // choices.heads),
        "d_v": number(_last(problem, "W_V").shape[1] // choices.heads),
    }
    divisor: Any = choices.scale.substitute(sizes) * choices.temperature.substitute(sizes)
    return _rational(divisor * divisor)


def _last(problem: Problem, letter: str) -> Matrix:
    return next(m for name, m in problem.given.items() if name.rpartition(".")[2] == letter)


def _rational(x: Scalar) -> Fraction:
    if not x.is_rational:
        raise InputError("the second route takes rational numbers only")
    return Fraction(*x.fraction)
