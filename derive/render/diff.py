"""A change of a file as a unified diff, as `patch -p1` and `git apply` read it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from difflib import unified_diff

CONTEXT = 3
NO_END = "\\ No newline at end of file\n"


def unified(path: str, old: str, new: str) -> str:
    """The diff of a file; "" where nothing changes.  Lines end where the file has line feeds."""
    if old == new:
        return ""
    before, after = _lines(old), _lines(new)
    name = relative(path)
    if len(before) == len(after):
        return "".join([*_heads(name), *_hunks(before, after)])
    lines = unified_diff(before, after, "", "", n=CONTEXT)
    body = [_ended(line) for line in list(lines)[2:]]
    return "".join([*_heads(name), *body])


def _heads(name: str) -> Iterator[str]:
    for mark, side in (("---", "a"), ("+++", "b")):
        shown = _quoted(f"{side}/{name}")
        yield f"{mark} {shown}" + "\t" * (" " in name and shown[0] != '"') + "\n"


def _hunks(before: list[str], after: list[str]) -> Iterator[str]:
    """The hunks where line stands against line, as digits are corrected: without a search."""
    changed = [k for k, (x, y) in enumerate(zip(before, after, strict=True)) if x != y]
    for first, last in _groups(changed, len(before)):
        count = last - first
        yield f"@@ -{first + 1},{count} +{first + 1},{count} @@\n"
        k = first
        while k < last:
            end = k
            while end < last and before[end] != after[end]:
                end += 1
            yield from (_ended("-" + line) for line in before[k:end])
            yield from (_ended("+" + line) for line in after[k:end])
            if end == k:
                yield _ended(" " + before[k])
                end += 1
            k = end


def _groups(changed: list[int], count: int) -> Iterator[tuple[int, int]]:
    """The lines of each hunk, from the first to behind the last."""
    first = last = -1
    for k in changed:
        if first < 0:
            first = k
        elif k - last > 2 * CONTEXT:
            yield max(0, first - CONTEXT), min(count, last + CONTEXT + 1)
            first = k
        last = k
    if first >= 0:
        yield max(0, first - CONTEXT), min(count, last + CONTEXT + 1)


def _lines(text: str) -> list[str]:
    """The lines with their ends; a carriage return is part of its line."""
    return [line + "\n" for line in text.split("\n")[:-1]] + [text.split("\n")[-1]] * (
        not text.endswith("\n")
    )


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n{NO_END}"


def relative(path: str) -> str:
    """The path from here, with slashes, as it stands in a repository."""
    full = os.path.abspath(path)
    here = os.getcwd()
    if os.path.commonpath([full, here]) == here if os.sep == "/" else False:
        full = os.path.relpath(full, here)
    return full.replace(os.sep, "/").lstrip("/")


def _quoted(name: str) -> str:
    """The name as git writes it: with control characters, quotes and backslashes in C's manner."""
    if not any(c in '"\\' or ord(c) < 32 or ord(c) == 127 for c in name):
        return name
    made = "".join(f"\\{ord(c):03o}" if ord(c) < 32 or ord(c) == 127 else c for c in _escaped(name))
    return f'"{made}"'


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')
