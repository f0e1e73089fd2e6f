"""The generator: model x notation x language x rounding x mistakes, the same for the same seed.

Every value comes from mpmath and every digit from `decimal`; nothing of the program is used.
Thousands: `python tests/articles/sweep.py --seeds 5000 --workers 1` prints the rates.
"""

import random
from dataclasses import dataclass, field
from decimal import Decimal

from articles import arithmetic as a
from articles.files import FILES
from articles.languages import LANGUAGES
from articles.mistakes import ENTRIES, OBJECTS, RULES, weight, wrong_rules
from articles.models import MODELS
from articles.notations import FORMULAS, NOTATIONS, Page, Shown, languages

STYLES = ("rounded", "rounded", "carried", "cut", "single")
WRITTEN = NOTATIONS | FILES
ATTEMPTS = 100
LARGE = 10**6


@dataclass(frozen=True)
class Article:
    """What is stored, and what is known of it.

    off: the printed strings that no exact value rounds to; planted: those of the mistake itself.
    """

    text: str | bytes
    name: str
    model: str
    notation: str
    language: str
    style: str
    kind: str | None = None
    planted: frozenset[str] = frozenset()
    off: frozenset[str] = frozenset()
    derived: tuple[str, ...] = ()
    is_carried: bool = False
    seed: object = field(default=None, compare=False)


class Printer:
    """Prints the values of a model in one style of rounding."""

    def __init__(self, rng, model, style):
        self.style, self.places = style, rng.choice((2, 3, 3, 4, 4))
        self.is_short = rng.random() < 0.7  # products of short decimals are printed in full
        if style == "single":
            self.places = rng.choice((4, 8))
        self.inputs = {s.name for s in model.steps if s.is_given}

    def rows(self, name, rows):
        return [[self.text(name, x, rows) for x in row] for row in rows]

    def text(self, name, x, rows):
        if x == -a.INF:
            return "-inf"
        if name in self.inputs or (self.style != "single" and self.is_short):
            places = max(_places(y) for row in rows for y in row if y != -a.INF)
            if places <= (6 if name in self.inputs else 4):
                return a.figures(x, places)
        return a.figures(x, self.places, self.style == "cut")

    def carry(self, name, rows):
        """What a later step takes: exact, rounded as printed, or in single precision."""
        if self.style == "single":
            return [[a.single(x) if name not in self.inputs else x for x in r] for r in rows]
        if self.style != "carried" or name in self.inputs:
            return rows
        texts = self.rows(name, rows)
        return [[-a.INF if t == "-inf" else a.real(t) for t in row] for row in texts]


def _places(x):
    """How many decimals a number has; many where it does not end."""
    text = str(a.decimal(x).normalize())
    exponent = Decimal(text).as_tuple().exponent
    return max(0, -exponent)


def article(seed, notation=None, model=None, kind=None, style=None, language=None):
    """An article; `kind` is a kind of mistake, "" one without a cause, None for a right one."""
    rng = random.Random(f"{seed} {notation} {model} {kind} {style}")
    for _ in range(ATTEMPTS):
        made = _attempt(rng, notation, model, kind, style, language)
        if made is not None:
            object.__setattr__(made, "seed", (seed, notation, model, kind, style))
            return made
    raise ValueError(f"no article: {seed} {notation} {model} {kind}")


def kinds(model):
    """The kinds of mistakes that can be planted in a model."""
    found = {r.kind for r in RULES if model in r.models}
    found |= {k for k in ENTRIES if k != "row made to sum to one" or model in WITH_SHARES}
    return sorted(found | set(OBJECTS) | {"input misprint"})


WITH_SHARES = ("head", "cross", "scores", "plain", "temperature", "loss", "multihead")
SCALARS = frozenset(("loss",))


