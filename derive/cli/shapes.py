"""`derive shapes [PROBLEM]`: shapes, parameters and multiply-adds by part, nothing derived."""

from __future__ import annotations

import re
from typing import Any

import click

from derive.architectures import ORDER
from derive.cli.options import page_format, printing
from derive.cli.output import deliver, is_terminal
from derive.errors import InputError, quoted
from derive.words import LANGUAGES

MOST_DIGITS = 18


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("problem", default=ORDER[0])
@click.option("--batch", metavar="SIZE", help="Texts in a batch: a number, or a letter.")
@click.option("--length", metavar="SIZE", help="Tokens of a text: a number, or a letter.")
@click.option(
    "--set", "changes", metavar="KEY=VALUE", multiple=True, help="Any other: layers=12, d_ff=f."
)
@click.option("--symbolic", is_flag=True, help="Every size by its letter.")
@printing
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the page.")
def command(**options: Any) -> int:
    """Count shapes, parameters and multiply-adds of every part of a model.

    PROBLEM is transformer-base, transformer-big, bert-base, gpt-2 or llama-2-7b, a built-in problem
    (derive list), or a TOML file with the sizes of an architecture or with a problem.
    """
    kind = page_format(options)
    from derive.api import shapes
    from derive.pages import shapes_printed

    table = shapes(options["problem"], **_changes(options))
    table = table.symbolic if options["symbolic"] else table
    looks = {"fragment": options["fragment"], "colour": options["output"] is None and is_terminal()}
    content = shapes_printed(table, kind, lang=options["lang"], **looks)
    deliver(content, options["output"])
    return 0


def _changes(options: dict[str, Any]) -> dict[str, int | str | bool]:
    """Sizes and choices by key; those with an option of their own come first."""
    found = {key: options[key] for key in ("batch", "length") if options[key] is not None}
    for text in options["changes"]:
        key, sign, value = (part.strip() for part in text.partition("="))
        if not (key and sign and value):
            raise InputError(f"--set {quoted(text)} changes nothing", expected="KEY=VALUE")
        if key in found:
            raise InputError(f"{quoted(key)} is set twice", hint="keep one of the two")
        found[key] = value
    return {key: _value(value) for key, value in found.items()}


def _value(text: str) -> int | str | bool:
    """A whole number, true or false, or a word."""
    plain = text.replace(",", "").replace("_", "") if text[:1].isdigit() else text
    if re.fullmatch(rf"-?[0-9]{{1,{MOST_DIGITS}}}", plain):
        return int(plain)
    return {"true": True, "false": False}.get(text, text)
