"""The frequency of a sinusoid belongs to its pair of columns, not to the position."""

from __future__ import annotations

from collections.abc import Iterator

from derive.exact import PI, Scalar, symbol
from derive.exact.angles import angle
from derive.exact.trace import Symbol, Value
from derive.numerals import Format
from derive.theorems.claim import Claim, claim, digits
from derive.theorems.letters import fraction, letter
from derive.theorems.theorem import Tabled, Theorem, note, said

P = symbol("p")
BASE, WIDTH = 10000, 8
PAIRS = range(WIDTH // 2)
OMEGA = letter("omega_i")


def theorem() -> Theorem:
    """The angle grows by omega_i at every position; omega_i falls with i alone."""
    return Theorem(
        "frequency",
        statement=(*said("statement"), _growth(), *said("falling"), _ratios()),
        assumptions=said("assumptions"),
        proof=(*said("growth"), *_each_pair(), *said("falls"), *_same_ratio(), *said("so")),
        example=(*said("example"), _table(), *said("positions"), _positions()),
        breaks=(*said("meant"), note("far")),
        letters={"angle": letter("p") * OMEGA},
    )


def _omega(i: int) -> Scalar:
    return angle(1, i, BASE, WIDTH)


def _growth() -> Claim:
    """From p to p + 1, whatever p is."""
    p = letter("p")
    return claim((p + fraction(1)) * OMEGA - p * OMEGA, OMEGA)


def _ratios() -> Claim:
    first, *others = (Value(_omega(i)) for i in PAIRS)
    return claim(first, *((">", x) for x in others))


def _each_pair() -> tuple[Claim, ...]:
    """The angles of the operation itself, at the letter p."""
    return tuple(claim(_turned(P + 1, i) - _turned(P, i), Value(_omega(i))) for i in PAIRS)


def _turned(position: int | Scalar, i: int) -> Value:
    return Value(angle(position, i, BASE, WIDTH))


def _same_ratio() -> Iterator[Claim]:
    """omega_{i+1} / omega_i is the same for every i."""
    ratio = Value(_omega(1) / _omega(0))
    for i in PAIRS[:-1]:
        yield claim(Value(_omega(i + 1)), ratio * Value(_omega(i)), is_dotted=True)


def _table() -> Tabled:
    """Eight columns, base 10000: each pair with its frequency and the positions of a turn."""
    waves = [2 * PI / _omega(i) for i in PAIRS]
    rows = tuple(
        (
            Symbol(f"{2 * i + 1}, {2 * i + 2}"),
            Value(_omega(i)),
            Value(x),
            digits(x, Format(places=1)),
        )
        for i, x in zip(PAIRS, waves, strict=True)
    )
    claims = tuple(
        claim(Value(_omega(i) * x), Value(2 * PI)) for i, x in zip(PAIRS, waves, strict=True)
    )
    return Tabled(("columns", "frequency", "turn", "decimal"), rows, claims)


def _positions() -> Claim:
    """The second pair turns by 1/10 between 0 and 1, and between 1000 and 1001."""
    early, late = (_turned(p + 1, 1) - _turned(p, 1) for p in (0, 1000))
    return claim(early, late, Value(_omega(1)))
