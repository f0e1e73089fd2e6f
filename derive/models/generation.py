"""Writing on, a word at a time: each is found from the last row of the scores, and is read next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from derive.derivation import Derivation, Problem
from derive.errors import InputError, Undecided
from derive.exact import Matrix, number
from derive.models.language import derive_language_model
from derive.models.sampling import Sampling, drawn, largest, sampled
from derive.models.seq2seq import derive_written

MOST_WORDS = 20
GREEDY = Sampling()


@dataclass(frozen=True)
class Choice:
    """The derivation of a next word, up to next.P, and the words among which it was found.

    words: those with the largest score, one or a tie, or the one drawn; none where the proof of
    which it is fails.  A tie goes to the first in the vocabulary, as argmax does in NumPy and
    PyTorch.
    """

    derivation: Derivation
    words: tuple[str, ...]

    @property
    def is_tie(self) -> bool:
        """Whether several words have exactly the largest score."""
        return len(self.words) > 1


@dataclass(frozen=True)
class Written:
    """What a model has written after `before`, and how: `end` is the word it would stop at."""

    problem: Problem
    before: tuple[str, ...]
    choices: tuple[Choice, ...]
    sampling: Sampling
    end: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words written."""
        return tuple(choice.words[0] for choice in self.choices if choice.words)

    @property
    def is_decided(self) -> bool:
        """Whether every word is proved."""
        return len(self.words) == len(self.choices)

    @property
    def read(self) -> tuple[str, ...]:
        """All words that the model has read: the last one written is not yet among them."""
        return (*self.before, *self.words)[: len(self.before) + len(self.choices) - 1]


def generate(problem: Problem, steps: int) -> tuple[Choice, ...]:
    """Up to so many words after the text of a language model, each with its derivation.

    A tie goes to the first of its words; where two scores cannot be told apart it ends.
    InputError where they hold symbols.
    """
    return written(problem, steps).choices


def translate(problem: Problem, steps: int, start: str = "", end: str = "") -> tuple[Choice, ...]:
    """Up to so many words that an encoder-decoder writes, the inference view.

    It begins with `start`, by default the first word of the target, and stops after `end`, by
    default the target's last.  Ties and InputError as in `generate`.
    """
    return written(problem, steps, start=start, end=end).choices


def written(
    problem: Problem, steps: int, sampling: Sampling = GREEDY, *, start: str = "", end: str = ""
) -> Written:
    """Up to so many words of a language model or an encoder-decoder.

    InputError for another model, or other than 1 to MOST_WORDS words.
    """
    _check(problem, steps, sampling)
    if problem.model == "language-model":
        before, last = problem.tokens, end
    else:
        target = problem.targets or ()
        if not start and not target:
            raise InputError(
                "there is no word to start from", expected="the word that starts a text"
            )
        before, last = (start or target[0],), end or (target[-1] if len(target) > 1 else "")
    return Written(
        problem, before, _choices(problem, before, sampling, steps, last), sampling, last
    )


def _check(problem: Problem, steps: int, sampling: Sampling) -> None:
    if problem.model not in ("language-model", "seq2seq"):
        raise InputError(
            f"the model {problem.model} writes no words", expected="language-model or seq2seq"
        )
    if not 1 <= steps <= MOST_WORDS:
        raise InputError(f"{steps} words to be written", expected=f"1 to {MOST_WORDS}")
    sampling.check()
    if sampling.draws and len(sampling.draws) < steps:
        raise InputError(
            f"there are {len(sampling.draws)} draws for {steps} words", expected="one for each word"
        )


def forward(problem: Problem, words: tuple[str, ...]) -> Derivation:
    """All positions of the words at once, without a target."""
    if problem.model == "seq2seq":
        return derive_written(problem, words)
    return derive_language_model(replace(problem, tokens=words, targets=None))


def without_mask(problem: Problem, words: tuple[str, ...]) -> Derivation:
    """The same, every word seeing every other."""
    n = len(words)
    zeros = Matrix([[number(0)] * n for _ in range(n)])
    return forward(replace(problem, conventions=replace(problem.conventions, mask=zeros)), words)


def _choices(
    problem: Problem, words: tuple[str, ...], sampling: Sampling, steps: int, end: str
) -> tuple[Choice, ...]:
    found: list[Choice] = []
    while len(found) < steps and (not found or found[-1].words):
        found.append(choice(forward(problem, words), sampling, len(found)))
        words = (*words, *found[-1].words[:1])
        if found[-1].words and found[-1].words[0] == end:
            break
    return tuple(found)


def choice(d: Derivation, sampling: Sampling = GREEDY, place: int = 0) -> Choice:
    """The word after the last position; `place` says which draw is for it, from 0."""
    try:
        found = sampled(d, sampling.temperature, sampling.k)
        places = _places(found, sampling, place)
    except Undecided:
        return Choice(sampled(d, sampling.temperature), ())
    return Choice(found, tuple(d.problem.vocabulary[k - 1] for k in places))


def _places(d: Derivation, sampling: Sampling, place: int) -> tuple[int, ...]:
    if sampling.draws:
        return (drawn(d, sampling.draws[place]),)
    return largest(d.step("next.logits").value.rows[0])
