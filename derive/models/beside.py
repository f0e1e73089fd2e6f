"""An encoder-decoder in training and at inference, side by side: what each reads, and all it makes.

In training the decoder reads the right words, all at once; at inference its own, one by one.
                                                 Williams and Zipser 1989 (teacher forcing)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from derive.derivation import Derivation, Problem
from derive.errors import InputError, Undecided
from derive.exact import Scalar
from derive.models.cache import Agreement, derive_by_position, row_by_row, write_by_position
from derive.models.generation import Choice, Written, choice, forward, without_mask, written
from derive.models.sampling import largest
from derive.models.seq2seq import derive_seq2seq


@dataclass(frozen=True)
class Cached:
    """What was read, derived by position, and each of its steps against the masked forward."""

    derivation: Derivation
    agreements: tuple[Agreement, ...]

    @property
    def agree(self) -> int:
        """How many steps agree."""
        return sum(a.holds for a in self.agreements)

    @property
    def failed(self) -> tuple[Agreement, ...]:
        """Those of which it is not proved."""
        return tuple(a for a in self.agreements if not a.holds)


def cached(found: Written) -> Cached:
    """All that was read, with remembered keys and values.  InputError for ALiBi."""
    if found.problem.model == "seq2seq":
        d = write_by_position(found.problem, found.read)
        return Cached(d, row_by_row(found.problem, found.read))
    problem = replace(found.problem, tokens=found.read, targets=None)
    return Cached(derive_by_position(problem), row_by_row(problem))


@dataclass(frozen=True)
class Astray:
    """A wrong word at a position, and what the next one finds that reads it.

    is_supposed: whether it is only assumed; after: None where the wrong word ends the text.
    """

    position: int
    wrong: str
    right: str
    is_supposed: bool
    after: Choice | None


@dataclass(frozen=True)
class Beside:
    """The training view of a target, and the inference view of the same source.

    foretold: the likeliest words at each position of the target, the right ones before it; none
    where that is undecided.
    """

    problem: Problem
    training: Derivation
    written: Written

    @property
    def right(self) -> tuple[str, ...]:
        """The target: the words that should be written, from the first one foretold."""
        return (self.problem.targets or ())[1:]

    @property
    def taught(self) -> tuple[str, ...]:
        """What the decoder reads in training."""
        return (self.problem.targets or ())[:-1]

    @cached_property
    def foretold(self) -> tuple[tuple[str, ...], ...]:
        """By position of the target."""
        rows = self.training.step("logits").value.rows
        return tuple(map(self._likeliest, rows))

    def _likeliest(self, scores: Sequence[Scalar]) -> tuple[str, ...]:
        try:
            return tuple(self.problem.vocabulary[k - 1] for k in largest(scores))
        except Undecided:
            return ()

    @property
    def first_error(self) -> int | None:
        """The first position, from 1, where training finds another word than the right one."""
        pairs = zip(self.foretold, self.right, strict=True)
        return next((k for k, (found, right) in enumerate(pairs, 1) if found[:1] != (right,)), None)

    @cached_property
    def astray(self) -> Astray | None:
        """The first wrong word that another position reads; None where there is no such position.

        Where there is none, the first word is supposed to be the second likeliest.
        """
        k = self.first_error
        is_supposed = k is None or k >= len(self.right)
        at = 1 if is_supposed or k is None else k
        found = self._second() if is_supposed else self.foretold[at - 1]
        if not found or len(self.right) < 2:
            return None
        read = (*self.taught[:at], found[0])
        ends = found[0] == self.written.end
        after = None if ends else choice(forward(self.problem, read))
        return Astray(at, found[0], self.right[at - 1], is_supposed, after)

    def _second(self) -> tuple[str, ...]:
        """The likeliest word at the first position but for the right one."""
        scores = self.training.step("logits").value.rows[0]
        others = [k for k, word in enumerate(self.problem.vocabulary) if word != self.right[0]]
        try:
            (first, *_) = largest([scores[k] for k in others])
        except Undecided:
            return ()
        return (self.problem.vocabulary[others[first - 1]],)

    @cached_property
    def cached(self) -> Cached:
        """What was written, by position."""
        return cached(self.written)

    @cached_property
    def whole(self) -> Derivation:
        """What was written, all at once under the mask."""
        return forward(self.problem, self.written.read)

    @cached_property
    def unmasked(self) -> Derivation:
        """And without the mask."""
        return without_mask(self.problem, self.written.read)


def beside(problem: Problem, steps: int | None = None) -> Beside:
    """Training on the target beside up to so many words of inference, by default as many.

    InputError for another model, and for a target of one word.
    """
    if problem.model != "seq2seq":
        raise InputError(
            f"the model {problem.model} is not trained to write a target from a source",
            expected="a problem of the model seq2seq",
        )
    training = derive_seq2seq(problem)
    count = len(problem.targets or ()) - 1 if steps is None else steps
    return Beside(problem, training, written(problem, count))
