"""Verdicts on the printed numbers of an article: `derive.verify(article)`.

The article is worked out exactly from what it declares, and each number that it prints is judged.
What is given says how it is read: a `Path` is a file; a string is the article itself and is never
looked up as a file, whatever it holds.

>>> import derive
>>> report = derive.verify("2/3 = 0.66 and exp(1) = 2.81")
>>> [(claim.printed, claim.verdict, claim.right) for claim in report.claims][0]
('0.66', 'truncated', '0.67')
>>> report.counts["wrong"]
1
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from derive.errors import InputError
from derive.verify.documents.document import document, opened
from derive.verify.documents.sources import Source, stored
from derive.verify.report import Claim, Finding, Report, verified

if TYPE_CHECKING:
    from derive.derivation import Problem

__all__ = ["Claim", "Finding", "Report", "verify", "verify_file"]

_PATH = re.compile(r"[^\s=≈]{0,250}\.[A-Za-z]{1,8}")


def verify(
    article: str | os.PathLike[str], name: str = "", *, problem: Problem | None = None
) -> Report:
    """The report on an article: a string is its text, a `Path` the file that it stands in.

    name: what a text would be called, whose ending says how it is read (article.md); problem: what
    its inputs and conventions are, in place of what the article itself declares.
    InputError where it cannot be read as an article.
    """
    if isinstance(article, os.PathLike):
        return verify_file(Path(article), problem)
    if not name and _PATH.fullmatch(article) and not article[0].isdigit():
        raise InputError(
            f"{article!r} is the name of a file, and a string is taken for the article itself",
            hint=f"derive.verify(Path({article!r})) reads the file",
        )
    return verified(document(article, name or "article.md"), problem)


def verify_file(path: Path, problem: Problem | None = None) -> Report:
    """The report on a file.  InputError where it cannot be read as an article."""
    return verified(opened(stored(Source(str(path))), path.name), problem)


class _Verify(ModuleType):
    """The package itself is what verifies: `derive.verify(article)`."""

    def __call__(self, *arguments: Any, **options: Any) -> Report:
        return verify(*arguments, **options)


sys.modules[__name__].__class__ = _Verify
