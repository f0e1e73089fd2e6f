"""`derive theorem [NAME]`: the theorems, or one as a page with its proof."""

from __future__ import annotations

from typing import Any

import click

from derive.cli.options import page_format, printing
from derive.cli.output import deliver, is_terminal
from derive.words import LANGUAGES, words


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", required=False)
@printing
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language.")
def command(**options: Any) -> int:
    """Prove a theorem about the mathematics of the Transformer; without NAME, list them.

    Every claim on the page is decided by exact algebra, on letters, when the page is made.
    """
    kind = page_format(options)
    if not options["name"]:
        if kind != "terminal":
            raise click.UsageError(f"which theorem as {kind}? add its NAME")
        deliver(_listed(options["lang"]), options["output"])
        return 0
    from derive.pages import theorem_printed
    from derive.theorems import theorem

    looks = {"fragment": options["fragment"], "colour": options["output"] is None and is_terminal()}
    found = theorem(options["name"])
    content = theorem_printed(found, kind, lang=options["lang"], **looks)
    deliver(content, options["output"])
    return 0


def _listed(lang: str) -> str:
    """Every name, and what is proved under it in one line."""
    from derive.theorems import ORDER

    tables = words(lang)["theorems"]
    return "".join(f"{name:<18}{tables[name]['line']}\n" for name in ORDER)
