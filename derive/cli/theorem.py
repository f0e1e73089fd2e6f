"""`derive theorem [NAME]`: the theorems, or one as a page with its proof."""

from __future__ import annotations

from typing import Any

import click

from derive.cli.output import chosen_format, deliver, is_terminal, no_terminal
from derive.words import LANGUAGES, words

FORMATS = ("latex", "markdown", "html", "pdf", "json")
SUFFIXES = {
    ".tex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".json": "json",
    ".txt": "terminal",
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", required=False)
@click.option("--latex", is_flag=True, help="As a LaTeX document.")
@click.option("--markdown", is_flag=True, help="As Markdown with GitHub's mathematics.")
@click.option("--html", is_flag=True, help="As one HTML file that needs no network.")
@click.option("--pdf", is_flag=True, help="As PDF; needs -o FILE.pdf, or a pipe.")
@click.option("--json", is_flag=True, help="As JSON: sentences, and claims as LaTeX.")
@click.option("--fragment", is_flag=True, help="LaTeX without a preamble, for \\input.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, the format by its suffix.")
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language.")
def command(**options: Any) -> int:
    """Prove a theorem about the mathematics of the Transformer; without NAME, list them.

    Every claim on the page is decided by exact algebra, on letters, when the page is made.
    """
    kind = chosen_format({f: options[f] for f in FORMATS}, options["output"], SUFFIXES)
    if options["fragment"] and kind != "latex":
        raise click.UsageError("--fragment is for LaTeX: add --latex, or -o FILE.tex")
    if not options["name"]:
        if kind not in ("", "terminal"):
            raise click.UsageError(f"which theorem as {kind}? add its NAME")
        deliver(_listed(options["lang"]), options["output"])
        return 0
    if kind == "pdf":
        no_terminal(options["output"])
    from derive.pages import theorem_printed
    from derive.theorems import theorem

    looks = {"fragment": options["fragment"], "colour": options["output"] is None and is_terminal()}
    found = theorem(options["name"])
    content = theorem_printed(found, kind or "terminal", lang=options["lang"], **looks)
    deliver(content, options["output"])
    return 0


def _listed(lang: str) -> str:
    """Every name, and what is proved under it in one line."""
    from derive.theorems import ORDER

    tables = words(lang)["theorems"]
    return "".join(f"{name:<18}{tables[name]['line']}\n" for name in ORDER)
