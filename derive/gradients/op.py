"""The gradient of a step: what the pullbacks of the steps that use it bring back, added up.

dX = sum over the uses Y = f(..., X, ...) of the pullback of f        (chain rule; the reverse mode
of Linnainmaa 1976; Griewank and Walther 2008, ch. 3)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from derive.exact import Matrix, Scalar
from derive.exact.blank import Blank
from derive.exact.dual import Dual
from derive.exact.trace import Entry, Name, Term
from derive.exact.whole import Whole
from derive.op import Mistake, Op
from derive.ops import Normalize, Relu, RowMeans, Variance
from derive.step import Step

NORM = {Normalize, Variance, RowMeans}
"""The uses of what a LayerNorm normalises."""
LONG = 400
"""The gradient of what has more terms than these is not multiplied out."""


@dataclass(frozen=True, eq=False)
class Pull:
    """The pullback of one step: (seed, result, *inputs), of which only some are looked at.

    Those are found by asking the pullback itself: what its notation does not name, it does not need
    but for the shape.  wanted: the inputs whose gradients are asked for, all where empty; the
    others may come out as anything.
    """

    step: Step
    seed: str
    wanted: tuple[int, ...] = ()
    _last: list[Any] = field(default_factory=list, repr=False)

    @property
    def op(self) -> Op:
        """The operation whose pullback it is."""
        assert self.step.op is not None
        return self.step.op

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Seed, result and inputs by name."""
        return self.seed, self.step.name, *(x.name for x in self.step.inputs)

    @cached_property
    def shapes(self) -> tuple[tuple[int, int], ...]:
        """And their shapes."""
        return self.step.shape, self.step.shape, *(x.shape for x in self.step.inputs)

    @cached_property
    def written(self) -> tuple[Term, ...]:
        """The pullback in matrix notation, one term an input of the step."""
        spoken = getattr(self.op, "pulled", None)
        if spoken is not None:
            return tuple(spoken(*map(Name, self.names)))
        letters = [Whole.of(n, s) for n, s in zip(self.names, self.shapes, strict=True)]
        return tuple(x.term for x in self.op.pullback(*letters))  # type: ignore[attr-defined]

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """The names that the pullback looks at."""
        letters = [Whole.of(n, s) for n, s in zip(self.names, self.shapes, strict=True)]
        every = self.op.pullback(*letters)
        wanted = [every[k] for k in self.wanted] or every
        found = {n for x in wanted for n in _names(x.term)}  # type: ignore[attr-defined]
        return tuple(dict.fromkeys(n for n in self.names if n in found))

    def __call__(self, named: dict[str, Matrix]) -> tuple[Matrix, ...]:
        """The gradients by the pullback, remembered for the other inputs of the same step."""
        needed = tuple(named[n] for n in self.needs)
        if not self._last or any(a is not b for a, b in zip(self._last[0], needed, strict=True)):
            try:
                found = self.op.pullback(*self._arguments(named, needed[0], 0))
            except ZeroDivisionError:
                # By zeros that stand for what is not looked at: other numbers do as well.
                found = self.op.pullback(*self._arguments(named, needed[0], 1))
            self._last[:] = [needed, found]
        last: tuple[Matrix, ...] = self._last[1]
        return last

    def _arguments(self, named: dict[str, Matrix], like: Matrix, first: int) -> list[Matrix]:
        """What is looked at, and matrices of first, 2 first, 3 first ... for the rest."""
        places = enumerate(zip(self.names, self.shapes, strict=True), 1)
        needs = self.needs
        return [named[n] if n in needs else _filled(like, s, k * first) for k, (n, s) in places]


@dataclass(frozen=True, eq=False)
class Gradient:
    """The sum of what each use of a step brings back: (pull, which of its inputs the step is).

    Its inputs are those that the pullbacks need, each once, in the order of `names`.
    """

    uses: tuple[tuple[Pull, int], ...]

    rowwise = 0
    examples: tuple[tuple[Matrix, ...], ...] = ()
    mistakes: tuple[Mistake, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The steps that it is made of."""
        return tuple(dict.fromkeys(n for pull, _ in self.uses for n in pull.needs))

    @property
    def is_kinked(self) -> bool:
        """Whether it depends on the sign of a number."""
        return any(isinstance(pull.op, Relu) for pull, _ in self.uses)

    @cached_property
    def has_no_mean(self) -> bool:
        """Whether its rows add up to 0: a LayerNorm forgets what is added to a whole row."""
        return {type(pull.op) for pull, _ in self.uses} == NORM

    @property
    def is_lettered(self) -> bool:
        """Whether all that follows is written in letters: what is used is long by itself."""
        return any(_is_long(pull.step) for pull, _ in self.uses)

    def rule(self, *inputs: Matrix) -> Matrix:
        """The pullbacks, added up in the order in which the step is used."""
        named = dict(zip(self.names, inputs, strict=True))
        first, *others = (pull(named)[place] for pull, place in self.uses)
        for other in others:
            first = first + other
        return first

    def pullback(self, seed: Matrix, result: Matrix, *inputs: Matrix) -> tuple[Matrix, ...]:
        """Second derivatives are found by running this rule on dual numbers."""
        raise NotImplementedError

    def notation(self, *_inputs: Term) -> Term:
        """The pullbacks in matrix notation, as each operation writes its own."""
        first, *others = (pull.written[place] for pull, place in self.uses)
        for other in others:
            first = first + other
        return first

    def formula(self, result: Any, *_inputs: Any) -> tuple[Term, Term] | None:
        """Entry i, j in index notation; None where it is not written in one line."""
        return next(iter(self.formulas(result.step)), None)

    def formulas(self, name: str) -> tuple[tuple[Term, Term], ...]:
        """The same, with a second line where columns go in pairs; none where there is none."""
        from derive.gradients.index import in_indices

        try:
            return tuple(in_indices(name, self))
        except TypeError:
            return ()


def _filled(like: Matrix, shape: tuple[int, int], entry: int) -> Matrix:
    """A matrix of one number, of the kind that `like` is."""
    from derive.exact import matrix
    from derive.exact.enclosure import Enclosures

    if isinstance(like, Blank):
        return Blank(*shape)
    if isinstance(like, Dual):
        return Dual(_filled(like.value, shape, entry))
    if type(like) is Matrix and not isinstance(like[0, 0], Scalar):
        # Sizes and terms meet no numbers, and what an entry is does not matter.
        return Matrix([[like[0, 0]] * shape[1]] * shape[0])
    found = matrix([[entry] * shape[1]] * shape[0])
    return Enclosures.of(found) if isinstance(like, Enclosures) else found


def _is_long(step: Step) -> bool:
    return step.is_deep or sum(getattr(x, "size", 1) for x in step.value) > LONG


def _names(term: Any) -> Iterator[str]:
    """The steps that a term speaks of."""
    if isinstance(term, (Name, Entry)):
        yield term.step
    elif isinstance(term, Term):
        for part in vars(term).values():
            yield from _names(part)
    elif isinstance(term, Sequence) and not isinstance(term, str):
        for part in term:
            yield from _names(part)
