"""Which variants a command is about: a new set, in series where it is large, or one of old."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from derive.cli.options import problem_of
from derive.cli.output import complain
from derive.errors import InputError
from derive.problems import ALSO, ORDER
from derive.processes import cores

if TYPE_CHECKING:
    from derive.worksheet.plan import Plan
    from derive.worksheet.search import Variant

MANY = 100
"""So many variants are worth a process for each core, and are kept as they are made."""
MOST_SAID = 8


def jobs_of(options: dict[str, Any], count: int) -> int:
    """How many processes are worth it."""
    asked: int | None = options["jobs"]
    return asked if asked is not None else cores() if count >= MANY else 1


@contextmanager
def progress(count: int) -> Iterator[Any]:
    """tell(done): a bar on a terminal, on stderr; nothing elsewhere."""
    with click.progressbar(length=count, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        yield lambda done: bar.update(done - bar.pos)


@contextmanager
def made(plan: Plan, options: dict[str, Any]) -> Iterator[tuple[list[Variant], int]]:
    """The variants and the exit code; once they are delivered what was kept of them is removed."""
    from derive.series import Where, series
    from derive.worksheet.search import check_count

    count = options["variants"]
    check_count(count)
    folder = kept(options["output"]) if count >= MANY else None
    where = Where(jobs_of(options, count), options["scheduler"], folder)
    try:
        with progress(count) as tell:
            found = series(plan, count, where, tell)
    except KeyboardInterrupt:
        if folder is not None and folder.exists():
            complain(f"what is done is kept in {folder}; the same command goes on from it")
        raise
    _say_failed(found.failed)
    yield list(found.variants), 1 if found.failed else 0
    if folder is not None and not found.is_lost:
        _removed(folder)


def kept(output: str | None) -> Path | None:
    """Where a run keeps what is done: sheet.pdf.run beside sheet.pdf."""
    if output in (None, "-"):
        return None
    path = Path(os.path.realpath(str(output)))
    return path.with_name(path.name + ".run")


def _removed(folder: Path) -> None:
    from derive.worksheet.shards import Shards

    Shards(folder).remove()


def _say_failed(failed: tuple[tuple[int, str], ...]) -> None:
    for index, reason in failed[:MOST_SAID]:
        complain(f"variant {index}: {reason}")
    if len(failed) > MOST_SAID:
        complain(f"and {len(failed) - MOST_SAID:,} more variants could not be made")


# --- a sheet of old


def recalled(options: dict[str, Any]) -> dict[str, Any]:
    """With --from, the options that its identifier spells.

    InputError where the identifier is none, is of another problem, or does not agree with an option
    that was given.
    """
    if not options["identifier"]:
        return options
    from derive.worksheet.identity import identity
    from derive.worksheet.recipe import options_of, taken_apart

    named = identity(options["identifier"])
    known = problem_of(options["problem"]).name if options["problem"] else None
    problem, spelled = taken_apart(named.problem, known)
    if known is None and problem not in (*ORDER, *ALSO):
        raise InputError(
            f'the sheet is of the problem "{problem[:60]}", which is not built in',
            hint="give its file: derive worksheet PROBLEM.toml --from ID",
        )
    found = options_of(spelled)
    _check_agreed(found, options)
    return {**options, **found, "problem": options["problem"] or problem}


def _check_agreed(found: dict[str, Any], options: dict[str, Any]) -> None:
    context = click.get_current_context()
    for name, value in found.items():
        is_given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and options[name] != value:
            flag = next(p.opts[0] for p in context.command.params if p.name == name)
            raise InputError(
                f"{flag} is not as the sheet {options['identifier']} has it",
                expected=f"no {flag}: the identifier says how the sheet was made",
            )


def of_old(plan: Plan, before: Plan, options: dict[str, Any]) -> list[Variant]:
    """The one variant of --from; before: the plan as older versions of the generator had it."""
    from derive.worksheet.identity import identity, remade

    return [remade(plan, identity(options["identifier"]), before)]
