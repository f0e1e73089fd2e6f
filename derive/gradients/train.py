"""Steps of training, exactly: gradients, updated weights, and the whole derivation again.

What a step makes is named after it: t1.W_Q are the query weights after step 1, and t1.loss is the
loss that they give.  Their values are written in letters of the step before; the digits of all of
them are proved by enclosures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from derive.certify import Format, certified
from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, Scalar, matrix, number
from derive.exact.names import gradient_name
from derive.gradients.parameters import with_parameters
from derive.gradients.sweep import Sweep, sweep
from derive.gradients.target import Target, target, trained
from derive.gradients.updates import Adam, Decrease, Descend, Foreseen, Inner, Running, Squares
from derive.step import Step

MOST_STEPS = 10
BETAS = (number(9, 10), number(999, 1000))
EPS = number(1, 10**8)


@dataclass(frozen=True)
class Round:
    """One step of training: the gradients before it, what it makes, and the number it changes.

    before, after: the steps whose one entry is the number; moments: m and v of Adam.
    """

    number: int
    sweep: Sweep
    moments: tuple[Step, ...]
    updated: tuple[Step, ...]
    before: Step
    after: Step
    decrease: Step
    foreseen: Step

    @property
    def gradients(self) -> tuple[Step, ...]:
        """Those of the trained matrices, in their order."""
        return tuple(map(self.sweep.step, self.sweep.wrt))


@dataclass(frozen=True)
class Training:
    """All steps of the derivation and of its training, and the rounds in order."""

    derivation: Derivation
    forward: Derivation
    of: str
    eta: Scalar
    is_adam: bool
    rounds: tuple[Round, ...]


def train(
    d: Derivation,
    eta: Scalar,
    steps: int = 1,
    *,
    of: str = "",
    wrt: Sequence[str] = (),
    seed: Matrix | None = None,
    is_adam: bool = False,
) -> Training:
    """So many steps down the gradient of one number, by the matrices `wrt`, all trained if empty.

    of, wrt, seed: as in `derive.gradients.differentiate`.  InputError where eta is no positive
    number, where there are free symbols, and for other than 1 to MOST_STEPS steps.
    """
    _check(eta, steps)
    found = target(with_parameters(d, wrt), of, seed)
    _check_numbers(found)
    names = tuple(dict.fromkeys(wrt)) or trained(found.derivation, found.source)
    course = _Course(found, names, eta, is_adam)
    rounds = tuple(course.rounds(steps))
    every = {s.name: s for r in rounds for s in _steps_of(r)}
    known = {s.name: s for s in found.derivation.steps} | every
    whole = Derivation(d.problem, tuple(known.values()))
    return Training(whole, found.derivation, found.text, eta, is_adam, rounds)


def _steps_of(r: Round) -> Iterator[Step]:
    yield from r.sweep.derivation.steps
    yield from (r.before, *r.moments, *r.updated, r.after, r.foreseen, r.decrease)


@dataclass(frozen=True)
class _Course:
    found: Target
    names: tuple[str, ...]
    eta: Scalar
    is_adam: bool

    def rounds(self, count: int) -> Iterator[Round]:
        """The rounds; the names at each are those of the steps that stand for the weights then."""
        d, place = _needed(self.found.derivation, self.found.source), dict.fromkeys(self.names, "")
        place |= {name: name for name in (*self.names, self.found.source)}
        moments: dict[str, tuple[Step, ...]] = {}
        before = self.scalar(d.step(place[self.found.source]), "objective")
        for k in range(1, count + 1):
            s = sweep(d, place[self.found.source], self.found.seed, [place[n] for n in self.names])
            moving = [n for n in self.names if n in moments or not _is_zero(s.step(place[n]))]
            if self.is_adam:
                moments = {n: self.moments(k, n, s.step(place[n]), moments) for n in moving}
            updated = {place[n]: self.update(k, n, d.step(place[n]), s, moments) for n in moving}
            d, now = replayed(d, updated, k)
            place = {n: now.get(place[n], place[n]) for n in place}
            after = self.scalar(d.step(place[self.found.source]), f"t{k}.objective")
            yield Round(
                k,
                s,
                tuple(m for pair in moments.values() for m in pair),
                tuple(updated.values()),
                before,
                after,
                Step(f"t{k}.decrease", Decrease(), (before, after)),
                self.foreseen(k, s, updated),
            )
            before = after

    def scalar(self, source: Step, name: str) -> Step:
        """The step of one entry that is the number."""
        if source.shape == (1, 1) and self.found.seed[0, 0] == 1:
            return source
        return Step(name, Inner(), (Step.given("G", self.found.seed), source))

    def update(
        self, k: int, n: str, W: Step, s: Sweep, moments: Mapping[str, tuple[Step, ...]]
    ) -> Step:
        """The matrix n after step k, from what it is before."""
        name = f"t{k}.{n}"
        if self.is_adam:
            return Step(name, Adam(self.eta, k, BETAS, EPS), (W, *moments[n]))
        return Step(name, Descend(self.eta), (W, s.step(W.name)))

    def moments(
        self, k: int, n: str, dW: Step, before: Mapping[str, tuple[Step, ...]]
    ) -> tuple[Step, ...]:
        """m and v."""
        kept = before.get(n, ())
        return tuple(
            Step(f"t{k}.{gradient_name(n, b)}", Running(BETAS[i], i + 1), (dW, *kept[i : i + 1]))
            for i, b in enumerate("mv")
        )

    def foreseen(self, k: int, s: Sweep, updated: Mapping[str, Step]) -> Step:
        """By how much the number falls to first order."""
        gradients = [s.step(name) for name in updated]
        if not updated:
            return Step.given(f"t{k}.foreseen", matrix([[0]]))
        if not self.is_adam:
            return Step(f"t{k}.foreseen", Squares(self.eta), tuple(gradients))
        threes = zip(updated, gradients, strict=True)
        inputs = (x for n, g in threes for x in (s.forward.step(n), updated[n], g))
        return Step(f"t{k}.foreseen", Foreseen(), tuple(inputs))


def replayed(
    d: Derivation, updated: Mapping[str, Step], k: int
) -> tuple[Derivation, dict[str, str]]:
    """The derivation with other steps for some given ones, and what each changed step is now.

    What does not rest on those stays as it is; the others are named t1.A in the place of A.
    """
    made: dict[str, Step] = {}
    for step in d.steps:
        if step.name in updated:
            made[step.name] = updated[step.name]
            continue
        inputs = tuple(made[x.name] for x in step.inputs)
        if all(a is b for a, b in zip(inputs, step.inputs, strict=True)):
            made[step.name] = step
        else:
            own = step.name.removeprefix(f"t{k - 1}.")
            made[step.name] = Step(f"t{k}.{own}", step.op, inputs)
    return Derivation(d.problem, tuple(made.values())), {n: s.name for n, s in made.items()}


def _is_zero(step: Step) -> bool:
    """Whether every entry is proved to be 0: such a matrix stays what it is.

    Single entries that are proved to be 0 are so from then on.
    """
    found = certified(step, Format(digits=1))
    zeros = [(i, j) for i, row in enumerate(found) for j, x in enumerate(row) if x.digits == "0"]
    if step.is_deep:
        step.settle_zeros(zeros)
    return len(zeros) == len(found) * len(found[0])


def _needed(d: Derivation, source: str) -> Derivation:
    """Without the steps that the number does not rest on."""
    names = {source}
    for step in reversed(d.steps):
        if step.name in names:
            names |= {x.name for x in step.inputs}
    return Derivation(d.problem, tuple(s for s in d.steps if s.name in names))


def _check(eta: Scalar, steps: int) -> None:
    from derive.exact.ball import sign

    if not eta.is_number or sign(eta) != 1:
        raise InputError(f"eta cannot be {eta!r}", expected="a number > 0, such as 1/10")
    if not 1 <= steps <= MOST_STEPS:
        raise InputError(f"{steps} steps of training", expected=f"1 to {MOST_STEPS}")


def _check_numbers(found: Target) -> None:
    """InputError where a symbol would have to be trained."""
    matrices = [s.value for s in found.derivation.steps if s.op is None]
    symbols = {n for m in (*matrices, found.seed) for x in m for n in x.free_symbols}
    if symbols:
        raise InputError(
            f"a step of training needs numbers, and there is the free symbol {min(symbols)}",
            hint="give it a value in the problem, or G in a seed file",
        )
