"""Which files are verified: those that are named, and the articles in folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from derive.errors import InputError, quoted
from derive.verify.documents.document import ENDINGS, MAX_BYTES

SUFFIXES = frozenset(f".{ending}" for ending in ENDINGS)
"""What is taken for an article in a folder."""
MOST_FILES = 100_000
MOST_SEEN = 2_000_000
"""So many names are looked at in folders."""


@dataclass(frozen=True)
class Source:
    """One article: its name, and its bytes where they were given on standard input."""

    name: str
    data: bytes | None = None

    @property
    def path(self) -> Path:
        """Where it stands."""
        return Path(self.name)


def sources(names: Iterable[str], standard: Source | None = None) -> list[Source]:
    """The articles that are named, each once; `-` stands for the one on standard input.

    Of a folder its articles, by their suffix, in the order of their paths; what is hidden and links
    to folders are passed over.  InputError where a folder holds none, or too many.
    """
    found: dict[str, Source] = {}
    for name in names:
        if name == "-" and standard is not None:
            found.setdefault("-", standard)
        elif os.path.isdir(name):
            for path in articles(name):
                found.setdefault(os.path.realpath(path), Source(path))
        else:
            found.setdefault(os.path.realpath(name), Source(name))
        if len(found) > MOST_FILES:
            raise InputError(
                f"there are more than {MOST_FILES:,} articles to verify",
                hint="verify them folder by folder",
            )
    return list(found.values())


def articles(folder: str) -> list[str]:
    """The articles in a folder and those below it, sorted.  InputError where there are none."""
    found = sorted(_articles(folder), key=lambda path: Path(path).parts)
    if not found:
        raise InputError(
            f"there is no article in {folder}",
            expected="files that end in " + " ".join(sorted(SUFFIXES)),
            hint="a file of any name is read where it is named itself",
        )
    return found


def _closed(error: OSError) -> None:
    """What is told of a folder that cannot be looked through."""
    why = (error.strerror or "").lower()
    raise InputError(f"{error.filename} cannot be read: {why}", expected="an article or a folder")


def _articles(folder: str) -> Iterator[str]:
    seen = 0
    for place, folders, files in os.walk(folder, onerror=_closed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen += len(folders) + len(files)
        if seen > MOST_SEEN:
            raise InputError(f"{folder} holds too many files to look through")
        for name in files:
            path = os.path.normpath(os.path.join(place, name))
            is_article = os.path.splitext(name)[1].lower() in SUFFIXES
            if is_article and not name.startswith(".") and os.path.isfile(path):
                yield path


def is_handed(name: str) -> bool:
    """Whether a shell hands on what a command prints under this name: <(command)."""
    return os.path.normpath(name).startswith(("/dev/fd/", "/proc/self/fd/")) or (
        os.path.normpath(name) == "/dev/stdin"
    )


def stored(source: Source) -> bytes:
    """The bytes of an article.  InputError where there are none, or too many."""
    if source.data is not None:
        return source.data
    name = source.name
    if os.path.isdir(name) or not os.path.exists(name):
        raise InputError(f"there is no file {name or quoted(name)}", expected="an article")
    if not os.path.isfile(name) and not is_handed(name):
        raise InputError(
            f"{name} is no regular file",
            expected="an article",
            hint="- reads standard input: derive verify - < PIPE",
        )
    try:
        with open(name, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {(error.strerror or '').lower()}") from None
    if len(data) > MAX_BYTES:
        expected = f"at most {MAX_BYTES // 1_000_000} MB"
        raise InputError(f"{name} is too large to be read as an article", expected=expected)
    return data
