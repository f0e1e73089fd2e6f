"""Activations and rotations on mpmath's intervals, each from its own definition.

gelu(x) = x (1 + erf(x / sqrt(2))) / 2                            Hendrycks and Gimpel 2016, eq. 1
erf(x) = 2 / sqrt(pi) sum_n (-1)^n x^(2n+1) / (n! (2n+1))                   DLMF 7.6.1
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

FAR = 10
"""Beyond, erf is 1 but for less than 10^-44."""
DIGITS = 100
"""The series loses 44 of them at the most."""


def erf(iv: Any, x: Any) -> Any:
    """An interval for erf, which grows."""
    before, iv.dps = iv.dps, DIGITS
    try:
        low, high = (_erf_at(iv, iv.mpf(end)) for end in (x.a, x.b))
        return iv.mpf([low.a, high.b])
    finally:
        iv.dps = before


def _erf_at(iv: Any, x: Any) -> Any:
    if abs(x).b > FAR:
        tail = iv.mpf([1 - iv.mpf(10) ** -44, 1])
        return tail if x.a > 0 else -tail
    total, power, n = iv.mpf(0), x, 0
    while n <= 4 * FAR * FAR:
        total += power / (2 * n + 1)
        n += 1
        power = -power * x * x / n
    # The terms have been falling since n = x^2: the rest is smaller than the first left out.
    rest = abs(power).b
    return 2 / iv.sqrt(iv.pi) * (total + iv.mpf([-rest, rest]))


def tanh(iv: Any, x: Any) -> Any:
    """1 - 2 / (e^2x + 1), which grows."""
    low, high = (1 - 2 / (iv.exp(2 * iv.mpf(end)) + 1) for end in (x.a, x.b))
    return iv.mpf([low.a, high.b])


def gelu(iv: Any, x: Any) -> Any:
    """With the error function."""
    return x * (1 + erf(iv, x / iv.sqrt(iv.mpf(2)))) / 2


def gelu_tanh(iv: Any, x: Any) -> Any:
    """With the hyperbolic tangent."""
    inner = iv.sqrt(2 / iv.pi) * (x + iv.mpf(44715) / 1000000 * x * x * x)
    return x * (1 + tanh(iv, inner)) / 2


def silu(iv: Any, x: Any) -> Any:
    """x over 1 + e^-x."""
    return x / (1 + iv.exp(-x))


CURVES: Mapping[str, Callable[[Any, Any], Any]] = {
    "gelu": gelu,
    "gelu_tanh": gelu_tanh,
    "silu": silu,
    "swiglu": silu,
    "geglu": gelu,
}
"""By the names of the conventions; what is relu is not among them."""


def _gelu_slope(iv: Any, x: Any) -> Any:
    density = iv.exp(-x * x / 2) / iv.sqrt(2 * iv.pi)
    return (1 + erf(iv, x / iv.sqrt(iv.mpf(2)))) / 2 + x * density


def _gelu_tanh_slope(iv: Any, x: Any) -> Any:
    cubed = iv.mpf(44715) / 1000000
    root = iv.sqrt(2 / iv.pi)
    t = tanh(iv, root * (x + cubed * x * x * x))
    return (1 + t) / 2 + x * (1 - t * t) * root * (1 + 3 * cubed * x * x) / 2


def _silu_slope(iv: Any, x: Any) -> Any:
    share = 1 / (1 + iv.exp(-x))
    return share + x * share * (1 - share)


SLOPES: Mapping[str, Callable[[Any, Any], Any]] = {
    "gelu": _gelu_slope,
    "gelu_tanh": _gelu_tanh_slope,
    "silu": _silu_slope,
    "swiglu": _silu_slope,
    "geglu": _gelu_slope,
}
"""And their derivatives."""


def bent(iv: Any, name: str, x: Any) -> Any:
    """A curve, as `iv` has it itself or else as it stands here."""
    own = getattr(iv, "bent", None)
    return own(name, x) if own else CURVES[name](iv, x)


def rotated(iv: Any, rows: Any, base: int, first: int, is_adjacent: bool) -> list[list[Any]]:
    """Every row turned by its position, from `first` on                 Su et al. 2021, eq. 34.

    is_adjacent: whether neighbours are pairs, else column j goes with j + d/2.
    """
    return [_turned(iv, row, base, p, is_adjacent) for p, row in enumerate(rows, first)]


def _turned(iv: Any, row: Any, base: int, p: int, is_adjacent: bool) -> list[Any]:
    d, found = len(row), list(row)
    for i in range(d // 2):
        j, k = (2 * i, 2 * i + 1) if is_adjacent else (i, i + d // 2)
        angle = p * iv.exp(-iv.log(iv.mpf(base)) * 2 * i / d)
        c, s = iv.cos(angle), iv.sin(angle)
        found[j], found[k] = row[j] * c - row[k] * s, row[j] * s + row[k] * c
    return found
