"""One article verified, with all that is asked of it, as a process hands it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from derive.derivation import Problem
from derive.errors import InputError
from derive.verify.documents.document import (
    Document,
    is_package,
    opened,
    printable,
    too_deep,
    wide_encoding,
)
from derive.verify.documents.edits import Edit
from derive.verify.documents.sources import Source, stored
from derive.verify.patch import Patch, patched, repairs
from derive.verify.report import Report, verified

STANDARD = "stdin"
"""What is said of standard input."""


@dataclass(frozen=True)
class Task:
    """An article, how it is read where its name does not say it, and what is wanted of it.

    wish: "" for the verdicts, "patch" for the corrected text, "fixes" for the corrections alone.
    """

    source: Source
    ending: str = ""
    wish: str = ""
    strict: bool = False
    problem: Problem | None = None


@dataclass(frozen=True)
class Checked:
    """What came of it: a report, or why there is none.

    fixes: the edits that correct a claim, by its place in the report.
    """

    name: str
    report: Report | None = None
    patch: Patch | None = None
    fixes: Mapping[int, tuple[Edit, ...]] = field(default_factory=dict)
    error: InputError | None = None


def checked(task: Task) -> Checked:
    """The report on one article, and what else was wished for."""
    name = named(task)
    try:
        found = _found(task, name)
    except InputError as error:
        return Checked(name, error=error)
    except (MemoryError, RecursionError):
        return Checked(name, error=too_deep(name))
    return found


def named(task: Task) -> str:
    """The name under which an article is reported."""
    if task.source.data is None:
        return printable(task.source.name)
    return f"{STANDARD}.{task.ending or 'md'}"


def _found(task: Task, name: str) -> Checked:
    data = stored(task.source)
    if task.wish == "patch" and (wide := wide_encoding(data)):
        raise InputError(f"{name} is {wide.upper()}, which no patch can change", expected="UTF-8")
    stem = printable(Path(name).name)
    if task.wish == "patch" and is_package(stem):
        raise InputError(f"{name} is no text, and no patch can change it", expected="a text file")
    is_renamed = task.ending and not stem.endswith(f".{task.ending}")
    article = _opened(data, stem, task.ending) if is_renamed else opened(data, stem)
    report = verified(article, task.problem)
    again = lambda new: verified(new, task.problem)  # noqa: E731
    patch = patched(report, again, task.strict) if task.wish == "patch" else None
    fixes = {}
    if task.wish == "fixes" and not is_package(stem):
        made = repairs(report, task.strict)
        fixes = {k: tuple(made[c]) for k, c in enumerate(report.claims) if c in made}
    if patch is not None:
        patch = replace(patch, document=_light(patch.document))
    light = replace(report, document=replace(_light(report.document), name=stem))
    return Checked(name, light, patch, fixes)


def _opened(data: bytes, stem: str, ending: str) -> Document:
    """A file read as its ending is said to be; what is wrong with it is told by its own name."""
    try:
        return opened(data, f"{stem}.{ending}")
    except InputError as error:
        message = error.message.replace(f"{stem}.{ending}", stem)
        place = error.place and replace(error.place, source=stem)
        raise InputError(message, place=place, expected=error.expected, hint=error.hint) from None


def _light(document: Document) -> Document:
    """Without its segments, which weigh more than the text, and chains: no pickle carries these."""
    return replace(document, segments=(), chains=())
