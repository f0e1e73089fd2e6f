"""Makes tests/figures/training.json: gradients and training of two models by differences alone.

The models are written out here in mpmath, number by number; a derivative is a central difference at
50 digits.  Run it with `python tests/gradient_figures.py`.
"""

import json
import random
from fractions import Fraction
from pathlib import Path

from mpmath import erf, exp, log, mp, mpf, sqrt

FILE = Path(__file__).parent / "figures" / "training.json"
WORDS = ["a", "b", "c", "d", "e"]
TOKENS = ["b", "d", "a", "b"]
mp.dps = 50
H = mpf(10) ** -16
ETA = Fraction(1, 20)


def product(x, y):
    return [
        [sum(a * b for a, b in zip(row, col, strict=False)) for col in zip(*y, strict=False)]
        for row in x
    ]


def plus(x, y):
    return [[a + b for a, b in zip(r, s, strict=False)] for r, s in zip(x, y, strict=False)]


def shifted(x, row):
    return [[a + b for a, b in zip(r, row[0], strict=False)] for r in x]


def softmax(row):
    powers = [exp(x) for x in row]
    return [p / sum(powers) for p in powers]


def attention(x, w, scope, *, causal):
    q, k, v = (product(x, w[f"{scope}W_{n}"]) for n in "QKV")
    out = []
    for i, row in enumerate(q):
        seen = k[: i + 1] if causal else k
        scores = [
            sum(a * b for a, b in zip(row, key, strict=False)) / sqrt(len(row)) for key in seen
        ]
        weights = softmax(scores)
        out.append(
            [sum(a * u[j] for a, u in zip(weights, v, strict=False)) for j in range(len(v[0]))]
        )
    return product(out, w[f"{scope}W_O"])


def norm(x, w, name, k):
    out = []
    for row in x:
        mean = sum(row) / len(row)
        var = sum((a - mean) ** 2 for a in row) / len(row)
        hat = [(a - mean) / sqrt(var + mpf(1) / 100000) for a in row]
        gamma, beta = w[f"{name}gamma{k}"][0], w[f"{name}beta{k}"][0]
        out.append([a * g + b for a, g, b in zip(hat, gamma, beta, strict=False)])
    return out


def forward(x, w, scope, activation):
    wide = shifted(product(x, w[f"{scope}W_1"]), w[f"{scope}b_1"])
    made = [[activation(a) for a in row] for row in wide]
    return shifted(product(made, w[f"{scope}W_2"]), w[f"{scope}b_2"])


def block_loss(w):
    """Mean square of a post-norm block's output and a target."""
    x = w["H"]
    x = norm(plus(x, attention(x, w, "", causal=False)), w, "", 1)
    x = norm(plus(x, forward(x, w, "", lambda a: max(a, mpf(0)))), w, "", 2)
    square = [
        (a - b) ** 2 for r, s in zip(x, w["T"], strict=False) for a, b in zip(r, s, strict=False)
    ]
    return sum(square) / len(square)


def language_loss(w):
    """Cross-entropy of a pre-norm causal model, GELU, learned positions, tied embedding."""
    ids = [WORDS.index(t) for t in TOKENS]
    x = plus([w["W_E"][i] for i in ids], w["PE"])
    for scope in ("L1.", "L2."):
        x = plus(x, attention(norm(x, w, scope, 1), w, scope, causal=True))
        x = plus(x, forward(norm(x, w, scope, 2), w, scope, gelu))
    logits = product(norm(x, w, "", ""), list(zip(*w["W_E"], strict=False)))
    pairs = list(zip(logits, ids[1:], strict=False))
    return -sum(log(softmax(row)[y]) for row, y in pairs) / len(pairs)


def gelu(x):
    return x * (1 + erf(x / sqrt(2))) / 2


