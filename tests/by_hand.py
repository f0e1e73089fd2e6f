"""A pupil who works a problem out in decimals and rounds on the way, by code of its own."""

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def rounded(x, places):
    """A float as a pupil rounds it, ties away from 0."""
    return float(Decimal(repr(x)).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def never(x, _places):
    return x


class Pupil:
    """Works with floats; `round` is asked after every operation, and may round or not."""

    def __init__(self, places, round=rounded, lowers=False, inverts=False):
        self.places, self.round = places, round
        self.lowers, self.inverts = lowers, inverts
        self.mistakes = frozenset()

    def r(self, x):
        return self.round(x, self.places)

    def product(self, x, y):
        return [[self.r(sum(self.r(a * b) for a, b in zip(row, column, strict=True)))
                 for column in zip(*y, strict=True)] for row in x]  # fmt: skip

    def attention(self, given, heads=1, causal=False):
        q, k, v = (self.product(given["H"], given[f"W_{x}"]) for x in "QKV")
        outs = [self.head(*(part(m, h, heads) for m in (q, k, v)), given["H"], causal)
                for h in range(heads)]  # fmt: skip
        o = [[x for out in outs for x in out[i]] for i in range(len(q))]
        return self.product(o, given["W_O"]) if "W_O" in given else o

    def head(self, q, k, v, h, causal):
        scores = self.product(q, list(zip(*k, strict=True)))
        if "not scaled" not in self.mistakes:
            scores = [[self.scaled(x, len(q[0])) for x in row] for row in scores]
        weights = self.softmax(scores, causal)
        if "weights transposed" in self.mistakes:
            weights = list(zip(*weights, strict=True))
        self.weights = weights
        return self.product(weights, h if "input in place of values" in self.mistakes else v)

    def scaled(self, x, d):
        root = math.sqrt(d)
        if "divided by the square" in self.mistakes:
            return self.r(x / d)
        return self.r(x * self.r(1 / root)) if self.inverts else self.r(x / self.r(root))

    def softmax(self, scores, causal):
        if "softmax along the other side" in self.mistakes:
            scores = list(zip(*scores, strict=True))
        made = []
        for i, row in enumerate(scores):
            seen = [x for j, x in enumerate(row) if not causal or j <= i]
            top = max(seen) if self.lowers else 0
            powers = [self.r(math.exp(self.r(x - top))) for x in seen]
            z = self.r(sum(powers)) if len(powers) > 1 else powers[0]  # nothing to add
            shares = [x if "not normalised" in self.mistakes else self.r(x / z) for x in powers]
            made.append(shares + [0.0] * (len(row) - len(seen)))
        if "softmax along the other side" in self.mistakes:
            made = list(zip(*made, strict=True))
        return made

    def norm(self, x, gamma, beta, eps):
        made = []
        for row in x:
            mu = self.r(sum(row) / len(row))
            gaps = [self.r(a - mu) for a in row]
            var = self.r(self.r(sum(self.r(g * g) for g in gaps)) / len(row))
            sigma = self.r(math.sqrt(var + eps))
            hats = [self.r(g / sigma) for g in gaps]
            made.append([self.r(self.r(a * g) + b) for a, g, b in
                         zip(hats, gamma, beta, strict=True)])  # fmt: skip
        return made

    def block(self, given, eps=1e-5):
        x = self.added(given["H"], self.attention(given))
        x = self.norm(x, given["gamma1"][0], given["beta1"][0], eps)
        inner = [[self.r(a + b) for a, b in zip(row, given["b_1"][0], strict=True)]
                 for row in self.product(x, given["W_1"])]  # fmt: skip
        inner = [[max(a, 0.0) for a in row] for row in inner]
        out = [[self.r(a + b) for a, b in zip(row, given["b_2"][0], strict=True)]
               for row in self.product(inner, given["W_2"])]  # fmt: skip
        return self.norm(self.added(x, out), given["gamma2"][0], given["beta2"][0], eps)

    def added(self, x, y):
        return [
            [self.r(a + b) for a, b in zip(r, s, strict=True)] for r, s in zip(x, y, strict=True)
        ]


def part(rows, k, count):
    width = len(rows[0]) // count
    return [list(row[k * width : (k + 1) * width]) for row in rows]


def worked(pupil, name, given):
    """The last step of a built-in problem's variant."""
    if name == "layernorm":
        return pupil.norm(given["H"], given["gamma"][0], given["beta"][0], 0.0)
    if name == "block":
        return pupil.block(given)
    return pupil.attention(given, 2 if name == "multihead" else 1, name == "causal")


def floats(problem):
    return {k: [[float(Fraction(str(x))) for x in row] for row in m.rows]
            for k, m in problem.given.items()}  # fmt: skip
