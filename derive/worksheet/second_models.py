"""The second way through models of several layers: mpmath's intervals, straight from the weights.

Nothing of the first way is used, nor of `derive.models`: the papers' formulas, written out again.

PE_{p, 2i} = sin(p b^(-2i/d)), PE_{p, 2i+1} = cos(p b^(-2i/d))       Vaswani et al. 2017, sect. 3.5
N' = LN(X + Self(X)), N'' = LN(N' + Cross(N', M)), N''' = LN(N'' + FFN(N''))        ibid., sect. 3.1
L_i = -ln softmax(X W_E^T)_{i, y_i}                                 Radford et al. 2018, sect. 3.1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.errors import InputError

DIGITS = 60
Rows = list[list[Any]]
"""A matrix of intervals."""


@dataclass(frozen=True)
class Texts:
    """The numbers, from 0, of the words that are read, and of those that are right."""

    source: tuple[int, ...] = ()
    read: tuple[int, ...] = ()
    right: tuple[int, ...] = ()


@dataclass(frozen=True)
class Large:
    """A problem in plain numbers: what Setting has not, beside the same again.

    divisor: the square of what the scores are divided by; base, first: of sinusoidal positions, if
    there are any.
    """

    model: str
    given: Mapping[str, Sequence[Sequence[Fraction]]]
    texts: Texts
    divisor: Fraction
    layers: int = 1
    eps: Fraction = Fraction(0)
    has_positions: bool = False
    base: int = 10_000
    first: int = 0


def steps_of_large(large: Large) -> dict[str, Rows]:
    """Every step by its name, an interval for each entry."""
    from mpmath import iv

    before, iv.dps = iv.dps, DIGITS
    try:
        return _Way(large, iv).steps()
    finally:
        iv.dps = before


def large_steps_on(large: Large, iv: Any) -> tuple[dict[str, Rows], dict[str, Rows]]:
    """The steps and what is given, on what stands for mpmath's `iv`."""
    way = _Way(large, iv)
    return way.steps(), way.given


