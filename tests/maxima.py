"""Maxima as a witness: a program of Debian's, which works out worksheets from H and the weights."""

import os
import shutil
import subprocess

SOURCE = r"""
rounded(x) := map(lambda([y], floor(y * 1000 + 1/2) / 1000.0), x)$
normed(E) := apply(matrix, makelist(map(lambda([x], x / apply("+", E[i])), E[i]), i, length(E)))$
powers(S, causal) := genmatrix(
  lambda([i, j], if causal and j > i then 0 else exp(S[i, j])), length(S), length(S[1]))$
softmax(S, causal) := normed(powers(S, causal))$
scaled(Q, K) := Q . transpose(K) / sqrt(length(Q[1]))$
part(M, h, n) := block([w], w: length(M[1]) / n,
  genmatrix(lambda([i, j], M[i, (h - 1) * w + j]), length(M), w))$
beside(Ms) := apply(addcol, Ms)$
heads(Q, K, V, n, causal) := beside(makelist(
  softmax(scaled(part(Q, h, n), part(K, h, n)), causal) . part(V, h, n), h, n))$
mean(r) := apply("+", r) / length(r)$
hats(r) := block([m], m: mean(r),
  map(lambda([x], x - m), r) / sqrt(mean(map(lambda([x], (x - m)^2), r))))$
norm(H, g, b) := apply(matrix, map(lambda([r], hats(r) * g[1] + b[1]), args(H)))$
apart(X, Y) := lmax(map(lambda([x, y], abs(bfloat(x - y))),
  apply(append, args(X)), apply(append, args(Y))))$
near(X, Y, e) := is(apart(X, Y) < e)$
decimal(X) := apply(matrix, map(rounded, bfloat(args(X))))$
fpprec: 60$
"""


def has_none():
    """Whether it is not here, and may be missing."""
    return shutil.which("maxima") is None and os.environ.get("DERIVE_REQUIRE_MAXIMA") != "1"


def maxima(*lines):
    """What Maxima prints, line by line, for expressions after one another."""
    told = "".join(f"{line}$\n" for line in lines)
    program = f"display2d: false$\nlinel: 100000$\n{SOURCE}{told}quit()$\n"
    done = subprocess.run(
        ["maxima", "--very-quiet"], input=program, capture_output=True, text=True, timeout=120
    )
    assert "incorrect" not in done.stdout and " error" not in done.stdout, done.stdout
    return [line.strip() for line in done.stdout.splitlines() if line.strip()]


def matrix(rows):
    """A matrix of numbers as Maxima reads it."""
    return f"matrix({', '.join('[' + ', '.join(map(str, row)) + ']' for row in rows)})"
