"""Which word comes next: the largest score, or the word that a given number draws, both proved.

With a temperature tau and the k best words: P = softmax(logits / tau), all but the k largest scores
at -oo                                                              Fan et al. 2018, sect. 5.4
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key

from derive.derivation import Derivation
from derive.errors import InputError, Undecided
from derive.exact import NEG_INF, ZERO, Matrix, Scalar, number
from derive.exact.ball import sign
from derive.models.language import probabilities
from derive.ops import Mask, Rows, Scale


@dataclass(frozen=True)
class Sampling:
    """How the next word is found: None and () are the largest score, as it is.

    draws: one number in [0, 1) for each word, which says in whose share of the interval it lies.
    """

    temperature: Scalar | None = None
    k: int | None = None
    draws: tuple[Scalar, ...] = ()

    def check(self) -> None:
        """InputError for a temperature that is no positive number, or a draw outside [0, 1)."""
        t = self.temperature
        if t is not None:
            if not t.is_number:
                raise InputError("the temperature is a symbol", expected="a number > 0")
            _check_temperature(t)
        for k, u in enumerate(self.draws, 1):
            if not u.is_number or order(u, ZERO) < 0 or order(u, number(1)) >= 0:
                raise InputError(f"draw {k} cannot be {u!r}", expected="a number from 0, below 1")


def largest(scores: Sequence[Scalar]) -> tuple[int, ...]:
    """The places, counted from 1, of the largest score: several where they are proved equal."""
    places = [1]
    for k, score in enumerate(scores[1:], 2):
        side = order(score, scores[places[0] - 1])
        if side >= 0:
            places = [k] if side else [*places, k]
    return tuple(places)


def order(x: Scalar, y: Scalar) -> int:
    """1, 0 or -1 as x is larger than y, equal or smaller, proved; else Undecided."""
    difference = x - y
    if not difference.is_number and not difference.is_zero:
        raise InputError("scores with symbols cannot be compared", expected="numbers")
    side = sign(difference)
    if side is None:
        raise Undecided("which of two scores is the larger is not decided")
    return side


def sampled(d: Derivation, temperature: Scalar | None = None, k: int | None = None) -> Derivation:
    """next.P: the probabilities of the word after the last, sharpened, and cut to the k best.

    next.logits is the last row of logits, next.scaled that row over the temperature, next.masked
    has -oo but for the k largest.  InputError for a temperature that is not positive, a k that is
    no number of words, or a tie between the k-th and the next.
    """
    n, words = d.step("logits").shape
    last = "next.logits"
    d = d.then(last, Rows(n, n), "logits")
    if temperature is not None:
        _check_temperature(temperature)
        d, last = d.then("next.scaled", Scale(temperature), last), "next.scaled"
    if k is not None:
        if not 1 <= k <= words:
            raise InputError(f"k cannot be {k}", expected=f"a number of words from 1 to {words}")
        hidden = best(d.step("next.logits").value.rows[0], k)
        d, last = d.then("next.masked", Mask(hidden), last), "next.masked"
    return probabilities(d, last, "next.")


def best(scores: Sequence[Scalar], k: int) -> Matrix:
    """The row that is 0 at the k largest scores and -oo elsewhere; InputError for a tie there."""

    def falls(i: int, j: int) -> int:
        return order(scores[j], scores[i])

    places = range(len(scores))
    falling = sorted(places, key=cmp_to_key(falls))
    if k < len(scores) and order(scores[falling[k - 1]], scores[falling[k]]) == 0:
        raise InputError(
            f"the {k} largest scores are not determined: two are equal",
            expected="a k that divides no tie",
        )
    kept = set(falling[:k])
    return Matrix([[number(0) if i in kept else NEG_INF for i in places]])


def drawn(d: Derivation, u: Scalar) -> int:
    """The place, counted from 1, of the word in whose share of [0, 1) u lies.

    The shares are next.P, one after the other in the order of the vocabulary.
    """
    bound, total = u * d.step("next.Z").value[0, 0], ZERO
    powers = d.step("next.exp").value.rows[0]
    for k, power in enumerate(powers, 1):
        total = total + power
        if order(bound, total) < 0:
            return k
    return len(powers)


def _check_temperature(temperature: Scalar) -> None:
    if temperature.is_number and sign(temperature) != 1:
        raise InputError("the temperature is not positive", expected="a number > 0")
