"""What all parts of one formula share while it is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from derive.read.latex.source import Source


@dataclass
class Context:
    """What all parts of one formula share: the names known to be matrices, and the style in
    which each symbol was met."""

    source: Source
    matrices: frozenset[str] = frozenset()
    is_equation: bool = False
    styles: dict[str, str] = field(default_factory=dict)
