"""`derive conventions [NAME ...]`: the named choices, where each is from, and what it comes to."""

from __future__ import annotations

from typing import Any

import click

from derive.cli.output import chosen_format, deliver, is_terminal, no_terminal
from derive.cli.shapes import FORMATS, SUFFIXES
from derive.words import LANGUAGES


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1)
@click.option("--latex", is_flag=True, help="As a LaTeX document.")
@click.option("--markdown", is_flag=True, help="As Markdown with GitHub's mathematics.")
@click.option("--html", is_flag=True, help="As one HTML file that needs no network.")
@click.option("--pdf", is_flag=True, help="As PDF; needs -o FILE.pdf, or a pipe.")
@click.option("--json", is_flag=True, help="As JSON.")
@click.option("--fragment", is_flag=True, help="LaTeX without a preamble, for \\input.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, the format by its suffix.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language.")
def command(**options: Any) -> int:
    """Show the conventions and the presets, each with its source and a line worked out.

    NAMES are conventions (norm, eps_place ...) or presets (pytorch, llama ...); all without one.
    """
    kind = chosen_format({f: options[f] for f in FORMATS}, options["output"], SUFFIXES)
    if options["fragment"] and kind != "latex":
        raise click.UsageError("--fragment is for LaTeX: add --latex, or -o FILE.tex")
    if kind == "pdf":
        no_terminal(options["output"])
    from derive.pages import conventions_printed

    looks = {"fragment": options["fragment"], "colour": options["output"] is None and is_terminal()}
    names, lang = options["names"], options["lang"]
    deliver(conventions_printed(names, kind or "terminal", lang, **looks), options["output"])
    return 0
