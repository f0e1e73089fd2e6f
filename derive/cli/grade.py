"""`derive grade KEYS ANSWERS.csv -o FOLDER`: answers marked, with feedback for each student."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click

from derive.errors import InputError
from derive.words import LANGUAGES


def _share(_context: Any, _parameter: Any, text: str) -> Fraction:
    from derive.worksheet.answers import number_of

    found = number_of(text)
    if found is None or not 0 <= found <= 1:
        raise click.BadParameter(f"{text!r} is no share, such as 1/2 or 0.5")
    return found


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("keys")
@click.argument("answers")
@click.option("--partial", default="1/2", callback=_share, metavar="SHARE",
              help="Of the points of a blank, for a known mistake (1/2).")  # fmt: skip
@click.option("--format", "kind", default="html",
              type=click.Choice(["html", "markdown", "pdf", "latex", "terminal"]),
              help="Of the pages of feedback (html).")  # fmt: skip
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language.")
@click.option("-o", "--output", metavar="FOLDER", required=True, help="A folder that is made.")
def command(**options: Any) -> int:
    """Mark answers: right, right with rounding carried, carried forward, a known mistake, wrong.

    KEYS is the manifest (.jsonl) that derive worksheet writes.  ANSWERS is a CSV file with the
    columns student, id, blank, answer.  FOLDER gets class.csv, marks.csv, a page for the class and
    a page for each student.
    """
    from derive.handout import marks_printed
    from derive.worksheet.answers import read_answers
    from derive.worksheet.manifest import read_manifest
    from derive.worksheet.marking import papers

    _check(options["output"])
    sheets = read_manifest(options["keys"])
    answers = read_answers(options["answers"])
    found = list(papers(sheets, answers, options["answers"], options["partial"]))
    if not found:
        raise InputError(f"{options['answers']} holds no answers")
    _deliver(marks_printed(found, options["kind"], options["lang"]), options["output"])
    return 0


def _check(folder: str) -> None:
    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(
            f"{folder} is there already",
            expected="a folder that is not there, or is empty",
            hint="marks of another day are not written over",
        )


def _deliver(files: Mapping[str, str | bytes], folder: str) -> None:
    """The folder with all its files, or nothing."""
    path = Path(os.path.realpath(folder))
    try:
        made = Path(mkdtemp(dir=path.parent, prefix=".derive-"))
    except OSError as error:
        raise _refused(folder, error) from None
    try:
        os.chmod(made, 0o755)
        for name, content in files.items():
            (made / name).parent.mkdir(exist_ok=True)
            (made / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        os.replace(made, path)
    except OSError as error:
        raise _refused(folder, error) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _refused(folder: str, error: OSError) -> InputError:
    return InputError(
        f"cannot write {folder}: {(error.strerror or str(error)).lower()}",
        expected="a folder beside which files can be written",
    )
