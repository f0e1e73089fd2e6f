"""The built-in architectures: TOML files of sizes and choices, each an example to start from."""

from __future__ import annotations

from importlib.resources import files

ORDER = ("transformer-base", "transformer-big", "bert-base", "gpt-2", "llama-2-7b")
"""Their names, as they are listed."""


def source(name: str) -> str:
    """The text of a built-in architecture."""
    return files(__name__).joinpath(f"{name}.toml").read_text(encoding="utf-8")
