"""Letters of steps put back into what they stand for, the latest first, as far as that stays small.

An enclosure can show that a number is not zero, never that it is: xhat_11 + xhat_12 of a row of two
is 0 because of what xhat is.  Putting in the rule of the latest step, and of the one before it,
lets such sums vanish by algebra, mostly after one or two steps.
"""

from __future__ import annotations

from collections.abc import Mapping

from derive.exact.extent import letters_of
from derive.exact.functions import call
from derive.exact.monomial import Atom, Call, Letter, Monomial, Whole, monomial
from derive.exact.scalar import ZERO, Scalar, bare
from derive.exact.terms import Terms
from derive.exact.weight import Weight, weight

MOST_ROUNDS = 24
FAR, QUICKLY = 100, 100
"""What is more steps away is an update of weights, and only sums that vanish soon are found."""
MOST_TERMS = 8000
"""So many terms are multiplied out at most, denominators included, before a question stays open."""
MOST_WORK = 100_000
"""And so many products of terms are made on the way, as denominators may share nothing."""


def resolved(x: Scalar, most: int = MOST_TERMS) -> Scalar | None:
    """The rational that x is equal to, where putting in letters shows one; else None.

    Where it does not, letters of rows that add up to 0 are kept, the last as minus the others.
    most: how many terms are multiplied out at most.
    """
    met: set[Letter] = set()
    found = _put_back(x, most, met)
    return _put_back(x, most) if found is None and met else found


def _put_back(x: Scalar, most: int, met: set[Letter] | None = None) -> Scalar | None:
    """With `met`, letters of rows that add up to 0 are put in like all others, and told there."""
    for _ in range(MOST_ROUNDS):
        x = _with_balance(x) if met is None else x
        if x.is_rational:
            return x
        letters = {a for a in letters_of(x) if a.source is not None}
        kept = set(filter(_is_balanced, letters))
        letters = letters - kept if met is None else letters
        if met is not None:
            met |= kept
        if not letters:
            return None
        latest = max(a.source.depth for a in letters)
        most = min(most, QUICKLY) if latest > FAR else most
        put_in = _PutIn({a: a.value for a in letters if a.source.depth == latest})
        if put_in.cost(x.num) + put_in.cost(x.den) > most:
            return None
        try:
            top = put_in.terms(x.num)
            if not top.num:
                return top  # whatever it stands over
            x = top / put_in.terms(x.den)
        except _TooLarge:
            return None
        if x.size > most:
            return None
    return None


def _is_balanced(a: Letter) -> bool:
    """Whether it is an entry of a step whose rows are proved to add up to 0."""
    return bool(getattr(getattr(a.source, "op", None), "has_no_mean", False))


def _with_balance(x: Scalar) -> Scalar:
    """The last letter of every such row written as minus the others."""
    last = {a for a in letters_of(x) if _is_balanced(a) and a.column == a.source.shape[1]}
    if not last:
        return x
    put_in = _PutIn({a: -sum(a.source.lettered.rows[a.row - 1][:-1], ZERO) for a in last})
    try:
        return put_in.terms(x.num) / put_in.terms(x.den)
    except (_TooLarge, ZeroDivisionError):
        return x


class _TooLarge(ArithmeticError):
    """A sum that takes more work than its letters promised."""


class _PutIn:
    """Replaces some letters by their values, each function's value once."""

    def __init__(self, chosen: Mapping[Letter, Scalar]) -> None:
        self.chosen = chosen
        self._values: dict[Atom, Scalar] = {}
        self._nested: dict[Atom, int] = {}
        self._work = 0

    def _spend(self, x: Scalar, y: Scalar) -> None:
        """Count the products of terms that x y or x + y takes; _TooLarge beyond what is allowed."""
        self._work += (len(x.num) + len(x.den)) * (len(y.num) + len(y.den))
        if self._work > MOST_WORK:
            raise _TooLarge

    # --- how many terms it would take

    def cost(self, terms: Terms) -> int:
        """A bound on the terms of the sum multiplied out, and of every sum inside a function."""
        total = sum(map(self._weight, terms), Weight(0))
        return total.terms * total.denominator + sum(map(self._inside, terms))

    def _weight(self, m: Monomial) -> Weight:
        product = Weight(1)
        for atom, power in m.powers:
            if isinstance(atom, Letter) and atom in self.chosen:
                value = self.chosen[atom]
                own = weight(value if power > 0 else 1 / value)
                product = product * own ** abs(power)
        return product

    def _inside(self, m: Monomial) -> int:
        nested = sum(self._cost_of(atom) for atom, _ in m.powers)
        return nested + sum(self.cost({inner: 1}) for inner, _, _ in m.exponent)

    def _cost_of(self, atom: Atom) -> int:
        if atom not in self._nested:
            match atom:
                case Call(_, value) | Whole(value):
                    self._nested[atom] = self.cost(value.num) + self.cost(value.den)
                case _:
                    self._nested[atom] = 0
        return self._nested[atom]

    # --- and the sum itself

    def terms(self, terms: Terms) -> Scalar:
        """The sum with the letters put in."""
        total = ZERO
        for m, c in terms.items():
            term = Scalar({monomial(root=m.root): c})
            for atom, power in m.powers:
                value = self._value(atom)
                for _ in range(abs(power)):
                    self._spend(term, value)
                    term = term * value if power > 0 else term / value
            exponent = sum((self.terms({inner: p}) / q for inner, p, q in m.exponent), ZERO)
            self._spend(total, term)
            total += term * exponent.exp() if m.exponent else term
        return total

    def _value(self, atom: Atom) -> Scalar:
        if atom not in self._values:
            self._values[atom] = self._fresh(atom)
        return self._values[atom]

    def _fresh(self, atom: Atom) -> Scalar:
        match atom:
            case Letter() if atom in self.chosen:
                return self.chosen[atom]
            case Call(function, value):
                argument = self.terms(value.num) / self.terms(value.den)
                # Of anything but a rational the call would ask for a sign, and so for all of this.
                if argument.is_rational:
                    return call(function, argument)
                return Scalar({bare(Call(function, argument)): 1})
            case Whole(value):
                return self.terms(value.num) / self.terms(value.den)
        return Scalar({bare(atom): 1})


def opened(x: Scalar, most: int = MOST_TERMS) -> Scalar | None:
    """x without letters that stand for something with symbols; None beyond `most` terms."""
    for _ in range(MOST_ROUNDS):
        letters = {a: a.value for a in letters_of(x) if not a.value.is_number}
        if not letters:
            return x
        put_in = _PutIn(letters)
        if put_in.cost(x.num) + put_in.cost(x.den) > most:
            return None
        try:
            x = put_in.terms(x.num) / put_in.terms(x.den)
        except _TooLarge:
            return None
    return None
