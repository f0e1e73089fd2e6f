"""`derive conventions [NAME ...]`: the named choices, where each is from, and what it comes to."""

from __future__ import annotations

from typing import Any

import click

from derive.cli.options import page_format, printing
from derive.cli.output import deliver, is_terminal
from derive.words import LANGUAGES


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1)
@printing
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language.")
def command(**options: Any) -> int:
    """Show the conventions and the presets, each with its source and a line worked out.

    NAMES are conventions (norm, eps_place ...) or presets (pytorch, llama ...); all without one.
    """
    kind = page_format(options)
    from derive.pages import conventions_printed

    looks = {"fragment": options["fragment"], "colour": options["output"] is None and is_terminal()}
    names, lang = options["names"], options["lang"]
    deliver(conventions_printed(names, kind, lang, **looks), options["output"])
    return 0
