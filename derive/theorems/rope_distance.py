"""Rotary positions: the score of two rotated vectors knows their distance only."""

from __future__ import annotations

from collections.abc import Callable

from derive.exact import Matrix, Scalar, cos, matrix, number, sin, symbol
from derive.exact.addition import added
from derive.exact.trace import Indexed, Value
from derive.numerals import Format
from derive.ops import Rotate, Sinusoid
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import applied, letter, of, row
from derive.theorems.theorem import Item, Theorem, note, said
from derive.theorems.value import Setting

P, R, S = symbol("p"), symbol("r"), symbol("s")
OMEGA = symbol("omega")
LAYOUTS = ("adjacent", "halves")
D = 4


def theorem() -> Theorem:
    """<R_p q, R_r k> = <R_{p+s} q, R_{r+s} k>, in both layouts."""
    return Theorem(
        "rope-distance",
        statement=(*said("statement"), _shifted()),
        assumptions=said("assumptions"),
        proof=(
            *said("pair"), *_pair(), *said("distance"), _kept(),
            *said("sum"), _length(), *said("length"),
        ),
        example=_example(),
        breaks=(*said("added"), *_added(), note("values")),
        letters={
            "S_pr": Indexed("S")["p", "r"], "p-r": letter("p") - letter("r"),
            "w": letter("omega"), "q": of("q"), "k": of("k"),
        },
    )  # fmt: skip


# --- in four columns, by the operation itself


def _setting(layout: str) -> Setting:
    """Rows q and k of letters; S_{p,r} is the score of q at position p with k at position r."""
    places = ((P, R), (P + S, R + S))
    q, k = row("q", D), row("k", D)
    scores = [
        [(_at(q, p, layout) @ _at(k, r, layout).T)[0, 0] for _, r in places] for p, _ in places
    ]
    values = {"S": matrix(scores), "Q": q, "Q_R": _at(q, P, layout)}
    return Setting(values, {"d_k": D}, places=SHIFTED, reduced=added)


SHIFTED = {"p": 1, "r": 1, "p+s": 2, "r+s": 2}


def _at(x: Matrix, position: Scalar, layout: str) -> Matrix:
    """The rotation of the operation itself, at a position that is a letter."""
    return applied(Rotate(start=position, layout=layout), x)  # type: ignore[arg-type]


FREE = tuple(map(_setting, LAYOUTS))


def _shifted() -> Claim:
    scores = Indexed("S")
    return claim(scores["p", "r"], scores["p+s", "r+s"], settings=FREE)


def _length() -> Claim:
    """A rotation keeps lengths."""
    return claim(of("Q_R") @ of("Q_R").T, of("Q") @ of("Q").T, settings=FREE)


# --- one pair, at any frequency


def _turned(x: str, a: Scalar) -> Matrix:
    first, second = symbol(f"{x}_1"), symbol(f"{x}_2")
    return matrix([[first * cos(a) - second * sin(a), first * sin(a) + second * cos(a)]])


def _pair() -> tuple[Claim, ...]:
    """Of one pair: the inner product and the area, by cosine and sine of the distance."""
    q1, q2, k1, k2 = (symbol(x) for x in ("q_1", "q_2", "k_1", "k_2"))
    left, right = _turned("q", P * OMEGA), _turned("k", R * OMEGA)
    values = {"Q_R": left, "K_R": right, "S": left @ right.T}
    settings = (Setting(values, places={"p": 1, "r": 1}, reduced=added),)
    inner, area = Value(q1 * k1 + q2 * k2), Value(q1 * k2 - q2 * k1)
    gap = P * OMEGA - R * OMEGA
    found = inner * Value(cos(gap)) + area * Value(sin(gap))
    return (
        claim(of("Q_R"), left, settings=settings),
        claim(of("K_R"), right, settings=settings),
        claim(Indexed("S")["p", "r"], found, settings=settings),
    )


def _kept() -> Claim:
    p, r, s, w = (letter(x) for x in ("p", "r", "s", "omega"))
    return claim((p + s) * w - (r + s) * w, p * w - r * w)


# --- numbers

PLACES = {"0": 1, "1": 1, "5": 2, "6": 2}
"""Positions 0 and 1, then 5 and 6; as places in a matrix of scores."""
QUERY, KEY = matrix([[1, 2]]), matrix([[3, 1]])


def _scores(at: Callable[[Matrix, int], Matrix]) -> Setting:
    """S with the score at 0, 1 and that at 5, 6 on its diagonal."""
    early, late = ((at(QUERY, p) @ at(KEY, p + 1).T)[0, 0] for p in (0, 5))
    values = {"S": matrix([[early, number(0)], [number(0), late]])}
    return Setting(values, places=PLACES, reduced=added)


def _example() -> tuple[Item, ...]:
    setting = _scores(lambda x, p: applied(Rotate(start=p), x))
    exact = setting.values["S"][0, 0]
    early, late = Indexed("S")["0", "1"], Indexed("S")["5", "6"]
    rounded = digits(exact, Format(places=3))
    return (*said("example"), claim(late, early, Value(exact), ("~", rounded), settings=(setting,)))


def _added() -> tuple[Item, ...]:
    """Sinusoids added to q and k: the two scores differ."""
    setting = _scores(lambda x, p: x + applied(Sinusoid(1, 2, start=p)))
    scores = setting.values["S"]
    early, late = Indexed("S")["0", "1"], Indexed("S")["5", "6"]
    shown = [digits(scores[k, k], Format(places=3)) for k in (0, 1)]
    return (
        claim(early, ("~", shown[0]), settings=(setting,)),
        claim(late, ("~", shown[1]), settings=(setting,)),
        claim(early, ("!=", late), settings=(setting,), is_shown=False),
    )
