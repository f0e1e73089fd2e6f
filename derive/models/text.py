"""Words as numbers, and numbers as words again."""

from __future__ import annotations

from collections.abc import Sequence

from derive.derivation import Problem
from derive.errors import InputError, nearest, quoted


def numbers_of(words: Sequence[str], problem: Problem, what: str = "the text") -> tuple[int, ...]:
    """The place of each word in the vocabulary, counted from 1.

    InputError where there is no word, or one that the vocabulary does not hold.
    """
    check_vocabulary(problem)
    if not words:
        raise InputError(f"{what} is empty", expected="words of the vocabulary, at least one")
    places = {word: k for k, word in enumerate(problem.vocabulary, 1)}
    for i, word in enumerate(words, 1):
        if word not in places:
            raise _unknown(word, i, what, problem.vocabulary)
    return tuple(places[word] for word in words)


def check_vocabulary(problem: Problem) -> None:
    """InputError where the vocabulary is missing, holds a word twice, or does not fit W_E."""
    vocabulary = problem.vocabulary
    if not vocabulary:
        raise InputError(
            "the vocabulary is missing or empty", expected="a word for each row of W_E"
        )
    if len(set(vocabulary)) < len(vocabulary):
        twice = next(word for word in vocabulary if vocabulary.count(word) > 1)
        raise InputError(f"the vocabulary holds {quoted(twice)} twice", expected="each word once")
    for name in ("W_E", "enc.W_E", "dec.W_E"):
        if name in problem.given and problem.given[name].shape[0] != len(vocabulary):
            raise InputError(
                f"{name} has {problem.given[name].shape[0]} rows, "
                f"and the vocabulary {len(vocabulary)} words",
                expected="a row for each word",
            )


def _unknown(word: str, i: int, what: str, vocabulary: Sequence[str]) -> InputError:
    near = nearest(word, vocabulary)
    listed = ", ".join(vocabulary[:20]) + (" ..." if len(vocabulary) > 20 else "")
    return InputError(
        f"word {i} of {what}, {quoted(word)}, is not in the vocabulary",
        expected=listed,
        hint=f"did you mean {quoted(near)}?" if near else "",
    )
