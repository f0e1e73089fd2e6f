"""`derive train [PROBLEM]`: exact steps of gradient descent or Adam."""

from __future__ import annotations

from typing import Any

import click

from derive.cli.options import (
    changing,
    derivation_of,
    format_of,
    names_of,
    page_format,
    printing,
    rounding,
)
from derive.cli.output import deliver, is_terminal, told
from derive.words import LANGUAGES


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@changing
@click.option(
    "--of",
    metavar="NUMBER",
    default="",
    help='What is made smaller: "loss", "O[1][1]", "<G,O>" or "mse(O)".',
)
@click.option("--wrt", metavar="NAMES", help="Train these, such as W_Q,W_K; all weights otherwise.")
@click.option(
    "--seed", metavar="FILE", help="TOML with G = [[...]] of <G,O>, or T = [[...]] of mse(O)."
)
@click.option("--steps", type=int, default=1, metavar="N", help="So many steps (1).")
@click.option("--eta", default="1/10", metavar="EXPR", help='The learning rate, exact ("1/10").')
@click.option("--adam", is_flag=True, help="By Adam (Kingma and Ba 2015), not gradient descent.")
@rounding
@printing
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the page.")
def command(**options: Any) -> int:
    """Train exactly: gradients, updated weights, the new loss, and what was to be expected of it.

    PROBLEM is as for derive. Without --of it is the loss, or else the first entry of the output.
    """
    kind, form = page_format(options), format_of(options)
    from derive.gradients.train import train
    from derive.pages import training_printed
    from derive.read.objects import as_scalar
    from derive.read.seeds import read_seed

    training = train(
        derivation_of(options),
        as_scalar(options["eta"], "eta"),
        options["steps"],
        of=options["of"],
        wrt=names_of(options["wrt"]),
        seed=read_seed(options["seed"]) if options["seed"] else None,
        is_adam=options["adam"],
    )
    content, undecided = training_printed(
        training,
        kind,
        form=form,
        lang=options["lang"],
        fragment=options["fragment"],
        colour=options["output"] is None and is_terminal(),
    )
    deliver(content, options["output"])
    return told(undecided)
