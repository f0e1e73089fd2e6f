"""What a plan derives: its problem's steps, and behind them the gradients that are asked for.

A gradient is that of the loss, or else of <G, X>, where X is the last step and G, a matrix of small
integers under the name dX, is drawn like what is given.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from derive.derivation import Derivation
from derive.errors import InputError
from derive.exact import Matrix, matrix
from derive.exact.names import beside, gradient_name, label
from derive.gradients import sweep
from derive.models import MODELS
from derive.ops import Normalize
from derive.step import Step
from derive.worksheet.blanks import UNASKED, Asked, after, known, way_to, worked
from derive.worksheet.kinds import DEEP
from derive.worksheet.plan import Plan

EASY = ("logits", "gamma", "W_O", "V")
"""The letters of what is differentiated by where nothing is said, the first that there is."""
MOST_NUMBERS = 150
"""So many numbers at most are asked for of such a model where none are named."""
MOST_IN_ALL = 2_000
"""So many numbers at most are given and worked out: eight tokens have 760."""
_NAMED = re.compile(r"\s*((?:\w+\.)*)d([^\[\]\s,]+)((?:\[\d{1,6}\]){0,2})\s*")
_DERIVED: dict[str, Derivation] = {}


def derived(plan: Plan) -> Derivation:
    """The steps of a plan, made once.

    InputError for a gradient of a step that there is not, or that is 0 whatever is drawn.
    """
    if plan.mark not in _DERIVED:
        forward = _forward(plan)
        _DERIVED[plan.mark] = _swept(forward, plan) if plan.kind == "gradient" else forward
    return _DERIVED[plan.mark]


def slope_of(name: str) -> str:
    """The step that a gradient belongs to: dec.L1.A of dec.L1.dA."""
    place = name.rfind(".") + 1
    return name[:place] + name[place + 1 :]


def _forward(plan: Plan) -> Derivation:
    _check_size(plan, plan.problem.given.values())
    found = MODELS[plan.problem.model].derive(plan.problem)
    _check_size(plan, found.steps)
    return found


def _check_size(plan: Plan, shaped: Iterable[Matrix | Step]) -> None:
    """InputError for a problem that no hand would finish, before a number of it is worked out."""
    count = sum(x.shape[0] * x.shape[1] for x in shaped)
    if count > MOST_IN_ALL:
        raise InputError(
            f"{plan.problem.name} is too large for a worksheet: {count:,} numbers or more are "
            "given and worked out",
            expected=f"at most {MOST_IN_ALL:,} numbers",
            hint="fewer tokens, or narrower matrices: eight tokens of width 4 have 760",
        )


def blanks_of(plan: Plan) -> tuple[str, ...]:
    """The blanks that are named, or of gradients those of the level; none where all is usual."""
    if plan.kind == "find-mistake":
        return _whole(plan)
    if plan.blank:
        return plan.blank
    every = derived(plan)
    if plan.kind == "what-if" and plan.level == 2:
        return tuple(_changed(every, plan))
    if plan.kind != "gradient":
        return _at_the_end(every, plan) if plan.level == 1 else _few(every, plan)
    if plan.level == 1:
        return tuple(gradient_name(name) for name in _by(plan, _forward(plan)))
    return tuple(s.name for s in every.derived if label(s.name).before == "d")


def _whole(plan: Plan) -> tuple[str, ...]:
    """A mistake is looked for in all steps, whatever is named; InputError where they are many."""
    if plan.problem.model in DEEP:
        raise InputError(
            f"a mistake is looked for in a derivation as a whole, and {plan.problem.name} is long",
            expected="a problem of attention, multihead, layernorm, block or positions",
        )
    return ()


def _at_the_end(derivation: Derivation, plan: Plan) -> tuple[str, ...]:
    """Of a model with a loss its probabilities and that, of a decoder its look at the memory."""
    if "loss" in derivation:
        return ("P", "L", "loss")
    if plan.problem.model != "decoder":
        return ()
    last = max(s.name for s in derivation.derived if s.name.endswith("cross.O"))
    return beside(last, "A"), last


def _few(derivation: Derivation, plan: Plan) -> tuple[str, ...]:
    """None are named; InputError where every step would be too many."""
    numbers = sum(s.shape[0] * s.shape[1] for s in derivation.derived)
    if plan.problem.model in DEEP and numbers > MOST_NUMBERS:
        raise InputError(
            f"every step of {plan.problem.name} is {len(derivation.derived)} steps with "
            f"{numbers} numbers",
            expected="--blank with some of them, such as "
            + ",".join(s.name for s in derivation.derived[-3:]),
        )
    return ()


def worked_by_hand(plan: Plan, derivation: Derivation, asked: Collection[Asked]) -> set[str]:
    """The steps that are worked out for the blanks of a sheet: mistakes can be made there alone."""
    names = {one.step.name for one in asked}
    if is_part(plan):
        return own(derivation, names)
    if plan.kind == "what-if":
        return names | (way_to(derivation, names) & set(_changed(derivation, plan)))
    return way_to(derivation, names) if plan.level == 3 else worked(derivation, names)


def _changed(derivation: Derivation, plan: Plan) -> Iterator[str]:
    """The steps that a change reaches."""
    assert plan.before is not None
    before = MODELS[plan.before.model].derive(plan.before)
    first = {
        s.name for s in derivation.derived if s.name not in before or before.step(s.name).op != s.op
    }
    reached = first | after(derivation, first)
    return (
        s.name
        for s in derivation.derived
        if s.name in reached and s.op and not isinstance(s.op, UNASKED)
    )


def printed(plan: Plan, derivation: Derivation, asked: Iterable[Asked]) -> set[str]:
    """The derived steps whose numbers are read from the sheet, and are not worked out again.

    None where a derivation is so short that it stands there from the beginning.
    """
    if not is_part(plan):
        return set()
    given = {s.name for s in derivation.steps if s.op is None}
    return known(derivation, own(derivation, (one.step.name for one in asked))) - given


def is_part(plan: Plan) -> bool:
    """Whether a sheet begins in the middle of a derivation."""
    return plan.kind == "gradient" or plan.problem.model in DEEP


def own(derivation: Derivation, asked: Iterable[str]) -> set[str]:
    """What is worked out for some steps: themselves, and of gradients the way back to them."""
    names = set(asked)
    backwards = {s.name for s in derivation.derived if label(s.name).before == "d"}
    return names | (way_to(derivation, names & backwards) & backwards)


def seeds(plan: Plan) -> Iterator[Step]:
    """The gradient that the way back begins with: drawn, or of a loss 1."""
    if plan.kind == "gradient":
        yield next(s for s in derived(plan).steps if s.op is None and label(s.name).before == "d")


def first_names(derivation: Derivation, scores: Iterator[Step]) -> set[str]:
    """The names of what is given that some steps rest on."""
    waiting, found = list(scores), set[str]()
    while waiting:
        step = waiting.pop()
        if step.name not in found:
            found.add(step.name)
            waiting += step.inputs
    return {s.name for s in derivation.steps if s.op is None and s.name in found}


def _swept(forward: Derivation, plan: Plan) -> Derivation:
    """With the way back from the loss, or the last step, to what is asked for."""
    source = forward.step("loss") if "loss" in forward else forward.derived[-1]
    rows, columns = source.shape
    wanted = _by(plan, forward)
    found = sweep(forward, source.name, matrix([[1] * columns] * rows), wanted)
    for name in wanted:
        step = found.step(name)
        if step.op is None or all(x.is_zero for x in step.value):
            raise InputError(
                f"{gradient_name(name)} is "
                + ("0 everywhere" if step.op else f"not on the way back from {source.name}"),
                expected=f"the gradient of a step that {source.name} rests on, and that is not 0",
            )
    return found.derivation


def _by(plan: Plan, forward: Derivation) -> tuple[str, ...]:
    """The steps that are differentiated by: those whose gradients are named, or the usual."""
    if not plan.blank:
        return tuple(_usual(forward, plan.level))
    found = [_NAMED.fullmatch(text) for text in plan.blank]
    if any(match is None for match in found):
        wrong = plan.blank[found.index(None)]
        raise InputError(
            f'"{wrong[:60]}" names no gradient', expected='such as "dV", "dS[2]", "dA[2][3]"'
        )
    names = (match[1] + match[2] for match in found if match)
    return tuple(dict.fromkeys(forward.step(name).name for name in names))


def _usual(forward: Derivation, level: int) -> Iterator[str]:
    """What lies next to the end; from the second level on more of the way back."""
    last = forward.step("P") if "loss" in forward else forward.derived[-1]
    by_letter = {label(step.name).base: step for step in last.inputs}
    letter = next((x for x in EASY if x in by_letter), None)
    if letter is None:
        raise InputError(
            f"say which gradient is to be worked out: none beside {last.name} is the usual one",
            expected="--blank with a gradient, such as "
            + ", ".join(gradient_name(x.name) for x in last.inputs[:2]),
        )
    yield by_letter[letter].name
    if level == 1 or letter == "logits":
        return
    before = last.inputs[0]
    if letter == "V":
        yield beside(last.name, "S")
    else:  # of a normalisation all the way to what is normalised
        yield before.inputs[0].name if isinstance(before.op, Normalize) else before.name
