"""Which names are matrices: those the caller names, and those an equation shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from derive.errors import InputError
from derive.read.latex.alphabet import ACCENTS, RELATIONS, STYLES
from derive.read.latex.environments import MATRICES
from derive.read.latex.scripts import is_turned
from derive.read.latex.tokens import Token, sign_of

Shapes = dict[str, Any]
"""Names of matrices with their shapes, None where the sizes are free."""

_PROJECTION = re.compile(r"W[_^]([QKVO])")
_OPENING = ("(", "[", "{", "begin")
_LABELS = ("letter", "number", "text")
_CLOSING = (")", "]", "}", "end")


def declared(matrices: Iterable[str] | Mapping[str, Any]) -> Shapes:
    """The caller's names, in the spelling that symbols have: W^{Q} is W^Q, \\tilde{S} is tildeS."""
    given = matrices if isinstance(matrices, Mapping) else dict.fromkeys(matrices)
    found = {re.sub(r"[\\{}\s$]", "", name): _shape(name, shape) for name, shape in given.items()}
    return {name: shape for name, shape in found.items() if name}


def _shape(name: str, shape: Any) -> Any:
    if shape is None:
        return None
    if isinstance(shape, (tuple, list)) and len(shape) == 2:
        return tuple(shape)
    message = f"the shape of {name} is not two sizes"
    raise InputError(message, expected='(3, 2), ("n", "d") or None', hint=f'{{"{name}": (3, 2)}}')


def is_equation(tokens: Sequence[Token]) -> bool:
    """Whether a relation stands outside all brackets."""
    return len(list(_sides(tokens))) > 1


def shown(tokens: Sequence[Token]) -> set[str]:
    """Names that an equation shows to be matrices: those it sets equal to one written out."""
    sides = list(_sides(tokens))
    if len(sides) < 2 or not any(map(_is_written_out, sides)):
        return set()
    return {name for side in sides if (name := _lone(side))}


def _sides(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    depth = start = 0
    for k, token in enumerate(tokens):
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        if token.kind == "stop" or (depth == 0 and sign_of(token) in RELATIONS):
            yield tokens[start:k]
            start = k + 1


def _is_written_out(side: Sequence[Token]) -> bool:
    """Whether a side is one matrix: an environment, or rows in brackets."""
    bare = [t for t in side if t.kind not in ("(", "[", "wide")]
    opens = bool(bare) and bare[0].kind == "begin" and bare[0].text in MATRICES
    return opens or [t.kind for t in side[:2]] == ["[", "["]


def _lone(side: Sequence[Token]) -> str | None:
    """The name of a side that is one letter with an accent, a label or a transpose."""
    bare = [t for t in side if t.kind not in ("{", "}", "wide")]
    accent = ""
    while bare and bare[0].is_command(*ACCENTS, *STYLES):
        accent += bare[0].text if bare[0].text in ACCENTS else ""
        bare = bare[1:]
    if not bare or bare[0].kind not in ("letter", "command"):
        return None
    letter, rest = accent + bare[0].text, bare[1:]
    if not rest or (rest[0].kind == "^" and is_turned(rest[1:])):
        return letter
    if [t.kind for t in rest] == ["^", "(", "letter", ")"]:
        return f"{letter}^({rest[2].text})"
    if (
        len(rest) == 2
        and rest[0].kind in ("^", "_")
        and rest[1].kind in ("letter", "number", "text")
    ):
        name = f"{letter}{rest[0].kind}{rest[1].text}"
        return standard(name) if rest[1].text.isupper() or rest[0].kind == "_" else None
    return None


def standard(name: str) -> str:
    """W^Q as the project spells it: W_Q."""
    return _PROJECTION.sub(r"W_\1", name)
