"""What exercises of PreTeXt are made of."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from derive.render.blocks import Chain, Inline
from derive.render.quiz import Question
from derive.render.quiz_html import identifier, latex

_SIGNS = (("&", r"\amp "), ("<", r"\lt "), (">", r"\gt "))


def opened(question: Question, name: str) -> str:
    """The beginning of an exercise, by the name of its question and its own."""
    full = f"{identifier(question.id)}-{identifier(name).removeprefix('q-')}"
    title = escape(f"{question.id} {name}")
    return f'<exercise xml:id="{full}" label="{full}">\n<title>{title}</title>\n'


def paragraphs(contents: Iterable[Inline]) -> str:
    """Each sentence as a paragraph."""
    return "".join(f"<p>{inline(content)}</p>\n" for content in contents)


def inline(content: Inline) -> str:
    """A sentence; one that is a chain alone stands by itself."""
    if isinstance(content, tuple) and len(content) == 1 and isinstance(content[0], Chain):
        return f"<md>{math(content[0])}</md>"
    parts = (content,) if isinstance(content, str) else content
    return "".join(escape(p) if isinstance(p, str) else f"<m>{math(p)}</m>" for p in parts)


def math(x: Any) -> str:
    """LaTeX in which signs of XML have names."""
    text = latex(x)
    for sign, name in _SIGNS:
        text = text.replace(sign, name)
    return text
