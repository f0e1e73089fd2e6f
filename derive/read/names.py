"""Which names may stand for a free symbol in an entry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from keyword import iskeyword

from derive.errors import InputError, nearest, quoted

MAX_NAME = 64

# Steps of a derivation give these names to their own entries, so a symbol may not take them.
_ENTRY_OF_STEP = re.compile(r"(Q|K|V|S|Z|A|O|C|E|K\^T|scaled|masked|exp)_\d+(_\d+)?")
_SIZES = {
    "d_k": "the number of columns of W_K",
    "d_v": "the number of columns of W_V",
    "d_model": "the number of columns of H",
}
_NO_SYMBOLS = {
    "nan": "nan is not a number",
    "NaN": "nan is not a number",
    "I": "entries are real, and I is the imaginary unit",
}
_INFINITE = {"oo", "inf", "infinity", "Infinity"}
_SPELLED = {"lambda": "lamda, as SymPy does"}


def check_symbol(name: str, functions: Iterable[str]) -> None:
    """InputError unless the name may be a free symbol."""
    if name in _NO_SYMBOLS:
        raise InputError(_NO_SYMBOLS[name], expected="an exact number or a symbol")
    if name in _INFINITE:
        hint = "only a mask holds it: -oo, alone in its entry"
        raise InputError("infinity is not a number", hint=hint)
    if name in functions:
        raise InputError(f"{name} is a function", hint=f"write its value in brackets: {name}(2)")
    if iskeyword(name):
        hint = f"write {_SPELLED.get(name, name + '_1')}"
        raise InputError(f"{quoted(name)} is a word of Python, not a symbol", hint=hint)
    if len(name) > MAX_NAME:
        raise InputError(f"the name {quoted(name)} is too long", expected=f"{MAX_NAME} letters")
    _check_meaning(name)


def unknown_function(name: str, functions: Iterable[str]) -> InputError:
    """The error for `name(...)`, where name is no function."""
    known = list(functions)
    near = nearest(name, known)
    hint = f"did you mean {near}?" if near else f"a product is written {name[:20]}*(...)"
    expected = "one of " + ", ".join(known)
    return InputError(f"there is no function {quoted(name)}", expected=expected, hint=hint)


def _check_meaning(name: str) -> None:
    if name in _SIZES:
        hint = "give the number itself, or another name"
        raise InputError(f"{name} is {_SIZES[name]}, not a free symbol", hint=hint)
    if found := _ENTRY_OF_STEP.fullmatch(name):
        step = found[1]
        message = f"{name} is the name of an entry of step {step}, so it cannot be a free symbol"
        raise InputError(message, hint=f"another name will do: {step.lower()}, w_11, H_11")
