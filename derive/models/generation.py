"""Writing on: which word comes next, decided by proved comparisons of exact scores.

Greedy: the word with the largest score.  With a temperature tau and the k best words:
P = softmax(logits / tau), all but the k largest at -oo             Fan et al. 2018, sect. 5.4
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cmp_to_key

from derive.derivation import Derivation, Problem
from derive.errors import InputError, Undecided
from derive.exact import NEG_INF, Matrix, Scalar, number
from derive.exact.ball import sign
from derive.models.language import derive_language_model, probabilities
from derive.models.seq2seq import derive_written
from derive.ops import Mask, Rows, Scale


@dataclass(frozen=True)
class Choice:
    """The derivation of a next word, and the words whose score is the largest: one, or a tie."""

    derivation: Derivation
    words: tuple[str, ...]

    @property
    def is_tie(self) -> bool:
        """Whether several words have exactly the largest score."""
        return len(self.words) > 1


def generate(problem: Problem, steps: int) -> tuple[Choice, ...]:
    """Up to so many words after the text of a language model, each with its derivation.

    A tie ends it, since no word is the largest.  Undecided where two scores cannot be told apart;
    InputError where they hold symbols.
    """

    def derive(words: tuple[str, ...]) -> Derivation:
        return derive_language_model(replace(problem, tokens=words, targets=None))

    return _written(derive, problem.tokens, problem.vocabulary, steps, "")


def translate(problem: Problem, steps: int, start: str = "", end: str = "") -> tuple[Choice, ...]:
    """Up to so many words that an encoder-decoder writes, the inference view.

    It begins with `start`, by default the first word of the target, and stops after `end`, by
    default the target's last.  Ties, Undecided and InputError as in `generate`.
    """
    target = problem.targets or ()
    if not start and not target:
        raise InputError("there is no word to start from", expected="the word that starts a text")
    first, last = start or target[0], end or (target[-1] if len(target) > 1 else "")

    def derive(words: tuple[str, ...]) -> Derivation:
        return derive_written(problem, words)

    return _written(derive, (first,), problem.vocabulary, steps, last)


def _written(
    derive: Callable[[tuple[str, ...]], Derivation],
    words: tuple[str, ...],
    vocabulary: Sequence[str],
    steps: int,
    end: str,
) -> tuple[Choice, ...]:
    choices: list[Choice] = []
    while len(choices) < steps:
        choices.append(choice(derive(words), vocabulary))
        words = (*words, choices[-1].words[0])
        if choices[-1].is_tie or choices[-1].words[0] == end:
            break
    return tuple(choices)


def choice(d: Derivation, vocabulary: Sequence[str]) -> Choice:
    """The likeliest words after the last position."""
    places = largest(d.step("logits").value.rows[-1])
    return Choice(d, tuple(vocabulary[k - 1] for k in places))


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


def _check_temperature(temperature: Scalar) -> None:
    if temperature.is_number and sign(temperature) != 1:
        raise InputError("the temperature is not positive", expected="a number > 0")
