"""A second way to every number of a key: mpmath's intervals, straight from H and the weights.

Nothing of the first way is used: matrices are lists of lists, the formulas are those of the papers,
written out again, and fractions become intervals at 30 digits.

O = softmax(Q K^T / s + M) V            Vaswani et al. 2017, eq. 1
N = gamma (X - mu) / sqrt(var + eps) + beta                      Ba et al. 2016, eq. 4
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.errors import InputError
from derive.worksheet.second_curves import CURVES, bent, rotated

DIGITS = 60
Rows = list[list[Any]]
"""A matrix of intervals."""


@dataclass(frozen=True)
class Setting:
    """A problem in plain numbers.

    divisor: the square of what the scores are divided by; given: matrices of fractions by name;
    seen: where a given mask allows, a row for each query; rope: base, first position, whether
    neighbours are pairs; is_turned: vectors are columns; the rest as in the conventions.
    """

    model: str
    given: Mapping[str, Sequence[Sequence[Fraction]]]
    divisor: Fraction = Fraction(1)
    is_causal: bool = False
    heads: int = 1
    groups: int = 1
    is_pre: bool = False
    is_rms: bool = False
    eps: Fraction = Fraction(0)
    is_inside: bool = True
    correction: int = 0
    slope: Fraction = Fraction(0)
    activation: str = "relu"
    seen: Sequence[Sequence[bool]] | None = None
    rope: tuple[int, int, bool] | None = None
    is_turned: bool = False


def steps_of(setting: Setting) -> dict[str, Rows]:
    """Every step by its name, an interval for each entry."""
    from mpmath import iv

    before, iv.dps = iv.dps, DIGITS
    try:
        found = _Route(setting, iv).steps()
        if not setting.is_turned:
            return found
        # The sums stand in a column either way.
        return {name: rows if name == "Z" else _turned(rows) for name, rows in found.items()}
    finally:
        iv.dps = before


def steps_on(setting: Setting, iv: Any) -> tuple[dict[str, Rows], dict[str, Rows]]:
    """The steps and what is given, with vectors as rows, on what stands for mpmath's `iv`."""
    route = _Route(setting, iv)
    return route.steps(), route.given


