"""The words of a page, apart from its mathematics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from derive.render.blocks import (
    Abreast,
    Contents,
    Fields,
    Heading,
    Heatmap,
    Note,
    Page,
    Plot,
    Quoted,
    Table,
    Text,
)


def texts(page: Page) -> Iterator[str]:
    """Every piece of text on the page, in order."""
    yield page.title
    for block in page.blocks:
        match block:
            case Heading(text) | Contents(text):
                yield text
            case Abreast(left, right):
                yield from texts(replace(page, title="", blocks=(*left, *right)))
            case Text(content) | Note(content):
                yield from _strings(content)
            case Table(header, rows):
                yield from (s for row in (header, *rows) for cell in row for s in _strings(cell))
            case Plot(label, across, curves):
                yield from (label, across, *(name for name, _ in curves))
            case Quoted(parts):
                yield from (text for text, _ in parts)
            case Fields(labels):
                yield from labels
            case Heatmap(_, rows, columns):
                yield from (*columns, *rows)


def has_cjk(page: Page) -> bool:
    """Whether the page needs a Chinese font, whatever its language."""
    return any("\u2e80" <= c <= "\uffef" for text in texts(page) for c in text)


def _strings(content: Any) -> Iterator[str]:
    parts = (content,) if isinstance(content, str) else content
    yield from (part for part in parts if isinstance(part, str))
