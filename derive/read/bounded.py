"""Exact arithmetic that is refused before it can grow: what the entries of a problem may do.

A value is a Fraction as long as it is rational, so that an exponent is known when it is met,
and a Scalar from then on. Every bound is checked before the work is done.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, isqrt

from derive.errors import InputError
from derive.exact import E, Scalar, call, number
from derive.exact.functions import sign

Value = Fraction | Scalar

MAX_DIGITS = 400  # of a number as written
MAX_EXPONENT = 400
MAX_BITS = 20_000  # of an integer in a value
MAX_TERMS = 2_000  # of a value
MAX_EXPANDED = 500  # terms of a power written out


def add(a: Value, b: Value) -> Value:
    """a + b."""
    _check_terms(size(a) + size(b))
    _check_bits(bits(a) + bits(b))
    return _both(a, b, lambda x, y: x + y)


def subtract(a: Value, b: Value) -> Value:
    """a - b."""
    return add(a, negative(b))


def multiply(a: Value, b: Value) -> Value:
    """a b, multiplied out."""
    _check_terms(size(a) * size(b))
    _check_bits(bits(a) + bits(b))
    return _both(a, b, lambda x, y: x * y)


def divide(a: Value, b: Value) -> Value:
    """a / b; InputError where b is 0."""
    _check_terms(size(a) * size(b))
    _check_bits(bits(a) + bits(b))
    _check_nonzero(b)
    try:
        return _both(a, b, lambda x, y: x / y)
    except ZeroDivisionError:
        raise InputError("division by zero") from None


def _check_nonzero(x: Value) -> None:
    if isinstance(x, Scalar) and x.is_number and x.is_zero is None and sign(x) is None:
        raise InputError(
            f"division by {x!r}, which cannot be proved to be other than 0",
            expected="a divisor that is not 0",
        )


def negative(a: Value) -> Value:
    """-a."""
    return -a


def power(base: Value, exponent: Value) -> Value:
    """base ^ exponent for whole and half exponents, and for every exponent of e."""
    if isinstance(base, Scalar) and base == E:
        return apply("exp", exponent)
    if not isinstance(exponent, Fraction) or exponent.denominator > 2:
        hint = "write exp(x*log(2)) for 2^x" if not isinstance(exponent, Fraction) else ""
        message = "this power has no exact form here"
        raise InputError(message, expected="a whole exponent, or a half such as 1/2", hint=hint)
    if abs(exponent.numerator) > MAX_EXPONENT:
        expected = f"an exponent between -{MAX_EXPONENT} and {MAX_EXPONENT}"
        raise InputError("the exponent is too large", expected=expected)
    root = base if exponent.denominator == 1 else apply("sqrt", base)
    return _whole_power(root, exponent.numerator)


def apply(function: str, x: Value) -> Value:
    """A function of one value; a square root of a square stays rational."""
    if isinstance(x, Fraction) and function == "sqrt" and x >= 0:
        root = Fraction(isqrt(x.numerator), isqrt(x.denominator))
        if root * root == x:
            return root
    if function == "tan":
        _check_nonzero(call("cos", lift(x)))
    value = call(function, lift(x))
    _check_terms(value.size)
    return value


def decimal(text: str) -> Fraction:
    """The rational a decimal says: "0.1" is 1/10, "1e-5" is 1/100000."""
    mantissa, _, exponent = text.lower().partition("e")
    if sum(map(str.isdigit, mantissa)) > MAX_DIGITS:
        raise InputError("the number is too long", expected=f"at most {MAX_DIGITS} digits")
    whole, _, places = mantissa.partition(".")
    if len(exponent) > 8 or abs(int(exponent or 0)) > MAX_EXPONENT:
        expected = f"an exponent between -{MAX_EXPONENT} and {MAX_EXPONENT}"
        raise InputError("the exponent is too large", expected=expected)
    shift = int(exponent or 0) - len(places)
    digits = int(whole + places)
    return Fraction(digits * 10**shift) if shift >= 0 else Fraction(digits, 10**-shift)


def lift(x: Value) -> Scalar:
    """The value as a Scalar."""
    return number(x.numerator, x.denominator) if isinstance(x, Fraction) else x


def size(x: Value) -> int:
    """How many terms it is written with."""
    return 1 if isinstance(x, Fraction) else x.size


def bits(x: Value) -> int:
    """The bit length of its largest integer."""
    if isinstance(x, Fraction):
        return max(x.numerator.bit_length(), x.denominator.bit_length())
    return x.bits


def _both(a: Value, b: Value, operation: Callable[[Value, Value], Value]) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return operation(a, b)
    return operation(lift(a), lift(b))


def _whole_power(base: Value, n: int) -> Value:
    if n == 0 and base == _zero(base):
        raise InputError("0^0 has no agreed value", hint="write the 0 or the 1 that is meant")
    terms = size(base)
    if terms > 1 and comb(terms + abs(n) - 1, abs(n)) > MAX_EXPANDED:
        message = f"this power of a sum of {terms} terms is too large to write out"
        raise InputError(message, expected=f"at most {MAX_EXPANDED} terms")
    _check_bits(bits(base) * abs(n))
    try:
        return base**n
    except ZeroDivisionError:
        raise InputError("division by zero: a negative power of 0") from None


def _zero(like: Value) -> Value:
    return Fraction(0) if isinstance(like, Fraction) else number(0)


def _check_terms(terms: int) -> None:
    if terms > MAX_TERMS:
        raise InputError("the value is too large", expected=f"at most {MAX_TERMS:,} terms")


def _check_bits(length: int) -> None:
    if length > MAX_BITS:
        expected = f"at most about {MAX_BITS * 3 // 10:,} digits"
        raise InputError("the value is too large", expected=expected)
