"""From articles to the page of their verdicts: reports, a view, then a renderer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from derive.pages import paged
from derive.verify import Report

if TYPE_CHECKING:
    from derive.render.blocks import Page
    from derive.verify.checked import Checked

Unread = Sequence[tuple[str, str]]
"""What could not be read: (name, why)."""


def verdicts_printed(
    report: Report,
    format: str,
    *,
    lang: str = "en",
    everything: bool = False,
    strict: bool = False,
    **options: bool,
) -> str | bytes:
    """The verdicts on an article in a format of FORMATS, or as "pdf"; options as in `rendered`."""
    from derive.views.verdicts import verdicts_page

    if format == "json":
        from derive.render.json import dumps

        return dumps(report.as_json())
    return _paged(
        verdicts_page(report, lang, everything=everything, strict=strict), format, **options
    )


def many_verdicts_printed(
    reports: Sequence[Report],
    unread: Unread,
    format: str,
    *,
    lang: str = "en",
    everything: bool = False,
    strict: bool = False,
    **options: bool,
) -> str | bytes:
    """The same of several articles: one document, with what could not be read."""
    from derive.views.verdicts import many_verdicts_page

    if format == "json":
        from derive.render.json import dumps
        from derive.views.verdict_data import many_data

        return dumps(many_data(reports, unread))
    content = many_verdicts_page(reports, unread, lang, everything=everything, strict=strict)
    return _paged(content, format, **options)


def _paged(content: Page, format: str, **options: bool) -> str | bytes:
    """The page; in a PDF a character of the article that no font has is a box."""
    if format != "pdf":
        return paged(content, format, **options)
    from derive.render.pdf import NoGlyph

    while True:
        try:
            return paged(content, format, **options)
        except NoGlyph as error:
            content = without(content, error.characters)


def without(content: Page, characters: tuple[str, ...]) -> Page:
    """A page with boxes in place of some characters, in what it quotes and says."""
    from derive.render.blocks import Heading, Quoted, Table, Text

    def text(x: str) -> str:
        for c in characters:
            x = x.replace(c, "□")
        return x

    def said(x: Any) -> Any:
        if isinstance(x, str):
            return text(x)
        return tuple(map(said, x)) if isinstance(x, tuple) else x

    def block(b: Any) -> Any:
        match b:
            case Heading():
                return replace(b, text=text(b.text))
            case Text():
                return replace(b, content=said(b.content))
            case Table():
                return replace(b, header=said(b.header), rows=said(b.rows))
            case Quoted():
                return replace(b, parts=tuple((text(t), m) for t, m in b.parts))
        return b

    return replace(content, title=text(content.title), blocks=tuple(map(block, content.blocks)))


def patch_printed(found: Sequence[Checked]) -> str:
    """The corrections of several articles as one unified diff."""
    from derive.render.diff import unified

    patches = [(one.name, one.patch) for one in found if one.patch is not None]
    return "".join(unified(name, patch.document.text, patch.text) for name, patch in patches)


def notes_printed(
    found: Sequence[Checked], kind: str, *, lang: str = "en", strict: bool = False
) -> str:
    """The findings as notes beside the lines: "sarif" or "github"."""
    from derive import __version__
    from derive.render.diff import relative
    from derive.render.json import dumps
    from derive.views.verdict_notes import Noted, github, sarif

    noted = [
        Noted(relative(one.name), one.report, one.fixes) for one in found if one.report is not None
    ]
    if kind == "github":
        return github(noted, lang=lang, strict=strict)
    return dumps(sarif(noted, __version__, lang=lang, strict=strict))
