"""What is asked with "what if": a problem with one thing in it that is otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from derive.derivation import Problem
from derive.errors import InputError
from derive.exact import number
from derive.worksheet.kinds import DEEP

CHANGES: Mapping[str, Mapping[str, Any]] = {
    # what it is called: the conventions that are otherwise
    "unscaled": {"scale": number(1)},
    "causal": {"mask": "causal"},
    "cold": {"temperature": number(1, 2)},
    "sample": {"correction": 1},
    "pre-norm": {"norm": "pre"},
}
OF_HEADS: Callable[[Problem], bool] = lambda p: any(  # noqa: E731
    name.rpartition(".")[2] == "W_Q" for name in p.given
)
FITS: Mapping[str, Callable[[Problem], bool]] = {
    "unscaled": OF_HEADS,
    "causal": lambda p: OF_HEADS(p) and p.model not in ("decoder", "seq2seq") and _is_square(p),
    "cold": OF_HEADS,
    "sample": lambda p: p.conventions.normalization == "layernorm" and _has_norm(p),
    "pre-norm": lambda p: p.model == "block",
}
"""Of which problems each can be asked."""


def _is_square(problem: Problem) -> bool:
    """Whether every token has a place among those that are looked at."""
    return "context" not in problem.given


def _has_norm(problem: Problem) -> bool:
    return problem.model not in ("attention", "multihead", "positions")


def fitting(problem: Problem) -> list[str]:
    """The changes that make another problem of it."""
    if problem.model in DEEP:
        return []
    return [name for name in CHANGES if FITS[name](problem) and _made(problem, name) != problem]


def changed_by(problem: Problem, name: str | None) -> Problem:
    """The problem after a change, the first that fits where none is named.

    InputError where there is no such change, or where it makes no difference.
    """
    every = fitting(problem)
    if name is not None and name not in every:
        is_known = name in CHANGES
        raise InputError(
            f'"{name}" changes nothing in {problem.name}' if is_known else f'no change "{name}"',
            expected=", ".join(every) or "another problem: nothing in this one can be changed",
        )
    if not every:
        raise InputError(
            f"nothing in {problem.name} can be asked of with what-if",
            expected="a problem of attention, multihead or block, or with LayerNorm",
        )
    return _made(problem, name or every[0])


def _made(problem: Problem, name: str) -> Problem:
    return replace(problem, conventions=replace(problem.conventions, **CHANGES[name]))


def change_of(before: Problem, changed: Problem) -> str:
    """The name of the change that made the one of the other."""
    return next(n for n in CHANGES if _made(before, n).conventions == changed.conventions)
