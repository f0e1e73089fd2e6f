"""`derive worksheet [PROBLEM]`: exercises and their keys, in as many variants as a class has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from derive.cli.folder import deliver_files
from derive.cli.options import changed, changing, is_built_in, names_of, problem_of
from derive.cli.output import deliver
from derive.cli.worksheet_output import (
    FORMATS,
    QUESTIONS,
    SHARES,
    beside,
    check_kind,
    delivered,
    kind_of,
    looks_of,
)
from derive.cli.worksheet_series import jobs_of, made, of_old, progress, recalled
from derive.errors import InputError
from derive.handout import DATA
from derive.words import LANGUAGES
from derive.worksheet.kinds import KINDS, MOST_PLACES, TRUTH, WHOLE

if TYPE_CHECKING:
    from derive.derivation import Problem
    from derive.worksheet.plan import Constraints, Plan

CONSTRAINTS = (
    "inputs",
    "exponentials",
    "spread",
    "rational",
    "unique_key",
    "width",
    "difficulty",
)
"""Constraints that are called as their options are."""


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
@click.option("--blank", metavar="NAMES",
              help='Steps, rows, entries: "O,A[2],S[1][2]"; or as printed: "E,S~".')  # fmt: skip
@click.option("--level", type=int, default=1, metavar="1..3",
              help="The last step, every step, or an empty page (1).")  # fmt: skip
@click.option("--places", type=click.IntRange(0, MOST_PLACES), default=3, metavar="N",
              help=f"Decimal places, 0 to {MOST_PLACES} (3).")  # fmt: skip
@click.option("--rounding", type=click.Choice(["half-up", "half-even", "truncate"]),
              default="half-up", help="How decimals are rounded (half-up).")  # fmt: skip
@click.option("--points", metavar="NAMES", help='Points of an entry, by step: "O=2,A=1".')
@click.option(
    "--kind",
    "exercise",
    type=click.Choice([*KINDS, TRUTH]),
    default="compute",
    help="What is done with it (compute).",
)
@click.option("--change", metavar="NAME",
              help="Of what-if: unscaled, causal, cold, sample, pre-norm.")  # fmt: skip
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
@click.option("-j", "--jobs", type=click.IntRange(1, 512), metavar="N",
              help="So many processes (all cores for 100 variants and more).")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="Work on a dask cluster: tcp://HOST:8786.")
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
    if options["scheduler"] and (options["stress"] or options["identifier"]):
        raise click.UsageError("--scheduler is for new variants, not for --stress or --from")
    from derive.worksheet.search import check_points

    options = recalled(options)
    kind = kind_of(options)
    check_kind(kind, options)
    if options["exercise"] == TRUTH:
        return _truths(kind, options)
    plan = plan_of(options)
    check_points(plan)
    if options["stress"] is not None:
        return _stress(plan, options)
    if options["identifier"]:
        delivered(
            of_old(plan, plan_of(options, is_wide=False), options), kind, options, plan.problem.lang
        )
        return 0
    with made(plan, options) as (variants, code):
        delivered(variants, kind, options, plan.problem.lang)
    return code


def plan_of(options: dict[str, Any], *, is_wide: bool = True) -> Plan:
    """What PROBLEM and the options ask for.

    is_wide: whether a built-in problem is drawn as wide as it is worth solving.
    """
    from derive.numerals import Format
    from derive.worksheet.called import blanks_of
    from derive.worksheet.plan import Plan
    from derive.worksheet.recipe import recipe
    from derive.worksheet.widened import widened

    for name in ("blank", "points"):
        if options[name] is not None and not names_of(options[name]):
            raise InputError(f"--{name} names nothing", expected='such as "O,A[2]"')
    base = changed(problem_of(options["problem"]), options)
    if is_wide and is_built_in(options["problem"]):
        base = widened(base, is_rational=options["rational"])
    problem, before = _asked_of(base, options)
    blank = blanks_of(options["blank"], problem)
    options = options | {"blank": ",".join(blank) or None}
    return Plan(
        problem,
        seed=options["seed"],
        pool=options["pool"],
        blank=blank,
        level=max(2, options["level"]) if options["exercise"] in WHOLE else options["level"],
        form=Format(options["places"], rounding=options["rounding"]),
        points=tuple(_points(options["points"])),
        constraints=_constraints(problem, options),
        kind=options["exercise"],
        before=before,
        recipe=recipe(options),
    )


def _constraints(problem: Problem, options: dict[str, Any]) -> Constraints:
    from derive.worksheet.plan import MOST_EXPONENTS, Constraints, usual_limit

    asked = {name: options[name] for name in CONSTRAINTS}
    for name in ("exponentials", "spread"):
        if asked[name] == MOST_EXPONENTS:
            asked[name] = usual_limit(problem)
    low, high = options["entries"] or (-1, 2)
    return Constraints(low, high, tokens=not options["like_tokens"], **asked)


def _asked_of(problem: Problem, options: dict[str, Any]) -> tuple[Problem, Problem | None]:
    """The problem that is worked out, and of what-if the one before the change."""
    from derive.worksheet.changes import changed_by

    if options["exercise"] != "what-if":
        if options["change"]:
            raise click.UsageError("--change is for --kind what-if")
        return problem, None
    return changed_by(problem, options["change"]), problem


def _points(text: str | None) -> list[tuple[str, int]]:
    found = []
    for item in names_of(text):
        name, _, worth = item.partition("=")
        if not worth.isascii() or not worth.isdigit() or len(worth) > 4:
            raise InputError(f'"{item[:60]}" gives no points', expected='such as "O=2,A=1"')
        found.append((name.strip(), int(worth)))
    return found


def _truths(kind: str, options: dict[str, Any]) -> int:
    """Statements rest on no problem."""
    from derive.handout import truths_data, truths_printed
    from derive.worksheet.search import check_count

    if options["problem"] or options["identifier"] or options["stress"]:
        raise click.UsageError("--kind true-false takes no PROBLEM, --from or --stress")
    check_count(options["variants"])
    output, looks = options["output"], looks_of(options, options["lang"] or "en")
    manifest = truths_data(options["seed"], options["variants"], "jsonl")
    if kind in DATA:
        data = truths_data(options["seed"], options["variants"], kind, looks.lang)
        if kind in QUESTIONS and output not in (None, "-"):
            deliver_files({output: data, str(Path(output).with_suffix(".jsonl")): manifest})
        else:
            deliver(data, output)
        return 0
    sheets, keys = truths_printed(options["seed"], options["variants"], kind, looks)
    if options["key"] or output in (None, "-"):
        deliver(keys if options["key"] else sheets, output)
        return 0
    names = output, str(beside(output)), str(Path(output).with_suffix(".jsonl"))
    deliver_files(dict(zip(names, (sheets, keys, manifest), strict=True)))
    return 0


def _stress(plan: Plan, options: dict[str, Any]) -> int:
    from derive.handout import stress_printed
    from derive.worksheet.search import check_count

    count, lang = options["stress"], options["lang"] or plan.problem.lang
    check_count(count)
    with progress(count) as tell:
        text, is_sound = stress_printed(plan, count, lang, jobs_of(options, count), tell)
    deliver(text, options["output"])
    return 0 if is_sound else 1
