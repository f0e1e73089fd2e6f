"""`derive generate [PROBLEM]`: what a model writes, word by word, each word proved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from derive.cli.options import (
    changed,
    format_of,
    names_of,
    page_format,
    printing,
    problem_of,
    rounding,
)
from derive.cli.output import deliver, is_terminal, told
from derive.words import LANGUAGES

if TYPE_CHECKING:
    from derive.derivation import Problem
    from derive.models.sampling import Sampling

WORDS = 3
"""So many are written where nothing says how many."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("problem", required=False)
@click.option("--words", type=int, metavar="N", help=f"Write up to N words ({WORDS}).")
@click.option("--temperature", metavar="EXPR", help='Divide the logits by this: "1/2".')
@click.option("--top-k", type=int, metavar="K", help="Only the K best words can come next.")
@click.option(
    "--draw", metavar="NUMBERS", help='Draw by these, one a word, from 0 to 1: "0.3,1/2,0.9".'
)
@click.option("--end", metavar="WORD", default="", help="Stop after this word.")
@click.option("--cache", is_flag=True, help="Also with remembered keys and values.")
@click.option(
    "--beside-training", is_flag=True, help="Of an encoder-decoder: training beside inference."
)
@click.option("--preset", metavar="NAME", help="Conventions of pytorch, llama ...")
@rounding
@printing
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the page.")
def command(**options: Any) -> int:
    """Write on, word by word: every score and chance, and the proof of each choice.

    PROBLEM is a language model or an encoder-decoder, without it the built-in language-model (with
    --beside-training, seq2seq). The word with the largest score is written, or the one drawn.
    """
    kind = page_format(options)
    _check(options)
    problem = _problem(options)
    print_ = _beside if options["beside_training"] else _generated
    content, undecided = print_(
        problem,
        options,
        kind,
        form=format_of(options),
        lang=options["lang"],
        fragment=options["fragment"],
        colour=options["output"] is None and is_terminal(),
    )
    deliver(content, options["output"])
    return told(undecided)


def _check(options: dict[str, Any]) -> None:
    """click.UsageError for options that say nothing of training beside inference."""
    if options["beside_training"]:
        others = ("temperature", "top_k", "draw", "end", "cache")
        for name in (name for name in others if options[name] not in (None, "", False)):
            raise click.UsageError(f"--{name.replace('_', '-')} is not for --beside-training")


def _problem(options: dict[str, Any]) -> Problem:
    default = "seq2seq" if options["beside_training"] else "language-model"
    unchanged = {"scale": None, "temperature": None, "causal": False, "symbolic": False}
    return changed(problem_of(options["problem"] or default), {**options, **unchanged})


def _generated(problem: Problem, options: dict[str, Any], kind: str, **how: Any) -> tuple[Any, Any]:
    from derive.models.beside import cached
    from derive.models.generation import written
    from derive.writing import generation_printed

    sampling = _sampling(options)
    count = options["words"]
    if count is None:
        count = len(sampling.draws) or WORDS
    found = written(problem, count, sampling, end=options["end"])
    remembered = cached(found) if options["cache"] else None
    return generation_printed(found, kind, cached=remembered, **how)


def _sampling(options: dict[str, Any]) -> Sampling:
    from derive.models.sampling import Sampling
    from derive.read.objects import as_scalar

    t, draws = options["temperature"], names_of(options["draw"])
    return Sampling(
        None if t is None else as_scalar(t, "temperature"),
        options["top_k"],
        tuple(as_scalar(u, "draw") for u in draws),
    )


def _beside(problem: Problem, options: dict[str, Any], kind: str, **how: Any) -> tuple[Any, Any]:
    from derive.models.beside import beside
    from derive.writing import beside_printed

    return beside_printed(beside(problem, options["words"]), kind, **how)
