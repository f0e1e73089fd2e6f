"""Verdicts on the printed numbers of an article.

`verify` reads a document, works out everything exactly from what the document itself declares, and
judges each number it prints.
"""

from __future__ import annotations

from pathlib import Path

from derive.errors import InputError
from derive.verify.document import MAX_BYTES, decoded, document
from derive.verify.report import Claim, Report, verified

__all__ = ["Claim", "Report", "verify", "verify_file"]


def verify(text: str, name: str = "article.md") -> Report:
    """The report on an article given as text; the ending of the name says how it is read."""
    return verified(document(text, name))


def verify_file(path: Path) -> Report:
    """The report on a file.  InputError where it cannot be read as an article."""
    try:
        if path.is_dir() or not path.exists():
            raise InputError(f"there is no file {path}", expected="an article")
        if path.stat().st_size > MAX_BYTES:
            expected = f"at most {MAX_BYTES // 1_000_000} MB"
            raise InputError(f"{path} is too large to be read as an article", expected=expected)
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {(error.strerror or '').lower()}") from None
    return verify(decoded(data, str(path)), path.name)