def drawn(sizes, seed):
    draw = random.Random(seed)
    return {
        name: [
            [Fraction(draw.randint(-19, 19), draw.choice([7, 9, 10, 11, 13])) for _ in range(c)]
            for _ in range(r)
        ]
        for name, (r, c) in sizes.items()
    }


def layer(scope, d, wide):
    sizes = {f"{scope}W_{n}": (d, d) for n in "QKVO"}
    sizes |= {f"{scope}{n}{k}": (1, d) for k in (1, 2) for n in ("gamma", "beta")}
    sizes |= {f"{scope}W_1": (d, wide), f"{scope}b_1": (1, wide)}
    return sizes | {f"{scope}W_2": (wide, d), f"{scope}b_2": (1, d)}


def numbers(given):
    """As mpmath has them."""
    return {
        n: [[mpf(x.numerator) / x.denominator for x in row] for row in m] for n, m in given.items()
    }


def gradients(loss, w, trained):
    found = {}
    for name in trained:
        found[name] = [[None] * len(w[name][0]) for _ in w[name]]
        for i, row in enumerate(w[name]):
            for j, x in enumerate(row):
                row[j] = x + H
                above = loss(w)
                row[j] = x - H
                found[name][i][j] = (above - loss(w)) / (2 * H)
                row[j] = x
    return found


def trained_twice(loss, given, trained, *, adam):
    """The numbers before, between and after two steps, and all matrices after them."""
    w, eta = numbers(given), mpf(ETA.numerator) / ETA.denominator
    m = {n: [[mpf(0)] * len(r) for r in w[n]] for n in trained}
    v = {n: [[mpf(0)] * len(r) for r in w[n]] for n in trained}
    losses = [loss(w)]
    for step in (1, 2):
        found = gradients(loss, w, trained)
        for n in trained:
            for i, row in enumerate(found[n]):
                for j, g in enumerate(row):
                    m[n][i][j] = (9 * m[n][i][j] + g) / 10
                    v[n][i][j] = (999 * v[n][i][j] + g**2) / 1000
                    mean = m[n][i][j] / (1 - (mpf(9) / 10) ** step)
                    root = sqrt(v[n][i][j] / (1 - (mpf(999) / 1000) ** step))
                    move = mean / (root + mpf(10) ** -8) if adam else g
                    w[n][i][j] -= eta * move
        losses.append(loss(w))
    return {"losses": list(map(str, losses)), "after": {n: texts(w[n]) for n in trained}}


def texts(matrix):
    return [[mp.nstr(x, 22) for x in row] for row in matrix]


def case(model, loss, given, fixed, conventions):
    trained = [n for n in given if n not in fixed]
    found = {n: texts(g) for n, g in gradients(loss, numbers(given), trained).items()}
    return {
        "model": model,
        "given": {n: [list(map(str, row)) for row in m] for n, m in given.items()},
        "conventions": conventions,
        "gradients": found,
        "descent": trained_twice(loss, given, trained, adam=False),
        "adam": trained_twice(loss, given, trained, adam=True),
    }


def main():
    """Write the figures."""
    block = drawn({"H": (3, 3), "T": (3, 3), **layer("", 3, 4)}, 71)
    sizes = {"W_E": (5, 3), "PE": (4, 3), **layer("L1.", 3, 4), **layer("L2.", 3, 2)}
    language = drawn({**sizes, "gamma": (1, 3), "beta": (1, 3)}, 72)
    choices = {"norm": "pre", "activation": "gelu", "layers": 2, "positions": "learned"}
    found = {
        "eta": str(ETA),
        "block": case("block", block_loss, block, ("H", "T"), {"norm": "post"}),
        "language-model": case(
            "language-model", language_loss, language, ("PE",), choices | {"mask": "causal"}
        )
        | {"tokens": TOKENS, "vocabulary": WORDS},
    }
    FILE.write_text(json.dumps(found, separators=(",", ":")).replace('"after"', '\n"after"') + "\n")


if __name__ == "__main__":
    main()
