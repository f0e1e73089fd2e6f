"""`derive worksheet [PROBLEM]`: exercises and their keys, in as many variants as a class has."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from derive.cli.folder import deliver_files
from derive.cli.options import MOST_DIGITS, changed, changing, names_of, problem_of
from derive.cli.output import deliver, is_terminal
from derive.cli.worksheet_output import (
    FORMATS,
    SHARES,
    beside,
    check_kind,
    delivered,
    kind_of,
)
from derive.errors import InputError
from derive.handout import DATA
from derive.words import LANGUAGES

if TYPE_CHECKING:
    from derive.worksheet.plan import Plan
    from derive.worksheet.search import Variant

MANY = 100
"""So many variants are worth a process for each core."""


def _range(_context: Any, _parameter: Any, text: str | None) -> tuple[int, int] | None:
    """(-1, 2) from "-1..2"."""
    if text is None:
        return None
    low, dots, high = text.partition("..")
    try:
        ends = int(low), int(high)
    except ValueError:
        dots = ""
    if not dots:
        raise click.BadParameter(f"{text!r} is no range of integers, such as -1..2")
    return ends


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@changing
@click.option("--variants", type=int, default=1, metavar="N", help="How many different sheets (1).")
@click.option("--seed", type=int, default=1, metavar="S", help="What they are drawn from (1).")
@click.option("--pool", type=click.Choice(["practice", "secret"]), default="practice",
              help="Two sets without a common sheet.")  # fmt: skip
@click.option("--blank", metavar="NAMES", help='Steps, rows, entries: "O,A[2],S[1][2]".')
@click.option("--level", type=int, default=1, metavar="1..3",
              help="The last step, every step, or an empty page (1).")  # fmt: skip
@click.option("--places", type=click.IntRange(0, MOST_DIGITS), default=3, metavar="N",
              help="Decimal places (3).")  # fmt: skip
@click.option("--rounding", type=click.Choice(["half-up", "half-even", "truncate"]),
              default="half-up", help="How decimals are rounded (half-up).")  # fmt: skip
@click.option("--points", metavar="NAMES", help='Points of an entry, by step: "O=2,A=1".')
@click.option(
    "--kind",
    "exercise",
    type=click.Choice(["compute", "find-mistake", "true-false"]),
    default="compute",
    help="Work it out, find the one wrong step, or judge statements (compute).",
)
@click.option("--choices", is_flag=True, help="Numbers to choose from: the others are mistakes.")
@click.option("--partial", type=click.Choice(list(SHARES)), metavar="SHARE",
              help="Of the points, for a known mistake (1/2; of a choice 0).")  # fmt: skip
@click.option("--hints", is_flag=True, help="What each step does, and its rule for an entry.")
@click.option("--key", is_flag=True, help="The key in place of the sheet.")
@click.option("--entries", callback=_range, metavar="A..B", help="Entries of weights (-1..2).")
@click.option("--inputs", callback=_range, metavar="A..B", help="Entries of H (0..2).")
@click.option("--exponentials", type=click.IntRange(1), default=5, metavar="N",
              help="Most different powers of e in a head (5).")  # fmt: skip
@click.option("--spread", type=click.IntRange(0), default=5, metavar="N",
              help="Most difference of scores in a row (5).")  # fmt: skip
@click.option("--like-tokens", is_flag=True, help="Rows of H may be alike.")
@click.option("--rational", is_flag=True, help="Deviations of rows of H are rational.")
@click.option("--unique-key", is_flag=True, help="Every way of rounding leads to the key.")
@click.option("--width", type=click.IntRange(0), metavar="N",
              help="Most units of the last place that a tolerance has.")  # fmt: skip
@click.option("--difficulty", type=click.IntRange(1), metavar="N", help="Steps by hand.")
@click.option("--from", "identifier", metavar="ID", help="Make the sheet of this number again.")
@click.option("--stress", type=int, metavar="N", help="Check N keys by a second route.")
@click.option("--format", "kind", type=click.Choice(FORMATS), help="The format.")
@click.option("--engine", type=click.Choice(["typst", "tex"]), default="typst", help="Of the PDF.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="The language of the page.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, and the key beside it.")
def command(**options: Any) -> int:
    """Print an exercise and its key, drawn so that it is worth solving by hand.

    PROBLEM gives the shape: its numbers are drawn anew for every variant.  With -o FILE the key is
    written beside it (FILE-key), and a manifest (.jsonl) with which `derive grade` marks answers;
    with -o FOLDER/ every variant has files of its own.
    """
    kind = kind_of(options)
    check_kind(kind, options)
    if options["exercise"] == "true-false":
        return _truths(kind, options)
    plan = plan_of(options)
    if options["stress"] is not None:
        return _stress(plan, options)
    delivered(_variants(plan, options), kind, options, plan.problem.lang)
    return 0


def plan_of(options: dict[str, Any]) -> Plan:
    """What PROBLEM and the options ask for."""
    from derive.numerals import Format
    from derive.worksheet.plan import Constraints, Plan

    asked = {
        name: options[name]
        for name in (
            "inputs",
            "exponentials",
            "spread",
            "rational",
            "unique_key",
            "width",
            "difficulty",
        )
    }
    low, high = options["entries"] or (-1, 2)
    problem = changed(problem_of(options["problem"] or _named(options)), options)
    return Plan(
        problem,
        seed=options["seed"],
        pool=options["pool"],
        blank=names_of(options["blank"]),
        level=2 if options["exercise"] == "find-mistake" else options["level"],
        form=Format(options["places"], rounding=options["rounding"]),
        points=tuple(_points(options["points"])),
        constraints=Constraints(low, high, tokens=not options["like_tokens"], **asked),
    )


def _named(options: dict[str, Any]) -> str | None:
    """The problem of --from, where it is a built-in one."""
    from derive.worksheet.identity import identity

    return identity(options["identifier"]).problem if options["identifier"] else None


def _points(text: str | None) -> list[tuple[str, int]]:
    found = []
    for item in names_of(text):
        name, _, worth = item.partition("=")
        if not worth.isascii() or not worth.isdigit() or len(worth) > 4:
            raise InputError(f'"{item[:60]}" gives no points', expected='such as "O=2,A=1"')
        found.append((name.strip(), int(worth)))
    return found


def _variants(plan: Plan, options: dict[str, Any]) -> list[Variant]:
    from derive.worksheet.identity import identity, remade
    from derive.worksheet.search import check_count, variants

    if options["identifier"]:
        return [remade(plan, identity(options["identifier"]))]
    check_count(options["variants"])
    return list(variants(plan, range(1, options["variants"] + 1)))


def _truths(kind: str, options: dict[str, Any]) -> int:
    """Statements rest on no problem."""
    from derive.handout import truths_printed
    from derive.worksheet.search import check_count

    if options["problem"] or kind in DATA or options["identifier"] or options["stress"]:
        raise click.UsageError("--kind true-false takes no PROBLEM, and is printed as a page")
    check_count(options["variants"])
    output, looks = options["output"], {"engine": options["engine"]}
    if kind == "terminal":
        looks["colour"] = output is None and is_terminal()
    lang = options["lang"] or "en"
    sheets, keys = truths_printed(options["seed"], options["variants"], kind, lang=lang, **looks)
    if options["key"] or output in (None, "-"):
        deliver(keys if options["key"] else sheets, output)
        return 0
    deliver_files({output: sheets, str(beside(output)): keys})
    return 0


def _stress(plan: Plan, options: dict[str, Any]) -> int:
    from derive.handout import stress_printed
    from derive.worksheet.search import check_count

    count, lang = options["stress"], options["lang"] or plan.problem.lang
    check_count(count)
    jobs = len(os.sched_getaffinity(0)) if count >= MANY and hasattr(os, "sched_getaffinity") else 1
    with click.progressbar(length=count, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        tell = lambda done: bar.update(done - bar.pos)  # noqa: E731
        text, is_sound = stress_printed(plan, count, lang, jobs, tell)
    deliver(text, options["output"])
    return 0 if is_sound else 1
