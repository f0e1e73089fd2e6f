"""What a user of the package calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from derive.counts import Architecture, ShapeTable
from derive.derivation import Derivation, Problem
from derive.errors import InputError, printable
from derive.models import MODELS


def attention(
    H: Any,
    W_Q: Any,
    W_K: Any,
    W_V: Any,
    *,
    context: Any = None,
    scale: Any = "sqrt(d_k)",
    temperature: Any = 1,
    mask: Any = None,
    floats: str | None = None,
    tokens: Sequence[str] | None = None,
    title: str | None = None,
) -> Derivation:
    """One attention head, O = softmax(Q K^T / sqrt(d_k)) V       (Vaswani et al. 2017, eq. 1).

    H is n x d_model, one token a row; W_Q and W_K are d_model x d_k, W_V is d_model x d_v.  With
    `context` (m x d_context), keys and values come from it, and W_K and W_V have d_context rows.
    A matrix is nested lists of ints, Fractions, Decimals and strings such as "1/3", "sqrt(2)/2",
    "a"; a SymPy matrix; a NumPy array; "symbols" or {"shape": (r, c)}.  Floats are refused unless
    `floats` says how to read them: "exact" (their binary value) or "decimal" (their shortest
    decimal).  `scale` and `temperature` divide the scores; `mask` is None, "causal" or a matrix of
    0 and "-oo".

    Raises InputError for anything that cannot be read exactly or does not fit together.

    >>> d = attention([[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]], [["a"], ["b"]], scale=1)
    >>> d["O"][0, 0]
    (E*a + b)/(1 + E)
    """
    from derive.read.conventions import read_conventions
    from derive.read.objects import as_given
    from derive.read.shapes import complete

    matrices = {"H": H, "W_Q": W_Q, "W_K": W_K, "W_V": W_V}
    if context is not None:
        matrices["context"] = context
    choices = {"scale": scale, "temperature": temperature, "mask": mask}
    conventions = read_conventions(choices, floats=floats)
    given = {name: as_given(x, name, floats=floats) for name, x in matrices.items()}
    names = tuple(printable(str(token), "a token") for token in tokens or ())
    exact = complete(given, conventions, names)
    return derive(
        Problem("attention", exact, conventions, names, printable(title or "", "the title"))
    )


def derive(problem: Problem) -> Derivation:
    """The derivation of a problem by the model it names.

    >>> derive(builtin("causal")).places("A", 2)
    [['1.00', '0.00', '0.00'], ['0.50', '0.50', '0.00'], ['0.28', '0.14', '0.58']]
    """
    return MODELS[problem.model].derive(problem)


def builtin(name: str) -> Problem:
    """A built-in problem by name; InputError with the closest name where there is none.

    >>> builtin("head").tokens
    ('A', 'B', 'C')
    """
    from dataclasses import replace

    from derive.errors import nearest
    from derive.problems import ALSO, ORDER, source
    from derive.read import read_toml

    if name not in (*ORDER, *ALSO):
        close = nearest(name, ORDER)
        raise InputError(
            f'there is no built-in problem "{name}"',
            expected="one of " + ", ".join(ORDER),
            hint=f'did you mean "{close}"?' if close else "",
        )
    return replace(read_toml(source(name), f"{name}.toml"), name=ALSO.get(name, name))


def shapes(
    what: str | Problem | Derivation | Architecture, /, **changes: int | str | bool
) -> ShapeTable:
    """Shapes, parameters and multiply-adds of every part, without deriving a value.

    `what` is a built-in architecture ("transformer-base", "transformer-big", "bert-base", "gpt-2",
    "llama-2-7b"), a built-in problem, the path of a TOML file with either, a Problem or a
    Derivation.  `changes` are sizes of an architecture, numbers or letters (`batch=8`,
    `length="n"`), and choices (`norm="rmsnorm"`).  InputError for sizes that do not fit together.

    >>> shapes("llama-2-7b").parameters
    6738415616
    >>> shapes("transformer-base", length=10).shape("encoder layer.self-attention.Q by heads")
    (32, 8, 10, 64)
    >>> shapes("gpt-2", batch=1, length="n").multiply_adds
    18432*n**2 + 123532032*n
    """
    from derive.counts import table_of
    from derive.counts.steps import table_of_steps
    from derive.read.architectures import architecture_or_problem

    found = architecture_or_problem(what, changes) if isinstance(what, str) else what
    if isinstance(found, Architecture):
        return table_of(found)
    if changes:
        raise InputError(
            f"{next(iter(changes))} cannot be changed: the sizes are those of given matrices",
            expected="an architecture, whose sizes are free",
        )
    return table_of_steps(derive(found) if isinstance(found, Problem) else found)
