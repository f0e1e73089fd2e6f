"""Pages as Jupyter notebooks, format 4.5: text as Markdown, and code with what it shows.

The format is a few keys of JSON (nbformat 4.5: every cell has an id), so it is written here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from derive.render.blocks import Equations, Formulas, Page, Run
from derive.render.markdown import markdown
from derive.render.terminal import terminal

METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def notebook(page: Page) -> str:
    """The notebook as JSON; cells are numbered, so that a page gives the same file every time."""
    cells = [{"id": f"cell-{k}", **cell} for k, cell in enumerate(_cells(page), 1)]
    book = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def bundle(page: Page) -> dict[str, str]:
    """What a notebook shows for a page of formulas: text/latex, and text/plain beside it."""
    return {"text/latex": display(page), "text/plain": terminal(page).strip("\n")}


def display(page: Page) -> str:
    """The formulas as one display between $$."""
    parts = [
        markdown(replace(page, blocks=(block,)), fence="dollars").strip().strip("$").strip()
        for block in page.blocks
        if isinstance(block, (Formulas, Equations))
    ]
    body = parts[0] if len(parts) == 1 else _gathered(parts)
    return f"$$\n{body}\n$$"


def _gathered(parts: list[str]) -> str:
    return "\\begin{gathered}\n" + " \\\\[8pt]\n".join(parts) + "\n\\end{gathered}"


def _cells(page: Page) -> Iterator[dict[str, Any]]:
    count = 0
    for is_code, blocks in groupby(page.blocks, key=lambda block: isinstance(block, Run)):
        if not is_code:
            yield _text(replace(page, blocks=tuple(blocks)))
            continue
        for run in blocks:
            count += 1
            yield _code(run, count)


def _text(page: Page) -> dict[str, Any]:
    source = markdown(page, fence="dollars").rstrip("\n")
    return {"cell_type": "markdown", "metadata": {}, "source": _lines(source)}


def _code(run: Run, count: int) -> dict[str, Any]:
    shown = [] if run.shown is None else [_output(run.shown, count)]
    return {
        "cell_type": "code",
        "execution_count": count,
        "metadata": {},
        "outputs": shown,
        "source": _lines(run.code),
    }


def _output(page: Page, count: int) -> dict[str, Any]:
    return {
        "data": {kind: _lines(text) for kind, text in bundle(page).items()},
        "execution_count": count,
        "metadata": {},
        "output_type": "execute_result",
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)
