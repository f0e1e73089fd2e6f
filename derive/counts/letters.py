"""The letters that sizes are written with, and polynomials in them in the order of a textbook."""

from __future__ import annotations

from typing import Any

from derive.exact import Scalar, number, symbol
from derive.exact.monomial import ONE, Monomial, Symbol
from derive.exact.scalar import bare
from derive.exact.terms import Terms
from derive.exact.trace import Product, Quotient, Sum, Term, Value

LETTERS = tuple("L B h h_kv n m V P T d_model d_context d_k d_v d_ff".split())
"""Layers, batch, heads, key/value heads, tokens, keys, vocabulary, positions, segments, widths."""

L, B, h, h_kv, n, m, V, P, T, d_model, d_context, d_k, d_v, d_ff = map(symbol, LETTERS)


def spelled(x: Scalar) -> Term:
    """A polynomial as a term: factors in the order of LETTERS, longer products first."""
    if x.is_rational or not x.num:
        return Value(x)
    top = _sum(x.num)
    if x.is_polynomial and x.den[ONE] == 1:
        return top
    return Quotient(top, _sum(x.den))


def _sum(terms: Terms) -> Term:
    products = tuple(_product(mono, c) for mono, c in sorted(terms.items(), key=_place))
    return products[0] if len(products) == 1 else Sum(products)


def _place(item: tuple[Monomial, int]) -> tuple[Any, ...]:
    powers = sorted((_rank(atom), -power) for atom, power in item[0].powers)
    return -sum(power for _, power in item[0].powers), powers


def _rank(atom: Any) -> tuple[int, str]:
    name = atom.name if isinstance(atom, Symbol) else ""
    return (LETTERS.index(name) if name in LETTERS else len(LETTERS)), name


def _product(mono: Monomial, c: int) -> Term:
    powers = sorted(mono.powers, key=lambda power: _rank(power[0]))
    factors: list[Term] = [Value(Scalar({bare(atom): 1}) ** power) for atom, power in powers]
    if c != 1 or not factors:
        factors.insert(0, Value(number(c)))
    return factors[0] if len(factors) == 1 else Product(tuple(factors))
