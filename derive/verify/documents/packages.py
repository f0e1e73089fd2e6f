"""Files that are packages of XML: opened within bounds, and nothing in them is followed."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree

from derive.errors import InputError

MOST_PARTS = 5_000
MOST_BYTES = 40_000_000
"""All parts of a package are no larger, unpacked."""
LARGEST = 12_000_000
"""A part that is read is no larger, unpacked."""
DEEPEST = 400
"""Elements stand inside of each other to this depth at most."""
_BROKEN = (
    zipfile.BadZipFile, zlib.error, EOFError, KeyError, RuntimeError, NotImplementedError,
    ValueError, OSError, OverflowError,
)  # fmt: skip


class TooMuch(Exception):
    """A package or a part of it is beyond the bounds."""


@dataclass
class Package:
    """The XML parts of a file, by their names."""

    name: str
    parts: dict[str, bytes] = field(default_factory=dict)

    def tree(self, part: str) -> Element:
        """A part as a tree.  InputError where it is missing, broken or hostile."""
        if part not in self.parts:
            raise InputError(f"{self.name} lacks the part {part}", expected="a whole document")
        return parsed(self.parts[part], self.name)


def opened(data: bytes, name: str) -> Package:
    """The XML parts of a package.  InputError where it is none, or unpacks to too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return Package(name, dict(_parts(archive)))
    except TooMuch:
        raise InputError(
            f"{name} unpacks to more than is read",
            expected=f"at most {MOST_BYTES // 1_000_000} MB and {MOST_PARTS} parts",
        ) from None
    except _BROKEN:
        message = f"{name} is not what its ending says, or is broken"
        raise InputError(message, expected="a file as its program writes it") from None


def _parts(archive: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    """The parts that are XML, each read no further than the bounds allow."""
    total = 0
    if len(archive.infolist()) > MOST_PARTS:
        raise TooMuch
    for entry in archive.infolist():
        if not entry.filename.endswith((".xml", ".rels")):
            continue
        with archive.open(entry) as part:
            data = part.read(LARGEST + 1)
        total += len(data)
        if len(data) > LARGEST or total > MOST_BYTES:
            raise TooMuch
        yield entry.filename, data


def is_hostile(data: bytes) -> bool:
    """Whether XML declares a document type, with which entities and other files come."""
    plain = data.replace(b"\0", b"")
    return b"<!DOCTYPE" in plain or b"<!ENTITY" in plain


Element = ElementTree.Element


class _Shallow(ElementTree.TreeBuilder):
    """Builds a tree that is not too deep, without namespaces in its names."""

    depth = 0

    def start(self, tag: Any, attrs: Any, /) -> Any:
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooMuch
        return super().start(_local(tag), {_local(k): v for k, v in attrs.items()})

    def end(self, tag: Any, /) -> Any:
        self.depth -= 1
        return super().end(_local(tag))


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def parsed(data: bytes, name: str) -> Element:
    """XML as a tree.  InputError where it is broken, too deep, or declares a document type."""
    if is_hostile(data):
        message = f"{name} declares a document type, which may name other files"
        raise InputError(message, expected="XML without <!DOCTYPE")
    parser = ElementTree.XMLParser(target=_Shallow())
    try:
        parser.feed(data)
        return parser.close()
    except TooMuch:
        raise InputError(f"the elements of {name} are nested too deeply") from None
    except (ElementTree.ParseError, ValueError, LookupError):
        raise InputError(f"{name} holds broken XML", expected="a whole document") from None
