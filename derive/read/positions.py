"""Where the parts of a TOML document stand. Loaded and parsed only when an error is placed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from derive.errors import Place

if TYPE_CHECKING:
    from tree_sitter import Node

Path = tuple[str | int, ...]


def line_place(text: str, source: str, line: int, column: int, width: int = 1) -> Place:
    """A place with the text of its line."""
    lines = text.split("\n", line)
    return Place(source, line, column, lines[line - 1].rstrip("\r"), width)


class Positions:
    """The places of a document by path, such as ("given", "H", 1, 0), counted from 0."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source

    def value(self, path: Path) -> Place:
        """The value at the path, or of the nearest part around it that is written."""
        for length in range(len(path), 0, -1):
            if node := self._find(path[:length]):
                return self._place(node)
        return Place(self.source)

    def key(self, path: Path) -> Place:
        """The name at the path, where it is given."""
        for keys, node, _ in self._pairs():
            if keys == path or keys[: len(path)] == path:
                return self._place(node)
        return self.value(path)

    def repeated(self) -> tuple[str, Place, Place] | None:
        """The first name given twice, with both places."""
        seen: dict[Path, Node] = {}
        for keys, node, value in self._pairs(inside=True):
            if keys in seen:
                return ".".join(map(str, keys)), self._place(seen[keys]), self._place(node)
            heading = node.parent.type if node.parent else ""
            if value is not None or heading == "table":
                seen[keys] = node
        return None

    @cached_property
    def _lines(self) -> list[bytes]:
        return self.text.encode("utf-8", "replace").split(b"\n")

    @cached_property
    def _root(self) -> Node:
        import tree_sitter_toml
        from tree_sitter import Language, Parser

        parser = Parser(Language(tree_sitter_toml.language()))
        return parser.parse(b"\n".join(self._lines)).root_node

    def _pairs(self, inside: bool = False) -> Iterator[tuple[Path, Node, Node | None]]:
        """(path, name, value) of everything named; sections have no value."""
        for block in [self._root, *self._root.named_children]:
            prefix: Path = ()
            if block.type in ("table", "table_array_element"):
                prefix = _keys(block.named_children[0])
                yield prefix, block.named_children[0], None
            elif block is not self._root:
                continue
            yield from _pairs(block, prefix, inside)

    def _find(self, path: Path) -> Node | None:
        for keys, key, value in self._pairs():
            if path[: len(keys)] == keys:
                found = key if value is None else _inside(value, path[len(keys) :])
                if found and (value is not None or path == keys):
                    return found
        return None

    def _place(self, node: Node) -> Place:
        row, start = node.start_point
        line = self._lines[row].decode("utf-8", "replace")
        column = len(self._lines[row][:start].decode("utf-8", "replace"))
        end = node.end_point[1] if node.end_point[0] == row else len(self._lines[row])
        width = len(self._lines[row][start:end].decode("utf-8", "replace").rstrip())
        return Place(self.source, row + 1, column + 1, line.rstrip("\r"), max(width, 1))


def _pairs(block: Node, prefix: Path, inside: bool) -> Iterator[tuple[Path, Node, Node | None]]:
    for pair in block.named_children:
        if pair.type != "pair" or len(pair.named_children) < 2:
            continue
        key, value = pair.named_children[:2]
        yield prefix + _keys(key), key, value
        if inside and value.type == "inline_table":
            yield from _pairs(value, prefix + _keys(key), inside)


def _inside(node: Node, path: Path) -> Node | None:
    """The part of a value at the rest of a path."""
    if not path:
        return node
    if node.type == "array" and isinstance(path[0], int):
        items = [child for child in node.named_children if child.type != "comment"]
        return _inside(items[path[0]], path[1:]) if path[0] < len(items) else None
    if node.type == "inline_table":
        for keys, _, value in _pairs(node, (), False):
            if value is not None and path[: len(keys)] == keys:
                return _inside(value, path[len(keys) :])
    return None


def _keys(key: Node) -> Path:
    if key.type == "dotted_key":
        return tuple(part for child in key.named_children for part in _keys(child))
    text = (key.text or b"").decode("utf-8", "replace")
    if key.type != "quoted_key":
        return (text,)
    try:
        return tuple(tomllib.loads(f"{text} = 0"))
    except tomllib.TOMLDecodeError:
        return (text,)
