"""From a derivation to text or PDF: a view, then a renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from derive.certify import Format
from derive.derivation import Derivation
from derive.render.blocks import Page

if TYPE_CHECKING:
    from derive.counts import ShapeTable

FORMATS = ("terminal", "latex", "markdown", "html", "json")
PROGRAMS = ("numpy", "torch")


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
    detail: str = "full",
    fragment: bool = False,
    colour: bool = False,
    slides: bool = False,
) -> Printed:
    """The derivation in a format of FORMATS or PROGRAMS.

    form: how decimals are rounded (3 places, half-up); steps: which to show, all where empty;
    lang: "en" or "zh", the problem's own by default; fragment: LaTeX without a preamble;
    detail: "brief", "full" or "every-entry"; slides: LaTeX as slides, a step each.
    """
    form, lang = form or Format(), lang or derivation.problem.lang
    if format == "json":
        from derive.render.json import dumps
        from derive.views.data import data

        found = data(derivation, form, lang, steps)
        return Printed(dumps(found), tuple(found["undecided"]))
    if format in PROGRAMS:
        from derive.views.code import program

        return Printed(program(derivation, format), ())
    content = _content(derivation, form, steps, lang, detail)
    return Printed(rendered(content, format, fragment, colour, slides), content.undecided)


def pdf(
    derivation: Derivation,
    *,
    engine: str = "typst",
    form: Format | None = None,
    steps: tuple[str, ...] = (),
    lang: str | None = None,
    detail: str = "full",
    slides: bool = False,
) -> tuple[bytes, tuple[str, ...]]:
    """The derivation as PDF, and the entries in it whose digits could not be proved.

    engine: "typst", which is built in, or "tex", which needs latexmk and xelatex; slides: a step
    each; the rest as in `printed`.  InputError where a character has no glyph or the engine fails.
    """
    from derive.render.pdf import pdf

    lang = lang or derivation.problem.lang
    content = _content(derivation, form or Format(), steps, lang, detail)
    return pdf(content, engine, slides), content.undecided


def _content(
    derivation: Derivation, form: Format, steps: tuple[str, ...], lang: str, detail: str
) -> Page:
    from derive.views.walkthrough import Options, walkthrough

    return walkthrough(derivation, Options(form, steps, lang, detail))


def rendered(
    content: Page, format: str, fragment: bool = False, colour: bool = False, slides: bool = False
) -> str:
    """A page in a format of FORMATS other than JSON."""
    match format:
        case "latex":
            from derive.render import beamer, latex

            if slides:
                return beamer.document(content)
            return latex.fragment(content) if fragment else latex.document(content)
        case "markdown" | "notebook":
            from derive.render.markdown import markdown

            return markdown(content, fence="math" if format == "markdown" else "dollars")
        case "html":
            from derive.render.html import html

            return html(content)
        case "terminal":
            from derive.render.terminal import terminal

            return terminal(content, colour)
    raise ValueError(f"format is one of {', '.join((*FORMATS, *PROGRAMS))}, not {format!r}")


def shapes_printed(
    table: ShapeTable, format: str, *, lang: str | None = None, **options: bool
) -> str | bytes:
    """A table of shapes in a format of FORMATS, or as "pdf"; options as in `rendered`."""
    from derive.views.shape_data import shapes_data
    from derive.views.shapes import shapes_page

    lang = lang or table.lang
    if format == "json":
        from derive.render.json import dumps

        return dumps(shapes_data(table, lang))
    if format == "pdf":
        from derive.render.pdf import pdf

        return pdf(shapes_page(table, lang), "typst", False)
    return rendered(shapes_page(table, lang), format, **options)
