"""How each kind of term is spelled: one row a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from derive.exact import trace
from derive.exact.ink import ATOM, POWER, PRODUCT, SUM, Piece
from derive.exact.write import Writer, lettered


def _value(w: Writer, x: trace.Value) -> Piece:
    return w.piece(x.value)


def _entry(w: Writer, x: trace.Entry) -> Piece:
    piece = w.entries.get(x)
    if piece is None:
        value = w.values(x) if w.values else None
        letter = lettered(w.ink.entry(x.step, tuple(map(str, x.indices))))
        piece = w.entries[x] = letter if value is None else w.piece(value)
    return piece


def _row(w: Writer, x: trace.Row) -> Piece:
    return w.ink.entry(x.step, (str(x.index),), str.lower), ATOM


def _sum(w: Writer, x: trace.Sum) -> Piece:
    first, *rest = x.terms
    return w.text(first) + "".join(_signed(w, term) for term in rest), SUM


def _signed(w: Writer, x: trace.Term) -> str:
    if isinstance(x, trace.Negative):
        return f" {w.ink.minus} {w.bracketed(w.piece(x.term), PRODUCT)}"
    return f" + {w.bracketed(w.piece(x), PRODUCT)}"


def _product(w: Writer, x: trace.Product) -> Piece:
    # Numbers put in show every factor with its sign; letters stand side by side.
    texts = [w.bracketed(w.piece(factor), PRODUCT) for factor in x.factors]
    return (w.ink.dot.join(texts) if w.values else w.ink.juxtaposed(texts)), PRODUCT


def _quotient(w: Writer, x: trace.Quotient) -> Piece:
    return w.ink.fraction(w.piece(x.top), w.piece(x.bottom))


def _negative(w: Writer, x: trace.Negative) -> Piece:
    return w.ink.minus + w.bracketed(w.piece(x.term), PRODUCT), SUM


def _exponential(w: Writer, x: trace.Exponential) -> Piece:
    return w.ink.exponential(w.inline.text(x.term))


def _power(w: Writer, x: trace.Power) -> Piece:
    return w.ink.power(w.bracketed(w.piece(x.term), ATOM), str(x.power)), POWER


def _function(w: Writer, x: trace.Function) -> Piece:
    return w.call(x.function, x.term), ATOM


def _cases(w: Writer, x: trace.Cases) -> Piece:
    return w.ink.cases([(w.text(t), f"{w.text(a)} = {w.text(b)}") for t, a, b in x.rows]), ATOM


def _big_sum(w: Writer, x: trace.BigSum) -> Piece:
    body = w.bracketed(w.piece(x.body), PRODUCT)
    return w.ink.big_sum(body, x.index, x.upper and w.ink.symbol(x.upper)), PRODUCT


def _delta(w: Writer, x: trace.Delta) -> Piece:
    return w.ink.delta(str(x.left), str(x.right)), ATOM


def _partial(w: Writer, x: trace.Partial) -> Piece:
    return w.ink.partial(w.text(x.of), w.text(x.by)), ATOM


def _digits(w: Writer, x: trace.Digits) -> Piece:
    return w.ink.numeral(x.text), ATOM


def _grid(w: Writer, x: trace.Grid) -> Piece:
    is_decimal = any(isinstance(entry, trace.Digits) for row in x.rows for entry in row)
    return w.ink.matrix([[w.text(entry) for entry in row] for row in x.rows], is_decimal), ATOM


def _name(w: Writer, x: trace.Name) -> Piece:
    return lettered(w.ink.step(x.step))


def _matrix_product(w: Writer, x: trace.MatrixProduct) -> Piece:
    return w.ink.product([_factor(w, f, trace.Hadamard) for f in x.factors]), PRODUCT


def _hadamard(w: Writer, x: trace.Hadamard) -> Piece:
    return w.ink.circle.join(_factor(w, f, trace.MatrixProduct) for f in x.factors), PRODUCT


def _factor(w: Writer, x: trace.Term, other: type[trace.Term]) -> str:
    """A factor, in brackets where it is a sum or a product of the other kind."""
    return w.bracketed(w.piece(x), ATOM if isinstance(x, (other, trace.Quotient)) else PRODUCT)


def _beside(w: Writer, x: trace.Beside) -> Piece:
    return w.ink.beside([w.text(part) for part in x.parts]), ATOM


def _symbol(w: Writer, x: trace.Symbol) -> Piece:
    return x.name, ATOM


def _transpose(w: Writer, x: trace.Transpose) -> Piece:
    return w.ink.transpose(w.bracketed(w.piece(x.matrix), ATOM)), POWER


def _apply(w: Writer, x: trace.Apply) -> Piece:
    return w.ink.function(x.function, w.text(x.argument)), ATOM


SPELLINGS: Mapping[type[trace.Term], Callable[[Writer, Any], Piece]] = {
    trace.Apply: _apply,
    trace.Beside: _beside,
    trace.BigSum: _big_sum,
    trace.Cases: _cases,
    trace.Delta: _delta,
    trace.Digits: _digits,
    trace.Entry: _entry,
    trace.Exponential: _exponential,
    trace.Function: _function,
    trace.Grid: _grid,
    trace.Hadamard: _hadamard,
    trace.MatrixProduct: _matrix_product,
    trace.Name: _name,
    trace.Negative: _negative,
    trace.Partial: _partial,
    trace.Power: _power,
    trace.Product: _product,
    trace.Quotient: _quotient,
    trace.Row: _row,
    trace.Sum: _sum,
    trace.Symbol: _symbol,
    trace.Transpose: _transpose,
    trace.Value: _value,
}
