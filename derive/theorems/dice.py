"""One throw of a die with N faces, beside the sum of d throws."""

from __future__ import annotations

from derive.exact import Scalar, number, symbol
from derive.exact.trace import Apply, Function, Indexed, Term, Value
from derive.numerals import Format
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.expectation import independent
from derive.theorems.letters import column, fraction, letter, total
from derive.theorems.theorem import Tabled, Theorem, said
from derive.theorems.value import Setting

N, FACE = letter("N"), letter("x")
N_SQUARED, FACE_SQUARED = Value(symbol("N") ** 2), Value(symbol("x") ** 2)
D_SIGMA = Value(symbol("d") * symbol("sigma") ** 2)
DICE = tuple(Setting(sizes={"N": n}) for n in (2, 6, 512))
MOMENTS = {
    f"x_{i}": (number(1), symbol("mu"), symbol("mu") ** 2 + symbol("sigma") ** 2) for i in (1, 2, 3)
}
THROWS = tuple(
    Setting({"x": column("x", d)}, {"d": d}, independent(MOMENTS).functions) for d in (1, 2, 3)
)
"""d independent throws with any mean mu and variance sigma^2."""


def theorem() -> Theorem:
    """(N^2 - 1)/12 grows with the square of N, the variance of a sum with the number of terms."""
    return Theorem(
        "dice",
        statement=(*said("statement"), _one_throw(DICE), *said("and"), _sum_of_throws()),
        assumptions=said("assumptions"),
        proof=(
            *said("sums"), *_sums(), *said("step"), *_steps(),
            *said("one"), _combined(), *said("many"), _each(),
        ),
        example=(*said("example"), _table(), *said("deviation"), *_deviations()),
        breaks=said("meant"),
        letters={"d sigma^2": D_SIGMA},
    )  # fmt: skip


def _uniform() -> Term:
    return (N_SQUARED - fraction(1)) / fraction(12)


def _first(n: Term) -> Term:
    return (n * (n + fraction(1))) / fraction(2)


def _second(n: Term) -> Term:
    return (n * (n + fraction(1)) * (fraction(2) * n + fraction(1))) / fraction(6)


def _over_n(x: Term) -> Term:
    return (fraction(1) / N) * x


def _one_throw(settings: tuple[Setting, ...]) -> Claim:
    mean = _over_n(total(FACE, "x", "N"))
    squares = _over_n(total(FACE_SQUARED, "x", "N"))
    return claim(squares - mean**2, _uniform(), settings=settings)


def _sum_of_throws() -> Claim:
    throws = total(Indexed("x")["i"], "i", "d")
    return claim(Apply("Var", throws), D_SIGMA, settings=THROWS)


def _sums() -> tuple[Claim, ...]:
    return (
        claim(total(FACE, "x", "N"), _first(N), settings=DICE),
        claim(total(FACE_SQUARED, "x", "N"), _second(N), settings=DICE),
    )


def _steps() -> tuple[Claim, ...]:
    """Each formula grows by its last term from N - 1 to N, and is 0 at 0."""
    before = Value(symbol("N") - 1)
    return (
        claim(_first(N) - (before * N) / fraction(2), N),
        claim(_second(N) - (before * N * Value(2 * symbol("N") - 1)) / fraction(6), N_SQUARED),
    )


def _combined() -> Claim:
    return claim(_over_n(_second(N)) - _over_n(_first(N)) ** 2, _uniform())


def _each() -> Claim:
    x = Indexed("x")
    each = total(Apply("Var", x["i"]), "i", "d")
    throws = Apply("Var", total(x["i"], "i", "d"))
    return claim(throws, each, D_SIGMA, settings=THROWS)


# --- numbers


def _die(n: int) -> Scalar:
    faces = [number(x) for x in range(1, n + 1)]
    mean = sum(faces, number(0)) / n
    return sum(((x - mean) ** 2 for x in faces), number(0)) / n


def _table() -> Tabled:
    """The variance by definition, beside the formula; the last is that of 512 entries of ±1."""
    values = {
        "coin": _die(2),
        "die": _die(512),
        "two dice": 2 * _die(6),
        "many dice": 512 * _die(6),
        "signs": 512 * number(1),
    }
    formulas = (_of(2), _of(512), 2 * _of(6), 512 * _of(6), number(512))
    claims = tuple(
        claim(Value(x), Value(y)) for x, y in zip(values.values(), formulas, strict=True)
    )
    rows = tuple((key, Value(x), digits(x, Format(places=2))) for key, x in values.items())
    return Tabled(("throw", "variance", "decimal"), rows, claims)


def _of(n: int) -> Scalar:
    return number(n * n - 1, 12)


def _deviations() -> tuple[Claim, ...]:
    one, many = number(87381, 4), number(512)
    return tuple(
        claim(
            Function("sqrt", Value(x)), Value(x.sqrt()), ("~", digits(x.sqrt(), Format(places=3)))
        )
        for x in (one, many)
    )
