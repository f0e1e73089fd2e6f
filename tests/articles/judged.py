"""What the program says of an article that was made, against what is known of it."""

from collections import Counter
from dataclasses import dataclass

from derive.errors import InputError
from derive.verify.documents.document import opened
from derive.verify.report import verified

CHECKED = ("correct", "propagated", "truncated", "wrong", "consequence")
NOT_NAMED = ("", "row made to sum to one")


@dataclass(frozen=True)
class Judged:
    """The result for one article; `failure` begins with its kind and a colon."""

    failure: str
    accused: tuple[str, ...]
    checked: int
    numbers: int
    is_found: bool | None
    is_caused: bool | None

    def counts(self):
        return Counter(
            articles=1, accused=bool(self.accused), checked=self.checked, numbers=self.numbers,
            planted=self.is_found is not None, found=self.is_found is True,
            named=self.is_caused is not None and self.is_found is not None,
            caused=self.is_caused is True,
        )  # fmt: skip


ALSO = {
    "input misprint": {"input entry"},
    "scaled by the model": {"scaled by the width"},
    "digit left out": {"point moved"},
    "point moved": {"digit left out", "digit doubled"},
    "other triangle": {"other way round", "printed transposed"},
    "other index of angles": {"other base of angles"},
    "row in place of another": {"column in place of another", "value of another entry"},
    "rows swapped": {"columns swapped", "printed transposed", "value of another entry"},
    "columns swapped": {
        "column in place of another",
        "rows swapped",
        "printed transposed",
        "value of another entry",
    },
    "value of another entry": {"sign lost", "digits swapped", "rows swapped", "columns swapped"},
}
"""Other names that a kind may be called by, where the numbers cannot tell."""


def stored(made):
    """The bytes of the file."""
    return made.text if isinstance(made.text, bytes) else made.text.encode()


def judged(made):
    """The verdicts on an article, judged themselves."""
    try:
        report = verified(opened(stored(made), made.name))
    except InputError as error:
        return Judged(f"refused: {error}", (), 0, len(made.derived), None, None)
    strings = Counter(made.derived)
    errors = [c for c in report.claims if c.verdict in ("wrong", "consequence")]
    accused = tuple(c.printed for c in errors if c.printed not in made.off)
    checked = Counter(c.printed for c in report.claims if c.verdict in CHECKED)
    seen = sum(min(n, checked[t]) for t, n in strings.items())
    found = caused = None
    failure = f"accused: {accused}" if accused else ""
    if made.planted:
        wrong = [c for c in report.claims if c.verdict == "wrong" and c.printed in made.planted]
        found = bool(wrong)
        if not found:
            failure = failure or f"missed: {sorted(made.planted)}"
        elif made.kind:
            given = {c.cause[0] for c in wrong if c.cause}
            caused = bool(given & ({made.kind} | ALSO.get(made.kind, set())))
            if not caused:
                failure = failure or f"cause: {made.kind} called {given}"
    if not failure and made.planted == frozenset() and seen < 0.5 * len(made.derived):
        failure = f"unchecked: {seen} of {len(made.derived)}"
    return Judged(failure, accused, seen, len(made.derived), found, caused)
