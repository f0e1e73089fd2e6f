"""Every shape in one place: what must agree, and what "symbols" may follow from it.

A size has a name, and the model says which two each matrix has: H is n x d_model, W_Q is
d_model x d_k ...
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from derive.conventions import Conventions, check_vectors
from derive.errors import InputError, nearest, quoted
from derive.exact import Matrix, NegativeInfinity
from derive.models import MODELS
from derive.models.model import Axes
from derive.read.objects import PlaceOf, nowhere
from derive.read.symbols import Symbols, symbol_matrix


@dataclass(frozen=True)
class Size:
    """A size as known, and who says so."""

    value: int
    name: str
    axis: str

    def __str__(self) -> str:
        """H has 2 columns."""
        if self.name == "tokens":
            return f"there {'is' if self.value == 1 else 'are'} {count(self.value, 'tokens')}"
        return f"{self.name} has {count(self.value, self.axis)}"


def complete(
    given: Mapping[str, Matrix | Symbols],
    conventions: Conventions,
    tokens: Sequence[str] = (),
    *,
    place_of: PlaceOf = nowhere,
    model: str = "attention",
) -> dict[str, Matrix]:
    """The matrices of a problem, symbols named, in the order of the model.

    InputError when one is missing or unknown, when shapes disagree or a shape of symbols does not
    follow, and when the mask does not fit, holds anything but 0 and -oo, or forbids a whole row.
    """
    check_names(given, conventions, model, place_of)
    axes = MODELS[model].matrices(conventions, given)
    sizes = agreed(given, axes, conventions, tokens, place_of)
    order = [name for name in _in_order(axes) if name in given]
    found = {name: _filled(name, given, axes[name], sizes, place_of) for name in order}
    check_mask(conventions, found, place_of, crossed=set(axes.get("mask", ())) == {"n", "m"})
    return found


def known_names(
    given: Collection[str], conventions: Conventions, model: str
) -> tuple[list[str], list[str]]:
    """The matrices that a model needs, and those it can do without."""
    found = MODELS[model]
    spare = found.optional(conventions, given)
    names = [name for name in found.matrices(conventions, given) if name != "mask"]
    return [n for n in names if n not in spare], [n for n in names if n in spare]


def check_names(
    given: Collection[str], conventions: Conventions, model: str, place_of: PlaceOf
) -> None:
    """InputError on a name the model does not know, or one it needs and has not got."""
    try:
        check_vectors(conventions, model)
    except InputError as error:
        raise error.at(place_of(("vectors",))) from None
    required, optional = known_names(given, conventions, model)
    known = (*required, *optional)
    for name in given:
        if name not in known:
            near = nearest(name, known)
            hint = f"did you mean {near}?" if near else ""
            message = f"there is no matrix {quoted(name)} in this model"
            expected = ", ".join(known)
            raise InputError(message, expected=expected, hint=hint).at(place_of((name,)))
    if missing := [name for name in required if name not in given]:
        verb = "is" if len(missing) == 1 else "are"
        message = f"{', '.join(missing)} {verb} missing"
        hint = f'{missing[0]} = "symbols" names every entry'
        expected = "each of " + ", ".join(required)
        raise InputError(message, expected=expected, hint=hint).at(place_of(()))


def agreed(
    given: Mapping[str, Matrix | Symbols],
    axes: Axes,
    conventions: Conventions,
    tokens: Sequence[str],
    place_of: PlaceOf,
) -> dict[str, Size]:
    """The sizes by name; InputError at the first matrix that contradicts an earlier one."""
    sizes: dict[str, Size] = {}
    for dimension, size in _stated(given, axes, conventions, tokens):
        if dimension == "1" and size.value != 1:
            error = InputError(f"{size}", expected=f"{size.name} with 1 row")
            raise error.at(place_of((size.name,)))
        known = sizes.setdefault(dimension, size)
        if known.value != size.value:
            wanted = _wanted(size, known)
            raise InputError(f"{size} but {known}", expected=wanted).at(place_of((size.name,)))
    return _with_defaults(sizes)


def _in_order(axes: Axes) -> Iterable[str]:
    """H and the weights before the context, as a page presents them."""
    return sorted(axes, key=lambda name: name == "context")


def count(number: int, things: str) -> str:
    """1 row, 2 rows."""
    return f"{number} {things.removesuffix('s') if number == 1 else things}"


def _stated(
    given: Mapping[str, Matrix | Symbols],
    axes: Axes,
    conventions: Conventions,
    tokens: Sequence[str],
) -> Iterable[tuple[str, Size]]:
    """Every size that is said, the data before the weights and these before the mask."""
    found = {name: given[name] for name in axes if name in given}
    if isinstance(conventions.mask, Matrix) and "mask" in axes:
        found["mask"] = conventions.mask
    for name, matrix in found.items():
        shape = matrix.shape if isinstance(matrix, Matrix) else (matrix.rows, matrix.columns)
        named = zip(axes[name], shape, ("rows", "columns"), strict=True)
        for dimension, value, axis in named:
            if value is not None and dimension:
                yield dimension, Size(value, name, axis)
    if tokens:
        yield "n", Size(len(tokens), "tokens", "tokens")


def _wanted(size: Size, known: Size) -> str:
    if size.name == "tokens":
        return f"one token for each row of {known.name}"
    return f"{size.name} with {count(known.value, size.axis)}"


def _with_defaults(sizes: dict[str, Size]) -> dict[str, Size]:
    """d_k is d_model, and d_v is d_k, where nothing says otherwise."""
    defaults = [("d_k", "d_model"), ("d_v", "d_k")]
    for unknown, known in defaults:
        if unknown not in sizes and known in sizes:
            sizes = sizes | {unknown: sizes[known]}
    return sizes


def _filled(
    name: str,
    given: Mapping[str, Matrix | Symbols],
    named: tuple[str, str],
    sizes: Mapping[str, Size],
    place_of: PlaceOf,
) -> Matrix:
    matrix = given[name]
    if isinstance(matrix, Matrix):
        return matrix
    shape = [1 if axis == "1" else sizes[axis].value if axis in sizes else None for axis in named]
    rows, columns = shape
    if rows is None or columns is None:
        sides = zip(("r", "c"), shape, strict=True)
        sample = ", ".join(str(side or letter) for letter, side in sides)
        message = f"the shape of {name} does not follow from the other matrices"
        hint = f"say it: {name} = {{shape = [{sample}]}}"
        raise InputError(message, hint=hint).at(place_of((name,)))
    return symbol_matrix(name, rows, columns)


def check_mask(
    conventions: Conventions, given: Mapping[str, Matrix], place_of: PlaceOf, *, crossed: bool
) -> None:
    """InputError when the mask cannot be laid over the scores, those of a context if `crossed`."""
    mask = conventions.mask
    by_rows = conventions.vectors == "rows"
    if mask == "causal" and crossed:
        _check_causal(given["H"], given["context"], 0 if by_rows else 1, place_of)
    if not isinstance(mask, Matrix):
        return
    for i, row in enumerate(mask.rows, 1):
        for j, entry in enumerate(row, 1):
            if not isinstance(entry, NegativeInfinity) and not entry.is_zero:
                message = f"mask[{i}][{j}] is neither 0 nor -oo"
                hint = "0 allows a key, -oo forbids it; mask_value says what -oo stands for"
                place = place_of(("mask", i - 1, j - 1))
                raise InputError(message, expected='0 or "-oo"', hint=hint).at(place)
    if isinstance(conventions.mask_value, NegativeInfinity):
        for i, row in enumerate((mask if by_rows else mask.T).rows, 1):
            _check_open(row, i, "row" if by_rows else "column", place_of)


def _check_open(row: Sequence[object], i: int, line: str, place_of: PlaceOf) -> None:
    if all(isinstance(entry, NegativeInfinity) for entry in row):
        message = f"{line} {i} of the mask forbids every key, so softmax would be 0/0"
        place = ("mask", i - 1) if line == "row" else ("mask", 0, i - 1)
        raise InputError(message, expected=f"a 0 in every {line}").at(place_of(place))


def _check_causal(queries: Matrix, context: Matrix, axis: int, place_of: PlaceOf) -> None:
    n, m, lines = queries.shape[axis], context.shape[axis], ("rows", "columns")[axis]
    if n != m:
        message = f"a causal mask needs as many keys as queries, but {Size(m, 'context', lines)}"
        message += f" and {Size(n, 'H', lines)}"
        hint = "give the mask as a matrix of 0 and -oo"
        raise InputError(message, hint=hint).at(place_of(("mask",)))
