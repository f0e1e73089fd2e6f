"""The second way to gradients: from the intervals of the forward steps, by formulas written out.

Nothing of the first way is used, nor of `derive.gradients`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from derive.worksheet.second_models import DIGITS, Rows, times, turned


def gradients_of(
    steps: Mapping[str, Rows],
    given: Mapping[str, Sequence[Sequence[Any]]],
    right: Sequence[int],
    divisor: Fraction,
    gain: Sequence[int] = (),
) -> dict[str, Rows]:
    """Gradients from the forward steps and what is given, the seed among it (dO, dN, dY, dloss).

    dV = A^T dO, dS = A (dA - rowsum(A dA)) / s;  dlogits = (P - 1[y]) / n;  dW_O = O^T dY
    dH = (d - mean(d) - x mean(d x)) / sigma of d = gamma dN and x the normalised row, in columns
    """
    from mpmath import iv

    found: dict[str, Rows] = {}
    given = {name: [[iv.mpf(x) for x in row] for row in rows] for name, rows in given.items()}
    if "dO" in given:
        found |= _of_head(steps, given["dO"], divisor)
    if "dN" in given:
        found |= _of_norm(steps, given["dN"], gain)
    if "dY" in given:
        found["dW_O"] = times(turned(steps["O"]), given["dY"])
    if "dloss" in given:
        n = len(right)
        found["dL"] = [[x] for x in [_one(steps) / n] * n]
        found["dP"] = [
            [-1 / (n * p) if j == y else 0 * p for j, p in enumerate(row)]
            for row, y in zip(steps["P"], right, strict=True)
        ]
        found["dlogits"] = [
            [(p - (j == y)) / n for j, p in enumerate(row)]
            for row, y in zip(steps["P"], right, strict=True)
        ]
    return found


def _one(steps: Mapping[str, Rows]) -> Any:
    return steps["P"][0][0] * 0 + 1


def _of_norm(steps: Mapping[str, Rows], seed: Any, gain: Sequence[int]) -> dict[str, Rows]:
    pairs = zip(turned(steps["xhat"]), turned(seed), strict=True)
    found: dict[str, Rows] = {"dgamma": [[_inner(x, d) for x, d in pairs]], "dH": []}
    found["dxhat"] = [[d * g for d, g in zip(row, gain, strict=True)] for row in seed]
    for x, d, (sigma,) in zip(steps["xhat"], found["dxhat"], steps["sigma"], strict=True):
        size, slope = len(x), -_inner(x, d) / sigma
        found.setdefault("dsigma", []).append([slope])
        found.setdefault("dvar", []).append([slope / (2 * sigma)])
        found.setdefault("dmu", []).append([-sum(d) / sigma])
        mean, share = sum(d) / (size * sigma), _inner(x, d) / (size * sigma)
        found["dH"].append([b / sigma - mean - a * share for a, b in zip(x, d, strict=True)])
    return found


def _inner(x: Any, y: Any) -> Any:
    return sum(a * b for a, b in zip(x, y, strict=True))


def _of_head(
    steps: Mapping[str, Rows], seed: Sequence[Sequence[Any]], divisor: Fraction
) -> dict[str, Rows]:
    found = {"dV": times(turned(steps["A"]), seed), "dA": times(seed, turned(steps["V"]))}
    found["dscaled"] = [
        [a * (d - sum(p * q for p, q in zip(weights, slopes, strict=True)))
         for a, d in zip(weights, slopes, strict=True)]
        for weights, slopes in zip(steps["A"], found["dA"], strict=True)
    ]  # fmt: skip
    found["dmasked"] = found["dscaled"]  # what is forbidden has weight 0
    root = _root(divisor)
    found["dS"] = [[x / root for x in row] for row in found["dscaled"]]
    found["dQ"] = times(found["dS"], steps["K"])
    found["dK"] = times(turned(found["dS"]), steps["Q"])
    return found


def _root(square: Fraction) -> Any:
    from mpmath import iv

    before, iv.dps = iv.dps, DIGITS
    try:
        return iv.sqrt(iv.mpf(square.numerator) / square.denominator)
    finally:
        iv.dps = before
