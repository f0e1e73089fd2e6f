"""Compile a LaTeX page with latexmk and xelatex, and read in its log what is wrong with it."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PROGRAMS = ("latexmk", "xelatex")
SECONDS = 300

# TeX wraps its log at 79 characters unless told otherwise, and half a message matches nothing.
UNWRAPPED = {"max_print_line": "10000", "error_line": "254", "half_error_line": "238"}

PROBLEM = re.compile(
    r"""
      !\ .*                                     # every error, undefined commands among them
    | Overfull\ \\[hv]box\ .*
    | Missing\ character:.*
    | LaTeX\ Warning:\ (?:Reference|Citation|Hyper\ reference)\ .*\ undefined.*
    | LaTeX\ Warning:\ Label\ .*\ multiply\ defined.*
    | LaTeX\ Font\ Warning:\ Font\ shape\ .*\ undefined.*
    | No\ pages\ of\ output.*
    """,
    re.VERBOSE,
)
SOURCE_LINE = re.compile(r"l\.\d+ .*")


def missing_programs() -> str:
    """What compiling needs and this machine lacks, or the empty string."""
    return ", ".join(program for program in PROGRAMS if shutil.which(program) is None)


def compile_tex(page: Path, *, beside: Mapping[str, str] | None = None) -> list[str]:
    """The problems of a page, in the order of its log; none when it is clean.

    `beside` holds what the page reads with \\input, by file name. Nothing is written near the page.
    """
    return compile_source(page.read_text(encoding="utf-8"), beside=beside)


def compile_source(source: str, *, beside: Mapping[str, str] | None = None) -> list[str]:
    """The problems of a complete LaTeX document, as `compile_tex` tells them."""
    return compile_to_pdf(source, beside=beside)[0]


def compile_to_pdf(
    source: str, *, beside: Mapping[str, str] | None = None
) -> tuple[list[str], bytes]:
    """The problems of a document, and its PDF; no bytes where there is none."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in {**(beside or {}), "page.tex": source}.items():
            (folder / file).write_text(text, encoding="utf-8")
        done = _latexmk(folder)
        if not (folder / "page.log").exists():
            return [f"no log: {done.stdout[-2000:]}"], b""
        found = list(problems((folder / "page.log").read_text(encoding="utf-8", errors="replace")))
        if not found and (done.returncode or not (folder / "page.pdf").exists()):
            found = [f"latexmk ended with {done.returncode}: {done.stdout[-2000:]}"]
        made = folder / "page.pdf"
        return found, made.read_bytes() if made.exists() else b""


def problems(log: str) -> Iterator[str]:
    """What an unwrapped log says is wrong, once each; an error with the source line it is on."""
    lines = log.splitlines()
    found = (
        _with_source(line, lines[number + 1 : number + 9])
        for number, line in enumerate(lines)
        if PROBLEM.fullmatch(line)
    )
    yield from dict.fromkeys(found)


def _with_source(line: str, following: Sequence[str]) -> str:
    sources = [later for later in following if SOURCE_LINE.fullmatch(later)]
    return f"{line} {sources[0]}" if line.startswith("!") and sources else line


def _latexmk(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["latexmk", "-norc", "-xelatex", "-interaction=nonstopmode", "page.tex"],
        cwd=folder,
        env={**os.environ, **UNWRAPPED},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
