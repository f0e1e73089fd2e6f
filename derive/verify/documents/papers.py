"""PDF files: the lines of text that can be drawn from them, page by page."""

from __future__ import annotations

import io
import logging
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from derive.errors import InputError
from derive.verify.documents.document import Document, Segment
from derive.verify.documents.draft import Draft

MOST_PAGES = 500
MOST_TEXT = 2_000_000
"""No more characters are drawn from a file."""
LARGEST = 20_000_000
"""What is drawn on all pages is no longer, in bytes."""
SECONDS = 20
"""Drawing the text takes no longer, in a process of its own."""
_HEAD, HEADED = b"%PDF-", 1024
"""A PDF file says within so many bytes that it is one."""
_POWER = re.compile(r"(?<=[·×x*⋅])(\s?10)(?=[−-]\d{1,2}(?![\d.]))")
"""A power of ten, whose exponent was raised on the page."""


@dataclass(frozen=True)
class Paper(Document):
    """A PDF file, with where in the text each page begins."""

    pages: tuple[int, ...] = ()

    def where(self, offset: int) -> str:
        """The page, and the line on it."""
        page = bisect_right(self.pages, offset)
        line = self.text.count("\n", self.pages[page - 1], offset) + 1
        return f"page {page}, line {line}"


def paper(data: bytes, name: str) -> Document:
    """The document of a PDF file.  InputError where no text can be drawn from it."""
    from derive.read.latex.worker import apart

    if _HEAD not in data[:HEADED]:
        raise _unread(name)
    pages: list[str] = apart(drawn, data, name, seconds=SECONDS)
    if not any(page.strip() for page in pages):
        raise InputError(
            f"no text can be drawn from {name}",
            expected="a PDF file that holds text, not pictures of it",
        )
    starts, at = [], 0
    for page in pages:
        starts.append(at)
        at += len(page) + 1
    text = "\n".join(pages)
    return Paper(name, text, (_segment(text),), pages=tuple(starts))


def _segment(text: str) -> Segment:
    """The text with its powers of ten marked as such."""
    draft, last = Draft(), 0
    for found in _POWER.finditer(text):
        draft.copy(text[last : found.end()], last)
        draft.put("^", found.end())
        last = found.end()
    draft.copy(text[last:], last)
    return draft.segment()


def drawn(data: bytes, name: str) -> list[str]:
    """The text of each page.  InputError where there is none to be had, or too much."""
    return list(_pages(data, name))


def _pages(data: bytes, name: str) -> Iterator[str]:
    """The text of each page."""
    from pypdf import PdfReader
    from pypdf.errors import LimitReachedError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)  # it tells of every broken object
    total = drawing = 0
    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{name} is locked by a password")
        for count, page in enumerate(reader.pages):
            contents = page.get_contents()
            drawing += len(contents.get_data()) if contents is not None else 0
            if drawing > LARGEST:
                raise _too_large(name)
            text = _clean(page.extract_text())
            total += len(text)
            if count >= MOST_PAGES or total > MOST_TEXT:
                raise InputError(f"{name} is too long", expected=f"at most {MOST_PAGES} pages")
            yield text
    except InputError:  # which is a ValueError too
        raise
    except (LimitReachedError, MemoryError):
        raise _too_large(name) from None
    except _broken(PyPdfError):
        raise _unread(name) from None


def _unread(name: str) -> InputError:
    return InputError(f"{name} is not a PDF file, or is broken")


def _too_large(name: str) -> InputError:
    expected = f"at most {LARGEST // 1_000_000} MB on all pages"
    return InputError(f"the pages of {name} unpack to more than is read", expected=expected)


def _broken(error: type[Exception]) -> tuple[type[BaseException], ...]:
    """What reading a broken PDF file may raise."""
    return (
        error, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, RecursionError,
        AssertionError, NotImplementedError, ArithmeticError, StopIteration,
    )  # fmt: skip


def _clean(text: str) -> str:
    return re.sub(r"[\x00-\x08\x0b-\x1f\ud800-\udfff]", " ", text.replace("\r\n", "\n"))
