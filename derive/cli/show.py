"""`derive [PROBLEM]`: a derivation as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from derive import __version__
from derive.cli.main import COMMANDS
from derive.cli.options import derivation_of, format_of, shared, steps_of
from derive.cli.output import chosen_format, deliver, is_terminal, no_terminal, told
from derive.words import LANGUAGES

if TYPE_CHECKING:
    from derive.derivation import Derivation

FORMATS = ("latex", "markdown", "html", "pdf", "notebook", "json", "numpy", "torch")
NO_PAGES = ("json", "numpy", "torch")
SUFFIXES = {
    ".tex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".ipynb": "notebook",
    ".json": "json",
    ".txt": "terminal",
}
EPILOG = "\b\nCommands:\n" + "\n".join(
    f"  {name:<12} {words}" for name, (_, words) in COMMANDS.items()
)


@click.command(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@shared
@click.option("--latex", is_flag=True, help="As a LaTeX document.")
@click.option("--markdown", is_flag=True, help="As Markdown with GitHub's mathematics.")
@click.option("--html", is_flag=True, help="As one HTML file that needs no network.")
@click.option("--pdf", is_flag=True, help="As PDF; needs -o FILE.pdf, or a pipe.")
@click.option("--notebook", is_flag=True, help="As a notebook whose code derives every step again.")
@click.option("--json", is_flag=True, help="As JSON: every entry exact, as LaTeX, in decimals.")
@click.option("--numpy", is_flag=True, help="As a program in NumPy.")
@click.option("--torch", is_flag=True, help="As a program in PyTorch.")
@click.option("--fragment", is_flag=True, help="LaTeX without a preamble, for \\input.")
@click.option("--slides", is_flag=True, help="PDF or LaTeX as slides, a step each.")
@click.option(
    "--engine",
    type=click.Choice(["typst", "tex"]),
    help="What makes the PDF: built in (typst), or latexmk and xelatex.",
)
@click.option(
    "--detail",
    type=click.Choice(["brief", "full", "every-entry"]),
    default="full",
    help="Rules and results, or with the numbers put in (full), for every entry.",
)
@click.option(
    "--expand",
    metavar="ENTRY",
    multiple=True,
    help='Also print an entry in full, such as "O[1][1]"; may be repeated.',
)
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the page.")
@click.version_option(__version__, prog_name="derive")
def command(**options: Any) -> int:
    """Derive an attention head exactly, step by step, with proved decimals.

    PROBLEM is a built-in name (derive list), the path of a TOML, LaTeX or Markdown file, or - for
    standard input; without one, the example of three tokens that can be computed by hand.
    """
    flags = {name: options[name] for name in FORMATS}
    form = format_of(options)
    kind = chosen_format(flags, options["output"], SUFFIXES) or "terminal"
    if options["fragment"] and kind != "latex":
        raise click.UsageError("--fragment is for LaTeX: add --latex, or -o FILE.tex")
    if options["slides"] and kind not in ("pdf", "latex"):
        raise click.UsageError("--slides is for PDF and LaTeX: add --pdf or --latex")
    if options["engine"] and kind != "pdf":
        raise click.UsageError("--engine is for PDF: add --pdf, or -o FILE.pdf")
    if options["expand"] and kind in NO_PAGES:
        raise click.UsageError("--expand is for pages: JSON has every entry, programs have rules")
    if kind == "pdf":
        no_terminal(options["output"])
    derivation = derivation_of(options)
    shown = {
        "form": form,
        "steps": steps_of(options, derivation),
        "lang": options["lang"],
        "detail": options["detail"],
        "expand": options["expand"],
        "slides": options["slides"],
    }
    content, undecided = _content(derivation, kind, options, shown)
    deliver(content, options["output"])
    return told(undecided)


def _content(
    derivation: Derivation, kind: str, options: dict[str, Any], shown: dict[str, Any]
) -> tuple[str | bytes, tuple[str, ...]]:
    from derive.pages import pdf, printed

    if kind == "pdf":
        return pdf(derivation, engine=options["engine"] or "typst", **shown)
    colour = options["output"] is None and is_terminal()
    result = printed(derivation, kind, fragment=options["fragment"], colour=colour, **shown)
    return result.text, result.undecided
