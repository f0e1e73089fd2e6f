"""Exercises as notebooks in nbgrader's form: cells with their numbers, solutions and hidden tests.

The key is what belongs into nbgrader's folder `source`; the sheet is what it gives to students,
without what stands between its marks.  (nbgrader, "Creating and grading assignments"; its cell
metadata of schema 3.)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from derive.render.blocks import Page
from derive.render.markdown import markdown
from derive.render.notebook import METADATA
from derive.render.quiz import Code

STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
"""What nbgrader puts in the place of a solution."""
ESSAY = "YOUR ANSWER HERE"
"""And in that of a text."""
MARKS = {"solution": "SOLUTION", "tests": "HIDDEN TESTS"}


def nbgrader(blocks: Iterable[Page | Code], *, is_key: bool) -> str:
    """The notebook as JSON; is_key: whether solutions and tests stand in it."""
    cells = [{"id": f"cell-{k}", **_cell(block, is_key)} for k, block in enumerate(blocks, 1)]
    book = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _cell(block: Page | Code, is_key: bool) -> dict[str, Any]:
    if isinstance(block, Page):
        return _text(block)
    return _essay(block, is_key) if block.kind == "essay" else _code(block, is_key)


def _essay(block: Code, is_key: bool) -> dict[str, Any]:
    """A cell of text that a person marks; the key says what belongs into it."""
    source = "\n\n".join(block.hidden) if is_key else ESSAY
    found = {**_about(block), "grade": True, "locked": False, "points": block.points}
    lines = source.splitlines(keepends=True)
    about = {"nbgrader": {**found, "solution": True}}
    return {"cell_type": "markdown", "metadata": about, "source": lines}


def _text(page: Page) -> dict[str, Any]:
    source = markdown(page, fence="dollars").rstrip("\n")
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def _code(block: Code, is_key: bool) -> dict[str, Any]:
    source = "\n".join(_lines(block, is_key))
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"nbgrader": _about(block)},
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def _about(block: Code) -> dict[str, Any]:
    """What nbgrader wants to know of a cell."""
    found = {
        "grade": block.kind == "tests",
        "grade_id": re.sub(r"[^A-Za-z0-9_-]", "_", block.id),
        "locked": block.kind != "solution",
        "schema_version": 3,
        "solution": block.kind == "solution",
        "task": False,
    }
    return {**found, "points": block.points} if block.kind == "tests" else found


def _lines(block: Code, is_key: bool) -> Iterator[str]:
    yield from block.shown
    if block.kind not in MARKS:
        return
    if is_key:
        yield f"### BEGIN {MARKS[block.kind]}"
        yield from block.hidden
        yield f"### END {MARKS[block.kind]}"
    elif block.kind == "solution":
        yield from STUB
