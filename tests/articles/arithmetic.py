"""The arithmetic of the witness: mpmath at sixty digits, matrices as lists of rows."""

import struct
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal

import mpmath

mpmath.mp.dps = 60
WIDE = Context(prec=120)
INF = mpmath.mpf("inf")


def real(text):
    return mpmath.mpf(text)


def turned(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def product(a, b):
    return [[mpmath.fsum(x * y for x, y in zip(r, c, strict=True)) for c in turned(b)] for r in a]


def mapped(function, *matrices):
    """Entry by entry; a row or a column is repeated where it has to be."""
    n, m = max(len(a) for a in matrices), max(len(a[0]) for a in matrices)

    def at(a, i, j):
        return a[i if len(a) > 1 else 0][j if len(a[0]) > 1 else 0]

    return [[function(*(at(a, i, j) for a in matrices)) for j in range(m)] for i in range(n)]


def plus(*matrices):
    return mapped(lambda *xs: mpmath.fsum(xs), *matrices)


def times(a, number):
    return mapped(lambda x: x * number, a)


def power(x, base=None):
    if x == -INF:
        return mpmath.mpf(0)
    return mpmath.exp(x) if base is None else mpmath.mpf(base) ** x


def shares(rows):
    return [[x / mpmath.fsum(row) for x in row] for row in rows]


def softmax(rows, base=None):
    return shares([[power(x, base) for x in row] for row in rows])


def sums(rows):
    return [[mpmath.fsum(row)] for row in rows]


def means(rows):
    return [[mpmath.fsum(row) / len(row)] for row in rows]


def less_means(rows):
    return mapped(lambda x, m: x - m, rows, means(rows))


def variances(rows, correction=0):
    return [[mpmath.fsum(x * x for x in row) / (len(row) - correction)] for row in less_means(rows)]


def roots(rows):
    return mapped(mpmath.sqrt, rows)


def masked(rows, keeps=lambda i, j: j <= i, value=-INF):
    return [[x if keeps(i, j) else value for j, x in enumerate(row)] for i, row in enumerate(rows)]


def encodings(n, d, base=10000, start=0, index=lambda i, d: 2 * i, swapped=False, halves=False):
    """Sinusoids; `index(i, d)` over d is the exponent of pair i."""

    def entry(p, j):
        i, second = (j % (d // 2), j >= d // 2) if halves else divmod(j, 2)
        angle = p / mpmath.mpf(base) ** (mpmath.mpf(index(i, d)) / d)
        return mpmath.cos(angle) if bool(second) != swapped else mpmath.sin(angle)

    return [[entry(start + p, j) for j in range(d)] for p in range(n)]


def rotated(rows, base=10000, start=0, index=lambda i, d: 2 * i, sign=1, unit=1):
    """Pairs of neighbours turned by angles that grow with the row."""
    n, d = len(rows), len(rows[0])
    made = []
    for p in range(n):
        row = []
        for i in range(d // 2):
            angle = unit * (start + p) / mpmath.mpf(base) ** (mpmath.mpf(index(i, d)) / d)
            c, s = mpmath.cos(angle), sign * mpmath.sin(angle)
            x, y = rows[p][2 * i : 2 * i + 2]
            row += [x * c - y * s, x * s + y * c]
        made.append(row)
    return made


def single(x):
    """The nearest number of single precision."""
    return x if x in (INF, -INF) else mpmath.mpf(struct.unpack("f", struct.pack("f", float(x)))[0])


def decimal(x):
    """Thirty decimals; a decimal number is itself."""
    return Decimal(mpmath.nstr(mpmath.mpf(x), 45, strip_zeros=False)).quantize(
        Decimal("1e-30"), context=WIDE
    )


def figures(x, places, is_cut=False):
    """The digits of a number to so many places."""
    if x == -INF:
        return "-inf"
    rounding = ROUND_DOWN if is_cut else ROUND_HALF_UP
    made = decimal(x).quantize(Decimal(1).scaleb(-places), rounding=rounding, context=WIDE)
    return f"{made if made else abs(made):f}"


def is_right(text, x, is_cut=False):
    """Whether digits round, or with `is_cut` cut, a number; a tie goes either way."""
    if text == "-inf" or x == -INF:
        return text == "-inf" and x == -INF
    unit = Decimal(1).scaleb(-len(text.partition(".")[2]))
    beyond = decimal(x) - Decimal(text)
    if abs(beyond) <= unit / 2 + Decimal("1e-27"):
        return True
    side = decimal(x).copy_sign(Decimal(1)) if not Decimal(text) else Decimal(text)
    return is_cut and 0 <= (beyond if side > 0 else -beyond) < unit