def _attempt(rng, notation, model_name, kind, style, language):
    notation = notation or rng.choice(list(NOTATIONS))
    is_declared = kind in RULED or (kind is not None and model_name == "cross")
    if is_declared and notation not in FORMULAS:
        notation = rng.choice(sorted(FORMULAS))  # a rule is wrong where another one is declared
    model = MODELS[model_name or rng.choice(list(MODELS))](rng)
    style = style or rng.choice(STYLES)
    if kind is not None and style in ("cut", "single"):
        style = "rounded"
    printer = Printer(rng, model, style)
    right = model.values()
    try:
        values = model.values(carry=printer.carry)
    except ArithmeticError:
        return None
    if not all(map(_is_real, values.values())):
        return None
    texts = {n: printer.rows(n, rows) for n, rows in values.items()}
    planted, is_carried = frozenset(), False
    if kind is not None:
        found = _planted(rng, model, printer, texts, right, kind)
        if found is None:
            return None
        texts, planted, is_carried = found
        if kind == "input misprint":
            right = _with_inputs(model, texts).values()
    shows = rng.random() < 0.6 or is_declared or model.name == "cross"
    return _printed(rng, model, texts, right, notation, language, style, kind, planted,
                    is_carried, shows and notation in FORMULAS)  # fmt: skip


RULED = frozenset(r.kind for r in RULES)


def _planted(rng, model, printer, texts, right, kind):
    """(texts, planted strings, whether what follows is worked out from them), or None."""
    is_carried = rng.random() < 0.5
    if kind in RULED:
        rules = [r for r in RULES if r.kind == kind and model.name in r.models]
        rng.shuffle(rules)
        found = (_by_rule(rule, model, printer, texts, right, is_carried) for rule in rules)
        return next((f for f in found if f is not None), None)
    if kind == "input misprint":
        return _misprinted(rng, model, texts)
    return _by_digits(rng, model, printer, texts, right, kind, is_carried)


def _by_rule(rule, model, printer, texts, right, is_carried):
    changed = wrong_rules(rule, model)
    if changed is None:
        return None
    (target,) = changed
    try:
        wrong = model.values(changed, carry=printer.carry)
        new = printer.rows(target, wrong[target])
    except (ArithmeticError, ValueError, IndexError):
        return None
    if not all(map(_is_real, wrong.values())) or not _is_same_shape(new, texts[target]):
        return None
    if _changes(new, right[target]) < 2 or not _is_telling(new, right[target]):
        return None
    after = _after(model, target) if is_carried else {target}
    made = {n: printer.rows(n, wrong[n]) if n in after else t for n, t in texts.items()}
    return made, _off_of(new, right[target]), is_carried


def _by_digits(rng, model, printer, texts, right, kind, is_carried):
    target = _target(rng, model, texts, kind)
    if target is None:
        return None
    rows = texts[target]
    if kind in OBJECTS:
        new = OBJECTS[kind](rng, rows)
        if new is None or _changes(new, right[target]) < 3 or not _is_telling(new, right[target]):
            return None
    else:
        new = _with_entry(rng, kind, rows, right[target])
        if new is None:
            return None
    made = texts | {target: new}
    if is_carried:
        held = {target: lambda k: [[-a.INF if t == "-inf" else a.real(t) for t in r] for r in new]}
        wrong = model.values(held, carry=printer.carry)
        if not all(map(_is_real, wrong.values())):
            return None
        made |= {n: printer.rows(n, wrong[n]) for n in _after(model, target) - {target}}
    return made, _off_of(new, right[target]), is_carried


def _target(rng, model, texts, kind):
    """The step in which digits go wrong."""
    if kind == "row made to sum to one":
        return next((n for n in ("A", "P", "A1") if n in texts), None)
    return rng.choice([s.name for s in model.steps if not s.is_given and s.name not in SCALARS])


def _with_entry(rng, kind, rows, exact):
    places = [(i, j) for i, row in enumerate(rows) for j, t in enumerate(row) if t != "-inf"]
    rng.shuffle(places)
    for i, j in places:
        text = ENTRIES[kind](rng, rows, i, j)
        if (
            text is None
            or a.is_right(text, exact[i][j], True)
            or not any(c in "123456789" for c in text)
        ):
            continue
        if not _is_far(text, exact[i][j], kind):
            continue
        return [
            [text if (k, m) == (i, j) else t for m, t in enumerate(r)] for k, r in enumerate(rows)
        ]
    return None


def _is_far(text, x, kind):
    """Further from the exact value than rounding can carry it."""
    if kind == "row made to sum to one":
        return True
    unit = Decimal(1).scaleb(-len(text.partition(".")[2]))
    return abs(a.decimal(x) - Decimal(text)) > 2 * unit


