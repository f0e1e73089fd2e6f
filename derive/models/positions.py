"""Positions: what tells a token where it stands.

H = H_E + PE, with sines and cosines or with learned rows            Vaswani et al. 2017, sect. 3.5
"""

from __future__ import annotations

from collections.abc import Collection

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.errors import InputError
from derive.models.model import Axes
from derive.ops import Residual, Rows, Sinusoid


def derive_positions(problem: Problem) -> Derivation:
    """PE and H = H_E + PE, where H_E is n x d_model.

    PE is sinusoidal, or with positions "learned" given.  InputError for positions that turn
    queries and keys or change scores instead.
    """
    if problem.conventions.positions in ("rope", "alibi"):
        raise InputError(
            f"{problem.conventions.positions} adds nothing to the embeddings",
            expected='positions "sinusoidal" or "learned"',
            hint='derive it in an attention head: model = "attention"',
        )
    return add_positions(Derivation.of(problem), "H_E", "")[0]


def add_positions(d: Derivation, x: str, scope: str, start: int = 0) -> tuple[Derivation, str]:
    """H = x + PE, the first row at `start` places after the first position; the result's name."""
    n = d.step(x).shape[0]
    name = f"{scope}PE"
    if f"{scope}W_P" in d:
        _check_length(d, f"{scope}W_P", start + n)
        d = d.then(name, Rows(start + 1, start + n), f"{scope}W_P")
    elif name in d:
        _check_length(d, name, n)
    else:
        d = d.then(name, sinusoid(d, x, start))
    return d.then(f"{scope}H", Residual(), x, name), f"{scope}H"


def sinusoid(d: Derivation, x: str, start: int = 0) -> Sinusoid:
    """The encodings of as many positions as x has rows, as the conventions lay them out."""
    choices, (n, width) = d.problem.conventions, d.step(x).shape
    return Sinusoid(n, width, choices.first_position + start, choices.base, choices.layout)


def _check_length(d: Derivation, name: str, needed: int) -> None:
    found = d.step(name).shape[0]
    if found < needed or (name.endswith("PE") and found != needed):
        raise InputError(
            f"{name} has {found} positions and the text {needed} tokens",
            expected="a row for each token",
        )


def matrices(choices: Conventions, _given: Collection[str]) -> Axes:
    """H_E, and PE where positions are learned."""
    learned = {"PE": ("n", "d_model")} if choices.positions == "learned" else {}
    return {"H_E": ("n", "d_model"), **learned}


def optional(_choices: Conventions, _given: Collection[str]) -> frozenset[str]:
    """Nothing."""
    return frozenset()
