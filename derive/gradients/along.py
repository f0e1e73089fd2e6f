"""A number of a derivation as a function of one symbol, with its derivatives.

temperature, eps     the convention as a symbol
W_Q[1][1]            one given entry as a symbol, which is called W_Q_11
c*W_Q                a given matrix times a symbol

The derivatives are tangents along that symbol (`derive.gradients.tangent`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from derive.certify import DOUBLINGS, Certified, Certifier
from derive.derivation import Derivation
from derive.digits import first_bits, numeral_of
from derive.errors import InputError, quoted
from derive.exact import ZERO, Matrix, Scalar, grid, matrix, number, symbol
from derive.exact.ball import Balls, precision
from derive.exact.extent import letters_of
from derive.exact.growth import Limit, limit_at_infinity, limit_at_zero
from derive.exact.ink import PLAIN
from derive.exact.letters import STEPS
from derive.exact.matrix import dot
from derive.exact.range import value_on
from derive.gradients.parameters import PARAMETERS, with_parameters
from derive.gradients.tangent import pushed, tangent_name
from derive.gradients.target import Target, target
from derive.numerals import Format
from derive.places import parse_place
from derive.step import Step

if TYPE_CHECKING:
    import sympy

QUANTITIES = '"temperature", "eps", an entry such as "W_Q[1][1]", or a multiple such as "c*W_Q"'
MOST_NAMED = 6
SPELLED = {"temperature": "tau", "eps": "eps"}


@dataclass(frozen=True)
class Along:
    """The number `of` as a function of the symbol: quantity, slope and curvature are f, f', f''.

    text: what varies, as it was asked for; here: its value in the problem, None where it has none.
    derivation: the steps in the symbol.

    >>> from derive import builtin, derive
    >>> f = along(derive(builtin("head")), "c*W_V", "O[1][1]")
    >>> f.quantity, f.slope.is_number
    ((3*c*exp(sqrt(2)/2) + c)/(2*exp(sqrt(2)/2) + 1), True)
    """

    text: str
    of: str
    symbol: str
    here: Scalar | None
    derivation: Derivation
    quantity: Scalar
    slope: Scalar
    curvature: Scalar

    @cached_property
    def f(self) -> sympy.Expr:
        """The quantity as a SymPy expression in the symbol."""
        from derive.exact.bridge import to_sympy

        return to_sympy(self.quantity)

    @cached_property
    def df(self) -> sympy.Expr:
        """And its derivative."""
        from derive.exact.bridge import to_sympy

        return to_sympy(self.slope)

    @cached_property
    def ddf(self) -> sympy.Expr:
        """Its second derivative."""
        from derive.exact.bridge import to_sympy

        return to_sympy(self.curvature)

    def at(self, x: Scalar, form: Format) -> tuple[Certified, Certified]:
        """Both at a point, with proved digits; InputError where they are not defined there."""
        first, second = (self._certified(value, x, form) for value in (self.quantity, self.slope))
        return first, second

    def _certified(self, value: Scalar, x: Scalar, form: Format) -> Certified:
        """By the closed form at x; where letters stand for parts of it, by balls alone."""
        if next(letters_of(value), None) is None:
            return Certifier().certify(self._at(value, x), form)
        digits = digits_at(value, self.symbol, x, form)
        return Certified(partial(self._at, value, x), digits, form.rounding, digits is None)

    def _at(self, value: Scalar, x: Scalar) -> Scalar:
        try:
            return value.substitute({self.symbol: x})
        except (ZeroDivisionError, InputError):
            raise InputError(
                f"{self.of} is not defined where {self.text} is {x!r}",
                expected="points and a range in which it is",
            ) from None

    @cached_property
    def limits(self) -> Mapping[str, tuple[Limit | None, Limit | None]]:
        """The limits of f and f' as the symbol falls to 0 and as it grows without bound."""
        f, df, x = self.quantity, self.slope, self.symbol
        return {
            "zero": (limit_at_zero(f, x), limit_at_zero(df, x)),
            "infinity": (limit_at_infinity(f, x), limit_at_infinity(df, x)),
        }


def along(d: Derivation, text: str, of: str = "", seed: Matrix | None = None) -> Along:
    """A number of the derivation (see `derive.gradients.target`) along a quantity of QUANTITIES.

    InputError for what is no such quantity, for a symbol that is taken, and where other symbols
    remain in the number.
    """
    varied = _varied(d, text.strip())
    moved = replaced(varied.derivation, varied.name, varied.value)
    found = target(moved, of, seed)
    values = _derivatives(found, varied)
    _check_alone(values, varied.symbol, found.text)
    return Along(text.strip(), found.text, varied.symbol, varied.here, found.derivation, *values)


@dataclass(frozen=True)
class _Varied:
    """A given step with a symbol in it, and how its entries change with the symbol."""

    derivation: Derivation
    name: str
    symbol: str
    value: Matrix
    change: Matrix
    here: Scalar | None


