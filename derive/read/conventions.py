"""The conventions of a problem from words and numbers, as a file or a command line gives them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from derive.conventions import CHOICES, COUNTS, PRESETS, SHAPE_SYMBOLS, SYNONYMS, Conventions
from derive.derivation import Problem
from derive.errors import InputError, nearest, quoted
from derive.exact import Matrix, symbol
from derive.read.literals import Written, is_latex
from derive.read.numbers import kind
from derive.read.objects import PlaceOf, as_mask, as_scalar, nowhere
from derive.read.symbols import MOST_SYMBOLS, symbol_matrix

KEYS = (
    "preset",
    "scale",
    "temperature",
    "mask",
    "mask_value",
    *CHOICES,
    *COUNTS,
    "eps",
    "slope",
)
MASKS = ("causal", "none")
_NO_SCALE = ("none", "no", "off", "unscaled", "false")


def read_conventions(
    table: Mapping[str, object], *, floats: str | None = None, place_of: PlaceOf = nowhere
) -> Conventions:
    """Conventions from a table with any of KEYS; what the table says wins over its preset.

    `scale` may hold d_k, d_v, d_model and n. InputError on an unknown key, preset or mask, and on
    zero where one divides. SYNONYMS are read as the words they stand for.
    """
    check_keys(table, KEYS, "convention", place_of)
    preset = _choice(table["preset"], "preset", PRESETS, place_of) if "preset" in table else None
    values = {**(PRESETS[preset].values if preset else {}), **table}
    values.pop("preset", None)
    readers = {
        "scale": _divisor,
        "temperature": _divisor,
        "mask": _mask,
        "mask_value": _value,
        "eps": _small,
        "slope": _small,
        **dict.fromkeys(CHOICES, _word),
        **dict.fromkeys(COUNTS, _count),
    }
    return Conventions(
        **{name: readers[name](value, name, floats, place_of) for name, value in values.items()}
    )


def under(problem: Problem, table: Mapping[str, object]) -> Problem:
    """The problem with what the table says, and a preset that it names, in place of its own.

    Where vectors become columns, or rows again, all that is given is turned over with them.
    """
    preset, read = table.get("preset"), read_conventions(table)
    named = PRESETS[preset].values if isinstance(preset, str) else {}
    asked = {*named, *table} - {"preset"}
    before = problem.conventions
    choices = replace(before, **{name: getattr(read, name) for name in asked})
    if choices.vectors == before.vectors:
        return replace(problem, conventions=choices)
    if isinstance(choices.mask, Matrix):
        choices = replace(choices, mask=choices.mask.T)
    given = {name: _turned(name, x) for name, x in problem.given.items()}
    return replace(problem, conventions=choices, given=given)


def _turned(name: str, x: Matrix) -> Matrix:
    """The transpose; of a matrix of its own letters, one that is again."""
    rows, columns = x.shape
    is_small = rows * columns <= MOST_SYMBOLS
    is_lettered = is_small and x == symbol_matrix(name, rows, columns)
    return symbol_matrix(name, columns, rows) if is_lettered else x.T


def check_keys(
    table: Iterable[str],
    known: Sequence[str],
    what: str,
    place_of: PlaceOf,
    hints: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """InputError on the first unknown key, with its hint or the nearest known one."""
    for key in table:
        if key not in known:
            near = nearest(key, known)
            hint = hints.get(key) or (f"did you mean {near}?" if near else "")
            message = f"there is no {what} {quoted(key)}"
            error = InputError(message, expected=", ".join(known), hint=hint)
            raise error.at(place_of((key,)))


def _choice(value: object, name: str, choices: Iterable[str], place_of: PlaceOf) -> str:
    choices = list(choices)
    if isinstance(value, str) and value in choices:
        return value
    near = nearest(value, choices) if isinstance(value, str) else None
    what = quoted(value) if isinstance(value, str) else kind(value)
    hint = f"did you mean {near}?" if near else ""
    error = InputError(f"{name} cannot be {what}", expected=" or ".join(choices), hint=hint)
    raise error.at(place_of((name,)))


def _word(value: object, name: str, _floats: str | None, place_of: PlaceOf) -> str:
    meant = SYNONYMS.get(name, {}).get(value) if isinstance(value, str) else None
    return meant or _choice(value, name, CHOICES[name], place_of)


def _count(value: object, name: str, _floats: str | None, place_of: PlaceOf) -> int:
    least, most = COUNTS[name]
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    is_short = isinstance(value, int) and abs(value) < 10**30
    said = (
        value.text[:30] if isinstance(value, Written) else str(value) if is_short else kind(value)
    )
    error = InputError(f"{name} cannot be {said}", expected=f"an integer from {least} to {most}")
    raise error.at(place_of((name,)))


def _small(value: object, name: str, floats: str | None, place_of: PlaceOf) -> Any:
    """An exact number that is not negative, or an expression in letters."""
    from derive.exact.ball import sign

    found = as_scalar(value, name, floats, place_of=place_of)
    if found.is_number and sign(found) == -1:
        raise InputError(f"{name} is negative", expected="a number >= 0").at(place_of((name,)))
    return found


def _divisor(value: object, name: str, floats: str | None, place_of: PlaceOf) -> Any:
    """An exact expression that scores are divided by."""
    if isinstance(value, str) and value.strip().lower() in _NO_SCALE:
        message = f"{name} is the text {quoted(value)}"
        error = InputError(message, expected="a number", hint=f"{name} = 1 leaves scores alone")
        raise error.at(place_of((name,)))
    names = {s: symbol(s) for s in SHAPE_SYMBOLS} if name == "scale" else {}
    found = as_scalar(value, name, floats, names=names, place_of=place_of)
    if found.is_zero:
        raise InputError(f"{name} is 0, and scores are divided by it").at(place_of((name,)))
    return found


def _value(value: object, name: str, floats: str | None, place_of: PlaceOf) -> Any:
    return as_scalar(value, name, floats, place_of=place_of, forbidden=True)


def _mask(value: object, name: str, floats: str | None, place_of: PlaceOf) -> Any:
    if value is None or (isinstance(value, str) and not is_latex(value)):
        word = "none" if value is None else _choice(value, name, MASKS, place_of)
        return None if word == "none" else word
    return as_mask(value, name, floats=floats, place_of=place_of)
