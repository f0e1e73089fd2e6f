"""`derive read FILE`: the formulas of a document, and what each is read as."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

MARKDOWN = (".md", ".markdown")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file")
@click.option("--all", "everything", is_flag=True, help="Also what is refused, with the reason.")
@click.option("--matrices", metavar="NAMES", default="", help="Letters that are matrices: Q,K,V.")
def command(file: str, everything: bool, matrices: str) -> int:
    """List the formulas of a LaTeX or Markdown file: place, formula, reading.

    FILE is a path, or - for standard input (LaTeX).
    """
    from derive.read.files import read_text, source_name
    from derive.read.latex.document import read_formulas

    names = [name.strip() for name in matrices.split(",") if name.strip()]
    text, is_markdown = read_text(file), file.lower().endswith(MARKDOWN)
    found = read_formulas(text, source_name(file), markdown=is_markdown, matrices=names)
    for formula in found:
        if everything or formula.error is None:
            click.echo("\n".join(_lines(formula)))
    refused = sum(formula.error is not None for formula in found)
    more = "" if everything or not refused else " (--all says why)"
    click.echo(f"{len(found) - refused} formulas read, {refused} refused{more}", err=True)
    return 0


def _lines(formula: Any) -> Iterator[str]:
    from derive.read.latex.plain import plain

    place = formula.place
    yield f"{place.source}:{place.line}:{place.column}: {' '.join(formula.text.split())}"
    if formula.error is None:
        is_chain = hasattr(formula.reading, "members")
        yield f"    {formula.reading if is_chain else plain(formula.reading)}"
    else:
        yield f"    refused: {formula.error.message}"
        yield f"    hint: {formula.error.hint}"
