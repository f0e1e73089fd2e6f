"""Derivatives in index notation: sums, Kronecker deltas, and the sums that deltas end.

dY_ij / dX_pq = delta_ip delta_jq where Y_ij = X_ij; products, quotients and functions as in any
textbook; sum_k delta_kq f(k) = f(q).                             Magnus and Neudecker 2019, ch. 9
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from derive.exact import PI, trace
from derive.exact.trace import (
    BigSum,
    Cases,
    Delta,
    Entry,
    Exponential,
    Function,
    Negative,
    Power,
    Product,
    Quotient,
    Sum,
    Term,
    Value,
    term,
)

Index = int | str
ONE = term(1)
FRESH = ("a", "b")
"""The entry of X by which is differentiated, until it is called i, j."""
LETTERS = ("k", "l", "m", "r", "s")


@dataclass(frozen=True)
class Part:
    """One term of a derivative: a factor, the deltas with it, and what is summed over."""

    factor: Term
    deltas: tuple[tuple[Index, Index], ...] = ()
    sums: tuple[str, ...] = ()

    def times(self, factor: Term) -> Part:
        """With one more factor before."""
        return replace(self, factor=product(factor, self.factor))


def derivative(x: Term, step: str, at: tuple[Index, ...]) -> list[Part]:
    """The derivative of a term by the entry `at` of a step, part by part.

    TypeError for a term that index notation does not differentiate, such as matrices side by side.
    """
    inner: Callable[[Term], list[Part]] = lambda y: derivative(y, step, at)  # noqa: E731
    match x:
        case Entry() if x.step == step:
            return [Part(ONE, tuple(zip(x.indices, at, strict=True)))]
        case Value() | Entry() | trace.Name() | trace.Symbol():
            return []
        case Sum():
            return [part for y in x.terms for part in inner(y)]
        case Negative():
            return [replace(part, factor=negative(part.factor)) for part in inner(x.term)]
        case Product():
            return [part.times(_others(x, k)) for k, y in enumerate(x.factors) for part in inner(y)]
        case Quotient():
            above = [replace(p, factor=quotient(p.factor, x.bottom)) for p in inner(x.top)]
            below = [replace(p, factor=quotient(p.factor, x.bottom)) for p in inner(x.bottom)]
            return above + [part.times(Negative(x)) for part in below]
        case BigSum():
            return [replace(part, sums=(*part.sums, x.index)) for part in inner(x.body)]
        case Cases():
            return _cases(x, inner)
        case Exponential() | Power() | Function():
            return [part.times(slope(x)) for part in inner(x.term)]
    raise TypeError(f"{type(x).__name__} has no derivative in index notation")


def slope(x: Exponential | Power | Function) -> Term:
    """The derivative of a function by its argument."""
    match x:
        case Exponential():
            return x
        case Power(base, int(n)):
            return product(term(n), base if n == 2 else Power(base, n - 1))
        case Function():
            return SLOPES[x.function](x.term)
    raise TypeError(f"the power {x.power} has no derivative in index notation")


SLOPES: Mapping[str, Callable[[Any], Term]] = {
    "sqrt": lambda u: Quotient(ONE, term(2) * Function("sqrt", u)),
    "log": lambda u: Quotient(ONE, u),
    "erf": lambda u: Quotient(term(2), Function("sqrt", term(PI))) * Exponential(Negative(u**2)),
    "tanh": lambda u: ONE - Power(Function("tanh", u), 2),
    "sin": lambda u: Function("cos", u),
    "cos": lambda u: Negative(Function("sin", u)),
    "relu": lambda u: Function("step", u),
}
"""The derivative of each named function."""


def contracted(part: Part) -> Part:
    """The part after every sum over an index that a delta fixes."""
    for a, b in part.deltas:
        rest = tuple(d for d in part.deltas if d != (a, b))
        if a == b:
            return contracted(replace(part, deltas=rest))
        for old, new in ((a, b), (b, a)):
            if isinstance(old, str) and old in part.sums:
                return contracted(_renamed(part, rest, old, new))
    return part


def _renamed(part: Part, deltas: Any, old: str, new: Index) -> Part:
    put = {old: new}
    return Part(
        with_indices(part.factor, put),
        tuple((_index(a, put), _index(b, put)) for a, b in deltas),
        tuple(s for s in part.sums if s != old),
    )


def with_indices(x: Any, put: Mapping[str, Index]) -> Any:
    """The term with other index letters; bound ones are left alone."""
    match x:
        case Entry():
            return Entry(x.step, tuple(_index(k, put) for k in x.indices))
        case Delta():
            return Delta(_index(x.left, put), _index(x.right, put))
        case BigSum():
            own = {k: v for k, v in put.items() if k != x.index}
            return replace(x, body=with_indices(x.body, own))
        case Term():
            return type(x)(*(with_indices(part, put) for part in vars(x).values()))
        case tuple():
            return tuple(with_indices(part, put) for part in x)
    return x


def _index(k: Index, put: Mapping[str, Index]) -> Index:
    if isinstance(k, str) and k not in put and "_" in k:
        letter, inner = k.split("_", 1)
        return f"{letter}_{put[inner]}" if inner in put else k
    return put.get(k, k) if isinstance(k, str) else k


def folded(x: Any, letter: Entry, rule: Term) -> Any:
    """The term with the result's letter wherever the rule's own right side stands."""
    if isinstance(x, Term):
        found = unified(rule, x, {}, letter.indices)
        if found is not None and set(letter.indices) <= set(found):
            return Entry(letter.step, tuple(found[str(k)] for k in letter.indices))
        return type(x)(*(folded(part, letter, rule) for part in vars(x).values()))
    return tuple(folded(p, letter, rule) for p in x) if isinstance(x, tuple) else x


def unified(
    pattern: Any, x: Any, put: dict[str, Index], free: Sequence[Index]
) -> dict[str, Index] | None:
    """What the free index letters of the pattern have to be for it to be x; None if nothing is."""
    if isinstance(pattern, str) and pattern in free:
        return {**put, pattern: x} if put.get(pattern, x) == x else None
    if isinstance(pattern, tuple) and isinstance(x, tuple) and len(pattern) == len(x):
        found: dict[str, Index] | None = put
        for p, y in zip(pattern, x, strict=True):
            found = None if found is None else unified(p, y, found, free)
        return found
    if isinstance(pattern, Term) and type(pattern) is type(x):
        return unified(tuple(vars(pattern).values()), tuple(vars(x).values()), put, free)
    return put if pattern == x else None


def product(a: Term, b: Term) -> Term:
    """a b, without factors 1 and with one sign in front."""
    if isinstance(a, Negative):
        return negative(product(a.term, b))
    if isinstance(b, Negative):
        return negative(product(a, b.term))
    if ONE in (a, b):
        return b if a == ONE else a
    if isinstance(b, Quotient) and b.top == ONE:
        return Quotient(a, b.bottom)
    return a * b


def led(seed: Term, x: Term) -> Term:
    """seed x, with the seed after a number and above a stroke."""
    match x:
        case Negative():
            return Negative(led(seed, x.term))
        case Quotient():
            return Quotient(led(seed, x.top), x.bottom)
        case Product() if isinstance(x.factors[0], Value):
            return Product((x.factors[0], seed, *x.factors[1:]))
        case Value():
            return seed if x == ONE else x * seed
    return seed * x


def quotient(a: Term, b: Term) -> Term:
    """a / b, with its sign in front."""
    return Negative(quotient(a.term, b)) if isinstance(a, Negative) else Quotient(a, b)


def negative(x: Term) -> Term:
    """-x."""
    return x.term if isinstance(x, Negative) else Negative(x)


def _others(x: Product, k: int) -> Term:
    rest = [y for i, y in enumerate(x.factors) if i != k]
    return rest[0] if len(rest) == 1 else Product(tuple(rest))


def _cases(x: Cases, inner: Callable[[Term], list[Part]]) -> list[Part]:
    every = [inner(t) for t, _, _ in x.rows]
    moving = [k for k, parts in enumerate(every) if parts]
    if len(moving) != 1 or len(every[moving[0]]) != 1:
        raise TypeError("these cases have no derivative in index notation")
    (part,) = every[moving[0]]
    rows = ((part.factor if k in moving else term(0), a, b) for k, (_, a, b) in enumerate(x.rows))
    return [replace(part, factor=Cases(tuple(rows)))]


def indices_of(x: Any) -> Iterator[str]:
    """The index letters of a term."""
    if isinstance(x, Entry):
        yield from (k for k in x.indices if isinstance(k, str))
    elif isinstance(x, (Term, tuple)):
        for part in vars(x).values() if isinstance(x, Term) else x:
            yield from indices_of(part)
