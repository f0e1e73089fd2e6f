"""The derivation as plain data: what the JSON output holds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from derive.certify import Certified, Certifier, Format
from derive.certify import certified as certified_step
from derive.derivation import Derivation
from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.exact.extent import letters_of
from derive.exact.ink import LATEX, PLAIN
from derive.exact.scalar import sum_of
from derive.exact.write import Writer, indices
from derive.places import entry_name
from derive.step import Step
from derive.views.choices import used
from derive.views.entries import is_power, value_of

MOST_ENTRIES = 20_000
_WORD = re.compile("[A-Za-z_][A-Za-z_0-9]*")


def data(
    derivation: Derivation, form: Format, lang: str, steps: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Problem, conventions, names and steps; `exact` and `names` are SymPy strings.

    `decimal` and `float` are null where free symbols remain; undecided entries are listed by place.
    Entries of a step with more than MOST_ENTRIES are left out, and said to be, unless it is named.
    """
    spell = _Spelling(derivation, form)
    shown = [s for s in derivation.steps if not steps or s.name in steps]
    listed = [spell.step(s, is_asked=bool(steps)) for s in shown]
    return {
        "problem": derivation.problem.name,
        "title": derivation.problem.title,
        "lang": lang,
        "tokens": list(derivation.problem.tokens),
        "conventions": conventions(derivation, form),
        "names": spell.names(),
        "steps": listed,
        "undecided": spell.undecided,
    }


def conventions(derivation: Derivation, form: Format) -> dict[str, Any]:
    """The conventions that it follows by name, numbers as SymPy strings, and those of decimals."""
    choices = derivation.problem.conventions
    return {
        **{name: _plainly(getattr(choices, name)) for name in used(derivation)},
        "rounding": form.rounding,
        "places": form.places if form.digits is None else None,
        "digits": form.digits,
    }


def _plainly(value: Any) -> Any:
    plain = Writer(PLAIN)
    if isinstance(value, Matrix):
        return [[plain.text(x) for x in row] for row in value.rows]
    return plain.text(value) if isinstance(value, (Scalar, NegativeInfinity)) else value


class _Spelling:
    def __init__(self, derivation: Derivation, form: Format) -> None:
        self.derivation, self.form = derivation, form
        self.certifier = Certifier()
        self.plain = Writer(PLAIN, derivation.names)
        self.latex = Writer(LATEX, derivation.names)
        self.undecided: list[str] = []
        self._deep: dict[str, list[list[Certified]]] = {}
        self.letters: dict[str, Scalar] = {}

    def step(self, step: Step, is_asked: bool) -> dict[str, Any]:
        rule = step.notation
        formula = step.formula
        rows, columns = step.shape
        is_whole = is_asked or rows * columns <= MOST_ENTRIES
        return {
            "name": step.name,
            "shape": list(step.shape),
            "rule": self.latex.text(rule) if rule is not None else None,
            "formula": " = ".join(map(self.latex.text, formula)) if formula else None,
            "entries": self.entries(step) if is_whole else None,
            **(
                {}
                if is_whole
                else {"omitted": f"{rows * columns} entries; ask for the step by name"}
            ),
        }

    def entries(self, step: Step) -> list[list[dict[str, Any]]]:
        # The powers of e that have names are what the step of exponentials says they are.
        names = replace(self.derivation.names, entries={}) if is_power(step) else None
        self.plain = Writer(PLAIN, names or self.derivation.names)
        self.latex = Writer(LATEX, names or self.derivation.names)
        put_in = Writer(LATEX, self.derivation.names, value_of(step)) if step.op else None
        return [self.row(step, i, put_in) for i in range(step.shape[0])]

    def row(self, step: Step, i: int, put_in: Writer | None) -> list[dict[str, Any]]:
        values = step.value.rows[i]
        worked: list[str | None] = [None] * len(values)
        if put_in is not None:
            worked = [put_in.text(term) for term in step.worked_row(i)]
        return [
            self.entry(x, text, entry_name(step.name, i + 1, j + 1), self.digits(step, i, j, x))
            for j, (x, text) in enumerate(zip(values, worked, strict=True))
        ]

    def digits(self, step: Step, i: int, j: int, x: Scalar | NegativeInfinity) -> Certified:
        """Of a deep step by its enclosures, which know more zeros than its letters do."""
        if not step.is_deep:
            return self.certifier.certify(x, self.form)
        if step.name not in self._deep:
            self._deep[step.name] = certified_step(step, self.form)
        return self._deep[step.name][i][j]

    def entry(
        self, x: Scalar | NegativeInfinity, worked: str | None, place: str, certified: Certified
    ) -> dict[str, Any]:
        if certified.undecided:
            self.undecided.append(place)
        self.collect(x)
        is_zero = certified.digits is not None and not certified.digits.strip("0.")
        return {
            "exact": self.plain.text(x),
            "latex": self.latex.text(x),
            "worked": worked,
            "decimal": certified.digits,
            "float": 0.0 if is_zero else _json_float(self.certifier.double(x)),
        }

    def collect(self, x: Scalar | NegativeInfinity) -> None:
        """Remember the letters that x is written with, after those of what they stand for."""
        for atom in letters_of(x):
            name = PLAIN.entry(atom.step, indices(atom.step, atom.row, atom.column))
            if name not in self.letters:
                self.collect(atom.value)
                self.letters[name] = atom.value

    def names(self) -> dict[str, str]:
        """What every name in the exact strings stands for, in names that come before it."""
        bare = Writer(PLAIN)
        powers = {
            letter: bare.text(sum_of([(m, p, q)]).exp())
            for m, (letter, p, q) in self.derivation.names.powers.items()
        }
        totals = {}
        factors = self.derivation.names.factors
        for key, (step, place) in self.derivation.names.denominators.items():
            total = Scalar(dict(key)) * factors[key] if key in factors else Scalar(dict(key))
            self.collect(total)
            totals[PLAIN.entry(step, tuple(map(str, place)))] = self.plain.text(total)
        plain = Writer(PLAIN, replace(self.derivation.names, entries={}))
        letters = {name: plain.text(value) for name, value in self.letters.items()}
        entries = {
            PLAIN.entry(step, tuple(map(str, place))): plain.text(sum_of(exponent).exp())
            for exponent, (step, place) in self.derivation.names.entries.items()
        }
        return _in_order(powers | letters | entries | totals)


def _in_order(named: dict[str, str]) -> dict[str, str]:
    """Each name after those that it is written with."""
    found: dict[str, str] = {}
    waiting = list(reversed(named))
    while waiting:
        text = named[waiting[-1]]
        before = [x for x in _WORD.findall(text) if x in named and x not in found]
        if before:
            waiting += before
        else:
            found[waiting.pop()] = text
    return found


def _json_float(x: float | None) -> float | None:
    # JSON has no infinities.
    return None if x is None or x in (float("inf"), float("-inf")) else x
