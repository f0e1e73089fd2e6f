"""`derive list`: the built-in problems."""

from __future__ import annotations

import tomllib

import click

from derive.problems import ORDER, source


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> int:
    """Show the built-in problems."""
    for name in ORDER:
        first = source(name).partition("\n")[0].removeprefix("# ")
        title = tomllib.loads(source(name))["title"]
        click.echo(f"{name:<12} {title}\n{'':<12} {first}")
    return 0
