"""From outside to a problem: files, TOML, Python and array objects, and entries as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derive.read.latex import read_latex
    from derive.read.toml import load, read_toml

__all__ = ["load", "read_latex", "read_toml"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = "derive.read.latex" if name == "read_latex" else "derive.read.toml"
    return getattr(import_module(home), name)
