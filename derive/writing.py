"""From what a model writes to text or PDF: a view, then a renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from derive.certify import Format
from derive.derivation import Derivation
from derive.pages import paged

if TYPE_CHECKING:
    from derive.models.beside import Beside, Cached
    from derive.models.generation import Written


def generation_printed(
    written: Written,
    format: str,
    *,
    cached: Cached | None = None,
    form: Format | None = None,
    lang: str | None = None,
    **options: bool,
) -> tuple[str | bytes, tuple[str, ...]]:
    """What a model has written, in a format of FORMATS or as "pdf", and what of it is undecided.

    cached: all that was read, by position, where the page is to tell of it.
    """
    from derive.views.generation import GenerationOptions, generation_data, generation_page

    form, lang = form or Format(), lang or written.problem.lang
    if format == "json":
        from derive.render.json import dumps

        found = generation_data(written, cached, form)
        return dumps(found), tuple(found["undecided"])
    content = generation_page(written, cached, _unmasked(written), GenerationOptions(form, lang))
    return paged(content, format, **options), content.undecided


def _unmasked(written: Written) -> Derivation | None:
    """All that was read, without the mask; None where there is nothing to be hidden."""
    from derive.models.generation import without_mask

    is_usual = written.problem.conventions.mask in (None, "causal")
    if not is_usual or len(written.read) < 2:
        return None
    return without_mask(written.problem, written.read)


def beside_printed(
    beside: Beside,
    format: str,
    *,
    form: Format | None = None,
    lang: str | None = None,
    **options: bool,
) -> tuple[str | bytes, tuple[str, ...]]:
    """Training beside inference in a format of FORMATS or as "pdf", and what is undecided."""
    from derive.views.beside import beside_data, beside_page

    form, lang = form or Format(), lang or beside.problem.lang
    if format == "json":
        from derive.render.json import dumps

        found = beside_data(beside, form, lang)
        return dumps(found), tuple(found["undecided"])
    content = beside_page(beside, form, lang)
    return paged(content, format, **options), content.undecided