class _Route:
    def __init__(self, setting: Setting, iv: Any) -> None:
        self.setting, self.iv = setting, iv
        self.found: dict[str, Rows] = {}
        self.given = {
            name: [[self.exact(x) for x in row] for row in self.by_rows(rows)]
            for name, rows in setting.given.items()
        }

    def by_rows(self, rows: Any) -> Any:
        """What is given with vectors as rows, whichever way it is given."""
        return _turned(rows) if self.setting.is_turned else rows

    def exact(self, x: Fraction) -> Any:
        return self.iv.mpf(x.numerator) / x.denominator

    def steps(self) -> dict[str, Rows]:
        x = self.given["H"]
        match self.setting.model:
            case "attention" | "multihead":
                self.attention(x)
            case "layernorm":
                self.norm(x, "")
            case "block":
                self.block(x)
            case other:
                raise InputError(f'there is no second route for the model "{other}"')
        return self.found

    def put(self, name: str, rows: Rows) -> Rows:
        self.found[name] = rows
        return rows

    def times(self, x: Rows, w: Rows) -> Rows:
        return [[self.sum(a * b for a, b in zip(r, c, strict=True)) for c in zip(*w, strict=True)]
                for r in x]  # fmt: skip

    def sum(self, terms: Any) -> Any:
        total = self.iv.mpf(0)
        for term in terms:
            total += term
        return total

    def projected(self, x: Rows, letter: str) -> Rows:
        made = self.times(x, self.given[f"W_{letter}"])
        bias = self.given.get(f"b_{letter}")
        if bias is None:
            return made
        return [[a + b for a, b in zip(row, bias[0], strict=True)] for row in made]

    def attention(self, x: Rows) -> Rows:
        heads, groups = self.setting.heads, self.setting.groups
        source = self.given.get("context", x)
        q, k, v = self.projected(x, "Q"), self.projected(source, "K"), self.projected(source, "V")
        joined: Rows = [[] for _ in x]
        for h in range(heads):
            g = h // (heads // groups)
            at = "" if heads == 1 else f"^({h + 1})"
            of = "" if heads == 1 else f"^({g + 1})"
            parts = _part(q, h, heads), _part(k, g, groups), _part(v, g, groups)
            for letter, rows, place in zip("QKV", parts, (at, of, of), strict=True):
                self.put(letter + place, rows)
            q_h, k_h, v_h = parts
            if self.setting.rope is not None:
                q_h = self.put(f"Q_R{at}", rotated(self.iv, q_h, *self.setting.rope))
                k_h = self.put(f"K_R{of}", rotated(self.iv, k_h, *self.setting.rope))
            made = self.head(q_h, k_h, v_h, at)
            if heads > 1 and "W_O" in self.given:
                size = len(made[0])
                self.put(f"Y{at}", self.times(made, self.given["W_O"][h * size : (h + 1) * size]))
            for row, out in zip(joined, made, strict=True):
                row += out
        self.put("O", joined)
        if "W_O" not in self.given:
            return joined
        return self.put("Y", self.projected(joined, "O"))

    def head(self, q: Rows, k: Rows, v: Rows, at: str) -> Rows:
        scores = self.put(f"S{at}", self.times(q, _turned(k)))
        root = self.iv.sqrt(self.exact(self.setting.divisor))
        scaled = self.put(f"scaled{at}", [[x / root for x in row] for row in scores])
        if self.setting.is_causal or self.setting.seen is not None:
            self.put(f"masked{at}", scaled)  # what is forbidden is not asked
        powers = [[self.power(x, i, j) for j, x in enumerate(r)] for i, r in enumerate(scaled)]
        self.put(f"exp{at}", powers)
        sums = self.put(f"Z{at}", [[self.sum(row)] for row in powers])
        weights = [[x / z for x in row] for row, (z,) in zip(powers, sums, strict=True)]
        self.put(f"A{at}", weights)
        return self.put(f"O{at}", self.times(weights, v))

    def power(self, x: Any, i: int, j: int) -> Any:
        seen = self.setting.seen
        is_hidden = (self.setting.is_causal and j > i) or (seen is not None and not seen[i][j])
        return self.iv.mpf(0) if is_hidden else self.iv.exp(x)

    # --- the block

    def block(self, x: Rows) -> Rows:
        for k, make in (("1", self.attention), ("2", self.feed_forward)):
            if self.setting.is_pre:
                x = self.put(f"R{k}", _added(x, make(self.norm(x, k))))
            else:
                x = self.norm(self.put(f"R{k}", _added(x, make(x))), k)
        return x

    def feed_forward(self, x: Rows) -> Rows:
        if "W_g" in self.given:
            inner = self.put("U", self.times(x, self.given["W_g"]))
            gate = self.put("G", [list(map(self.activated, r)) for r in inner])
            up = self.put("up", self.times(x, self.given["W_u"]))
            pairs = zip(gate, up, strict=True)
            gated = [[a * b for a, b in zip(r, s, strict=True)] for r, s in pairs]
            return self.put("F", self.times(self.put("gated", gated), self.given["W_d"]))
        inner = self.put("U", self.projected(x, "1"))
        made = self.put("G", [list(map(self.activated, r)) for r in inner])
        return self.put("F", self.projected(made, "2"))

    def activated(self, x: Any) -> Any:
        name = self.setting.activation
        return bent(self.iv, name, x) if name in CURVES else self.relu(x)

    def relu(self, x: Any) -> Any:
        """The number, or the slope times it below 0; all between where its sign is open."""
        slope = self.exact(self.setting.slope)
        if x.a >= 0 or x.b <= 0:
            return x * slope if x.b <= 0 else x  # the slope at 0 is that below it
        return x * self.iv.mpf([slope.a, 1])

    def norm(self, x: Rows, k: str) -> Rows:
        made = [self.normalised(row, k) for row in x]
        self.put(f"xhat{k}", made)
        gain, bias = self.given.get(f"gamma{k}"), self.given.get(f"beta{k}")
        if gain is None:
            return made
        bias = bias or [[self.iv.mpf(0)] * len(gain[0])]
        scaled = [
            [a * g + b for a, g, b in zip(row, gain[0], bias[0], strict=True)] for row in made
        ]
        return self.put(f"N{k}", scaled)

    def normalised(self, row: list[Any], k: str) -> list[Any]:
        size = len(row)
        mean = self.iv.mpf(0) if self.setting.is_rms else self.sum(row) / size
        correction = 0 if self.setting.is_rms else self.setting.correction
        var = self.sum((x - mean) ** 2 for x in row) / (size - correction)
        eps = self.exact(self.setting.eps)
        inside = self.setting.is_inside
        root = self.iv.sqrt(var + eps) if inside else self.iv.sqrt(var) + eps
        names = ("ms", "rms") if self.setting.is_rms else ("var", "sigma")
        columns = [(names[0], var), (names[1], root)]
        for name, value in columns if self.setting.is_rms else [("mu", mean), *columns]:
            self.found.setdefault(f"{name}{k}", []).append([value])
        return [(x - mean) / root for x in row]


def _turned(rows: Any) -> Rows:
    return [list(column) for column in zip(*rows, strict=True)]


def _part(rows: Rows, k: int, count: int) -> Rows:
    width = len(rows[0]) // count
    return [row[k * width : (k + 1) * width] for row in rows]


def _added(x: Rows, y: Rows) -> Rows:
    return [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(x, y, strict=True)]


def proves(value: Any, numeral: str, places: int, is_cut: bool) -> bool:
    """Whether every number in the interval rounds to the numeral, half a unit either way.

    is_cut: whether decimals are cut, so that it lies within a unit further from 0.  A numeral in
    powers of ten has its own last place.
    """
    mantissa, _, power = numeral.partition("e")
    unit = Fraction(1, 10**places)
    if power:
        digits = len(mantissa.partition(".")[2])
        unit = Fraction(10) ** (int(power) - digits)
    middle, half = Fraction(numeral), unit / 2
    low, high = middle - half, middle + half
    if is_cut:
        low, high = (middle - unit, middle) if middle < 0 else (middle, middle + unit)
        low = -unit if middle == 0 else low
    return bool(_fraction(value.a) >= low and _fraction(value.b) <= high)


def _fraction(x: Any) -> Fraction:
    """An end of an interval as what it is: a mantissa times a power of 2."""
    sign, mantissa, exponent, _ = x._mpi_[0]
    value = Fraction(int(mantissa)) * Fraction(2) ** exponent
    return -value if sign else value
