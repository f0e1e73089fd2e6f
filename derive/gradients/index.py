"""The pullbacks in index notation: local derivatives with Kronecker deltas, and what sums leave.

dX_pq = sum_ij dY_ij (dY_ij / dX_pq), where the deltas of the local derivative end the sums.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from derive.exact import NEG_INF, NegativeInfinity
from derive.exact.kronecker import (
    FRESH,
    LETTERS,
    Part,
    contracted,
    derivative,
    folded,
    indices_of,
    led,
    product,
    with_indices,
)
from derive.exact.letters import ROWS
from derive.exact.names import label
from derive.exact.trace import (
    BigSum,
    Cases,
    Delta,
    Entry,
    Negative,
    Partial,
    Product,
    Term,
    term,
)
from derive.gradients.op import Gradient, Pull
from derive.ops import Columns, Concat, Mask, Rows
from derive.step import Step


def local(pull: Pull, place: int) -> Iterator[tuple[Term, Term]]:
    """The derivative of an entry of the step by one of its input: its sign and what it is."""
    x = pull.step.inputs[place].name
    for letter, rule in _formulas(pull.step):
        at = _place(rule, x)
        parts = [contracted(p) for p in derivative(rule, x, at)]
        if parts and _are_simple(at):
            terms = [_summed(_with_deltas(folded(p.factor, letter, rule), p), p) for p in parts]
            put = dict(zip(FRESH, ("k", "l"), strict=True))
            yield (
                Partial(letter, Entry(x, tuple(put.get(k, k) for k in at))),
                with_indices(_sum(terms), put),
            )


def in_indices(name: str, op: Gradient) -> Iterator[tuple[Term, Term]]:
    """Entry i, j of a gradient and what it is: more than one line where columns go in pairs.

    TypeError where an operation's formula is not differentiated in index notation.
    """
    every = [list(_brought(pull, place)) for pull, place in op.uses]
    for lines in zip(*every, strict=True):
        at = lines[0][0]
        yield Entry(name, at), _sum([t for _, terms in lines for t in terms])


def _brought(pull: Pull, place: int) -> Iterator[tuple[tuple[str, ...], list[Term]]]:
    """What one use brings back: the indices of the entry, and the terms of the sum."""
    if isinstance(pull.op, (Columns, Rows, Concat)):
        yield ("i", "j"), [Entry(pull.seed, _moved(pull, place))]
        return
    if isinstance(pull.op, Mask):
        yield ("i", "j"), [_unmasked(pull.op, Entry(pull.seed, ("i", "j")))]
        return
    x, formulas = pull.step.inputs[place].name, _formulas(pull.step)
    at = _place(formulas[0][1], x)
    if not _are_simple(at):
        # Columns in pairs: each line is an entry of its own, and meets both formulas.
        for letter, _ in formulas:
            pair = tuple(map(str, letter.indices))
            yield pair, [t for l, r in formulas for t in _terms(pull, l, r, x, pair)]
        return
    final = ("j",) if label(x).base in ROWS and len(at) == 1 else ("i", "j")[: len(at)]
    put = dict(zip(at, final, strict=True))
    yield final, [_named(t, put) for t in _terms(pull, *formulas[0], x, at)]


def _unmasked(mask: Mask, seed: Entry) -> Term:
    """The gradient where the score still counts, 0 where something else took its place."""
    if mask.mode == "add" and not isinstance(mask.value, NegativeInfinity):
        return seed
    allowed = Entry("mask", ("i", "j"))
    return Cases(((seed, allowed, term(0)), (term(0), allowed, term(NEG_INF))))


def _formulas(step: Step) -> tuple[tuple[Entry, Term], ...]:
    return tuple((letter, rule) for letter, rule in step.formulas if isinstance(letter, Entry))


def _moved(pull: Pull, place: int) -> tuple[str, str]:
    """Where an entry of a part stands in the whole, or of the whole in its part."""
    if isinstance(pull.op, Concat):
        before = sum(width for _, width in pull.shapes[2 : 2 + place])
        return "i", f"j+{before}" if before else "j"
    assert isinstance(pull.op, (Columns, Rows))
    back = pull.op.first - 1
    i, j = (f"{k}-{back}" if back else k for k in "ij")
    return ("i", j) if isinstance(pull.op, Columns) else (i, "j")


def _terms(pull: Pull, letter: Entry, rule: Term, x: str, at: tuple[str, ...]) -> Iterator[Term]:
    seed = Entry(pull.seed, letter.indices)
    summed = tuple(k for k in letter.indices if isinstance(k, str) and k.isalpha() and k not in at)
    for part in map(contracted, derivative(rule, x, at)):
        brought = led(seed, folded(part.factor, letter, rule))
        whole = contracted(Part(brought, part.deltas, (*part.sums, *summed)))
        if all(_may_meet(a, b) for a, b in whole.deltas):
            yield _summed(_with_deltas(whole.factor, whole), whole)


def _may_meet(a: int | str, b: int | str) -> bool:
    """Whether two indices can be equal: columns 2i-1 and 2i cannot."""
    return a == b or not (str(a)[0].isdigit() and str(b)[0].isdigit())


def _with_deltas(factor: Term, part: Part) -> Term:
    for left, right in part.deltas:
        a, b = (right, left) if "_" in str(left) else (left, right)
        factor = Delta(a, b) if factor == term(1) else product(factor, Delta(a, b))
    return factor


def _summed(x: Term, part: Part) -> Term:
    negative = isinstance(x, Negative)
    body = x.term if isinstance(x, Negative) else x
    for index in part.sums:
        body = BigSum(body, index, "")
    return Negative(body) if negative else body


def _named(x: Term, put: dict[str, str]) -> Term:
    """The entry's indices called i and j, and the sums' k, l ..."""
    bound = _bound(x)
    free = iter(k for k in LETTERS if k not in indices_of(x) or k in bound)
    renamed = {old: next(free) for old in bound}
    return _rows_first(_rename(x, {**put, **renamed}))


def _rows_first(x: Term) -> Term:
    """sum_k A_ik B_kj rather than sum_k B_kj A_ik, as a product of matrices is written."""
    match x:
        case Negative():
            return Negative(_rows_first(x.term))
        case BigSum():
            return replace(x, body=_rows_first(x.body))
        case Product((Entry() as a, Entry() as b)) if "i" in b.indices and "i" not in a.indices:
            return b * a
    return x


def _bound(x: object) -> list[str]:
    match x:
        case BigSum():
            return list(dict.fromkeys([x.index, *_bound(x.body)]))
        case Term():
            return list(dict.fromkeys(k for p in vars(x).values() for k in _bound(p)))
        case tuple():
            return list(dict.fromkeys(k for p in x for k in _bound(p)))
    return []


def _rename(x: Term, put: dict[str, str]) -> Term:
    """All index letters at once, bound ones too."""
    match x:
        case BigSum():
            return BigSum(_rename(x.body, put), put.get(x.index, x.index), x.upper)
        case Entry() | Delta():
            return with_indices(x, put)
        case Term():
            parts = vars(x).values()
            return type(x)(*(_rename_part(p, put) for p in parts))


def _rename_part(p: object, put: dict[str, str]) -> object:
    if isinstance(p, Term):
        return _rename(p, put)
    return tuple(_rename_part(q, put) for q in p) if isinstance(p, tuple) else p


def _place(rule: Term, x: str) -> tuple[str, ...]:
    """The indices by which an entry of the input is asked for."""
    found = next(e for e in _entries(rule) if e.step == x)
    simple = all((isinstance(k, str) and k.isalpha()) or "_" in str(k) for k in found.indices)
    return FRESH[: len(found.indices)] if simple else tuple(map(str, found.indices))


def _entries(x: object) -> Iterator[Entry]:
    if isinstance(x, Entry):
        yield x
    elif isinstance(x, (Term, tuple)):
        for part in vars(x).values() if isinstance(x, Term) else x:
            yield from _entries(part)


def _are_simple(at: tuple[str, ...]) -> bool:
    return all(k in FRESH for k in at)


def _sum(terms: list[Term]) -> Term:
    first, *others = terms
    for other in others:
        first = first - other.term if isinstance(other, Negative) else first + other
    return first
