"""The variance of a score, and why it is divided by the root of d_k.

Var(q.k) = d_k for independent entries of mean 0 and variance 1   Vaswani et al. 2017, footnote 4
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product

from derive.exact import Matrix, Scalar, exp, matrix, number, symbol
from derive.exact.trace import Apply, Function, Indexed, Product, Term, Value
from derive.numerals import Format
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.expectation import Law, Outcomes, enumerated, independent, vectors
from derive.theorems.letters import column, fraction, letter, of, total
from derive.theorems.theorem import Tabled, Theorem, note, said
from derive.theorems.value import Setting

q, k = Indexed("q"), Indexed("k")
MU_Q, MU_K, SIGMA_Q, SIGMA_K = (letter(x) for x in ("mu_q", "mu_k", "sigma_q", "sigma_k"))
DOT = total(q["i"] * k["i"], "i", "d_k")
ROOT = Function("sqrt", letter("d_k"))


def theorem() -> Theorem:
    """In general means and variances, then in the assumptions of the paper, then for vectors."""
    return Theorem(
        "variance",
        statement=(*said("statement"), *_plain()),
        assumptions=said("assumptions"),
        proof=(
            *said("one"), *_one_term(), *said("two"), _uncorrelated(), *said("sum"), *_whole(),
            *said("centred", "vectors"), _vectors(),
        ),
        example=(
            *said("example"), _enumeration(), *said("wide"), *_wide(), *said("scaled"), _even(),
        ),
        breaks=(*said("same"), *_same(), note("norm")),
        letters={
            "q.k": Product((of("q"), of("k").T)), "E s": _mean(letter("s")),
            "Var s": _variance(letter("s")), "E s^4": _mean(Value(symbol("s") ** 4)),
            "Var s/d": _variance(letter("s")) / letter("d_k"), "E q^2": _mean(q["i"] ** 2),
            "q_i": q["i"], "k_i": k["i"], "kappa": _mean(q["i"] ** 4), "root": ROOT,
        },
    )  # fmt: skip


def _mean(x: Term) -> Apply:
    return Apply("E", x)


def _variance(x: Term) -> Apply:
    return Apply("Var", x)


# --- laws


def _settings(law: Law, sizes: tuple[int, ...] = (1, 2, 3)) -> tuple[Setting, ...]:
    return tuple(
        Setting({"q": column("q", d), "k": column("k", d)}, {"d_k": d}, law.functions)
        for d in sizes
    )


def _law(means: tuple[Scalar, Scalar], deviations: tuple[Scalar, Scalar], d: int = 3) -> Law:
    """Independent entries with these means and deviations of q and of k."""
    moments = {
        f"{name}_{i}": (number(1), mu, mu * mu + sigma * sigma)
        for name, mu, sigma in zip("qk", means, deviations, strict=True)
        for i in range(1, d + 1)
    }
    return independent(moments)


GENERAL = _settings(
    _law((MU_Q.value, MU_K.value), (SIGMA_Q.value, SIGMA_K.value))  # type: ignore[arg-type]
)
STANDARD = _settings(_law((number(0), number(0)), (number(1), number(1))))


# --- the proof


def _square(x: Value) -> Value:
    assert isinstance(x.value, Scalar)
    return Value(x.value**2)


def _spread() -> Term:
    both = _square(SIGMA_Q) * _square(SIGMA_K)
    return both + _square(MU_Q) * _square(SIGMA_K) + _square(MU_K) * _square(SIGMA_Q)


def _scaled(x: Term) -> Term:
    return (fraction(1) / ROOT) * x


def _plain() -> tuple[Claim, ...]:
    scaled = claim(_variance(_scaled(DOT)), fraction(1), settings=STANDARD)
    return (
        claim(_mean(DOT), fraction(0), settings=STANDARD),
        claim(_variance(DOT), letter("d_k"), settings=STANDARD),
        scaled,
    )


def _one_term() -> tuple[Claim, ...]:
    one, seconds = q["i"] * k["i"], _mean(q["i"] ** 2) * _mean(k["i"] ** 2)
    expanded = (_square(MU_Q) + _square(SIGMA_Q)) * (_square(MU_K) + _square(SIGMA_K))
    every = partial(claim, over="i:d_k", settings=GENERAL)
    return (
        every(_mean(one), _mean(q["i"]) * _mean(k["i"]), MU_Q * MU_K),
        every(_mean(q["i"] ** 2 * k["i"] ** 2), seconds, expanded),
        every(_variance(one), expanded - _square(MU_Q) * _square(MU_K), _spread()),
    )


def _uncorrelated() -> Claim:
    """For every two different indices."""
    pairs = tuple(
        s.at({"i": i, "j": j})
        for s in GENERAL
        for i, j in product(range(1, s.sizes["d_k"] + 1), repeat=2)
        if i != j
    )
    together = _mean(q["i"] * k["i"] * q["j"] * k["j"])
    apart = _mean(q["i"] * k["i"]) * _mean(q["j"] * k["j"])
    return claim(together - apart, fraction(0), settings=pairs)


def _whole() -> Iterator[Claim]:
    each = total(_variance(q["i"] * k["i"]), "i", "d_k")
    yield claim(_mean(DOT), letter("d_k") * MU_Q * MU_K, settings=GENERAL)
    yield claim(_variance(DOT), each, letter("d_k") * _spread(), settings=GENERAL)
    yield claim(
        _variance(_scaled(DOT)),
        (fraction(1) / letter("d_k")) * _variance(DOT),
        _spread(),
        settings=GENERAL,
    )


# --- vectors of any covariance


def _symmetric(name: str) -> Matrix:
    entry = [[symbol(f"{name}_{min(i, j)}{max(i, j)}") for j in (1, 2)] for i in (1, 2)]
    return matrix(entry)


def _joint() -> Setting:
    """Two entries, any means, any covariance within q and within k."""
    covariances = {"q": _symmetric("C_q"), "k": _symmetric("C_k")}
    means = {f"{x}_{i}": symbol(f"m_{x}_{i}") for x in "qk" for i in (1, 2)}

    def covariance(a: str, b: str) -> Scalar:
        found: Scalar = covariances[a[0]][int(a[-1]) - 1, int(b[-1]) - 1]
        return found

    vector = {f"m_{x}": Matrix([[means[f"{x}_{i}"]] for i in (1, 2)]) for x in "qk"}
    matrices = {f"C_{x}": covariances[x] for x in "qk"}
    functions = {**vectors(means, covariance).functions, "tr": _trace}
    values = {"q": column("q", 2), "k": column("k", 2), **vector, **matrices}
    return Setting(values, {"d_k": 2}, functions)


def _trace(x: Matrix) -> Scalar:
    return sum((x[i, i] for i in range(x.shape[0])), number(0))


def _vectors() -> Claim:
    trace = Apply("tr", of("C_q") @ of("C_k"))
    a = of("m_q").T @ of("C_k") @ of("m_q")
    b = of("m_k").T @ of("C_q") @ of("m_k")
    return claim(_variance(DOT), trace + a + b, settings=(_joint(),))


# --- numbers

LAWS: dict[str, Outcomes] = {
    "signs": tuple((number(x), number(1, 2)) for x in (-1, 1)),
    "three": tuple((number(x), number(p, 8)) for x, p in ((-2, 1), (0, 6), (2, 1))),
    "skew": tuple((number(x), number(p, 5)) for x, p in ((-1, 4), (4, 1))),
}
"""Entries with equal chances of -1 and 1; 1/8, 3/4, 1/8; and 4/5, 1/5: all of mean 0."""


def _moment(entry: Outcomes, power: int) -> Scalar:
    return sum((p * x**power for x, p in entry), number(0))


def _enumeration() -> Tabled:
    rows: list[tuple[Term | str, ...]] = []
    claims: list[Claim] = []
    for (name, entry), d in product(LAWS.items(), (1, 2, 3)):
        over_all = enumerated(entry, d)
        found = [over_all(lambda s, n=n: s**n) for n in (1, 2, 4)]  # type: ignore[misc]
        v, fourth = _moment(entry, 2), _moment(entry, 4)
        expected = (number(0), d * v**2, d * fourth**2 + 3 * d * (d - 1) * v**4)
        claims += [claim(Value(x), Value(y)) for x, y in zip(found, expected, strict=True)]
        rows.append((name, *(Value(x) for x in (number(d), *found[:2], found[1] / d, found[2]))))
    return Tabled(("law", "width", "mean", "var", "by width", "fourth"), tuple(rows), tuple(claims))


def _wide() -> Iterator[Claim]:
    """d_k = 512: the deviation, that of the difference of two scores, and what softmax makes."""
    root, gap = number(512).sqrt(), number(2 * 512).sqrt()
    yield claim(Function("sqrt", fraction(512)), Value(root), ("~", digits(root, Format(places=3))))
    yield claim(Function("sqrt", fraction(2) * fraction(512)), Value(gap), is_dotted=True)
    yield _share(gap)


def _even() -> Claim:
    return _share(number(2).sqrt())


def _share(gap: Scalar) -> Claim:
    """The smaller weight of two scores so far apart."""
    found = 1 / (1 + exp(gap))
    return claim(Value(found), ("~", digits(found, Format(digits=6))))


def _same() -> tuple[Claim, ...]:
    """q = k: each term is a square, whose mean is not 0."""
    moments = {
        f"q_{i}": (number(1), number(0), number(1), number(0), symbol("kappa")) for i in (1, 2, 3)
    }
    law = independent(moments)
    settings = _settings(law)
    square = total(q["i"] ** 2, "i", "d_k")
    spread = letter("d_k") * (letter("kappa") - fraction(1))
    return (
        claim(_mean(square), letter("d_k"), settings=settings),
        claim(_variance(square), spread, settings=settings),
    )
