"""`derive verify ARTICLE...`: the verdict on every printed number."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from derive.cli.options import PAGE_SUFFIXES, PAGES, printing, problem_of
from derive.cli.output import chosen_format, complain, deliver, is_terminal, no_terminal
from derive.errors import quoted
from derive.words import LANGUAGES

if TYPE_CHECKING:
    from derive.verify.checked import Checked, Task

NOTES = ("patch", "sarif", "github")
SUFFIXES = {**PAGE_SUFFIXES, ".patch": "patch", ".diff": "patch", ".sarif": "sarif"}
WORST = (2, 1, 3, 0)
"""Which exit code of several articles is that of all."""
EVERY = 10
"""Seconds between two lines on how far it is."""
NAMED = 20
"""So many chains and numbers are told of a patch."""


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("articles", nargs=-1, metavar="ARTICLES...")
@click.option("--problem", metavar="PROBLEM", help="Check against this problem's matrices.")
@click.option("--all", "everything", is_flag=True, help="List every number, not only the findings.")
@click.option("--strict", is_flag=True, help="Count what is cut instead of rounded as a finding.")
@click.option("--patch", is_flag=True, help="A diff that corrects the wrong digits.")
@click.option("--sarif", is_flag=True, help="As SARIF 2.1.0, for editors and code review.")
@click.option("--github", is_flag=True, help="As annotations of GitHub Actions.")
@printing
@click.option("--as", "ending", metavar="SUFFIX", help="Read it as md, tex, html, ipynb, txt ...")
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Processes (every core).")
@click.option(
    "--lang", type=click.Choice(LANGUAGES), default="en", help="The language of the page."
)
def command(articles: tuple[str, ...], **options: Any) -> int:
    """Give the verdict on every number that ARTICLES print.

    ARTICLES are Markdown, LaTeX, reStructuredText, Org, HTML, Jupyter notebooks, Word (.docx),
    spreadsheets (.xlsx), PDF, Python, R, Julia, MATLAB, Mathematica or plain text, folders of
    them, or - for standard input.  Exit code 0: nothing wrong; 1: something wrong; 2: not readable;
    3: nothing could be checked; of several articles 2 before 1 before 3.
    """
    kind = _kind(articles, options)
    tasks = _tasks(articles, kind, options)
    if len(tasks) == 1 and not any(map(os.path.isdir, articles)):
        from derive.verify.checked import checked

        found = [checked(tasks[0])]
        if found[0].error is not None:
            raise found[0].error
        _print_one(found[0], kind, options)
    else:
        found = _all(tasks, options["jobs"])
        _print_many(found, kind, options)
    return _code(found, options["strict"])


def _kind(articles: Sequence[str], options: dict[str, Any]) -> str:
    flags = {name: options[name] for name in (*PAGES, *NOTES)}
    kind = chosen_format(flags, options["output"], SUFFIXES) or "terminal"
    if options["output"] and os.path.realpath(options["output"]) in map(os.path.realpath, articles):
        raise click.UsageError(f"-o {options['output']} is the article itself: name another file")
    if options["fragment"] and kind != "latex":
        raise click.UsageError("--fragment is for LaTeX: add --latex, or -o FILE.tex")
    if kind == "pdf":
        no_terminal(options["output"])
    return kind


def _tasks(articles: Sequence[str], kind: str, options: dict[str, Any]) -> list[Task]:
    from derive.verify.checked import Task
    from derive.verify.documents.document import MAX_BYTES
    from derive.verify.documents.sources import Source, sources

    if not articles:
        raise click.UsageError("name an article, a folder of them, or - for standard input")
    standard = None
    if "-" in articles:
        standard = Source("-", sys.stdin.buffer.read(MAX_BYTES + 1))
    ending = _ending(options["ending"])
    word = options["problem"]
    problem = None if word is None else problem_of(word, "--problem")
    wish = {"patch": "patch", "sarif": "fixes"}.get(kind, "")
    return [
        Task(source, ending, wish, options["strict"], problem)
        for source in sources(articles, standard)
    ]


def _ending(written: str | None) -> str:
    """The ending that --as says."""
    from derive.verify.documents.document import ENDINGS

    ending = (written or "").lower().removeprefix(".")
    if written is not None and ending not in ENDINGS:
        known = ", ".join(sorted(ENDINGS))
        raise click.UsageError(f"--as {quoted(written)} names no kind of article; known: {known}")
    return ending


def _all(tasks: Sequence[Task], jobs: int | None) -> list[Checked]:
    """All articles in processes, in their order; a bar on a terminal says how many are done."""
    from derive.errors import InputError
    from derive.processes import Lost, cores, spread
    from derive.verify.checked import Checked, checked, named

    found: dict[int, Checked] = {}
    with _bar(len(tasks)) as tell:
        for place, result in spread(checked, tasks, jobs or cores()):
            if isinstance(result, Lost):
                name = named(tasks[place])
                error = InputError(f"{name} was not verified: {result.why}")
                result = Checked(name, error=error)
            found[place] = result
            tell()
    return [found[place] for place in range(len(tasks))]


class _Lines:
    """Says every so often how many articles are done."""

    def __init__(self, count: int) -> None:
        self.count, self.done, self.last = count, 0, monotonic()

    def tell(self) -> None:
        self.done += 1
        if monotonic() - self.last >= EVERY and self.done < self.count:
            self.last = monotonic()
            complain(f"{self.done} of {self.count} articles are verified")


def _bar(count: int) -> Any:
    """What is told when an article is done; now and then a line, where there is no terminal."""
    if not sys.stderr.isatty():
        return nullcontext(_Lines(count).tell)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    class Bar(Progress):
        def __enter__(self) -> Any:
            super().__enter__()
            task = self.add_task("", total=count)
            return lambda: self.advance(task)

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Bar(*columns, console=Console(stderr=True), transient=True)


def _code(found: Sequence[Checked], strict: bool) -> int:
    codes = {2 if one.report is None else one.report.code(strict) for one in found}
    return next(code for code in WORST if code in codes)


def _print_one(found: Checked, kind: str, options: dict[str, Any]) -> None:
    from derive.verdicts import verdicts_printed

    assert found.report is not None
    if kind in NOTES:
        _notes([found], kind, options)
        return
    _deliver(verdicts_printed(found.report, kind, **_looks(options)), [found], kind, options)


def _print_many(found: Sequence[Checked], kind: str, options: dict[str, Any]) -> None:
    from dataclasses import replace

    from derive.verdicts import many_verdicts_printed

    for one in found:
        if one.error is not None:
            complain(str(one.error))
    if kind in NOTES:
        _notes(found, kind, options)
        return
    reports = [
        replace(one.report, document=replace(one.report.document, name=one.name))
        for one in found
        if one.report is not None
    ]
    unread = [(one.name, one.error.message) for one in found if one.error is not None]
    content = many_verdicts_printed(reports, unread, kind, **_looks(options))
    _deliver(content, found, kind, options)


def _looks(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "lang": options["lang"],
        "everything": options["everything"],
        "strict": options["strict"],
        "fragment": options["fragment"],
        "colour": options["output"] is None and is_terminal(),
    }


def _deliver(
    content: str | bytes, found: Sequence[Checked], kind: str, options: dict[str, Any]
) -> None:
    """Where GitHub runs it, the annotations follow, and no line of an article is a command."""
    is_run = os.environ.get("GITHUB_ACTIONS") == "true"
    if not is_run or kind != "terminal" or options["output"] is not None:
        deliver(content, options["output"])
        return
    mark = secrets.token_hex(16)
    assert isinstance(content, str)
    deliver(f"::stop-commands::{mark}\n{content}::{mark}::\n", None)
    _notes(found, "github", options)


def _notes(found: Sequence[Checked], kind: str, options: dict[str, Any]) -> None:
    from derive.verdicts import notes_printed, patch_printed

    read = [one for one in found if one.report is not None]
    if kind == "patch":
        deliver(patch_printed(read), options["output"])
        for one in read:
            _tell(one)
        return
    strict, lang = options["strict"], options["lang"]
    deliver(notes_printed(read, kind, lang=lang, strict=strict), options["output"])


def _tell(found: Checked) -> None:
    """What a patch changes besides digits, and what it leaves."""
    patch = found.patch
    assert patch is not None
    name = Path(found.name)
    for line, text in patch.loosened[:NAMED]:
        complain(f"{name}:{line}: = becomes ≈, as the terms no longer add up: {text}")
    for line, text in patch.open[:NAMED]:
        complain(f"{name}:{line}: the terms no longer add up, and = is left: {text}")
    for claim in patch.left[:NAMED]:
        complain(f"{name}:{claim.line}:{claim.column}: still wrong: {claim.printed}")
    more = sum(max(0, len(x) - NAMED) for x in (patch.loosened, patch.open, patch.left))
    if more:
        complain(f"{name}: and {more} more")
