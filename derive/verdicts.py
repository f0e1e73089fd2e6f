"""From an article to the page of its verdicts: a report, a view, then a renderer."""

from __future__ import annotations

from derive.pages import paged
from derive.verify import Report


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
    content = verdicts_page(report, lang, everything=everything, strict=strict)
    return paged(content, format, **options)
