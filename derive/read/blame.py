"""Where in a problem file an error lies that shows only when the problem is derived."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from derive.errors import InputError
from derive.read.positions import Path, Positions

SPOKEN = {
    "the text": "tokens",
    "the target": "targets",
    "targets for": "targets",
    "the mask": "mask",
    "eps = 0": "eps",
    "heads cannot share": "heads",
}
"""What a message says of keys that it does not name."""


def blamed(error: InputError, text: str, source: str) -> InputError:
    """The error with the place of what its message speaks of first, if that is in the file."""
    if error.place is not None:
        return error
    try:
        table = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        return error
    positions = Positions(text, source)
    found = [(at, path) for path in _paths(table, ()) if (at := _named(error, path)) is not None]
    return error.at(positions.value(min(found)[1])) if found else error


def _paths(table: Mapping[str, Any], before: Path) -> Iterator[Path]:
    """Every key with those that lead to it, sections of a section too."""
    for key, value in table.items():
        yield (*before, key)
        if isinstance(value, Mapping):
            yield from _paths(value, (*before, key))


def _named(error: InputError, path: Path) -> int | None:
    """Where the message speaks of the key at the path; None where it does not."""
    key = ".".join(str(k) for k in path if k not in ("given", "conventions"))
    found = re.search(rf"(?<![\w.]){re.escape(key)}(?![\w.])", error.message) if key else None
    if found:
        return found.start()
    spoken = (error.message.find(words) for words, own in SPOKEN.items() if own == path[-1])
    return min((at for at in spoken if at >= 0), default=None)
