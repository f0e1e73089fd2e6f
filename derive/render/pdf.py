"""Pages as PDF by two engines: Typst, which comes with the package, or an installed TeX.

The same page gives the same bytes with Typst: nothing in them depends on the day or the machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

from derive.errors import InputError, Place, nearest
from derive.render import beamer, latex, tex, typst
from derive.render.blocks import Page
from derive.render.texts import texts

if TYPE_CHECKING:
    from typst import Compiler

ENGINES = ("typst", "tex")
# An archive has every glyph, and text to search: a character without one is an error, never a box.
STANDARD: Final = "a-2u"
_LOST = re.compile(r'the (?:text|PDF contains the codepoint) `"(.+?)"`')
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")


def pdf(page: Page, engine: str = "typst", slides: bool = False) -> bytes:
    """The page, or slides of it, as PDF by an engine of ENGINES.

    InputError for a character that no font has, an engine that is not known or not installed, and
    whatever the engine itself finds wrong.
    """
    match engine:
        case "typst":
            return _typst(page, slides)
        case "tex":
            return _tex(page, slides)
    close = nearest(engine, ENGINES)
    raise InputError(
        f'there is no PDF engine "{engine}"',
        expected="typst, which is built in, or tex, which needs latexmk and xelatex",
        hint=f"did you mean {close}?" if close else "",
    )


# --- Typst


def _typst(page: Page, slides: bool) -> bytes:
    return compiled(typst.document(page, slides), lambda: page)


def compiled(text: str, page: Callable[[], Page]) -> bytes:
    """A source as PDF; page: from which it was made, for what is said of a lost character."""
    source, compiler = text.encode(errors="replace"), _compiler()
    from typst import TypstError

    try:
        made, warnings = compiler.compile_with_warnings(
            source, format="pdf", pdf_standards=[STANDARD], timestamp=0
        )
    except TypstError as error:
        raise _refusal(page(), error.message, error.diagnostic) from None
    if warnings:
        raise InputError(f"the typst engine warns: {warnings[0].message}")
    assert isinstance(made, bytes)
    return made


@cache
def _compiler() -> Compiler:
    """One compiler for all pages: it remembers what they share."""
    try:
        from typst import Compiler, Fonts
    except ImportError:
        raise InputError(
            "the built-in PDF engine is not installed",
            expected="the Python package typst",
            hint="pip install typst, or --engine tex where a TeX is installed",
        ) from None
    with as_file(files("derive.render") / "fonts") as folder:
        known = Fonts(include_system_fonts=False, font_paths=[str(folder)])
        return Compiler(root=str(folder), font_paths=known)


def _refusal(page: Page, message: str, diagnostic: str) -> InputError:
    lost = [_ESCAPED.sub(_unescaped, text) for text in _LOST.findall(diagnostic)]
    if not lost:
        return InputError(f"the typst engine refuses: {message}")
    known = "Latin, Greek or Cyrillic letters, or the commoner Chinese characters"
    return missing(page, lost, expected=known)


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16))


# --- TeX


def _tex(page: Page, slides: bool) -> bytes:
    made, lost = tex.compiled((beamer if slides else latex).document(page))
    if lost:
        raise missing(page, lost, hint="--engine typst may have them")
    return made


# --- characters without a glyph


class NoGlyph(InputError):
    """Characters that no font has."""

    characters: tuple[str, ...] = ()


def missing(page: Page, characters: Iterable[str], **advice: str) -> NoGlyph:
    """The error for characters that no font has, with the place of the first and some advice."""
    every = list(dict.fromkeys(characters))
    named = ", ".join(f"{c} ({' '.join(f'U+{ord(x):04X}' for x in c)})" for c in every[:8])
    many = f" and {len(every) - 8} more" if len(every) > 8 else ""
    places = (_place(text, every) for text in texts(page))
    place = next(filter(None, places), None)
    error = NoGlyph(f"no font of the PDF has {named}{many}", place=place, **advice)
    error.characters = tuple(every)
    return error


def _place(text: str, characters: list[str]) -> Place | None:
    found = [(text.find(c), len(c)) for c in characters if c in text]
    if not found:
        return None
    at, width = min(found)
    return Place("the page", column=at + 1, text=text.replace("\n", " "), width=width)
