"""The options that several commands share, and the problem they lead to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from derive import architectures
from derive.cli.output import chosen_format, no_terminal
from derive.errors import InputError, nearest
from derive.problems import ALSO, ORDER

if TYPE_CHECKING:
    from derive.certify import Format
    from derive.derivation import Derivation, Problem

MOST_DIGITS = 10_000


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """PROBLEM and the options that choose what is derived and with how many digits."""
    return _decorated(command, (*_CHANGING, _STEPS, *_ROUNDING, _OUTPUT))


def changing(command: Callable[..., Any]) -> Callable[..., Any]:
    """PROBLEM and the options that choose what is derived."""
    return _decorated(command, _CHANGING)


def rounding(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say how decimals are rounded."""
    return _decorated(command, _ROUNDING)


def printing(command: Callable[..., Any]) -> Callable[..., Any]:
    """The formats of a page, where it is written to, and in which language."""
    return _decorated(command, (*_FORMATS, _OUTPUT))


def _decorated(command: Callable[..., Any], options: tuple[Any, ...]) -> Callable[..., Any]:
    for decorate in reversed(options):
        command = decorate(command)
    return command


_CHANGING = (
    click.argument("problem", required=False),
    click.option(
        "--preset", metavar="NAME", help="Conventions of pytorch, llama ... (derive conventions)."
    ),
    click.option("--causal", is_flag=True, help="Mask the future: token i sees tokens 1 to i."),
    click.option(
        "--scale", metavar="EXPR", help='Divide the scores by this: "sqrt(d_k)", 1, "d_k".'
    ),
    click.option("--temperature", metavar="EXPR", help='And by this: "1/2", or a symbol, "tau".'),
    click.option("--symbolic", is_flag=True, help="The same shapes, every entry a symbol."),
)
_STEPS = click.option("--steps", metavar="NAMES", help="Only these steps, such as S,A,O.")
_ROUNDING = (
    click.option(
        "--places", type=click.IntRange(0, MOST_DIGITS), metavar="N", help="Decimal places (3)."
    ),
    click.option(
        "--digits", type=click.IntRange(1, MOST_DIGITS), metavar="N", help="Significant digits."
    ),
    click.option(
        "--rounding",
        type=click.Choice(["half-up", "half-even", "truncate"]),
        default="half-up",
        help="How decimals are rounded (half-up).",
    ),
)
_OUTPUT = click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE, the format by its suffix."
)
_FORMATS = (
    click.option("--latex", is_flag=True, help="As a LaTeX document."),
    click.option("--markdown", is_flag=True, help="As Markdown with GitHub's mathematics."),
    click.option("--html", is_flag=True, help="As one HTML file that needs no network."),
    click.option("--pdf", is_flag=True, help="As PDF; needs -o FILE.pdf, or a pipe."),
    click.option("--json", is_flag=True, help="As JSON."),
    click.option("--fragment", is_flag=True, help="LaTeX without a preamble, for \\input."),
)
PAGES = ("latex", "markdown", "html", "pdf", "json")
PAGE_SUFFIXES = {
    ".tex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".json": "json",
    ".txt": "terminal",
}


def page_format(options: dict[str, Any]) -> str:
    """The format that `printing` and the suffix of -o ask for, "terminal" where neither does.

    click.UsageError where they do not agree, or a PDF would go to a terminal.
    """
    flags = {name: options[name] for name in PAGES}
    kind = chosen_format(flags, options["output"], PAGE_SUFFIXES) or "terminal"
    if options["fragment"] and kind != "latex":
        raise click.UsageError("--fragment is for LaTeX: add --latex, or -o FILE.tex")
    if kind == "pdf":
        no_terminal(options["output"])
    return kind


def derivation_of(options: dict[str, Any]) -> Derivation:
    """The derivation that PROBLEM and the options ask for."""
    from derive.models import MODELS
    from derive.read.symbols import check_products

    problem = changed(problem_of(options["problem"]), options)
    check_products(problem.given)
    return MODELS[problem.model].derive(problem)


