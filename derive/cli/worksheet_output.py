"""Where worksheets go: a file with its key and manifest beside it, or a folder of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from derive.cli.folder import check_folder, deliver_files, deliver_folder
from derive.cli.output import chosen_format, deliver, is_terminal, no_terminal
from derive.handout import DATA, PAGES, Looks
from derive.worksheet.kinds import TRUTH

if TYPE_CHECKING:
    from derive.worksheet.search import Variant

FORMATS = (*PAGES, "notebook", *DATA)
SUFFIXES = {
    ".tex": "latex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".txt": "terminal",
    ".docx": "docx",
    ".ipynb": "notebook",
    ".csv": "csv",
    ".xml": "moodle",
    ".zip": "qti",
    ".ptx": "pretext",
    ".jsonl": "jsonl",
}
ALSO = {("canvas", ".zip"), ("pretext", ".xml")}
"""Formats that have the suffix of another one as well."""
OWN = {kind: suffix for suffix, kind in reversed(SUFFIXES.items())} | {"canvas": ".zip"}
"""The suffix of each format."""
BYTES = {"pdf": "a PDF", "docx": "a Word document", "qti": "a package", "canvas": "a package"}
QUESTIONS = ("moodle", "qti", "canvas", "pretext")
"""Formats that hold sheets and keys for another system."""
SHARES = {"0": 0, "1/4": 25, "1/2": 50, "3/4": 75}
"""Shares of points, in per cent: those that every learning system knows."""


def kind_of(options: dict[str, Any]) -> str:
    """The format that is asked for by its name or by the suffix of -o; click.UsageError."""
    kind, output = options["kind"], options["output"]
    if _is_folder(output):
        if not kind:
            raise click.UsageError(f"{output} is a folder: say the format with --format")
        return str(kind)
    if output and (kind, Path(output).suffix.lower()) not in ALSO:
        kind = chosen_format({kind: True} if kind else {}, output, SUFFIXES)
    kind = kind or "terminal"
    if kind in BYTES:
        no_terminal(output, BYTES[kind], OWN[kind])
    return str(kind)


def check_kind(kind: str, options: dict[str, Any]) -> None:
    """click.UsageError where a format does not go with the exercise, or with the key."""
    exercise = options["exercise"]
    computed = exercise == "compute"
    if exercise == TRUTH and _is_folder(options["output"]):
        raise click.UsageError("--kind true-false is written to a file")
    if options["choices"] and not computed:
        raise click.UsageError("--choices is for --kind compute")
    if options["choices"] and kind in ("csv", "notebook"):
        raise click.UsageError(f"--choices is for pages and questions, not for {kind}")
    if options["key"] and kind in DATA:
        raise click.UsageError(f"{kind} holds its keys: leave --key out")


def _is_folder(output: str | None) -> bool:
    return bool(output) and (str(output).endswith(("/", os.sep)) or Path(str(output)).is_dir())


def delivered(variants: list[Variant], kind: str, options: dict[str, Any], lang: str) -> None:
    """Print or write the variants: all of it is made before any of it is written."""
    output, made = options["output"], _Made(kind, options, options["lang"] or lang)
    if _is_folder(output):
        check_folder(output, "sheets")
        deliver_folder(dict(made.folder(variants)), output)
    elif kind in QUESTIONS and output not in (None, "-"):
        deliver_files(dict(made.with_manifest(variants, output)))
    elif kind in DATA or options["key"] or output in (None, "-"):
        deliver(made.one(variants), output)
    else:
        deliver_files(dict(made.beside(variants, output)))


def looks_of(options: dict[str, Any], lang: str) -> Looks:
    """What the options say of the looks of sheets and keys."""
    return Looks(
        lang=lang,
        hints=options["hints"],
        choices=options["choices"],
        partial=None if options["partial"] is None else SHARES[options["partial"]],
        engine=options["engine"],
        colour=options["output"] is None and is_terminal(),
    )


class _Made:
    """What is written of variants in a format."""

    def __init__(self, kind: str, options: dict[str, Any], lang: str) -> None:
        self.kind, self.is_key, self.looks = kind, options["key"], looks_of(options, lang)

    def one(self, variants: list[Variant]) -> str | bytes:
        """A file: data, or the key, or the sheets."""
        from derive.handout import data_printed, keys_printed, sheets_printed

        if self.kind in DATA:
            return data_printed(variants, self.kind, self.looks)
        printed = keys_printed if self.is_key else sheets_printed
        return printed(variants, self.kind, self.looks)

    def key(self, variants: list[Variant]) -> str | bytes:
        """The keys."""
        from derive.handout import keys_printed

        return keys_printed(variants, self.kind, self.looks)

    def manifest(self, variants: list[Variant]) -> str | bytes:
        """A line for each variant."""
        from derive.handout import data_printed

        return data_printed(variants, "jsonl", self.looks)

    def with_manifest(
        self, variants: list[Variant], output: str
    ) -> Iterator[tuple[str, str | bytes]]:
        """Questions, which hold their keys, and the manifest."""
        yield output, self.one(variants)
        yield str(Path(output).with_suffix(".jsonl")), self.manifest(variants)

    def beside(self, variants: list[Variant], output: str) -> Iterator[tuple[str, str | bytes]]:
        """The sheets, their keys, and the manifest."""
        yield output, self.one(variants)
        yield str(beside(output)), self.key(variants)
        yield str(Path(output).with_suffix(".jsonl")), self.manifest(variants)

    def folder(self, variants: list[Variant]) -> Iterator[tuple[str, str | bytes]]:
        """Files of its own for every variant, and the manifest of all."""
        for variant in variants:
            name = f"{file_name(variant.id)}{OWN[self.kind]}"
            yield name, self.one([variant])
            if self.kind not in DATA and not self.is_key:
                yield str(beside(name)), self.key([variant])
        yield "manifest.jsonl", self.manifest(variants)


def file_name(text: str) -> str:
    """A name that every file system takes."""
    return "".join(c if c.isalnum() or c in "-_." else "-" for c in text)[:120]


def beside(output: str) -> Path:
    """Where the key goes: sheet-key.pdf beside sheet.pdf."""
    path = Path(output)
    return path.with_name(f"{path.stem}-key{path.suffix}")
