"""`derive new NAME`: a built-in problem or architecture written out as TOML to start from."""

from __future__ import annotations

from pathlib import Path

import click

from derive import architectures
from derive.cli.options import unknown
from derive.cli.output import deliver
from derive.errors import InputError
from derive.problems import ALSO, ORDER, source


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", default=ORDER[0])
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, which must not exist yet.")
def command(name: str, output: str | None) -> int:
    """Write the built-in problem NAME out as a commented TOML file to start from.

    NAME may also be an architecture of derive shapes.
    """
    if name not in (*ORDER, *ALSO, *architectures.ORDER):
        raise unknown(name)
    if output is not None and output != "-" and Path(output).exists():
        raise InputError(f"{output} exists already", expected="the name of a new file")
    deliver(source(name) if name in (*ORDER, *ALSO) else architectures.source(name), output)
    return 0
