"""True or false: statements of the theorems, each as it is proved or turned into a false one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from derive.exact.trace import Name
from derive.render.blocks import Break, Fields, Heading, Inline, Page, Table, Text
from derive.theorems import ORDER, theorem
from derive.views.sentences import lettered, sentence
from derive.views.worksheet_data import as_csv
from derive.words import words
from derive.worksheet.draws import below, words_of
from derive.worksheet.kinds import TRUTH
from derive.worksheet.plan import GENERATOR

ACCEPTED = {
    True: ("T", "true", "yes", "right", "1", "对", "是", "真", "正确", "√", "✓"),
    False: ("F", "false", "no", "wrong", "0", "错", "否", "假", "错误", "不正确", "×", "✗"),
}
"""How people write that a statement is true, or that it is not."""
COUNT = 8
"""So many statements stand on a sheet."""
_WEIGHT = re.compile("(W_[QKVO])")


@dataclass(frozen=True)
class Statement:
    """A theorem by its name, and whether its statement is left true."""

    theorem: str
    is_true: bool


@dataclass(frozen=True)
class Truths:
    """The statements of one sheet, drawn by its number."""

    seed: int
    index: int
    statements: tuple[Statement, ...]

    @property
    def id(self) -> str:
        """What is printed on sheet and key."""
        return f"true-false-{self.seed}-{self.index}"


def truths(seed: int, indices: Sequence[int]) -> list[Truths]:
    """Sheets by their index, no two alike: of two that are the later is drawn again."""
    found: list[Truths] = []
    seen: set[tuple[Statement, ...]] = set()
    for index in indices:
        drawn = (_drawn(seed, index, attempt) for attempt in count(1))
        made = next(x for x in drawn if x not in seen)
        seen.add(made)
        found.append(Truths(seed, index, made))
    return found


def _drawn(seed: int, index: int, attempt: int) -> tuple[Statement, ...]:
    """Some theorems, none twice, each with a coin thrown for it."""
    stream = words_of(GENERATOR, "true-false", seed, index, attempt)
    names = [name for name in ORDER if name in words("en")["false"]]
    made: list[Statement] = []
    for _ in range(COUNT):
        (k,), (coin,) = below(stream, len(names), 1), below(stream, 2, 1)
        made.append(Statement(names.pop(k), coin == 1))
    return tuple(made)


def truth_page(sheets: Sequence[Truths], lang: str) -> Page:
    """The sheets, each on a page of its own."""
    return Page(_title(lang), lang, tuple(_joined(sheets, lang, is_key=False)))


def truth_key_page(sheets: Sequence[Truths], lang: str) -> Page:
    """Their keys; every theorem is proved as the page is made.  Unproved where one is not."""
    for name in {s.theorem for sheet in sheets for s in sheet.statements}:
        theorem(name).check()
    return Page(
        _say("key title", lang, _title(lang)), lang, tuple(_joined(sheets, lang, is_key=True))
    )


def truth_manifest(sheets: Sequence[Truths]) -> str:
    """A line for each sheet: what is right behind the number of each statement."""
    return "".join(
        json.dumps(_record(s), ensure_ascii=False, sort_keys=True) + "\n" for s in sheets
    )


def truth_csv(sheets: Sequence[Truths]) -> str:
    """The keys as CSV, a line for each statement."""
    return as_csv(
        (sheet.id, k, ACCEPTED[one.is_true][0], "", "", 1, "")
        for sheet in sheets
        for k, one in enumerate(sheet.statements, 1)
    )


def _record(sheet: Truths) -> dict[str, object]:
    blanks = [
        {"id": str(k), "accepts": list(ACCEPTED[one.is_true]), "points": 1, "open": False}
        for k, one in enumerate(sheet.statements, 1)
    ]
    return {"id": sheet.id, "kind": TRUTH, "generator": GENERATOR, "seed": sheet.seed,
            "index": sheet.index, "places": 0, "toml": "", "blanks": blanks}  # fmt: skip


def _say(key: str, lang: str, *values: str) -> str:
    return str(sentence("worksheet", key, lang, *values))


def _title(lang: str) -> str:
    return _say("truth title", lang)


def _joined(sheets: Sequence[Truths], lang: str, *, is_key: bool) -> Iterator[object]:
    for k, sheet in enumerate(sheets):
        if k:
            yield Break()
        title = _title(lang)
        yield Heading(_say("key title", lang, title) if is_key else title, 1)
        if not is_key:
            labels = (_say("name", lang), _say("date", lang), _say("score", lang, str(COUNT)))
            yield Fields(labels)
            yield Text(_say("truth", lang))
        yield Text(_say("id", lang, sheet.id))
        last = ("reason",) if is_key else ()
        header = tuple(_say(key, lang) for key in ("statement", "truth value", *last))
        yield Table(("", *header), tuple(_rows(sheet, lang, is_key)))


def statement(one: Statement, lang: str) -> Inline:
    """The statement with its weights and sizes as letters of mathematics."""
    said = said_of(one, lang)
    parts = [Name(x) if k % 2 else x for k, x in enumerate(_WEIGHT.split(said))]
    return lettered(tuple(x for x in parts if x != "") if len(parts) > 1 else said)


def said_of(one: Statement, lang: str) -> str:
    """The statement, true or false."""
    tables = words(lang)
    if not one.is_true:
        return str(tables["false"][one.theorem])
    return str(tables["true"].get(one.theorem) or tables["theorems"][one.theorem]["line"])


def _rows(sheet: Truths, lang: str, is_key: bool) -> Iterator[tuple[Inline, ...]]:
    tables = words(lang)
    for k, one in enumerate(sheet.statements, 1):
        own, said = tables["theorems"][one.theorem], statement(one, lang)
        if not is_key:
            yield str(k), said, "______"
            continue
        verdict = _say("true" if one.is_true else "not true", lang)
        yield str(k), said, verdict, f"{own['title']} (`derive theorem {one.theorem}`)"
