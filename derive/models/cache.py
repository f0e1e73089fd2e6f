"""A model word by word: each position derived once, from remembered keys and values.

The masked forward of all positions at once gives the same rows; `row_by_row` proves it, step by
step, with letters for all that came before, so that it holds whatever the weights are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

from derive.derivation import Derivation, Problem
from derive.errors import InputError
from derive.exact import Matrix, NegativeInfinity, grid, symbol
from derive.exact.names import beside, label
from derive.models.block import finish
from derive.models.language import derive_language_model, embed, predict
from derive.models.layers import Made, feed_forward, sublayer
from derive.models.parts import Attention, answers, attended
from derive.models.seq2seq import derive_written, encode
from derive.models.sizes import layer_scopes
from derive.op import Op
from derive.ops import Mask, Transpose
from derive.step import Step


@dataclass(frozen=True)
class Positions(Derivation):
    """A derivation whose steps p2.L1.Q ... of each position share the weights L1.W_Q ..."""

    def then(self, name: str, op: Op, *inputs: str) -> Positions:
        """A new derivation with one more step."""
        return Positions(self.problem, super().then(name, op, *inputs).steps)

    def step(self, name: str) -> Step:
        """The step of that name, or the weight that all positions share."""
        return super().step(name if super().__contains__(name) else _shared(name))

    def __contains__(self, name: str) -> bool:
        return super().__contains__(name) or super().__contains__(_shared(name))


def _shared(name: str) -> str:
    """Without the position: p2.L1.W_Q is L1.W_Q."""
    position, dot, rest = name.partition(".")
    return rest if dot and position[:1] == "p" and position[1:].isdigit() else name


def derive_by_position(problem: Problem) -> Derivation:
    """The steps p1..., p2... of one word after the other; each meets the keys and values so far.

    keys (d_k x t) and values (t x d_v) are put together from those of every position up to its own.
    InputError for ALiBi, whose distances are those of a whole text, and as the language model.
    """
    _check(problem)
    d: Derivation = Positions.of(_with_table(problem))
    for i, word in enumerate(problem.tokens, 1):
        d, x = embed(d, (word,), f"p{i}.", i - 1)
        for scope in layer_scopes(problem.conventions, always=True):
            d, x = _layer(d, x, scope, i)
        d, x = finish(d, x, f"p{i}.")
        d = predict(d, x, f"p{i}.")
    return d


def write_by_position(problem: Problem, written: Sequence[str]) -> Derivation:
    """The decoder's steps p1.dec..., p2.dec... on what the encoder made of the source, once.

    The keys and values of a cross-attention, dec.L1.cross.K ..., are those of every position.
    InputError as in `derive_by_position`.
    """
    _check(problem)
    d, memory = encode(Positions.of(_with_table(problem)))
    scopes = layer_scopes(problem.conventions, "dec.", always=True)
    for scope in scopes:
        d = answers(d, Attention(memory, memory, f"{scope}cross."))
    for i, word in enumerate(written, 1):
        d, x = embed(d, (word,), f"p{i}.dec.", i - 1, what="the target")
        for scope in scopes:
            d, x = _decoder_layer(d, x, memory, scope, i)
        d, x = finish(d, x, f"p{i}.dec.")
        d = predict(d, x, f"p{i}.")
    return d


def _check(problem: Problem) -> None:
    if problem.conventions.positions == "alibi":
        raise InputError(
            "alibi is not derived position by position", expected="other positions, or none"
        )


def _with_table(problem: Problem) -> Problem:
    """Learned positions as a table, from which each word picks its row."""
    tables = {"PE": "W_P", "dec.PE": "dec.W_P"}
    given = {tables.get(name, name): x for name, x in problem.given.items()}
    return replace(problem, given=given)


def _layer(d: Derivation, x: str, layer: str, i: int) -> Made:
    scope = f"p{i}.{layer}"
    d, x = sublayer(d, x, scope, "1", partial(_remembering, layer=layer, i=i))
    return sublayer(d, x, scope, "2", partial(feed_forward, scope=scope))


def _decoder_layer(d: Derivation, x: str, memory: str, layer: str, i: int) -> Made:
    scope = f"p{i}.{layer}"

    def cross(d: Derivation, x: str) -> Made:
        return attended(d, Attention(x, memory, f"{scope}cross.", start=i - 1))

    d, x = sublayer(d, x, scope, "1", partial(_remembering, layer=f"{layer}self.", i=i))
    d, x = sublayer(d, x, scope, "2", cross)
    return sublayer(d, x, scope, "3", partial(feed_forward, scope=scope))


def _remembering(d: Derivation, x: str, layer: str, i: int) -> Made:
    """Position i attends to itself and to those before it."""
    before = tuple(f"p{j}.{layer}" for j in range(1, i))
    return attended(d, Attention(x, x, f"p{i}.{layer}", start=i - 1, before=before))


# --- the proof


@dataclass(frozen=True)
class Agreement:
    """Whether a step at a position is proved to be its part of the step of all positions.

    position: 0 for what is made once for all of them.
    """

    step: str
    position: int
    holds: bool


def row_by_row(problem: Problem, written: Sequence[str] = ()) -> tuple[Agreement, ...]:
    """Every step of every position against the parallel forward, by induction over the steps.

    A step's inputs are letters, the same on both sides, since they have been proved equal before;
    both rules are run on them and compared entry by entry.  What is not proved does not hold, nor
    does what rests on it.  written: of an encoder-decoder, the words that its decoder reads.
    """
    whole, by_position = _both(problem, written)
    computed: dict[str, Matrix] = {}
    letters: dict[str, Matrix] = {}
    for step in whole.steps:
        computed[step.name] = _computed(step, letters)
        letters[step.name] = _lettered(step, computed[step.name])
    return tuple(_agreements(by_position, computed, letters))


def _both(problem: Problem, written: Sequence[str]) -> tuple[Derivation, Derivation]:
    """All positions at once, and one after the other."""
    tabled = _with_table(replace(problem, targets=None))
    if problem.model == "seq2seq":
        return derive_written(tabled, written), write_by_position(problem, written)
    return derive_language_model(tabled), derive_by_position(problem)


def _computed(step: Step, letters: Mapping[str, Matrix]) -> Matrix:
    if step.op is None:
        return grid(*step.shape, lambda i, j: symbol(f"{step.name}[{i}][{j}]"))
    return step.op.rule(*(letters[x.name] for x in step.inputs))


def _lettered(step: Step, computed: Matrix) -> Matrix:
    """A letter for each entry, but where it is 0 or -oo whatever went in, or only moved."""
    if step.op is None or isinstance(step.op, (Mask, Transpose)):
        return computed
    names = (f"{step.name}[{k}]" for k in count())
    return computed.map(lambda x: x if _is_settled(x) else symbol(next(names)))


def _is_settled(x: Any) -> bool:
    return isinstance(x, NegativeInfinity) or x.is_zero is True


def _agreements(
    by_position: Derivation, computed: Mapping[str, Matrix], letters: Mapping[str, Matrix]
) -> Iterator[Agreement]:
    failed: set[str] = set()
    for step in by_position.derived:
        i = _own(step.name) or 0
        assert step.op is not None
        found = step.op.rule(*(_part(x.name, letters, i) for x in step.inputs))
        direct = _shared(step.name) in computed
        wanted = _part(step.name, computed if direct else letters, i)
        holds = found == wanted and not any(x.name in failed for x in step.inputs)
        failed |= set() if holds else {step.name}
        yield Agreement(_shared(step.name), i, holds)


def _own(name: str) -> int | None:
    """The position in a step's name; None where it stands for all."""
    return int(name.partition(".")[0][1:]) if _shared(name) != name else None


def _part(name: str, whole: Mapping[str, Matrix], i: int) -> Matrix:
    """What position i holds of a step of all positions."""
    own, found = _own(name), label(name)
    if own is None or found.base.startswith(("W_", "b_")):
        return whole[_shared(name)]
    so_far = range(1, i + 1)
    inner, sees_all = _shared(name), "cross" in found.scopes
    match found.base:
        case "keys":
            return whole[beside(inner, "K^T")].columns(so_far)
        case "values":
            return whole[beside(inner, "V")].pick(so_far)
        case "values^T":
            return whole[beside(inner, "V")].pick(so_far).T
        case "V^T":
            return whole[beside(inner, "V")].pick((own,)).T
        case "K^T":
            return whole[inner].columns((own,))
        case "S" | "scaled" | "A" if not sees_all:
            return whole[inner].pick((own,)).columns(so_far)
        case "exp" if label(inner).scopes and not sees_all:
            return whole[inner].pick((own,)).columns(so_far)
        case "C":
            n = whole[beside(inner, "A")].shape[1]
            start = (own - 1) * n
            return whole[inner].pick(range(start + 1, start + (n if sees_all else own) + 1))
    return whole[inner].pick((own,))
