"""The kinds of causes: one row each, with what it is found by."""

from __future__ import annotations

Cause = tuple[str, tuple[str, ...]]
"""What kind it is, and what is put into its sentence."""

RULES = (
    "not transposed", "second not transposed", "other way round", "weights transposed",
    "weights copied", "first transposed", "other factor", "input in place of values", "not scaled",
    "scaled by the width", "scaled by the model", "multiplied by the scale",
    "temperature forgotten", "multiplied by the temperature", "not divided",
    "softmax of columns", "softmax of rows", "not exponentiated", "not normalised", "other base",
    "mask left out", "mask after softmax", "mask not declared", "strict mask", "other triangle",
    "masked with 0", "max forgotten", "the other divisor", "no root", "eps forgotten",
    "eps outside the root", "mean not subtracted", "mean over the wrong axis",
    "sum instead of mean", "mean instead of sum", "gain forgotten", "bias forgotten",
    "bias scaled too", "residual forgotten", "subtracted", "added", "activation forgotten",
    "absolute value", "sigmoid instead", "sigmoid alone", "base of the logarithm",
    "sign of the loss", "logarithm forgotten", "heads in reverse", "columns in turns",
    "other base of angles", "positions from 1", "positions from 0", "other index of angles",
    "sine and cosine swapped", "halves and pairs", "turned backwards", "sine added",
    "sign of one block", "angles in degrees", "rounded too early",
)  # fmt: skip
"""One change to the rule, or to one before it, that gives every printed entry."""
ORDERS = (
    "printed transposed", "rows swapped", "columns swapped", "row in place of another",
    "column in place of another", "values of another matrix", "signs lost", "signs turned",
    "entries exchanged",
)  # fmt: skip
"""The right numbers of the matrix, or of another, in other places."""
INPUTS = ("input misprint", "input entry")
"""Other inputs give what is printed."""
INVENTED = "no rule"
"""Most of a matrix is wrong and nothing known gives it."""
ENTRIES = (
    "row made to sum to one", "sign lost", "digits swapped", "digit left out", "digit doubled",
    "point moved", "rounded twice", "value of another entry", "value of another matrix",
)  # fmt: skip
"""What went wrong with a single number."""
KINDS = (*RULES, *ORDERS, *INPUTS, INVENTED, *ENTRIES)
"""All kinds of causes."""
SHARED = frozenset((*RULES, *INPUTS))
"""Kinds that are one finding wherever they are met in an article."""
