"""A layer whose sublayer gives 0: pre-norm passes its input on, post-norm does not."""

from __future__ import annotations

from derive.conventions import Conventions
from derive.derivation import Derivation, Problem
from derive.exact import Matrix, matrix, number, symbol
from derive.exact.trace import Function, Grid, Indexed
from derive.models.block import derive_block
from derive.ops import Deviation, Normalize, Residual, RowMeans, Variance
from derive.theorems.claim import Claim, claim
from derive.theorems.letters import applied, fraction, free, letter, of, total
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

X = Indexed("H")
EPSILON = symbol("epsilon")


def theorem() -> Theorem:
    """X + 0 = X, but LN(X + 0) has rows of mean 0."""
    return Theorem(
        "residual",
        statement=said("statement"),
        assumptions=said("assumptions"),
        proof=(
            *said("pre"), _sum(), *said("post"), _mean(), *said("mean"),
            *said("fixed"), *_fixed(),
        ),
        example=_example(),
        breaks=(*said("branch"), note("start")),
        letters={"LN": letter("LN"), "v": letter("v"), "1-eps": fraction(1) - letter("epsilon")},
    )  # fmt: skip


def _free() -> Setting:
    x = free("H", 2, 3)
    mean = applied(RowMeans(), x)
    variance = applied(Variance(), x, mean)
    sigma = applied(Deviation(EPSILON), variance)
    zero = Matrix([[number(0)] * 3] * 2)
    found = {"mu": mean, "sigma": sigma, "xhat": applied(Normalize(), x, mean, sigma)}
    values = {"H": x, "F": zero, "R": applied(Residual(), x, zero), **found}
    return Setting(values, {"n": 2, "d": 3})


FREE = (_free(),)


def _sum() -> Claim:
    h, f, r = (Indexed(name)["i", "j"] for name in "HFR")
    return claim(r, h + f, h + fraction(0), h, over="i:n j:d", settings=FREE)


def _mean() -> Claim:
    """The mean of a normalised row is 0, whatever went in."""
    mu, sigma = Indexed("mu")["i"], Indexed("sigma")["i"]
    d = letter("d")
    normal = total(Indexed("xhat")["i", "j"], "j", "d")
    each = total((X["i", "j"] - mu) / sigma, "j", "d")
    apart = (total(X["i", "j"], "j", "d") - d * mu) / sigma
    return claim(normal, each, apart, fraction(0), over="i:n", settings=FREE)


def _fixed() -> tuple[Claim, ...]:
    """With variance 1 - eps the deviation is 1."""
    v = fraction(1) - letter("epsilon")
    return (claim(Function("sqrt", v + letter("epsilon")), fraction(1)),)


# --- numbers, through the whole block

INPUT = matrix([[1, 2, 3], [0, 4, 2]])
WEIGHTS = ("W_Q", "W_K", "W_V", "W_1")


def _block(norm: str) -> Derivation:
    """A block whose two sublayers end in zeros: W_O = 0 and W_2 = 0."""
    unit = matrix([[int(i == j) for j in range(3)] for i in range(3)])
    zero = unit * number(0)
    given = {"H": INPUT, **dict.fromkeys(WEIGHTS, unit), "W_O": zero, "W_2": zero}
    return derive_block(Problem("block", given, Conventions(norm=norm, eps=number(0))))


def _example() -> tuple[Item, ...]:
    pre, post = _block("pre"), _block("post")
    kept = (Setting({"H": INPUT, "R2": pre.step("R2").value, "Y": pre.step("Y").value}),)
    found = post.steps[-1].value
    return (
        *said("example", "kept"),
        claim(of("R2"), Grid(pre.step("R2").value.rows), of("H"), settings=kept),
        *said("changed"),
        claim(of("N2"), found, ("!=", INPUT), settings=(Setting({"N2": found}),)),
    )
