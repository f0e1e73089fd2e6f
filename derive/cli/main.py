"""Which command runs, and what its failures look like.

Results go to stdout, all else to stderr.  Exit codes: 0 done, 1 a check found something wrong,
2 bad use or bad input, 3 undecided.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from derive.errors import InputError, nearest, shown

COMMANDS = {
    "eval": ("derive.cli.evaluate", "Print only the numbers: a table, JSON, CSV or LaTeX macros."),
    "read": ("derive.cli.read", "List the formulas of a LaTeX or Markdown file as they are read."),
    "shapes": (
        "derive.cli.shapes",
        "Count shapes, parameters and multiply-adds of a model, by part.",
    ),
    "theorem": (
        "derive.cli.theorem",
        "Prove a theorem as a page; without a name, list them.",
    ),
    "conventions": (
        "derive.cli.conventions",
        "Show the named choices with their sources, each worked out.",
    ),
    "grad": ("derive.cli.grad", "Differentiate: exact gradients, every step with its reason."),
    "train": ("derive.cli.train", "Train a step: exact updates, the new loss, its decrease."),
    "generate": ("derive.cli.generate", "Write on, word by word, each word proved; with a cache."),
    "verify": (
        "derive.cli.verify",
        "Check an article: the verdict on every number it prints.",
    ),
    "worksheet": (
        "derive.cli.worksheet",
        "Draw exercises worth solving by hand, with keys and tolerances.",
    ),
    "grade": ("derive.cli.grade", "Mark answers to worksheets, with feedback for each student."),
    "list": ("derive.cli.listing", "Show the built-in problems."),
    "new": ("derive.cli.new", "Write a built-in problem out as TOML to start from."),
}
DEFAULT = "derive.cli.show"


def _open_streams() -> None:
    """Both streams take any character; one that was closed takes all and keeps nothing."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def run(arguments: Sequence[str]) -> int:
    """Run the command the arguments name (a derivation if none) and return the exit code."""
    name = arguments[0] if arguments and arguments[0] in COMMANDS else None
    command = import_module(COMMANDS[name][0] if name else DEFAULT).command
    program = f"derive {name}" if name else "derive"
    rest = list(arguments[1:] if name else arguments)
    _open_streams()
    try:
        code = command.main(rest, prog_name=program, standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except InputError as error:
        return _fail(str(_placed(error, rest)))
    except click.UsageError as error:
        return _fail(f"error: {_usage(error)}\n  = hint: {program} --help shows the options")
    except click.Abort:
        return 130
    except BrokenPipeError:
        # Whoever reads the output has seen enough; nothing is left to say it to.
        _silence()
        return 0
    except OSError as error:
        _silence()
        return _fail(f"error: the output cannot be written: {(error.strerror or '').lower()}")


def _placed(error: InputError, arguments: Sequence[str]) -> InputError:
    """The error with its place in the problem file among the arguments, if there is one."""
    paths = [a for a in arguments if a.endswith(".toml") and os.path.isfile(a)]
    if error.place is not None or not paths:
        return error
    from derive.read.blame import blamed
    from derive.read.files import read_text

    try:
        text = read_text(paths[0])
    except InputError:
        return error
    return blamed(error, text, paths[0])


def _silence() -> None:
    """What is still to be flushed goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage(error: click.UsageError) -> str:
    if isinstance(error, click.NoSuchOption):
        near = nearest(error.option_name, error.possibilities or ())
        is_near = near is not None and near[:3] == error.option_name[:3]
        meant = [near] if near is not None and is_near else None
        error = click.NoSuchOption(error.option_name, possibilities=meant)
    message = "\n".join(map(shown, error.format_message().splitlines()))
    message = message.replace("is not a valid integer range", "is no whole number")
    message = message.replace("is not a valid integer", "is no whole number")
    return message[:1].lower() + message[1:]


def _fail(message: str) -> int:
    from derive.cli.output import complain

    complain(message)
    return 2
