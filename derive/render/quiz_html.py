r"""Sentences as HTML for learning systems: mathematics between \( and \), as MathJax reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

from derive.exact.ink import LATEX
from derive.exact.trace import Term
from derive.exact.write import Writer
from derive.render.blocks import RELATIONS, Chain, Inline

_WRITER = Writer(LATEX)


def paragraphs(contents: Iterable[Inline]) -> str:
    """Each sentence as a paragraph."""
    return "\n".join(f"<p>{inline(content)}</p>" for content in contents)


def inline(content: Inline) -> str:
    """A sentence."""
    parts = (content,) if isinstance(content, str) else content
    return "".join(escape(p, quote=False) if isinstance(p, str) else math(p) for p in parts)


def math(x: Any) -> str:
    """A formula between its signs."""
    return rf"\({escape(latex(x), quote=False)}\)"


def latex(x: Chain | Term) -> str:
    """A chain or a term in LaTeX."""
    if isinstance(x, Chain):
        sides = (f" {RELATIONS[r][0]} {_WRITER.text(side)}" for r, side in x.rest)
        return _WRITER.text(x.first) + "".join(sides)
    return _WRITER.text(x)


def identifier(text: str) -> str:
    """A name that XML takes as an identifier: letters of ASCII, digits, - and _."""
    return "q-" + re.sub(r"[^A-Za-z0-9_-]", "_", text)
