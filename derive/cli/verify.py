"""`derive verify ARTICLE`: the verdict on every printed number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from derive.cli.options import page_format, printing
from derive.cli.output import deliver, is_terminal
from derive.words import LANGUAGES


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("article", type=click.Path(path_type=Path))
@click.option("--all", "everything", is_flag=True, help="List every number, not only the findings.")
@click.option("--strict", is_flag=True, help="Count what is cut instead of rounded as a finding.")
@printing
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", help="The language of the page."
)
def command(article: Path, everything: bool, strict: bool, lang: str, **options: Any) -> int:
    """Give the verdict on every number that ARTICLE prints.

    ARTICLE is Markdown, LaTeX, HTML, a Jupyter notebook, Python, R or plain text.  Exit code 0:
    nothing wrong; 1: something wrong; 2: not readable; 3: nothing could be checked.
    """
    kind = page_format(options)
    from derive.verdicts import verdicts_printed
    from derive.verify import verify_file

    report = verify_file(article)
    content = verdicts_printed(
        report,
        kind,
        lang=lang,
        everything=everything,
        strict=strict,
        fragment=options["fragment"],
        colour=options["output"] is None and is_terminal(),
    )
    deliver(content, options["output"])
    return report.code(strict)
