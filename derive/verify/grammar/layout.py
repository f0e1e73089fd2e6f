"""Which line ends, alignment marks and comments mean nothing, and which part formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

from derive.verify.grammar.tokens import Sign

_CLOSING = {")": "(", "]": "[", "}": "{"}
_OPERANDS = frozenset(("num", "close", "super", "sub", "id"))
LONGEST = 200
"""A line has at most so many signs where the next may go on with it."""
FAR = 6000
"""A bracket that is not closed within so many signs is none."""


def laid_out(signs: list[Sign], kind: str) -> list[Sign]:
    """The signs without line ends inside brackets and displays, and with list bullets as breaks."""
    inside = _inside(signs)
    made = _bulleted(signs, inside) if kind == "prose" else signs
    kept: list[Sign] = []
    comment = False
    matrices = 0
    for place, sign in enumerate(made):
        if sign.kind == "none":
            continue
        if sign.kind == "nl":
            comment = False
            if (inside[place] and not matrices) or (
                kind == "code" and _is_added(kept, made, place)
            ):
                continue
        if sign.text == "#" and kind == "code" and _goes_on(made, place):
            continue
        if sign.text == "#" and (inside[place] or _ends_row(kept, kind)):
            comment = True
        if comment:
            continue
        matrices += (sign.kind == "begin") - (sign.kind == "end")
        if sign.text == "&" and sign.kind == "op":
            is_column = matrices > 0 or _parts_columns(kept, made, place)
            kept += [replace(sign, kind="amp" if matrices > 0 else "brk")] * is_column
            continue
        if sign.kind == "nl" and matrices > 0:
            continue
        kept.append(sign)
    return kept


def _is_added(kept: list[Sign], signs: list[Sign], place: int) -> bool:
    """Whether the next line adds to this one, or multiplies it: [1, 2] and + [3, 4] below it."""
    after = signs[place + 1 : place + 3]
    if len(after) < 2 or not kept or kept[-1].kind not in ("close", "num"):
        return False
    sign, operand = after
    is_list = operand.kind == "open" and kept[-1].kind == "close"
    is_number = operand.kind == "num" and operand.gap
    return sign.kind == "op" and sign.text in "+×·⊙" and (is_list or is_number)


def _goes_on(signs: list[Sign], place: int) -> bool:
    """Whether a comment tells the value of its line: # = 0.5, # ≈ [0.3, 0.7]."""
    after = signs[place + 1 : place + 3]
    return any(sign.kind == "rel" for sign in after[:1]) or (
        len(after) == 2 and after[0].text == ">" and after[1].kind == "rel"
    )


def _parts_columns(kept: list[Sign], signs: list[Sign], place: int) -> bool:
    """Whether & parts two formulas in one line of an alignment, not a relation from its sides."""
    after = signs[place + 1] if place + 1 < len(signs) else None
    is_tied = after is None or after.kind in ("rel", "op", "nl")
    return bool(kept) and kept[-1].kind in (*_OPERANDS, "end") and not is_tied


def _ends_row(kept: list[Sign], kind: str) -> bool:
    return kind == "code" and bool(kept) and kept[-1].kind in ("sep", "close")


def _bulleted(signs: list[Sign], inside: list[bool]) -> list[Sign]:
    """With the marks of a list as breaks, but where a formula in brackets goes on."""
    made: list[Sign] = []
    for place, sign in enumerate(signs):
        is_first = not made or made[-1].kind == "nl"
        after = signs[place + 1] if place + 1 < len(signs) else sign
        is_mark = is_first and sign.kind == "op" and sign.text in "-*+" and after.gap
        goes_on = inside[place] and len(made) > 1 and made[-2].kind in _OPERANDS
        if not is_mark or goes_on:
            made.append(sign)
        elif sign.text == "+" and _is_indented(made, sign):
            made[-1:] = replace(made[-1], kind="none"), sign
        else:
            made.append(replace(sign, kind="brk", text="bullet"))
    return made


def _is_indented(made: list[Sign], sign: Sign) -> bool:
    """Whether a line goes on with the equation right above, deeper than which it begins."""
    if len(made) < 3 or made[-2].kind not in _OPERANDS:
        return False
    ends = range(len(made) - 2, max(-1, len(made) - LONGEST), -1)
    above = next((k for k in ends if made[k].kind == "nl"), -1)
    line = made[above + 1 : -1]
    begin = made[above].end if above >= 0 else 0
    is_equation = line[0].text != "bullet" and any(s.kind == "rel" for s in line[1:])
    return is_equation and sign.start - made[-1].end > line[0].start - begin


def _inside(signs: list[Sign]) -> list[bool]:
    """For each sign whether it stands within brackets that close, or in a display."""
    change = [0] * (len(signs) + 1)
    for start, end in (*_brackets(signs), *_displays(signs)):
        if end - start < FAR:
            change[start] += 1
            change[end] -= 1
    return [depth > 0 for depth in accumulate(change[:-1])]


def _brackets(signs: list[Sign]) -> Iterator[tuple[int, int]]:
    stack: list[tuple[str, int]] = []
    for place, sign in enumerate(signs):
        if sign.kind == "open":
            stack.append((sign.text, place))
        elif sign.kind == "close":
            if stack and stack[-1][0] == _CLOSING.get(sign.text):
                yield stack.pop()[1], place
            else:
                stack.clear()


def _displays(signs: list[Sign]) -> Iterator[tuple[int, int]]:
    start = -1
    for place, sign in enumerate(signs):
        if sign.kind != "brk" or sign.text not in ("$$", "\\[", "\\]"):
            continue
        if start >= 0:
            yield start + 1, place
            start = -1
        elif sign.text != "\\]":
            start = place
