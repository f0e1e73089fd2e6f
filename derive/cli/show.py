"""`derive [PROBLEM]`: a derivation as a page."""

from __future__ import annotations

from typing import Any

import click

from derive import __version__
from derive.cli.main import COMMANDS
from derive.cli.options import derivation_of, format_of, shared, steps_of
from derive.cli.output import chosen_format, deliver, is_terminal

SUFFIXES = {
    ".tex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".txt": "terminal",
}
EPILOG = "\b\nCommands:\n" + "\n".join(
    f"  {name:<6}{words}" for name, (_, words) in COMMANDS.items()
)


@click.command(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@shared
@click.option("--latex", is_flag=True, help="As a LaTeX document.")
@click.option("--markdown", is_flag=True, help="As Markdown with GitHub's mathematics.")
@click.option("--json", is_flag=True, help="As JSON: every entry exact, as LaTeX, in decimals.")
@click.option("--fragment", is_flag=True, help="LaTeX without a preamble, for \\input.")
@click.option("--lang", type=click.Choice(["en", "zh"]), help="The language of the page.")
@click.version_option(__version__, prog_name="derive")
def command(**options: Any) -> int:
    """Derive an attention head exactly, step by step, with proved decimals.

    PROBLEM is a built-in name (derive list), the path of a TOML file, or - for standard input;
    without one, the example of three tokens that can be computed by hand.
    """
    flags = {name: options[name] for name in ("latex", "markdown", "json")}
    form = format_of(options)
    kind = chosen_format(flags, options["output"], SUFFIXES) or "terminal"
    if options["fragment"] and kind != "latex":
        raise click.UsageError("--fragment is for LaTeX: add --latex, or -o FILE.tex")
    from derive.pages import printed

    derivation = derivation_of(options)
    result = printed(
        derivation,
        kind,
        form=form,
        steps=steps_of(options, derivation),
        lang=options["lang"],
        fragment=options["fragment"],
        colour=options["output"] is None and is_terminal(),
    )
    deliver(result.text, options["output"])
    return 3 if result.undecided else 0
