"""LaTeX documents compiled by the TeX that is installed, in a folder of their own."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from derive.errors import InputError

PROGRAMS = ("latexmk", "xelatex")
COMMAND = ("latexmk", "-norc", "-xelatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex")
SECONDS = 180
# TeX wraps its log at 79 characters unless told otherwise; the date is the page's, not today's.
ENVIRONMENT = {
    "max_print_line": "10000",
    "error_line": "254",
    "half_error_line": "238",
    "SOURCE_DATE_EPOCH": "0",
    "FORCE_SOURCE_DATE": "1",
}
_LOST = re.compile(r"^Missing character: There is no (\S+)", re.MULTILINE)
_ERROR = re.compile(r"^! (.*)$", re.MULTILINE)
_LINE = re.compile(r"^l\.\d+ (.*)$", re.MULTILINE)


def compiled(document: str) -> tuple[bytes, list[str]]:
    """The PDF of a document, and the characters that its fonts lack.

    InputError where latexmk or xelatex is missing, and where they fail, with the log's first error.
    """
    absent = [program for program in PROGRAMS if shutil.which(program) is None]
    if absent:
        raise InputError(
            f"{' and '.join(absent)} cannot be found",
            expected="a TeX that has latexmk and xelatex, such as TeX Live",
            hint="--engine typst needs no TeX",
        )
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "page.tex").write_text(document, encoding="utf-8")
        said = _run(folder)
        log, made = folder / "page.log", folder / "page.pdf"
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        if not made.exists() or _ERROR.search(text):
            raise _failure(text or said)
        return made.read_bytes(), _LOST.findall(text)


def _run(folder: Path) -> str:
    """What latexmk says; its children end with it when it takes too long or is interrupted."""
    with subprocess.Popen(
        COMMAND,
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            raise InputError(f"TeX took longer than {SECONDS} seconds") from None
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
    return said.decode(errors="replace")


def _failure(log: str) -> InputError:
    found = _ERROR.search(log)
    if not found:
        lines = [line for line in log.splitlines() if line.strip()]
        return InputError(f"TeX failed: {lines[-1][:200] if lines else 'it said nothing'}")
    line = _LINE.search(log, found.end())
    where = f" at {line[1][:80]}" if line else ""
    return InputError(
        f"TeX failed: {found[1][:200].rstrip('.')}{where}", hint="--engine typst needs no TeX"
    )
