"""Questions that are answered in words: shapes, matching, the wrong step, reasons, statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from derive.exact.trace import Name
from derive.render.blocks import Chain, Inline
from derive.render.quiz import Essay, Match, Pick, Question, Quiz, Typed
from derive.theorems import theorem
from derive.views.quiz import NUMBERS, QUAD, WORDS, numeric
from derive.views.worksheet import Sheet
from derive.views.worksheet_explain import POINTS, ExplainKey, ExplainSheet
from derive.views.worksheet_mistake import MistakeSheet
from derive.views.worksheet_shapes import LETTERS, MatchSheet, ShapesSheet, cells_of, numbered
from derive.views.worksheet_truth import Truths, statement
from derive.words import words
from derive.worksheet.called import names_for
from derive.worksheet.planted import others_than, told_but_planted
from derive.worksheet.search import Variant
from derive.worksheet.shaping import CELLS, Line
from derive.worksheet.written import spellings

MOST_OPTIONS = 5
"""So many answers are there to choose from."""


def worded_quiz(variants: Sequence[Variant], lang: str, partial: int | None = None) -> Quiz:
    """A question for each variant of a kind of KINDS.

    partial: per cent of the points of a number that a known mistake keeps, None for what is usual.
    """
    share = NUMBERS if partial is None else partial
    questions = tuple(replace(KINDS[v.plan.kind](v, lang), partial=share) for v in variants)
    return Quiz(questions[0].title, lang, _around(lang), questions)


def truth_quiz(sheets: Sequence[Truths], lang: str) -> Quiz:
    """Statements to be judged.  Unproved where a theorem is not."""
    for name in {s.theorem for sheet in sheets for s in sheet.statements}:
        theorem(name).check()
    return Quiz(
        words(lang)["worksheet"]["truth title"],
        lang,
        _around(lang),
        tuple(_judged(sheet, lang) for sheet in sheets),
    )


def _around(lang: str) -> dict[str, str]:
    return {key: words(lang)["worksheet"][key] for key in WORDS}


def _judged(sheet: Truths, lang: str) -> Question:
    own = words(lang)["worksheet"]
    options = own["true"], own["not true"]
    picks = tuple(
        Pick(str(k), statement(one, lang), options, 0 if one.is_true else 1, is_truth=True)
        for k, one in enumerate(sheet.statements, 1)
    )
    return Question(sheet.id, own["truth title"], (own["truth"],), picks=picks)


# --- shapes


def _shapes(variant: Variant, lang: str) -> Question:
    sheet = ShapesSheet(variant, lang)
    blanks = [(line, cell) for line in sheet.shapes.lines for cell in CELLS if cell in line.hidden]
    typed = tuple(_typed(sheet, *blank) for blank in blanks if blank[1] != "formula")
    picks = tuple(_formula(sheet, line) for line, cell in blanks if cell == "formula")
    said = (sheet.say("shapes one by one"), sheet.of_letters(), _of_given(sheet))
    return Question(variant.id, sheet.title, said, typed=typed, picks=picks)


def _of_given(sheet: ShapesSheet) -> Inline:
    """The shapes of what is given, one after the other."""
    said: list[Any] = [sheet.say("given"), sheet.say("colon")]
    for k, line in enumerate(sheet.shapes.given):
        cells = cells_of(line)
        said += [sheet.say("semicolon")] * (k > 0)
        said += [*cells["name"], sheet.say("colon"), *cells["letters"], " = ", *cells["numbers"]]
    return (*said, sheet.say("stop"))


ASKED = {"name": "its name", "letters": "in letters", "numbers": "in numbers"}


def _typed(sheet: Sheet, line: Line, cell: str) -> Typed:
    asked = (*_shown(sheet, line), QUAD, sheet.say(ASKED[cell]))
    accepted = tuple(names_for(line.name)) if cell == "name" else spellings(line, cell)
    return Typed(f"{line.name}.{cell}", asked, tuple(dict.fromkeys(accepted)))


def _shown(sheet: Sheet, line: Line) -> Iterator[Any]:
    """What stands in its line on the sheet: Q = H W_Q, 5 × 3."""
    cells = {key: x for key, x in cells_of(line).items() if key not in line.hidden}
    if "name" in cells and "formula" in cells:
        yield Chain(cells.pop("name")[0], (("=", cells.pop("formula")[0]),))
    for k, parts in enumerate(cells.values()):
        if k or not {"name", "formula"} & cells.keys():
            yield sheet.say("comma")
        yield from parts


def _formula(sheet: ShapesSheet, line: Line) -> Pick:
    """The formula among those of the steps beside it; no two that are written alike."""
    lines = sorted(
        sheet.shapes.lines, key=lambda x: (x is not line, abs(_place(sheet, x, line)), x.name)
    )
    found: dict[str, Line] = {}
    for one in lines:
        found.setdefault(repr(one.step.notation), one)
    kept = sorted(list(found.values())[:MOST_OPTIONS], key=sheet.shapes.lines.index)
    asked = sheet.say("choose formula", Name(line.name))
    options = tuple(cells_of(one)["formula"] for one in kept)
    return Pick(f"{line.name}.formula", asked, options, kept.index(line))


def _place(sheet: ShapesSheet, one: Line, other: Line) -> int:
    return sheet.shapes.lines.index(one) - sheet.shapes.lines.index(other)


def _match(variant: Variant, lang: str) -> Question:
    sheet = MatchSheet(variant, lang)
    found = sheet.matching
    answers = [((Name(line.name),), found.answer(line)) for line in found.lines]
    keys = tuple(line.name for line in found.lines)
    formulas = tuple((step.notation,) for step in found.formulas)
    numbers = tuple(str(k) for k in range(1, len(found.shapes) + 1))
    matches = (
        Match("formula", sheet.say("match formulas"), tuple((n, f) for n, (f, _) in answers),
              keys, formulas, tuple(LETTERS[: len(formulas)])),
        Match("shape", sheet.say("match shapes"), tuple((n, s) for n, (_, s) in answers),
              keys, tuple(map(numbered, found.shapes)), numbers),
    )  # fmt: skip
    said = (sheet.of_letters(), _of_given(sheet))
    return Question(variant.id, sheet.title, said, matches=matches)


# --- derivations


def _mistake(variant: Variant, lang: str) -> Question:
    """Which step, what is wrong there, and the numbers at the end, put right."""
    sheet = MistakeSheet(variant, lang)
    last = sheet.last.name
    said = (sheet.say("find"), *_worked(sheet), *((sheet.value(s),) for s in sheet.steps_shown()))
    asked = tuple(
        numeric(variant, a, lang, told_but_planted(variant))
        for a in variant.key.answers
        if a.step == last
    )
    return Question(
        variant.id,
        sheet.title,
        said,
        asked=asked,
        picks=(_which(sheet), _what(sheet)),
        answers=((Chain(Name(last), tuple(Sheet.sides(sheet, sheet.last))),),),
        solutions=(sheet.told(),),
    )


def _worked(sheet: Sheet) -> Iterator[Inline]:
    """What is given, in sentences."""
    yield from (block.content for block in sheet.texts())
    yield from (block.content for block in sheet.conventions())
    chains = [Chain(Name(s.name), (("=", sheet.written(s)),)) for s in sheet.read_from()]
    yield tuple(part for k, chain in enumerate(chains) for part in (QUAD, chain)[k == 0 :])


def _which(sheet: MistakeSheet) -> Pick:
    """Of several steps with the same mistake only the first is there to be chosen."""
    wrong = [step.name for step in sheet.planted.slip.steps]
    names = [s.name for s in sheet.steps_shown() if s.name not in wrong[1:]]
    options = tuple((Name(name),) for name in names)
    return Pick("step", sheet.say("choose step"), options, names.index(wrong[0]))


def _what(sheet: MistakeSheet) -> Pick:
    slip, table = sheet.planted.slip, words(sheet.lang)["mistakes"]
    every = [slip, *others_than(slip, sheet.variant, MOST_OPTIONS - 1)]
    texts = sorted(dict.fromkeys(str(table[one.name]) for one in every))
    options = tuple(texts)
    return Pick("mistake", sheet.say("choose mistake"), options, texts.index(table[slip.name]))


def _explain(variant: Variant, lang: str) -> Question:
    sheet, key = ExplainSheet(variant, lang), ExplainKey(variant, lang)
    essays = tuple(
        Essay(
            step.name,
            (sheet.value(step),),
            (key.say("explain marks"), *key.notes(step)),
            POINTS,
        )
        for step in (one.step for one in sheet.asked.values())
    )
    said = (sheet.say("explain one"), *_worked(sheet))
    return Question(variant.id, sheet.title, said, essays=essays)


KINDS: Mapping[str, Callable[[Variant, str], Question]] = {
    "shapes": _shapes,
    "match": _match,
    "find-mistake": _mistake,
    "explain": _explain,
}
"""The kinds that are asked so."""