def _misprinted(rng, model, texts):
    given = [s.name for s in model.steps if s.is_given and s.name not in FIXED]
    target = rng.choice(given)
    rows = texts[target]
    i, j = rng.randrange(len(rows)), rng.randrange(len(rows[0]))
    unit = Decimal(1).scaleb(-len(rows[i][j].partition(".")[2]))
    text = str(Decimal(rows[i][j]) + rng.choice((1, 2, 3, -1, -2)) * unit)
    new = [[text if (k, m) == (i, j) else t for m, t in enumerate(r)] for k, r in enumerate(rows)]
    made = texts | {target: new}
    right = _with_inputs(model, made).values()
    for step in model.steps:
        changes = 0 if step.is_given else _changes(made[step.name], right[step.name])
        if changes == 1 or (changes and not _is_telling(made[step.name], right[step.name])):
            return None
        if changes:
            strings = _off_of(made[step.name], right[step.name])
            return made, strings, False
    return None


FIXED = ("T", "gamma", "beta", "eps")


def _with_inputs(model, texts):
    from dataclasses import replace

    def of(step):
        if not step.is_given or step.is_hidden:
            return step
        rows = [[a.real(t) for t in row] for row in texts[step.name]]
        return replace(step, work=lambda k: rows)

    return replace(model, steps=tuple(map(of, model.steps)))


def _after(model, target):
    """The step and those that change with it."""
    names = [s.name for s in model.steps if not s.is_given]
    return set(names[names.index(target) :])


def _is_real(rows):
    """Whether all numbers are real, and of a size that an article would print."""
    return all(
        isinstance(x, a.mpmath.mpf) and (abs(x) < LARGE or x == -a.INF) for r in rows for x in r
    )


def _is_telling(rows, exact):
    """Whether what is changed has digits enough to tell why."""
    pairs = (p for r, s in zip(rows, exact, strict=True) for p in zip(r, s, strict=True))
    return sum(weight(t) for t, x in pairs if t != "-inf" and not a.is_right(t, x, True)) >= 4


def _is_same_shape(new, old):
    return len(new) == len(old) and len(new[0]) == len(old[0])


def _changes(rows, exact):
    return sum(
        not a.is_right(t, x, True)
        for r, s in zip(rows, exact, strict=True)
        for t, x in zip(r, s, strict=True)
    )


def _off_of(rows, exact, is_cut=True):
    pairs = (p for r, s in zip(rows, exact, strict=True) for p in zip(r, s, strict=True))
    return frozenset(t for t, x in pairs if not a.is_right(t, x, is_cut))


def _printed(rng, model, texts, right, notation, language, style, kind, planted, is_carried, shows):
    language = language or rng.choice(languages(notation))
    if notation == "exponents" and any(
        t.strip("-0.") == "" for rows in texts.values() for r in rows for t in r
    ):
        return None
    shown = [
        Shown(s.name, texts[s.name], s.formula if shows else "", s.is_given)
        for s in model.steps if not s.is_hidden
    ]  # fmt: skip
    text, name = WRITTEN[notation](Page(shown, model.says, LANGUAGES[language]))
    off = frozenset().union(*(_off_of(texts[s.name], right[s.name], False) for s in model.steps
                              if not s.is_given and not s.is_hidden))  # fmt: skip
    derived = tuple(
        _as_printed(t, notation, language)
        for s in model.steps if not s.is_given and not s.is_hidden
        for row in texts[s.name] for t in row if t != "-inf"
    )  # fmt: skip
    turn = {t: _as_printed(t, notation, language) for t in planted | off}
    return Article(text, name, model.name, notation, language, style, kind,
                   frozenset(turn[t] for t in planted), frozenset(turn[t] for t in off),
                   derived, is_carried)  # fmt: skip


def _as_printed(text, notation, language):
    """The string as it stands in the file."""
    if notation == "commas":
        return text.replace(".", ",")
    if notation == "native":
        return text.translate(str.maketrans("0123456789", LANGUAGES[language].digits))
    if notation in ("full_width", "minus_signs", "starred"):
        return text.replace("-", "−")
    if notation == "sheet":
        return f"{float(text):.15g}"
    if notation == "exponents" and "." in text:
        from articles.notations import _scientific

        return _scientific(text)
    return text
