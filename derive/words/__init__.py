"""What pages say, in each language: one TOML file a language, read when it is first needed.

A new operation has a name and a sentence under [operations.CLASS]; a new step has a heading and a
sentence under [steps.LETTER], where the letter is that of `derive.exact.names`, and a line under
[meanings]; a built-in problem has its title under [titles] of every language but English.  A new
language is one more file with the same keys.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = tuple(
    sorted(f.name.removesuffix(".toml") for f in files(__name__).iterdir() if ".toml" in f.name)
)
"""The languages there are: the files beside this one."""


@cache
def words(lang: str) -> dict[str, Any]:
    """The tables of a language: steps, meanings, operations, places, phrases ... by key."""
    text = files(__name__).joinpath(f"{lang}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def phrase(key: str, lang: str, *values: object) -> str:
    """A phrase in a language, with the values put in."""
    text: str = words(lang)["phrases"][key]
    return text.format(*values)


def titled(title: str, lang: str) -> str:
    """The title in a language, where it is a built-in one; else as it is."""
    text: str = words(lang).get("titles", {}).get(title, title)
    return text
