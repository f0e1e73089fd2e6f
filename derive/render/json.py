"""Plain data as JSON: short things on one line, an entry a line, to be read and compared."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

WIDTH = 100


def dumps(data: Any) -> str:
    """The JSON text, ending with a newline."""
    return "".join(_parts(data, "")) + "\n"


def _parts(data: Any, margin: str) -> Iterator[str]:
    # The C encoder writes a leaf at once; an encoder that indents walks every string in Python.
    if not isinstance(data, (dict, list)) or not data or _is_leaf(data):
        yield json.dumps(data, ensure_ascii=False)
        return
    inner = margin + " "
    brackets = "{}" if isinstance(data, dict) else "[]"
    items = data.items() if isinstance(data, dict) else ((None, item) for item in data)
    yield brackets[0]
    for k, (key, item) in enumerate(items):
        yield ("," if k else "") + "\n" + inner
        if key is not None:
            yield json.dumps(key, ensure_ascii=False) + ": "
        yield from _parts(item, inner)
    yield "\n" + margin + brackets[1]


def _is_leaf(data: dict[str, Any] | list[Any]) -> bool:
    """Whether it holds no further lists or objects, and is an entry or short."""
    values = list(data.values()) if isinstance(data, dict) else data
    if any(isinstance(value, (dict, list)) for value in values):
        return False
    return "exact" in data or sum(len(str(value)) + 4 for value in values) < WIDTH
