"""Pages as Word documents: text to be edited, mathematics as Word's own equations, no picture.

python-docx keeps the parts of the file in order; what it has no call for is written as elements of
WordprocessingML (ISO/IEC 29500-1).
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from derive.errors import InputError
from derive.render.archive import restored
from derive.render.blocks import Page


def docx(page: Page) -> bytes:
    """The document, the same byte for byte every time.  InputError without python-docx."""
    try:
        import docx as library
    except ModuleNotFoundError:
        raise InputError(
            "Word documents are written with python-docx, which is not installed",
            hint="pip install python-docx",
        ) from None
    from derive.render.docx.blocks import Printer
    from derive.render.docx.style import dressed

    document: Any = library.Document()
    dressed(document, page)
    Printer(document, page).print()
    out = BytesIO()
    document.save(out)
    return restored(out.getvalue())
