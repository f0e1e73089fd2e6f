"""A run of many variants on disk: a file for each batch that is done, whole or not there.

After a kill the same run goes on from what is there; another run is refused.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from derive.errors import InputError

HEADER = "run.json"


@dataclass(frozen=True)
class Row:
    """A variant that is done: the attempt, a mark of its numbers, its line of the manifest.

    failed: what went wrong where it could not be made; a message, what is expected, a hint.
    """

    index: int
    attempt: int = 0
    content: str = ""
    line: str = ""
    failed: tuple[str, str, str] | None = None


class Shards:
    """The files of a run, in a folder; a batch is known by its number, from 0."""

    def __init__(self, folder: Path) -> None:
        """To be opened by `opened`."""
        self.folder = folder

    def __contains__(self, batch: int) -> bool:
        return self._path(batch).exists()

    def __getitem__(self, batch: int) -> list[Row]:
        """The rows of a batch that is done."""
        lines = self._path(batch).read_text("utf-8").splitlines()
        return [Row(**_with_tuple(json.loads(line))) for line in lines]

    def __setitem__(self, batch: int, rows: list[Row]) -> None:
        """A batch that is done, whole or not at all."""
        lines = (json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows)
        _written(self._path(batch), "".join(lines))

    def _path(self, batch: int) -> Path:
        return self.folder / f"{batch:06}.jsonl"

    def remove(self) -> None:
        """The run is over."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _with_tuple(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"failed": None if row["failed"] is None else tuple(row["failed"])}


def _written(path: Path, text: str) -> None:
    """On the disk before it has its name."""
    made = path.with_suffix(".part")
    try:
        with made.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(made, path)
    finally:
        with suppress(OSError):
            made.unlink(missing_ok=True)
    _settled(path.parent)


def _settled(folder: Path) -> None:
    """The names in a folder are on the disk too, where the system can tell."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def opened(folder: Path, run: Mapping[str, Any]) -> Iterator[Shards]:
    """The shards of a run, begun or gone on with.

    run: what it is, as JSON.  InputError where the folder holds another run, is in use, or cannot
    be written.  Without a shard nothing is left behind.
    """
    is_new = not folder.exists()
    try:
        if is_new:
            folder.mkdir()
            _written(folder / HEADER, json.dumps(run, ensure_ascii=False, sort_keys=True))
        _check(folder, run)
        with _held(folder):
            yield Shards(folder)
    except OSError as error:
        raise InputError(
            f"cannot write {folder}: {(error.strerror or str(error)).lower()}",
            expected="a folder in which files can be made, and room for them",
            hint="what is done is kept there, and the same command goes on from it"
            if any(folder.glob("*.jsonl"))
            else "",
        ) from None
    finally:
        if not any(folder.glob("*.jsonl")) and (is_new or (folder / HEADER).exists()):
            shutil.rmtree(folder, ignore_errors=True)


def _check(folder: Path, run: Mapping[str, Any]) -> None:
    try:
        there = json.loads((folder / HEADER).read_text("utf-8"))
    except (OSError, ValueError):
        there = None
    if not isinstance(there, dict):
        hint = "delete it, or choose another -o"
        raise InputError(f"{folder} is no run of worksheets", hint=hint)
    other = [name for name in {**there, **run} if there.get(name) != json_of(run.get(name))]
    if other:
        name = other[0]
        raise InputError(
            f"{folder} holds a run with other options: {name} was "
            f"{there.get(name)!r} there, and is {run.get(name)!r} here",
            expected="the options with which it was begun",
            hint="go on with those, or delete the folder to begin again",
        )


def json_of(x: Any) -> Any:
    """A value as JSON gives it back."""
    return json.loads(json.dumps(x))


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Only one process writes; the system lets go when it ends, whichever way."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (folder / HEADER).open("r+") as file:
        try:
            # Of this process alone: what it forks does not hold it when this one is killed.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"another process is at work on {folder}") from None
        yield
