"""From a derivation to text: a view, then a renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.certify import Format
from derive.derivation import Derivation
from derive.render.blocks import Page

FORMATS = ("terminal", "latex", "markdown", "json")


@dataclass(frozen=True)
class Printed:
    """A text, and the entries in it whose digits could not be proved."""

    text: str
    undecided: tuple[str, ...]


def page(derivation: Derivation, format: str, **options: Any) -> str:
    """The text of `printed`."""
    return printed(derivation, format, **options).text


def printed(
    derivation: Derivation,
    format: str,
    *,
    form: Format | None = None,
    steps: tuple[str, ...] = (),
    lang: str | None = None,
    fragment: bool = False,
    colour: bool = False,
) -> Printed:
    """The derivation in a format of FORMATS.

    form: how decimals are rounded (3 places, half-up); steps: which to show, all where empty;
    lang: "en" or "zh", the problem's own by default; fragment: LaTeX without a preamble.
    """
    form, lang = form or Format(), lang or derivation.problem.lang
    if format == "json":
        from derive.render.json import dumps
        from derive.views.data import data

        found = data(derivation, form, lang, steps)
        return Printed(dumps(found), tuple(found["undecided"]))
    from derive.views.walkthrough import Options, walkthrough

    content = walkthrough(derivation, Options(form, steps, lang))
    return Printed(_rendered(content, format, fragment, colour), content.undecided)


def _rendered(content: Page, format: str, fragment: bool, colour: bool) -> str:
    match format:
        case "latex":
            from derive.render import latex

            return latex.fragment(content) if fragment else latex.document(content)
        case "markdown" | "notebook":
            from derive.render.markdown import markdown

            return markdown(content, fence="math" if format == "markdown" else "dollars")
        case "terminal":
            from derive.render.terminal import terminal

            return terminal(content, colour)
    raise ValueError(f"format is one of {', '.join(FORMATS)}, not {format!r}")