def _varied(d: Derivation, text: str) -> _Varied:
    if text in PARAMETERS:
        return _parameter(with_parameters(d, (text,)), text)
    if found := re.fullmatch(r"([A-Za-z]\w*)\s*\*\s*(\S+)", text):
        return _multiple(d, found[1], _given(d, found[2]))
    if "[" in text:
        name, i, j = parse_place(text)
        return _entry(d, _given(d, name), text, i, j)
    if text in d:
        raise InputError(
            f"{text} is a matrix, and what varies is one number",
            expected=QUANTITIES,
            hint=f'"{text}[1][1]", or "c*{text}"',
        )
    raise InputError(f"{quoted(text)} is nothing that can vary", expected=QUANTITIES)


def _parameter(d: Derivation, name: str) -> _Varied:
    (value,) = d.step(name).value
    spelled = SPELLED[name]
    if value.is_number:
        _check_free(d, spelled)
    elif value != symbol(spelled):
        (spelled,) = sorted(value.free_symbols) if value.free_symbols else (spelled,)
        value = symbol(spelled)
    here = value if value.is_number else None
    return _Varied(d, name, spelled, matrix([[symbol(spelled)]]), matrix([[1]]), here)


def _multiple(d: Derivation, spelled: str, step: Step) -> _Varied:
    _check_free(d, spelled)
    value = step.value * symbol(spelled)
    return _Varied(d, step.name, spelled, matrix(value.rows), step.value, number(1))


def _entry(d: Derivation, step: Step, text: str, i: int, j: int) -> _Varied:
    d.exact(text)  # tells of a place outside
    here = step.value[i - 1, j - 1]
    spelled = PLAIN.entry(step.name, (str(i), str(j)))
    if here.is_number:
        _check_free(d, spelled)
    rows, columns = step.shape
    change = grid(rows, columns, lambda k, m: number(int((k, m) == (i, j))))
    value = grid(
        rows,
        columns,
        lambda k, m: symbol(spelled) if (k, m) == (i, j) else step.value[k - 1, m - 1],
    )
    known = here if here.is_number else None
    return _Varied(d, step.name, spelled, matrix(value.rows), matrix(change.rows), known)


def _given(d: Derivation, name: str) -> Step:
    step = d.step(name)
    if step.op is not None:
        raise InputError(
            f"{name} is worked out, so it cannot be varied by itself",
            expected="one of " + ", ".join(s.name for s in d.steps if s.op is None),
        )
    return step


def _check_free(d: Derivation, spelled: str) -> None:
    """InputError where the symbol is taken, by a symbol or by a step."""
    known = {
        name
        for step in d.steps
        for x in step.value
        if isinstance(x, Scalar)
        for name in x.free_symbols
    }
    if spelled in known or spelled in d or (spelled in STEPS and spelled not in PARAMETERS):
        raise InputError(f"the symbol {spelled} is taken", expected="another letter")


def _check_alone(values: tuple[Scalar, ...], spelled: str, of: str) -> None:
    others = frozenset().union(*(x.free_symbols for x in values)) - {spelled}
    if others:
        some = ", ".join(sorted(others)[:MOST_NAMED]) + " ..." * (len(others) > MOST_NAMED)
        raise InputError(
            f"{of} still has the symbols {some}",
            expected="numbers for all but one",
        )


def replaced(d: Derivation, name: str, value: Matrix) -> Derivation:
    """The derivation with another value of a given step."""
    made: dict[str, Step] = {}
    for step in d.steps:
        if step.name == name:
            made[name] = Step.given(name, value)
        elif step.op is None:
            made[step.name] = step
        else:
            inputs = tuple(made[x.name] for x in step.inputs)
            made[step.name] = Step(step.name, step.op, inputs)
    given = {**d.problem.given, name: value} if name in d.problem.given else d.problem.given
    return Derivation(replace(d.problem, given=given), tuple(made.values()))


def _derivatives(found: Target, varied: _Varied) -> tuple[Scalar, Scalar, Scalar]:
    """f, f' and f'' of <seed, source>."""
    direction = {varied.name: varied.change}
    once = pushed(found.derivation, direction)
    first, second = tangent_name(found.source), tangent_name(tangent_name(found.source, "t"), "u")
    twice = pushed(once, direction, "u")
    return (
        _paired(found.seed, once.step(found.source).value),
        _paired(found.seed, once.step(first).value) if first in once else ZERO,
        _paired(found.seed, twice.step(second).value) if second in twice else ZERO,
    )


def digits_at(f: Scalar, name: str, x: Scalar, form: Format) -> str | None:
    """The digits of f where the symbol is x, by balls; None where they do not decide them."""
    bits = first_bits(form)
    for _ in range(DOUBLINGS):
        with precision(bits):
            found = numeral_of(value_on(f, name, Balls().enclose(x)), form)
        if found is not None:
            return found
        bits *= 2
    return None


def _paired(seed: Matrix, values: Matrix) -> Scalar:
    """<seed, values>."""
    found: Scalar = dot(tuple(seed), tuple(values))
    return found
