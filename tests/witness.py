"""A second reading of terms, in floating point at random values, that shares nothing with derive.

Scalars pass through SymPy; sums, products, functions and expectations are carried out here.
"""

import random
from itertools import product
from math import prod

import mpmath
import sympy

from derive.exact import NegativeInfinity, Scalar
from derive.exact.bridge import to_sympy

DIGITS = 40
CLOSE = mpmath.mpf(10) ** -20
COMPILED = {}


class Floats:
    """The letters of a claim's setting with random values between 1/2 and 2."""

    def __init__(self, setting, seed):
        self.setting, self.seed = setting, seed
        self.known = {}

    def letter(self, name):
        if name not in self.known:
            # Covariances small beside the variances, and a fourth moment that some law has.
            small = name.startswith("C_") and len(set(name.split("_")[-1])) > 1
            low, high = (0.1, 0.4) if small else (1.5, 3.0) if name == "kappa" else (0.5, 2.0)
            chosen = random.Random(f"{self.seed} {name}").uniform(low, high)
            self.known[name] = mpmath.mpf(chosen)
        return self.known[name]

    def scalar(self, x):
        if isinstance(x, NegativeInfinity):
            return -mpmath.inf
        if x not in COMPILED:
            expr = sympy.sympify(to_sympy(x))
            names = sorted(expr.free_symbols, key=str)
            COMPILED[x] = names, sympy.lambdify(names, expr, "mpmath")
        names, function = COMPILED[x]
        return mpmath.mpf(function(*(self.number(str(s)) for s in names)))

    def number(self, name):
        """A letter inside a formula: a size, an index that runs, or a free letter."""
        for table in (self.indices, self.setting.sizes):
            if name in table:
                return mpmath.mpf(table[name])
        return self.letter(name)

    # --- terms

    def value(self, term, indices):
        """Rows of numbers of a term, [[x]] for a number."""
        self.indices = {**self.setting.indices, **indices}
        return getattr(self, "_" + type(term).__name__)(term)

    def _at(self, i):
        return (
            i if isinstance(i, int) else self.setting.places.get(i) or self.indices.get(i) or int(i)
        )

    def _within(self, term, **indices):
        before, self.indices = self.indices, {**self.indices, **indices}
        found = getattr(self, "_" + type(term).__name__)(term)
        self.indices = before
        return found

    def _rows(self, matrix):
        return [[self.scalar(x) for x in row] for row in matrix.rows]

    def _named(self, name):
        return self._rows(self.setting.values[name])

    def _Value(self, x):
        return [[self.scalar(x.value)]]

    def _Digits(self, x):
        return [[mpmath.mpf(x.text)]]

    def _Symbol(self, x):
        return [[mpmath.mpf(self._at(x.name))]]

    def _Name(self, x):
        return self._named(x.step)

    def _Entry(self, x):
        matrix = self.setting.values[x.step]
        i, *rest = (self._at(i) - 1 for i in x.indices)
        if not rest:
            i, rest = (i, [0]) if len(matrix.rows[0]) == 1 else (0, [i])
        return [[self.scalar(matrix.rows[i][rest[0]])]]

    def _Row(self, x):
        return [self._named(x.step)[self._at(x.index) - 1]]

    def _Grid(self, x):
        def cell(entry):
            is_exact = isinstance(entry, (Scalar, NegativeInfinity))
            return self.scalar(entry) if is_exact else self._within(entry)[0][0]

        return [[cell(entry) for entry in row] for row in x.rows]

    def _each(self, function, x):
        return [[function(y) for y in row] for row in self._within(x)]

    def _Negative(self, x):
        return self._each(lambda y: -y, x.term)

    def _Exponential(self, x):
        return self._each(mpmath.exp, x.term)

    def _Power(self, x):
        return self._each(lambda y: y ** int(x.power), x.term)

    def _Function(self, x):
        return self._each(getattr(mpmath, x.function), x.term)

    def _Quotient(self, x):
        ((top,),), ((bottom,),) = self._within(x.top), self._within(x.bottom)
        return [[top / bottom]]

    def _Sum(self, x):
        return _summed([self._within(y) for y in x.terms])

    def _Product(self, x):
        return [[prod((self._within(y)[0][0] for y in x.factors), start=mpmath.mpf(1))]]

    def _BigSum(self, x):
        upper = self.setting.sizes.get(x.upper) or self._at(x.upper)
        return _summed([self._within(x.body, **{x.index: k}) for k in range(1, upper + 1)])

    def _Transpose(self, x):
        return _turned(self._within(x.matrix))

    def _MatrixProduct(self, x):
        first, *others = (self._within(f) for f in x.factors)
        for other in others:
            columns = _turned(other)
            first = [[sum(map(prod, zip(row, c, strict=True))) for c in columns] for row in first]
        return first

    def _Beside(self, x):
        return [
            [y for row in rows for y in row]
            for rows in zip(*map(self._within, x.parts), strict=True)
        ]

    def _Apply(self, x):
        match x.function:
            case "softmax":
                powers = [[mpmath.exp(y) for y in row] for row in self._within(x.argument)]
                return [[y / sum(row) for y in row] for row in powers]
            case "tr":
                return [[sum(row[k] for k, row in enumerate(self._within(x.argument)))]]
            case "E":
                return [[self.mean(x.argument, 1)]]
            case "Var":
                return [[self.mean(x.argument, 2) - self.mean(x.argument, 1) ** 2]]
        raise AssertionError(x.function)

    # --- chance: every outcome of a law that has the moments which are assumed

    def mean(self, term, power):
        before, total = dict(self.known), mpmath.mpf(0)
        for chance, values in self.outcomes():
            self.known = {**before, **values}
            total += chance * self._within(term)[0][0] ** power
        self.known = before
        return total

    def outcomes(self):
        vectors = {n: self.setting.values[n] for n in ("q", "k", "x") if n in self.setting.values}
        names = [str(to_sympy(y)) for matrix in vectors.values() for y in matrix]
        assumed = self.setting.functions["E"].__self__
        if "tr" in self.setting.functions:
            yield from self.joint(names)
            return
        letters = [n for n in names if n in assumed.letters]
        laws = [self.law(assumed, name) for name in letters]
        for chosen in product(*laws):
            yield (
                prod(p for p, _ in chosen),
                dict(zip(letters, (x for _, x in chosen), strict=True)),
            )

    def law(self, assumed, name):
        """Two values with the mean and the variance; three where the fourth moment is free."""
        moments = [assumed.moment({name: k}) for k in (1, 2)]
        mean, square = (self.scalar(x) for x in moments)
        try:
            fourth = self.scalar(assumed.moment({name: 4}))
        except ArithmeticError:
            deviation = mpmath.sqrt(square - mean**2)
            return [(mpmath.mpf(1) / 2, mean + s * deviation) for s in (-1, 1)]
        far, chance = mpmath.sqrt(fourth), 1 / fourth
        return [(1 - chance, mpmath.mpf(0)), (chance / 2, far), (chance / 2, -far)]

    def joint(self, names):
        """m + L z with z = (±1, ±1), whose covariance is L L^T."""
        factors = {}
        for x in "qk":
            a, b, c = (self.letter(f"C_{x}_{ij}") for ij in ("11", "12", "22"))
            root = mpmath.sqrt(a)
            factors[x] = [[root, 0], [b / root, mpmath.sqrt(c - (b / root) ** 2)]]
        for signs in product((-1, 1), repeat=4):
            values = {}
            for (x, row), z in zip(factors.items(), (signs[:2], signs[2:]), strict=True):
                for i in (0, 1):
                    spread = sum(l * s for l, s in zip(row[i], z, strict=True))
                    values[f"{x}_{i + 1}"] = self.letter(f"m_{x}_{i + 1}") + spread
            yield mpmath.mpf(1) / 16, values


def _summed(parts):
    """Entry by entry; a row of one number beside numbers is a number."""
    return [[sum(cells) for cells in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]


def _turned(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def flat(rows):
    """The entries, row by row."""
    return [x for row in rows for x in row]


def places(claim, setting):
    """Every choice of the indices that may be any."""
    ranges = [range(1, setting.sizes[size] + 1) for size in claim.over.values()]
    return [dict(zip(claim.over, chosen, strict=True)) for chosen in product(*ranges)]
