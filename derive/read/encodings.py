"""Tables as spreadsheets write them: in which encoding, where that is not UTF-8."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Callable

from derive.errors import InputError, shown
from derive.read.files import read_bytes, source_name, text_of

ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252 (Western European)",
    "gb18030": "GB18030 (GBK)",
    "big5": "Big5",
    "mac-roman": "Mac OS Roman",
}
"""What can be asked for, and what it is called."""
_HIGH = re.compile(rb"[\x80-\xff]+")
_SIGNS = "\u2018\u2019\u201c\u201d\u2013\u2014\u2026\u20ac\u00a0°±·×½¼¾¹²³´ªº«»¡¿§"
"""What people type in the west of Europe beside letters."""


def read_table(
    path: str | os.PathLike[str],
    tell: Callable[[str], None] | None = None,
    encoding: str | None = None,
) -> str:
    """The text of a table: UTF-8, or UTF-16 by its byte order mark, or else as it looks.

    What is no Unicode is Windows-1252 where letters with accents stand alone among others, and
    GB18030, and so GBK, where they come in pairs.  tell: called with a line that says which;
    encoding: one of `ENCODINGS`, where it is known.  InputError where it is none of these.
    """
    name, data = os.fspath(path), read_bytes(path)
    if encoding is not None:
        return _as_asked(data, name, encoding)
    try:
        return text_of(data, name)
    except InputError:
        found = guessed(data)
        if found is None:
            raise
    if found != "utf-16" and tell:
        source = shown(source_name(name))
        tell(f"{source} is not UTF-8: it is read as {ENCODINGS[found]}; --encoding says otherwise")
    return data.decode(found)


def _as_asked(data: bytes, name: str, encoding: str) -> str:
    if encoding == "utf-8":
        return text_of(data, name)
    text = _text(data, encoding)
    if text is None:
        raise InputError(f"{source_name(name)} is not {ENCODINGS[encoding]}")
    return text


def guessed(data: bytes) -> str | None:
    """The encoding of bytes that are not UTF-8; None where they look like none.

    >>> guessed("Müller".encode("cp1252")), guessed("李明".encode("gbk"))
    ('cp1252', 'gb18030')
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16" if _text(data, "utf-16") is not None else None
    if b"\0" in data:
        return None
    is_chinese = _text(data, "gb18030") is not None
    if _is_western(data) and not (is_chinese and _is_paired(data)):
        return "cp1252"
    return "gb18030" if is_chinese else None


def _is_western(data: bytes) -> bool:
    """Whether each byte beyond ASCII is a letter with an accent or a sign in use."""
    text = _text(data, "cp1252")
    return text is not None and all(x.isalpha() or x in _SIGNS for x in text if not x.isascii())


def _is_paired(data: bytes) -> bool:
    """Whether half of the bytes beyond ASCII or more stand beside others."""
    lengths = [len(found) for found in _HIGH.findall(data)]
    return 2 * lengths.count(1) <= len(lengths)


def _text(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
