"""The page of a worksheet and of its key, by the kind of exercise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from derive.render.blocks import Page
from derive.views.worksheet import Sheet, worksheet_page
from derive.views.worksheet_change import ChangeSheet, change_key_page, change_page
from derive.views.worksheet_choices import choice_key_page, choice_page
from derive.views.worksheet_explain import explain_key_page, explain_page
from derive.views.worksheet_gradient import GradientSheet, gradient_key_page, gradient_page
from derive.views.worksheet_key import key_page
from derive.views.worksheet_mistake import mistake_key_page, mistake_page
from derive.views.worksheet_shapes import (
    match_key_page,
    match_page,
    shapes_key_page,
    shapes_page,
)
from derive.worksheet.search import Variant

Make = Callable[..., Page]
PAGES: Mapping[str, tuple[Make, Make]] = {
    "compute": (worksheet_page, key_page),
    "find-mistake": (mistake_page, mistake_key_page),
    "explain": (explain_page, explain_key_page),
    "shapes": (shapes_page, shapes_key_page),
    "match": (match_page, match_key_page),
    "gradient": (gradient_page, gradient_key_page),
    "what-if": (change_page, change_key_page),
}
SHEETS: Mapping[str, type[Sheet]] = {"gradient": GradientSheet, "what-if": ChangeSheet}
HINTED = ("compute", "gradient", "what-if")
"""The kinds that know hints."""


def sheet_of(variant: Variant, lang: str, *, hints: bool = False) -> Sheet:
    """The sheet of a variant whose blanks are numbers, to be asked elsewhere than on paper."""
    return SHEETS.get(variant.plan.kind, Sheet)(variant, lang, hints)


def sheet_page(variants: Sequence[Variant], lang: str, *, hints: bool, choices: bool) -> Page:
    """The sheets; hints: what each step does; choices: whether numbers are only to be chosen."""
    if choices:
        return choice_page(variants, lang, hints=hints)
    kind = variants[0].plan.kind
    make = PAGES[kind][0]
    return make(variants, lang, hints=hints) if kind in HINTED else make(variants, lang)


def keys_page(variants: Sequence[Variant], lang: str, *, choices: bool, share: int) -> Page:
    """Their keys; share: per cent of the points that a known mistake keeps of a choice."""
    if choices:
        return choice_key_page(variants, lang, share=share)
    return PAGES[variants[0].plan.kind][1](variants, lang)
