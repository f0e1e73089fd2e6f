"""Text from a file or from standard input, within bounds and with every failure said."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from derive.errors import InputError, Place, nearest, quoted

LIMIT = 4_000_000  # bytes
LIMIT_OF_LINES = 400_000_000  # bytes, of which one line is held
STDIN = "-"


def read_text(path: str | os.PathLike[str]) -> str:
    """The UTF-8 text of a regular file, or of standard input for "-".

    InputError when it is missing, a directory, not a regular file, unreadable, longer than
    4 MB, or not text. A byte order mark is dropped.
    """
    name = os.fspath(path)
    return _decoded(_within(name), name)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The same file as it is, whatever its encoding."""
    return _within(os.fspath(path))


def text_of(data: bytes, name: str) -> str:
    """UTF-8 bytes as text; InputError, which names the file, where they are not."""
    return _decoded(data, name)


def _within(name: str) -> bytes:
    data = sys.stdin.buffer.read(LIMIT + 1) if name == STDIN else _read_bytes(name)
    if len(data) > LIMIT:
        raise _too_large(name, "more than 4 MB", LIMIT)
    return data


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """(number, text) of every line of a file, or of standard input for "-"; one is held at a time.

    InputError as of `read_text`; a line is at most 4 MB long, and the whole at most 400 MB.
    """
    name = os.fspath(path)
    if name == STDIN:
        yield from _lines(sys.stdin.buffer, name)
        return
    with _opened(name, LIMIT_OF_LINES) as file:
        yield from _lines(file, name)


def _lines(file: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    total, number = 0, 0
    while data := file.readline(LIMIT + 1):
        total, number = total + len(data), number + 1
        if len(data) > LIMIT:
            raise _too_large(name, f"line {number} is longer than 4 MB", LIMIT)
        if total > LIMIT_OF_LINES:
            raise _too_large(name, "more than 400 MB", LIMIT_OF_LINES)
        yield number, _decoded(data, name, number)


def source_name(path: str | os.PathLike[str]) -> str:
    """What messages call the source."""
    return "<stdin>" if os.fspath(path) == STDIN else os.fspath(path)


def _read_bytes(name: str) -> bytes:
    with _opened(name, LIMIT) as file:
        return file.read(LIMIT + 1)


@contextmanager
def _opened(name: str, limit: int) -> Iterator[BinaryIO]:
    try:
        _check_kind(name, os.stat(name), limit)
        with open(name, "rb") as file:
            yield file
    except FileNotFoundError:
        raise InputError(f"there is no file {_shown(name)}", hint=_neighbour(name)) from None
    except PermissionError:
        raise InputError(f"{_shown(name)} may not be read", hint="check its permissions") from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"{_shown(name)} cannot be read: {reason}") from None


def _check_kind(name: str, status: os.stat_result, limit: int) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise InputError(f"{_shown(name)} is a directory", expected="a file", hint=_inside(name))
    if not stat.S_ISREG(status.st_mode):
        hint = "standard input is written -"
        raise InputError(f"{_shown(name)} is not a regular file", expected="a file", hint=hint)
    if status.st_size > limit:
        raise _too_large(name, f"{status.st_size / 1e6:,.1f} MB", limit)


def _decoded(data: bytes, name: str, line: int = 1) -> str:
    if b"\0" in data:
        wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        hint = "it looks like UTF-16: save it as UTF-8" if wide else ""
        raise _not_text(data, name, data.index(b"\0"), "is a binary file", hint, line)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        hint = "save the file as UTF-8"
        raise _not_text(data, name, error.start, "is not UTF-8 text", hint, line) from None


def _not_text(data: bytes, name: str, offset: int, what: str, hint: str, first: int) -> InputError:
    line = data.count(b"\n", 0, offset) + first
    message = f"{_shown(source_name(name))} {what}: byte 0x{data[offset]:02x} at offset {offset}"
    place = Place(source_name(name), line)
    return InputError(message, place=place, expected="UTF-8 text", hint=hint)


def _too_large(name: str, size: str, limit: int) -> InputError:
    message = f"{_shown(source_name(name))} is too large ({size})"
    return InputError(message, expected=f"a text of at most {limit // 10**6} MB")


def _neighbour(name: str) -> str:
    path = Path(name)
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):
        return f"there is no directory {_shown(str(path.parent))} either"
    near = nearest(path.name, names)
    return f"did you mean {_shown(str(path.with_name(near)))}?" if near else ""


def _inside(name: str) -> str:
    try:
        files = sorted(entry for entry in os.listdir(name) if entry.endswith(".toml"))
    except OSError:
        return ""
    return f"it holds {_shown(os.path.join(name, files[0]))}" if files else ""


def _shown(name: str) -> str:
    return quoted(name, 120)
