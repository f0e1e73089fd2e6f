"""Claims: chains of terms that the kernel decides, in every setting, before a page shows them.

What is printed and what is decided are the same terms, so that no page can say what is not proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any

from derive.certify import Certifier
from derive.errors import Unproved
from derive.exact import Matrix, NegativeInfinity, Scalar
from derive.exact.ball import sign
from derive.exact.trace import Digits, Grid, Term, term
from derive.numerals import Format
from derive.theorems.value import Setting, value

ALONE = (Setting(),)
"""Where a claim speaks of numbers and letters only."""


@dataclass(frozen=True)
class Claim:
    """first R side R side ..., with relations of RULES, in every setting and for every index.

    over: the letters that are any index, each with the size up to which it runs.
    is_shown: whether the page prints it; one that is not is decided all the same.
    is_dotted: whether products have dots, as those of numbers need.
    """

    first: Term
    rest: tuple[tuple[str, Term], ...]
    settings: tuple[Setting, ...] = ALONE
    over: Mapping[str, str] = field(default_factory=dict)
    is_shown: bool = True
    is_dotted: bool = False

    def check(self) -> None:
        """Unproved where a relation is false, or where neither is decided."""
        for setting in self.settings:
            for at in _places(self.over, setting):
                self._check(setting.at(at))

    def _check(self, setting: Setting) -> None:
        sides = (("=", self.first), *self.rest)
        for (_, left), (relation, right) in pairwise(sides):
            known = value(left, setting)
            if not RULES[relation](known, right, setting):
                raise Unproved(f"{left} {relation} {right} is not proved")


def claim(first: Any, *sides: Any, over: str = "", **options: Any) -> Claim:
    """A claim; each side is a term, or (relation, term) where the relation is not "=".

    over: "i:n j:m" for every i up to n and j up to m.
    """
    related = (side if isinstance(side, tuple) else ("=", side) for side in sides)
    rest = tuple((relation, _term(side)) for relation, side in related)
    letters = dict(part.split(":") for part in over.split())
    return Claim(_term(first), rest, over=letters, **options)


def _term(x: Any) -> Term:
    return Grid(x.rows) if isinstance(x, Matrix) else term(x)


def _places(over: Mapping[str, str], setting: Setting) -> Iterator[dict[str, int]]:
    ranges = [range(1, setting.sizes[size] + 1) for size in over.values()]
    for numbers in product(*ranges):
        yield dict(zip(over, numbers, strict=True))


# --- relations


def _entries(x: Any) -> tuple[Any, ...]:
    return tuple(x) if isinstance(x, Matrix) else (x,)


def _shape(x: Any) -> tuple[int, int] | None:
    return x.shape if isinstance(x, Matrix) else None


def _pairs(left: Any, right: Term, setting: Setting) -> Iterator[tuple[Any, Any]]:
    known = value(right, setting)
    if _shape(left) != _shape(known):
        raise Unproved(f"{right} has another shape than what it is compared with")
    return zip(_entries(left), _entries(known), strict=True)


def _is_equal(left: Any, right: Term, setting: Setting) -> bool:
    return all(_are_equal(x, y, setting) for x, y in _pairs(left, right, setting))


def _are_equal(x: Any, y: Any, setting: Setting) -> bool:
    if isinstance(x, NegativeInfinity) or isinstance(y, NegativeInfinity):
        return isinstance(x, NegativeInfinity) and isinstance(y, NegativeInfinity)
    return setting.reduced(x - y).is_zero is True


def _differs(left: Any, right: Term, setting: Setting) -> bool:
    """Somewhere: by the sign of the difference, so that letters never differ."""
    signs = (sign(x - y) for x, y in _pairs(left, right, setting) if (x - y).is_number)
    return any(s in (-1, 1) for s in signs)


def _ordered(*allowed: int) -> Callable[[Any, Term, Setting], bool]:
    """Whether every difference, left less right, has a sign that is allowed."""

    def decide(left: Any, right: Term, setting: Setting) -> bool:
        return all(sign(x - y) in allowed for x, y in _pairs(left, right, setting))

    return decide


def _rounds(left: Any, right: Term, setting: Setting) -> bool:
    """Whether the numerals are the proved digits, rounded half-up."""
    numerals = [x for row in right.rows for x in row] if isinstance(right, Grid) else [right]
    found = _entries(left)
    return len(found) == len(numerals) and all(map(_is_numeral, found, numerals))


def _is_numeral(x: Scalar, numeral: Term) -> bool:
    assert isinstance(numeral, Digits)
    return digits(x, form_of(numeral.text)).text == numeral.text


def form_of(numeral: str) -> Format:
    """The format in which a numeral is written: significant digits before a power of ten."""
    mantissa, _, power = numeral.partition("e")
    places = len(mantissa.partition(".")[2])
    return Format(digits=places + 1) if power else Format(places=places)


def digits(x: Scalar, form: Format) -> Digits:
    """The proved digits of a number, half-up; Unproved where there are none."""
    found = Certifier().certify(x, form).digits
    if found is None:
        raise Unproved(f"{x!r} has no proved digits")
    return Digits(found)


def _tends(left: Any, right: Term, setting: Setting) -> bool:
    """Whether the limit in the setting's direction is the right side, entry by entry."""
    assert setting.limit is not None
    limit = setting.limit
    return all(_are_equal(limit(x), y, setting) for x, y in _pairs(left, right, setting))


RULES: Mapping[str, Callable[[Any, Term, Setting], bool]] = {
    "=": _is_equal,
    "!=": _differs,
    "<": _ordered(-1),
    ">": _ordered(1),
    "<=": _ordered(-1, 0),
    "~": _rounds,
    "->": _tends,
}
"""What each relation asks for; ~ stands before rounded numerals, -> before a limit."""
