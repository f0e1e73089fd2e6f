"""`derive verify ARTICLE`: the verdict on every printed number."""

from __future__ import annotations

import json
from pathlib import Path

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("article", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--all", "everything", is_flag=True, help="List every number, not only the findings.")
@click.option("--strict", is_flag=True, help="Count truncated numbers as findings.")
def command(article: Path, as_json: bool, everything: bool, strict: bool) -> int:
    """Give the verdict on every number that ARTICLE prints.

    Exit code 0: nothing wrong; 1: something wrong; 2: not readable; 3: nothing could be checked.
    """
    from derive.verify import verify_file
    from derive.verify.terminal import page

    report = verify_file(article)
    if as_json:
        click.echo(json.dumps(report.as_json(), ensure_ascii=False, indent=1))
    else:
        click.echo(page(report, everything=everything, strict=strict), nl=False)
    is_strict = strict and report.counts["truncated"] > 0
    return max(report.code, 1) if is_strict and report.code != 3 else report.code
