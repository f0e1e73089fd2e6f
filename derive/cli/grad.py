"""`derive grad [PROBLEM]`: exact gradients, step by step from the end to the beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from derive.cli.explore import explored, exploring
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

if TYPE_CHECKING:
    from derive.gradients import Sweep


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@changing
@click.option(
    "--of",
    metavar="NUMBER",
    default="",
    help='What is differentiated: "loss", "O[1][1]", "<G,O>" or "mse(O)".',
)
@click.option("--wrt", metavar="NAMES", help="By these, such as W_Q,W_K; all weights otherwise.")
@click.option(
    "--seed", metavar="FILE", help="TOML with G = [[...]] of <G,O>, or T = [[...]] of mse(O)."
)
@click.option(
    "--view",
    "views",
    multiple=True,
    type=click.Choice(["matrix", "index", "entries"]),
    help="Matrix notation, indices with sums and deltas, or entries; all three otherwise.",
)
@exploring
@click.option("--torch", is_flag=True, help="As a program in PyTorch that differentiates.")
@click.option(
    "--check",
    type=click.Choice(["torch"]),
    help="Compare with PyTorch's gradients in doubles, where it is installed.",
)
@rounding
@printing
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
    help='Also an entry in full, such as "dW_Q[1][1]"; may be repeated.',
)
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the page.")
def command(**options: Any) -> int:
    """Differentiate what is derived: exact gradients, with every step and its reason.

    PROBLEM is as for derive. Without --of it is the loss, or else the first entry of the output.
    """
    kind, form = page_format(options), format_of(options)
    if options["torch"] or options["check"]:
        return _by_torch(options, kind)
    from derive.pages import gradients_printed, paged

    looks = {"fragment": options["fragment"], "colour": options["output"] is None and is_terminal()}
    page = explored(options, form, kind)
    if isinstance(page, dict):
        from derive.render.json import dumps

        deliver(dumps(page), options["output"])
        return told(page.get("undecided", ()))
    if page:
        deliver(paged(page, kind, **looks), options["output"])
        return told(page.undecided)
    content, undecided = gradients_printed(
        sweep_of(options),
        kind,
        form=form,
        lang=options["lang"],
        detail=options["detail"],
        views=options["views"],
        expand=options["expand"],
        **looks,
    )
    deliver(content, options["output"])
    return told(undecided)


def _by_torch(options: dict[str, Any], kind: str) -> int:
    """PyTorch's program, or how far what it finds is off; 1 where that is too far."""
    if options["torch"] and options["check"]:
        raise click.UsageError("--torch and --check exclude each other")
    if kind != "terminal":
        way = "--torch" if options["torch"] else "--check"
        raise click.UsageError(f"{way} is text and --{kind} another format; choose one")
    if options["torch"]:
        from derive.views.code import program_with_gradients

        deliver(program_with_gradients(sweep_of(options)), options["output"])
        return 0
    from derive.check import compare

    found = compare(sweep_of(options))
    deliver(found.text, options["output"])
    return 0 if found.is_close else 1


def sweep_of(options: dict[str, Any]) -> Sweep:
    """The gradients that the options ask for."""
    from derive.gradients import differentiate
    from derive.read.seeds import read_seed

    derivation = derivation_of(options)
    seed = read_seed(options["seed"]) if options["seed"] else None
    return differentiate(derivation, options["of"], names_of(options["wrt"]), seed)
