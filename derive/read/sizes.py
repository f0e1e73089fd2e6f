"""Which sizes of an architecture follow from others, and which do not fit together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from derive.counts.architecture import SIZES, Architecture
from derive.counts.letters import LETTERS
from derive.errors import InputError
from derive.exact import Scalar, symbol

ALWAYS = ("L", "B", "h", "n", "V", "d_model", "d_k", "d_ff")


def check_sizes(a: Architecture, stated: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Every letter of the architecture with its size, in the order of LETTERS.

    d_k is d_model / heads, d_v is d_k and there are as many key/value heads as heads unless
    something else is stated.  InputError where heads do not divide d_model, key/value heads do not
    divide heads, a text is longer than the table of positions, or a rotation has no pairs.
    """
    _check_lengths(a, stated)
    found = {**{letter: symbol(letter) for letter in ALWAYS}, **dict(_lettered(a, stated))}
    if "d_k" not in stated:
        found["d_k"] = _head_width(found)
    if "h_kv" in found:
        _check_divides("kv_heads", found["h_kv"], "heads", found["h"])
        if found["h_kv"] == found["h"]:
            del found["h_kv"]
    if "d_v" in found and found["d_v"] == found["d_k"]:
        del found["d_v"]
    if a.parts.position_encoding == "learned":
        found.setdefault("P", symbol("P"))
        _check_positions(found)
    if a.parts.position_encoding == "rope":
        _check_pairs(found["d_k"], "d_k" if "d_k" in stated else "heads")
    return {letter: found[letter] for letter in LETTERS if letter in found}


def _lettered(a: Architecture, stated: Mapping[str, Scalar]) -> Iterator[tuple[str, Scalar]]:
    """(letter, size) of what is stated; the source's length is m where there is a target."""
    for key, size in stated.items():
        if key == "positions" and a.parts.position_encoding != "learned":
            continue  # sinusoids and rotations have no table to run out of
        if key != "length" or not a.is_crossed:
            yield SIZES[key][0], size
    if a.is_crossed:
        source = stated.get("length", symbol("m"))
        yield "m", source
        if "target_length" not in stated and "length" in stated:
            yield "n", source


def _check_lengths(a: Architecture, stated: Mapping[str, Scalar]) -> None:
    if "target_length" in stated and not a.is_crossed:
        hint = "length is the number of its tokens"
        raise InputError("target_length is for an encoder-decoder", hint=hint)


def _head_width(found: Mapping[str, Scalar]) -> Scalar:
    """d_model / h, or its own letter where both are letters."""
    width, heads = found["d_model"], found["h"]
    if width.is_rational and heads.is_rational:
        _check_divides("heads", heads, "d_model", width)
    return symbol("d_k") if not (width.is_rational or heads.is_rational) else width / heads


def _check_divides(key: str, part: Scalar, of: str, whole: Scalar) -> None:
    if not (part.is_rational and whole.is_rational):
        return
    p, q = part.fraction[0], whole.fraction[0]
    if q % p:
        near = next(x for x in range(p, 0, -1) if q % x == 0)
        hint = f"{near} does" + ("; or state d_k, the width of a head" if key == "heads" else "")
        raise InputError(
            f"{key} = {p:,} does not divide {of} = {q:,}",
            expected=f"a number of {key} that divides {of}",
            hint=hint,
        )


def _check_positions(found: Mapping[str, Scalar]) -> None:
    most = found["P"]
    for letter, key in (("n", "length"), ("m", "length")):
        size = found.get(letter)
        if size is not None and size.is_rational and most.is_rational:
            tokens, rows = size.fraction[0], most.fraction[0]
            if tokens > rows:
                raise InputError(
                    f"{key} = {tokens:,} is more than the {rows:,} learned positions",
                    expected=f"at most {rows:,} tokens, or more positions",
                )


def _check_pairs(width: Scalar, key: str) -> None:
    if width.is_rational and width.fraction[0] % 2:
        raise InputError(
            f"{key} makes a head {width.fraction[0]:,} wide, and a rotation turns pairs",
            expected="an even d_k",
        )
