"""Files in a zip archive that is the same byte for byte whenever and wherever it is made."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from io import BytesIO

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip archive can name."""
READABLE = 0o644 << 16


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """The files in this order, stored as they are: what a compressor makes rests on its version."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as made:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.create_system, entry.external_attr = 3, READABLE
            made.writestr(entry, content)
    return out.getvalue()


def restored(content: bytes) -> bytes:
    """An archive written anew, its files by name."""
    with zipfile.ZipFile(BytesIO(content)) as found:
        return archive({name: found.read(name) for name in sorted(found.namelist())})
