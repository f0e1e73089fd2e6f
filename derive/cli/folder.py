"""Several files at once: every one of them, or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp

from derive.cli.output import deliver, is_device, temporary_beside, unwritable
from derive.errors import InputError

Files = Mapping[str, str | bytes]


def check_folder(folder: str, what: str = "marks") -> None:
    """InputError where there is something already."""
    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError(
            f"{folder} is there already",
            expected="a folder that is not there, or is empty",
            hint=f"{what} of another day are not written over",
        )


def deliver_folder(files: Files, folder: str) -> None:
    """The folder with all its files, or nothing."""
    path = Path(os.path.realpath(folder))
    try:
        made = Path(mkdtemp(dir=path.parent, prefix=".derive-"))
    except OSError as error:
        raise _refused(folder, error) from None
    try:
        os.chmod(made, 0o755)
        for name, content in files.items():
            (made / name).parent.mkdir(exist_ok=True)
            (made / name).write_bytes(_bytes(content))
        os.replace(made, path)
    except OSError as error:
        raise _refused(folder, error) from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _refused(folder: str, error: OSError) -> InputError:
    return InputError(
        f"cannot write {folder}: {(error.strerror or str(error)).lower()}",
        expected="a folder beside which files can be written",
    )


def deliver_files(files: Files) -> None:
    """Files by their paths: all of them are written before any takes its place."""
    made: dict[str, str] = {}
    path = ""
    try:
        for path, content in files.items():
            if is_device(Path(path)):
                deliver(content, path)
            else:
                made[path] = temporary_beside(Path(os.path.realpath(path)), _bytes(content))
        for path, temporary in made.items():
            os.replace(temporary, os.path.realpath(path))
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        for temporary in made.values():
            Path(temporary).unlink(missing_ok=True)


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()
