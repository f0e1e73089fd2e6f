"""`derive eval [PROBLEM]`: only the numbers."""

from __future__ import annotations

from typing import Any

import click

from derive.cli.options import derivation_of, format_of, shared, steps_of
from derive.cli.output import chosen_format, deliver, is_terminal, told

SUFFIXES = {".json": "json", ".csv": "csv", ".tex": "macros", ".txt": "table"}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@shared
@click.option("--json", is_flag=True, help="As JSON, rows of numerals by step.")
@click.option("--csv", is_flag=True, help="As CSV: step,row,column,decimal,exact.")
@click.option("--macros", is_flag=True, help="As LaTeX: a \\newcommand for each entry.")
def command(**options: Any) -> int:
    """Print only the numbers of a derivation, every digit proved."""
    flags = {name: options[name] for name in ("json", "csv", "macros")}
    form = format_of(options)
    kind = chosen_format(flags, options["output"], SUFFIXES) or "table"
    from derive.render import numbers as render
    from derive.views.numbers import numbers

    derivation = derivation_of(options)
    found = numbers(derivation, form, steps_of(options, derivation))
    colour = options["output"] is None and is_terminal()
    text = render.table(found, colour) if kind == "table" else getattr(render, kind)(found)
    deliver(text, options["output"])
    return told([x.place for x in found if x.certified.undecided])
