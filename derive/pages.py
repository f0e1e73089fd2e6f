"""From a derivation to text or PDF: a view, then a renderer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from derive.certify import Format
from derive.derivation import Derivation
from derive.render.blocks import Page
from derive.step import Step

if TYPE_CHECKING:
    from derive.counts import ShapeTable
    from derive.gradients import Sweep
    from derive.gradients.train import Training
    from derive.theorems.theorem import Theorem

FORMATS = ("terminal", "latex", "markdown", "html", "notebook", "json")
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
    expand: tuple[str, ...] = (),
    fragment: bool = False,
    colour: bool = False,
    slides: bool = False,
) -> Printed:
    """The derivation in a format of FORMATS or PROGRAMS.

    form: how decimals are rounded (3 places, half-up); steps: which to show, all where empty;
    lang: "en" or "zh", the problem's own by default; fragment: LaTeX without a preamble;
    detail: "brief", "full" or "every-entry"; expand: the entries to write out in full, such as
    "O[1][1]"; slides: LaTeX as slides, a step each.
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
    content = _content(derivation, form, steps, lang, detail, expand, format == "notebook")
    return Printed(rendered(content, format, fragment, colour, slides), content.undecided)


def pdf(
    derivation: Derivation,
    *,
    engine: str = "typst",
    form: Format | None = None,
    steps: tuple[str, ...] = (),
    lang: str | None = None,
    detail: str = "full",
    expand: tuple[str, ...] = (),
    slides: bool = False,
) -> tuple[bytes, tuple[str, ...]]:
    """The derivation as PDF, and the entries in it whose digits could not be proved.

    engine: "typst", which is built in, or "tex", which needs latexmk and xelatex; slides: a step
    each; the rest as in `printed`.  InputError where a character has no glyph or the engine fails.
    """
    from derive.render.pdf import pdf

    lang = lang or derivation.problem.lang
    content = _content(derivation, form or Format(), steps, lang, detail, expand)
    return pdf(content, engine, slides), content.undecided


def _content(
    derivation: Derivation,
    form: Format,
    steps: tuple[str, ...],
    lang: str,
    detail: str,
    expand: tuple[str, ...] = (),
    is_notebook: bool = False,
) -> Page:
    from derive.views.notebook import notebook
    from derive.views.walkthrough import Options, walkthrough

    view = notebook if is_notebook else walkthrough
    return view(derivation, Options(form, steps, lang, detail, expand))


def rendered(
    content: Page, format: str, fragment: bool = False, colour: bool = False, slides: bool = False
) -> str:
    """A page in a format of FORMATS other than JSON."""
    match format:
        case "latex":
            from derive.render import latex

            if slides:
                from derive.render import beamer

                return beamer.document(content)
            return latex.fragment(content) if fragment else latex.document(content)
        case "markdown":
            from derive.render.markdown import markdown

            return markdown(content)
        case "notebook":
            from derive.render.notebook import notebook

            return notebook(content)
        case "html":
            from derive.render.html import html

            return html(content)
        case "terminal":
            from derive.render.terminal import terminal

            return terminal(content, colour)
    raise ValueError(f"format is one of {', '.join((*FORMATS, *PROGRAMS))}, not {format!r}")


@dataclass(frozen=True)
class Shown:
    """Formulas as a terminal and a notebook show them.

    >>> from derive import builtin, derive
    >>> derive(builtin("head")).show("O", places=1)
    O = A V    O_ij = Σ_k A_ik·V_kj
    ...
    """

    plain: str
    latex: str

    def __repr__(self) -> str:
        return self.plain

    def _repr_latex_(self) -> str:
        return self.latex


def shown(
    what: Step | Derivation, form: Format | None = None, within: Derivation | None = None
) -> Shown:
    """A step with its rule, the exact result and its decimals; of a derivation every step's.

    within: the derivation with whose letters the step is written; without, with those of the steps
    that it rests on.
    """
    from derive.render.notebook import bundle
    from derive.views.one_step import all_steps, one_step

    form = form or Format()
    content = one_step(what, form, within) if isinstance(what, Step) else all_steps(what)
    found = bundle(content)
    return Shown(found["text/plain"], found["text/latex"])


def markdown_in_notebook(derivation: Derivation) -> str:
    """The whole page as Markdown between dollars, as notebooks read it."""
    from derive.render.markdown import markdown

    content = _content(derivation, Format(), (), derivation.problem.lang, "full")
    return markdown(content, fence="dollars")


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
    return paged(shapes_page(table, lang), format, **options)


def gradients_printed(
    sweep: Sweep,
    format: str,
    *,
    form: Format | None = None,
    lang: str | None = None,
    detail: str = "full",
    views: tuple[str, ...] = (),
    expand: tuple[str, ...] = (),
    **options: bool,
) -> tuple[str | bytes, tuple[str, ...]]:
    """The gradients in a format of FORMATS, or as "pdf", and the entries that are undecided.

    views: some of "matrix", "index" and "entries"; expand: entries such as "dW_Q[1][1]"; the rest
    as in `printed`.
    """
    form, lang = form or Format(), lang or sweep.derivation.problem.lang
    if format == "json":
        from derive.render.json import dumps
        from derive.views.gradients import gradients_data

        found = gradients_data(sweep, form, lang)
        return dumps(found), tuple(found["undecided"])
    from derive.views.gradients import GradientOptions, gradients_page

    content = gradients_page(sweep, GradientOptions(form, lang, detail, views, expand))
    return paged(content, format, **options), content.undecided


def training_printed(
    training: Training,
    format: str,
    *,
    form: Format | None = None,
    lang: str | None = None,
    **options: bool,
) -> tuple[str | bytes, tuple[str, ...]]:
    """Steps of training in a format of FORMATS, or as "pdf", and the entries that are undecided."""
    form, lang = form or Format(), lang or training.derivation.problem.lang
    if format == "json":
        from derive.render.json import dumps
        from derive.views.training import training_data

        found = training_data(training, form, lang)
        return dumps(found), tuple(found["undecided"])
    from derive.views.training import TrainingOptions, training_page

    content = training_page(training, TrainingOptions(form, lang))
    return paged(content, format, **options), content.undecided


def paged(content: Page, format: str, **options: bool) -> str | bytes:
    """A page in a format of FORMATS, or as "pdf"."""
    if format == "pdf":
        from derive.render.pdf import pdf

        return pdf(content, "typst", False)
    return rendered(content, format, **options)


def theorem_printed(theorem: Theorem, format: str, *, lang: str, **options: bool) -> str | bytes:
    """A theorem in a format of FORMATS, or as "pdf"; options as in `rendered`.

    Unproved where a claim of it does not hold.
    """
    from derive.views.theorem import theorem_page
    from derive.views.theorem_data import theorem_data

    if format == "json":
        from derive.render.json import dumps

        return dumps(theorem_data(theorem, lang))

    return paged(theorem_page(theorem, lang), format, **options)


def conventions_printed(
    names: tuple[str, ...], format: str, lang: str = "en", **options: bool
) -> str | bytes:
    """The table of conventions in a format of FORMATS, or as "pdf"; options as in `rendered`.

    names: those of conventions and presets, all where empty; InputError for one that is neither.
    """
    from derive.alternatives import examples
    from derive.views.conventions import conventions_data, conventions_page

    if format == "json":
        from derive.render.json import dumps

        return dumps(conventions_data(names, examples, lang))
    return paged(conventions_page(names, examples, lang), format, **options)
