"""The Jacobian of a symbolic head by all its weights, beside SymPy's `diff` of the closed forms."""

from time import process_time

import pytest
import sympy

from derive import attention
from derive.gradients.jacobian import jacobians

WEIGHTS = ("W_Q", "W_K", "W_V")


def ours(n, d):
    head = attention(*({"shape": s} for s in ((n, d), (d, d), (d, d), (d, d))))
    return [found.matrix for found in jacobians(head, "O", WEIGHTS)]


def closed(n, d):
    """O and the letters of the weights."""
    shapes = {"H": (n, d)} | dict.fromkeys(WEIGHTS, (d, d))
    m = {
        k: sympy.Matrix(*s, lambda i, j, k=k: sympy.Symbol(f"{k}_{i}_{j}"))
        for k, s in shapes.items()
    }
    scores = m["H"] * m["W_Q"] * (m["H"] * m["W_K"]).T / sympy.sqrt(d)
    powers = scores.applyfunc(sympy.exp)
    weights = sympy.Matrix(n, n, lambda i, j: powers[i, j] / sum(powers[i, :]))
    return weights * m["H"] * m["W_V"], [x for k in WEIGHTS for x in m[k]]


def seconds(work):
    start = process_time()
    work()
    return process_time() - start


def test_three_tokens():
    output, letters = closed(3, 2)
    theirs = seconds(lambda: [y.diff(x) for y in output for x in letters])
    mine = min(seconds(lambda: ours(3, 2)) for _ in range(5))
    print(f"n = 3, d = 2: {mine * 1000:.1f} ms, SymPy {theirs * 1000:.0f} ms, {theirs / mine:.0f}x")
    assert theirs > 30 * mine


def test_eight_tokens():
    """One of 64 entries is differentiated by symengine, and counted 64 times."""
    symengine = pytest.importorskip("symengine")
    output, letters = closed(8, 8)
    entry = symengine.sympify(output[0])
    names = [symengine.Symbol(x.name) for x in letters]
    theirs = 64 * seconds(lambda: [entry.diff(x) for x in names])
    mine = seconds(lambda: ours(8, 8))
    print(f"n = d = 8: {mine:.2f} s, symengine {theirs:.1f} s, {theirs / mine:.1f}x")
    assert theirs > 2 * mine
