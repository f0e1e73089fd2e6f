"""From a derivation to text: a view, then a renderer."""

from __future__ import annotations

import json
from typing import Any

from derive.certify import Format
from derive.derivation import Derivation

FORMATS = ("terminal", "latex", "markdown", "json")


def page(
    derivation: Derivation,
    format: str,
    *,
    form: Format | None = None,
    steps: tuple[str, ...] = (),
    lang: str | None = None,
    fragment: bool = False,
    colour: bool = False,
) -> str:
    """The derivation in a format of FORMATS.

    form: how decimals are rounded (3 places, half-up); steps: which to show, all where empty;
    lang: "en" or "zh", the problem's own by default; fragment: LaTeX without a preamble.
    """
    form, lang = form or Format(), lang or derivation.problem.lang
    if format == "json":
        from derive.views.data import data

        return json.dumps(data(derivation, form, lang, steps), ensure_ascii=False, indent=1) + "\n"
    return _printed(
        derivation, format, {"form": form, "steps": steps, "lang": lang}, fragment, colour
    )


def _printed(
    derivation: Derivation, format: str, options: dict[str, Any], fragment: bool, colour: bool
) -> str:
    from derive.views.walkthrough import Options, walkthrough

    content = walkthrough(derivation, Options(**options))
    match format:
        case "latex":
            from derive.render import latex

            return latex.fragment(content) if fragment else latex.document(content)
        case "markdown":
            from derive.render.markdown import markdown

            return markdown(content)
        case "notebook":
            from derive.render.markdown import markdown

            return markdown(content, fence="dollars")
        case "terminal":
            from derive.render.terminal import terminal

            return terminal(content, colour)
    raise ValueError(f"format is one of {', '.join(FORMATS)}, not {format!r}")