def problem_of(word: str | None, option: str = "") -> Problem:
    """A built-in problem by name, a file by its path, standard input for "-".

    option: what the word stands behind, where that is an option and no command could be meant.
    """
    from derive.api import builtin
    from derive.read import load

    if is_built_in(word):
        return builtin(word or ORDER[0])
    assert word is not None
    is_path = word == "-" or Path(word).suffix or "/" in word or Path(word).exists()
    if word.strip() and is_path:
        return load(word)
    raise no_problem(word, option) if option else unknown(word)


def is_built_in(word: str | None) -> bool:
    """Whether a word names a built-in problem, and no file beside."""
    return word is None or (word in (*ORDER, *ALSO) and not Path(word).is_file())


def no_problem(word: str, option: str) -> InputError:
    """What to say of a word behind an option that is no built-in problem and no file."""
    near = nearest(word, ORDER)
    return InputError(
        f'{option} "{word}" is no built-in problem and no file',
        expected=f"a problem ({', '.join(ORDER)}), or a path",
        hint=f"did you mean {near}?" if near else "derive list shows the problems",
    )


def unknown(word: str) -> InputError:
    """What to say of a word that is no command, no built-in problem and no file."""
    from derive.cli.main import COMMANDS

    if word in COMMANDS:
        return InputError(f'"{word}" is a command', hint=f"commands come first: derive {word} ...")
    if word in architectures.ORDER:
        message = f'"{word}" has sizes and no values, so there is nothing to derive'
        return InputError(message, hint=f"derive shapes {word} counts its parts")
    close = [
        f"the {kind} {near}"
        for kind, names in (("command", COMMANDS), ("problem", ORDER))
        if (near := nearest(word, names))
    ]
    exact = [hint for hint in close if hint.endswith(f" {word.casefold()}")]
    close = exact or close
    return InputError(
        f'"{word}" is no command, no built-in problem and no file',
        expected=f"a command ({', '.join(COMMANDS)}), a problem ({', '.join(ORDER)}), or a path",
        hint=f"did you mean {' or '.join(close)}?" if close else "derive list shows the problems",
    )


def changed(problem: Problem, options: dict[str, Any]) -> Problem:
    """The problem with the conventions and the symbols that the options put in."""
    from derive.read.conventions import under
    from derive.read.symbols import symbol_matrix

    names = ("preset", "scale", "temperature")
    asked = {name: options[name] for name in names if options[name] is not None}
    problem = under(problem, asked | ({"mask": "causal"} if options["causal"] else {}))
    given = problem.given
    if options["symbolic"]:
        given = {name: symbol_matrix(name, *matrix.shape) for name, matrix in given.items()}
    return _completed(replace(problem, given=given), options["preset"])


def _completed(problem: Problem, preset: str | None) -> Problem:
    """The problem, its matrices fitted to the conventions that are now in force."""
    from derive.read.shapes import complete

    choices, given = problem.conventions, problem.given
    try:
        return replace(problem, given=complete(given, choices, problem.tokens, model=problem.model))
    except InputError as error:
        if preset is None:
            raise
        hint = error.hint or f"--preset {preset} does not fit the matrices of this problem"
        raise InputError(error.message, expected=error.expected, hint=hint) from None


def format_of(options: dict[str, Any]) -> Format:
    """How decimals are to be rounded; click.UsageError where places and digits are both given."""
    from derive.certify import Format

    places, digits = options["places"], options["digits"]
    if places is not None and digits is not None:
        raise click.UsageError("--places and --digits exclude each other")
    return Format(3 if places is None else places, digits, options["rounding"])


def steps_of(options: dict[str, Any], derivation: Derivation) -> tuple[str, ...]:
    """The names of --steps, each of them a step."""
    names = names_of(options["steps"])
    for name in names:
        derivation.step(name)
    return names


def names_of(text: str | None) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name.strip() for name in (text or "").split(",") if name.strip())
