"""`derive list`: the built-in problems and architectures."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable

import click

from derive import architectures, problems


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
def command() -> int:
    """Show the built-in problems, and the architectures for derive shapes."""
    _show(problems.ORDER, problems.source, 12)
    click.echo("\nOnly sizes, for derive shapes:\n")
    _show(architectures.ORDER, architectures.source, 17)
    return 0


def _show(names: Iterable[str], source: Callable[[str], str], width: int) -> None:
    for name in names:
        first = source(name).partition("\n")[0].removeprefix("# ")
        title = tomllib.loads(source(name))["title"]
        click.echo(f"{name:<{width}} {title}\n{'':<{width}} {first}")