class _Way:
    def __init__(self, large: Large, iv: Any) -> None:
        self.large, self.iv = large, iv
        self.found: dict[str, Rows] = {}
        self.given = {
            name: [[self.exact(x) for x in row] for row in rows]
            for name, rows in large.given.items()
        }

    def exact(self, x: Fraction) -> Any:
        return self.iv.mpf(x.numerator) / x.denominator

    def steps(self) -> dict[str, Rows]:
        match self.large.model:
            case "positions":
                self.placed(self.given["H_E"], "")
            case "decoder":
                self.decoder(self.given["H"], self.given["context"], "", "")
            case "language-model":
                x = self.stack(self.embedded(self.large.texts.read, ""), "", is_causal=True)
                self.predicted(x)
            case "seq2seq":
                memory = self.stack(self.embedded(self.large.texts.source, "enc."), "enc.")
                x = self.embedded(self.large.texts.read, "dec.")
                for k in range(1, self.large.layers + 1):
                    x = self.decoder(x, memory, f"dec.L{k}.", "")
                self.predicted(x)
            case other:
                raise InputError(f'there is no second route for the model "{other}"')
        return self.found

    def put(self, name: str, rows: Rows) -> Rows:
        self.found[name] = rows
        return rows

    # --- texts

    def embedded(self, words: Sequence[int], scope: str) -> Rows:
        rows = self.put(f"{scope}H_E", [list(self.given["W_E"][word]) for word in words])
        return self.placed(rows, scope) if self.large.has_positions else rows

    def placed(self, rows: Rows, scope: str) -> Rows:
        places = [self.place(p, len(rows[0])) for p in range(len(rows))]
        return self.put(f"{scope}H", _added(rows, self.put(f"{scope}PE", places)))

    def place(self, p: int, width: int) -> list[Any]:
        iv, row = self.iv, []
        for j in range(width):
            power = iv.exp(-iv.log(iv.mpf(self.large.base)) * (2 * (j // 2)) / width)
            angle = (self.large.first + p) * power
            row.append(iv.cos(angle) if j % 2 else iv.sin(angle))
        return row

    def predicted(self, x: Rows) -> None:
        logits = self.put("logits", times(x, turned(self.given["W_E"])))
        chances = self.softmax(logits, "exp", "Z", "P")
        right = self.large.texts.right
        if right:
            losses = [[-self.iv.log(row[y])] for row, y in zip(chances, right, strict=True)]
            self.put("L", losses)
            mean = sum(row[0] for row in losses) / len(losses)
            self.put("loss", [[mean]])
            self.put("PPL", [[self.iv.exp(mean)]])

    # --- layers

    def stack(self, x: Rows, scope: str, *, is_causal: bool = False) -> Rows:
        for k in range(1, self.large.layers + 1):
            own = f"{scope}L{k}."
            x = self.norm(_added(x, self.attention(x, x, own, is_causal)), own, "1")
            x = self.norm(_added(x, self.forward(x, own)), own, "2")
        return x

    def decoder(self, x: Rows, memory: Rows, scope: str, _at: str) -> Rows:
        x = self.norm(_added(x, self.attention(x, x, f"{scope}self.", True)), scope, "1")
        x = self.norm(_added(x, self.attention(x, memory, f"{scope}cross.", False)), scope, "2")
        return self.norm(_added(x, self.forward(x, scope)), scope, "3")

    def attention(self, x: Rows, source: Rows, scope: str, is_causal: bool) -> Rows:
        q, k, v = (
            self.put(f"{scope}{letter}", times(rows, self.given[f"{scope}W_{letter}"]))
            for letter, rows in zip("QKV", (x, source, source), strict=True)
        )
        scores = self.put(f"{scope}S", times(q, turned(k)))
        root = self.iv.sqrt(self.exact(self.large.divisor))
        scaled = self.put(f"{scope}scaled", [[s / root for s in row] for row in scores])
        if is_causal:
            self.put(f"{scope}masked", scaled)  # what is forbidden is not asked
        names = (f"{scope}exp", f"{scope}Z", f"{scope}A")
        weights = self.softmax(scaled, *names, is_causal=is_causal)
        return self.put(f"{scope}O", times(weights, v))

    def softmax(
        self, scores: Rows, exp: str, z: str, share: str, *, is_causal: bool = False
    ) -> Rows:
        zero = self.iv.mpf(0)
        powers = [
            [zero if is_causal and j > i else self.iv.exp(s) for j, s in enumerate(row)]
            for i, row in enumerate(scores)
        ]
        self.put(exp, powers)
        sums = self.put(z, [[sum(row, zero)] for row in powers])
        return self.put(
            share, [[p / total for p in row] for row, (total,) in zip(powers, sums, strict=True)]
        )

    def forward(self, x: Rows, scope: str) -> Rows:
        inner = self.put(f"{scope}U", self.affine(x, scope, "1"))
        kept = self.put(f"{scope}G", [[self.relu(u) for u in row] for row in inner])
        return self.put(f"{scope}F", self.affine(kept, scope, "2"))

    def affine(self, x: Rows, scope: str, k: str) -> Rows:
        made, bias = times(x, self.given[f"{scope}W_{k}"]), self.given.get(f"{scope}b_{k}")
        return made if bias is None else [_row(row, bias[0]) for row in made]

    def relu(self, x: Any) -> Any:
        """The number above 0, else 0; all between where its sign is open."""
        if x.a >= 0 or x.b <= 0:
            return self.iv.mpf(0) if x.b <= 0 else x
        return x * self.iv.mpf([0, 1])

    def norm(self, x: Rows, scope: str, k: str) -> Rows:
        self.put(f"{scope}R{k}", x)
        rows = [self.normalised(row, scope, k) for row in x]
        self.put(f"{scope}xhat{k}", rows)
        gain, bias = (self.given.get(f"{scope}{name}{k}") for name in ("gamma", "beta"))
        if gain is None:
            return rows
        scaled = [[a * g for a, g in zip(row, gain[0], strict=True)] for row in rows]
        return self.put(f"{scope}N{k}", [_row(r, bias[0]) for r in scaled] if bias else scaled)

    def normalised(self, row: list[Any], scope: str, k: str) -> list[Any]:
        mean = sum(row) / len(row)
        var = sum((x - mean) ** 2 for x in row) / len(row)
        root = self.iv.sqrt(var + self.exact(self.large.eps))
        for name, value in (("mu", mean), ("var", var), ("sigma", root)):
            self.found.setdefault(f"{scope}{name}{k}", []).append([value])
        return [(x - mean) / root for x in row]


def times(x: Any, w: Any) -> Rows:
    """X W."""
    columns = list(zip(*w, strict=True))
    return [[sum(a * b for a, b in zip(row, c, strict=True)) for c in columns] for row in x]


def turned(rows: Any) -> Rows:
    """Columns as rows."""
    return [list(c) for c in zip(*rows, strict=True)]


def _row(x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
    return [a + b for a, b in zip(x, y, strict=True)]


def _added(x: Rows, y: Rows) -> Rows:
    return [_row(r, s) for r, s in zip(x, y, strict=True)]
