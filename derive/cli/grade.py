"""`derive grade KEYS ANSWERS.csv -o FOLDER`: answers marked, with feedback for each student."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import click

from derive.cli.folder import check_folder, deliver_folder
from derive.errors import InputError
from derive.read.encodings import ENCODINGS
from derive.words import LANGUAGES


def _share(_context: Any, _parameter: Any, text: str | None) -> Fraction | None:
    if text is None:
        return None
    from derive.worksheet.answers import number_of

    found = number_of(text)
    if found is None or not 0 <= found <= 1:
        raise click.BadParameter(f"{text!r} is no share, such as 1/2 or 0.5")
    return found


def _tell(error: InputError) -> None:
    click.echo("not marked: " + str(error).removeprefix("error: "), err=True)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("keys")
@click.argument("answers")
@click.option("--partial", callback=_share, metavar="SHARE",
              help="Of the points, for a known mistake (1/2; of a choice 0).")  # fmt: skip
@click.option("--format", "kind", default="html",
              type=click.Choice(["html", "markdown", "pdf", "latex", "terminal"]),
              help="Of the pages of feedback (html).")  # fmt: skip
@click.option("--lang", type=click.Choice(LANGUAGES), default="en", help="The language.")
@click.option("--encoding", type=click.Choice(list(ENCODINGS)),
              help="Of the answers, where it is not seen rightly.")  # fmt: skip
@click.option("-o", "--output", metavar="FOLDER", required=True, help="A folder that is made.")
def command(**options: Any) -> int:
    """Mark answers: right, right with rounding carried, carried forward, a known mistake, wrong.

    KEYS is the manifest (.jsonl) that derive worksheet writes.  ANSWERS is a CSV file with the
    columns student, id, blank, answer; a row that cannot be marked is named and stops no other
    (exit code 1).  FOLDER gets class.csv, marks.csv, a page for the class and a page for each
    student.
    """
    from derive.handout import marks_printed
    from derive.worksheet.answers import read_answers
    from derive.worksheet.manifest import read_manifest
    from derive.worksheet.marking import papers

    check_folder(options["output"])
    answers = read_answers(
        options["answers"], lambda said: click.echo(said, err=True), options["encoding"]
    )
    sheets = read_manifest(options["keys"], {one.id for one in answers})
    left_out: list[InputError] = []

    def tell(error: InputError) -> None:
        left_out.append(error)
        _tell(error)

    found = list(papers(sheets, answers, options["answers"], options["partial"], tell))
    if not found:
        raise InputError(f"{options['answers']} holds no answers")
    deliver_folder(marks_printed(found, options["kind"], options["lang"]), options["output"])
    return 1 if left_out else 0
