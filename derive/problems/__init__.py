"""The built-in problems: TOML files, each a commented example to start from."""

from __future__ import annotations

from importlib.resources import files

ORDER = (
    "head",
    "causal",
    "unscaled",
    "columns",
    "temperature",
    "shared",
    "cross",
    "mixed",
    "symbolic",
    "eight",
    "three-words",
    "three-words-printed",
    "multihead",
    "positions",
    "rope",
    "layernorm",
    "block",
    "decoder",
    "language-model",
    "seq2seq",
)
"""Their names, as they are listed; the first is derived when no problem is named."""
ALSO = {"attention": "head"}
"""Other names for some: the head is what the model `attention` derives."""


def source(name: str) -> str:
    """The text of a built-in problem."""
    return files(__name__).joinpath(f"{ALSO.get(name, name)}.toml").read_text(encoding="utf-8")
