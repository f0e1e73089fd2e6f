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
    from derive.read.latex.worker import apart

    names = [name.strip() for name in matrices.split(",") if name.strip()]
    text, is_markdown = read_text(file), file.lower().endswith(MARKDOWN)
    found = apart(_listed, text, source_name(file), is_markdown, names)
    for lines, is_read in found:
        if everything or is_read:
            click.echo("\n".join(lines))
    refused = sum(not is_read for _, is_read in found)
    more = "" if everything or not refused else " (--all says why)"
    click.echo(f"{len(found) - refused} formulas read, {refused} refused{more}", err=True)
    return 0


def _listed(
    text: str, source: str, markdown: bool, names: list[str]
) -> list[tuple[list[str], bool]]:
    """The lines of each formula, and whether it is read."""
    from derive.read.latex.document import read_formulas

    found = read_formulas(text, source, markdown=markdown, matrices=names)
    return [(list(_lines(formula)), formula.error is None) for formula in found]


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
