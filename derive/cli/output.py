"""Where results go: stdout, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TextIO

import click

from derive.errors import InputError

MOST_NAMED = 8
"""So many undecided entries are named."""


def chosen_format(
    flags: Mapping[str, bool], output: str | None, suffixes: Mapping[str, str]
) -> str:
    """The format that the flags and the suffix of -o agree on, "" where neither says one.

    click.UsageError where two formats are asked for at once.
    """
    asked = [name for name, is_set in flags.items() if is_set]
    if len(asked) > 1:
        raise click.UsageError(f"--{asked[0]} and --{asked[1]} are two formats; choose one")
    by_suffix = _by_suffix(output, suffixes, bool(asked))
    if asked and by_suffix not in ("", asked[0]):
        raise click.UsageError(
            f"the format {asked[0]} and -o {output} contradict each other: "
            f"its suffix stands for {by_suffix}"
        )
    return asked[0] if asked else by_suffix


def _by_suffix(output: str | None, suffixes: Mapping[str, str], is_asked: bool) -> str:
    if output is None or output == "-":
        return ""
    suffix = Path(output).suffix.lower()
    if suffix in suffixes:
        return suffixes[suffix]
    if is_asked:
        return ""
    known = ", ".join(suffixes)
    raise click.UsageError(f"the suffix of -o {output} names no format; known are {known}")


def no_terminal(output: str | None, what: str = "a PDF", suffix: str = ".pdf") -> None:
    """click.UsageError where bytes would be printed on a terminal."""
    if output in (None, "-") and is_terminal():
        raise click.UsageError(f"{what} is no text for a terminal: add -o FILE{suffix}")


def deliver(content: str | bytes, output: str | None) -> None:
    """Print a text or bytes, or write them to the file `output`, whole or not at all."""
    if output is None or output == "-":
        if isinstance(content, bytes):
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        else:
            say(content, sys.stdout)
        return
    data = content if isinstance(content, bytes) else content.encode(errors="replace")
    path = Path(os.path.realpath(output))
    try:
        if is_device(path):
            path.write_bytes(data)
        else:
            _replace(path, data)
    except OSError as error:
        raise unwritable(output, error) from None


def unwritable(output: str, error: OSError) -> InputError:
    """What is said where a file cannot be written."""
    return InputError(
        f"cannot write {output}: {(error.strerror or str(error)).lower()}",
        expected="a file in a directory that exists and can be written to",
    )


def is_device(path: Path) -> bool:
    """Whether it is a device or a pipe, which cannot be replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _replace(path: Path, data: bytes) -> None:
    temporary = temporary_beside(path, data)
    try:
        os.replace(temporary, path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def temporary_beside(path: Path, data: bytes) -> str:
    """The data in a file beside its place, with the mode that it will have there; OSError."""
    mode = path.stat().st_mode if path.exists() else 0o666 & ~_umask()
    if path.is_dir():
        raise IsADirectoryError(21, "it is a directory")
    with NamedTemporaryFile("wb", dir=path.parent, delete=False) as temporary:
        try:
            temporary.write(data)
            temporary.flush()
            os.chmod(temporary.name, mode)
        except BaseException:
            Path(temporary.name).unlink(missing_ok=True)
            raise
    return temporary.name


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def is_terminal() -> bool:
    """Whether results go to a terminal, which `say` then prints in colour."""
    return sys.stdout.isatty()


def say(text: str, stream: TextIO) -> None:
    """Print text with ANSI colours: as they are where the terminal wants them, else without."""
    if not stream.isatty():
        stream.write(text)
        return
    from rich.console import Console
    from rich.text import Text

    Console(file=stream, soft_wrap=True, highlight=False).print(Text.from_ansi(text))


def told(undecided: Sequence[str]) -> int:
    """The exit code: 0, or 3 after a line on stderr that names the entries left undecided."""
    if not undecided:
        return 0
    names, more = ", ".join(undecided[:MOST_NAMED]), len(undecided) - MOST_NAMED
    complain(f"undecided: {names}" + f" and {more} more" * (more > 0))
    return 3


def complain(message: str) -> None:
    """An error message on stderr, its first word in red on a terminal."""
    if sys.stderr.isatty():
        head, colon, rest = message.partition(":")
        message = f"\x1b[1;31m{head}\x1b[0m{colon}{rest}"
    say(message + "\n", sys.stderr)
