"""From outside to a problem: files, TOML, Python and array objects, and entries as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derive.read.toml import load, read_toml

__all__ = ["load", "read_toml"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from derive.read import toml

    return getattr(toml, name)
