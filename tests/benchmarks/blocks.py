"""Blocks and language models to measure with: small integers."""

from __future__ import annotations

from random import Random
from typing import Any

from derive.certify import Certified, Format, certified
from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.exact import matrix
from derive.models import MODELS

DIGITS = Format(digits=15)
ATTENTION = ("W_Q", "W_K", "W_V", "W_O")
WORDS = tuple("abcdefgh")
Rows = list[list[int]]


def block(n: int, d: int, *, layers: int = 1, seed: int = 1, **choices: Any) -> Problem:
    """Post-norm blocks on n tokens in d dimensions; choices: heads, activation."""
    random, given = Random(seed), {"H": (n, d)}
    for scope in (f"L{k}." for k in range(1, layers + 1)) if layers > 1 else ("",):
        given |= _layer(scope, d, d)
    exact = {name: matrix(integers(random, *shape)) for name, shape in given.items()}
    return Problem("benchmark", exact, Conventions(layers=layers, **choices), model="block")


def language_model(d: int, d_ff: int, **choices: Any) -> Problem:
    """One layer on the words of WORDS, each of which should be followed by the next."""
    random, width = Random(1), len(WORDS)
    shapes = {"W_E": (width, d), **_layer("L1.", d, d_ff), "W_U": (d, width)}
    return Problem(
        "benchmark",
        {name: matrix(integers(random, *shape)) for name, shape in shapes.items()},
        Conventions(mask="causal", **choices),
        tokens=WORDS,
        model="language-model",
        vocabulary=WORDS,
        targets=(*WORDS[1:], WORDS[0]),
    )


def _layer(scope: str, d: int, d_ff: int) -> dict[str, tuple[int, int]]:
    inside = dict.fromkeys(ATTENTION, (d, d)) | {"W_1": (d, d_ff), "W_2": (d_ff, d)}
    return {scope + name: shape for name, shape in inside.items()}


def integers(random: Random, rows: int, columns: int) -> Rows:
    """From -2 to 2."""
    return [[random.randint(-2, 2) for _ in range(columns)] for _ in range(rows)]


def derived(problem: Problem) -> Derivation:
    """Its derivation, of which nothing has been worked out yet."""
    return MODELS[problem.model].derive(problem)


def outputs(problem: Problem) -> list[list[Certified]]:
    """The digits of every output, from the matrices on."""
    return proved(derived(problem).steps[-1])


def proved(step: Any) -> list[list[Certified]]:
    """The digits of every entry of a step; AssertionError where one is undecided."""
    found = certified(step, DIGITS)
    assert all(x.digits is not None for row in found for x in row), step.name
    return found
