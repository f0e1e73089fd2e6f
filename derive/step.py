"""Steps: named matrices, given or made of others.

A value is exact and worked out when it is first asked for; where a closed form would no longer fit
a page, it is written in the letters of the step before, each letter standing for its own exact
value.  The same rule run on balls encloses the value, whichever way it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any

from derive.errors import InputError
from derive.exact import Matrix, NegativeInfinity, Scalar, letter
from derive.exact.blank import Blank
from derive.exact.monomial import ONE
from derive.exact.numbers import Numbers
from derive.exact.scalar import ZERO
from derive.exact.trace import Indexed, Name, Term, entries
from derive.exact.weight import is_heavy, weight, weights
from derive.op import Op

FEW_SYMBOLS, FEW_TERMS = 3, 24
"""With few symbols a value is multiplied out up to so many terms; else letters stand for sums."""
SHORT = 2048
"""A closed form of no more terms is enclosed as it stands, a longer one by the rule."""
CLOSED_TERMS = 512
"""Numbers are multiplied out up to so many terms."""
LOOK_CLOSER = 256
"""At this precision algebra is asked, in passing, if what still touches 0 is 0."""


@dataclass(frozen=True, eq=False)
class Step:
    """A named matrix: given (`op` is None), or what an operation makes of other steps.

    What is given is known, and so is what a theorem says of a step before its rule is run.

    >>> from derive import builtin, derive
    >>> derive(builtin("head")).step("S").value
    Matrix([[1, 0, 1], [1, 1, 2], [2, 1, 3]])
    """

    name: str
    op: Op | None
    inputs: tuple[Step, ...]
    _known: Matrix | None = None
    _enclosures: dict[int, Matrix] = field(default_factory=dict, repr=False)
    _zeros: dict[tuple[int, int], bool] = field(default_factory=dict, repr=False)

    @classmethod
    def given(cls, name: str, value: Matrix) -> Step:
        """A step that is not derived."""
        return cls(name, None, (), value)

    @cached_property
    def value(self) -> Matrix:
        """The exact matrix: closed, or in letters of the inputs where that would be too large."""
        if self._known is not None:
            return self._known
        assert self.op is not None
        _settle(self, lambda step: step.value, lambda step: "value" in step.__dict__)
        return self.op.rule(*self.operands)

    @cached_property
    def operands(self) -> tuple[Matrix, ...]:
        """The inputs as this step uses them: values, or letters where those are too large."""
        values = tuple(step.value for step in self.inputs)
        if self.is_deep:
            return tuple(step.lettered for step in self.inputs)
        heavy = [x for v in values if not isinstance(v, Numbers) for x in v if is_heavy(x)]
        if not heavy or (_is_few(heavy) and self._largest(values) <= FEW_TERMS):
            return values
        return tuple(step.lettered for step in self.inputs)

    @cached_property
    def is_deep(self) -> bool:
        """Whether the value is written in letters that stand for numbers."""
        if self._known is not None:
            return False
        _settle(self, lambda step: step.is_deep, lambda step: "is_deep" in step.__dict__)
        if any(step.is_deep for step in self.inputs) or getattr(self.op, "is_lettered", False):
            return True
        values = tuple(step.value for step in self.inputs)
        if all(isinstance(v, Numbers) or not all(map(_is_number, v)) for v in values):
            return False
        return self._largest(values) > CLOSED_TERMS

    def _largest(self, values: tuple[Matrix, ...]) -> int:
        """A bound on the terms of an entry of the result: the rule run on sizes."""
        assert self.op is not None
        sizes = [weights(value) for value in values]
        # One row as large as any in each column says as much as all of them.
        sizes[: self.op.rowwise] = map(_largest_row, sizes[: self.op.rowwise])
        found = self.op.rule(*sizes)
        return max(getattr(size, "terms", 1) for size in found)

    @cached_property
    def lettered(self) -> Matrix:
        """The value with a letter for each entry of more than one term."""
        rows = enumerate(self.value.rows, 1)
        return Matrix([[self._lettered(i, j, x) for j, x in enumerate(row, 1)] for i, row in rows])

    def _lettered(self, i: int, j: int, x: Any) -> Any:
        if isinstance(x, NegativeInfinity):
            return x
        if self._zeros.get((i - 1, j - 1)):
            return ZERO
        if not x.is_number:
            return x if weight(x).terms <= 1 else letter(self.name, i, j, x)
        return x if x.is_rational or _is_bare(x) else letter(self.name, i, j, x, self)

    @cached_property
    def depth(self) -> int:
        """The number of steps on the longest way from what is given."""
        _settle(self, lambda step: step.depth, lambda step: "depth" in step.__dict__)
        return 1 + max((step.depth for step in self.inputs), default=0)

    def enclosure(self, bits: int) -> Matrix:
        """The matrix of balls (`derive.exact.enclosure`), by the rule, at the precision in force.

        `bits` is that precision, under which it is remembered.
        """
        _settle(self, lambda step: step.enclosure(bits), lambda step: bits in step._enclosures)
        if bits not in self._enclosures:
            self._enclosures[bits] = self._enclose(bits)
        return self._enclosures[bits]

    def _enclose(self, bits: int) -> Matrix:
        from derive.exact.enclosure import Enclosures

        if self.op is None or (not self.is_deep and self._is_short):
            # What is zero or rational in the closed form is so in its enclosure.
            return Enclosures.of(self.value)
        found = Enclosures.of(self.op.rule(*(step.enclosure(bits) for step in self.inputs)))
        return found.with_zeros(lambda i, j: self._is_zero(i, j, bits))

    def _is_zero(self, i: int, j: int, bits: int) -> bool:
        """Whether an entry whose enclosure touches 0 is 0; what rests on it need not be asked then.

        Of a gradient only what its exact value says at once: beside a kink no ball says it.
        """
        from derive.exact.expand import QUICKLY, resolved

        if (i, j) not in self._zeros:
            is_kinked: bool | None = getattr(self.op, "is_kinked", None)
            if is_kinked is False or (is_kinked is None and bits < LOOK_CLOSER):
                return False
            x = self.value[i, j]
            known = x if is_kinked else resolved(x, QUICKLY)
            self._zeros[i, j] = known is not None and bool(known.is_zero)
        return self._zeros[i, j]

    def settle_zeros(self, places: Iterable[tuple[int, int]]) -> None:
        """Take the entries at these places, from 0, as what they have been proved to be: 0.

        It is for steps on which no other rests yet.
        """
        self._zeros.update(dict.fromkeys(places, True))
        self._enclosures.clear()

    @property
    def _is_short(self) -> bool:
        if isinstance(self.value, Numbers):
            return True
        sizes = accumulate(getattr(x, "size", 1) for x in self.value)
        return all(size <= SHORT for size in sizes)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """(rows, columns), without the value where it is not worked out yet."""
        if self.op is None or "value" in self.__dict__:
            return self.value.shape
        _settle(self, lambda step: step.shape, lambda step: "shape" in step.__dict__)
        return self.op.rule(*(Blank(*step.shape) for step in self.inputs)).shape

    @property
    def entries(self) -> Matrix:
        """The letters of the entries, as terms."""
        return entries(self.name, self.shape)

    @cached_property
    def worked(self) -> Matrix:
        """The rule at every entry in the letters of the inputs, in the order it is computed."""
        if self.op is None:
            raise InputError(f"{self.name} is given, so there is nothing to work out")
        return self.op.rule(*(step.entries for step in self.inputs))

    def worked_row(self, i: int) -> tuple[Any, ...]:
        """Row i, from 0, of `worked`, without the other rows where the rule works row by row."""
        if self.op is None or not self.op.rowwise:
            row: tuple[Any, ...] = self.worked.rows[i]
            return row
        inputs = [step.entries for step in self.inputs]
        rowwise = inputs[: self.op.rowwise]
        inputs[: self.op.rowwise] = [Matrix(m.rows[i : i + 1]) for m in rowwise]
        return self.op.rule(*inputs).rows[0]

    @property
    def formula(self) -> tuple[Term, Term] | None:
        """Entry i, j and what it is; None for what is given."""
        if self.op is None:
            return None
        return self.op.formula(Indexed(self.name), *(Indexed(s.name) for s in self.inputs))

    @property
    def formulas(self) -> tuple[tuple[Term, Term], ...]:
        """The formula, and the second one of operations that treat columns in pairs."""
        also = getattr(self.op, "also", None)
        first = () if self.formula is None else (self.formula,)
        letters = [Indexed(step.name) for step in self.inputs]
        return first if also is None else (*first, also(Indexed(self.name), *letters))

    @property
    def notation(self) -> Term | None:
        """The rule in matrix notation; None for what is given."""
        return self.op.notation(*(Name(s.name) for s in self.inputs)) if self.op else None

    def __repr__(self) -> str:
        return "Step({}: {} x {})".format(self.name, *self.shape)

    def _repr_latex_(self) -> str:
        from derive.pages import shown

        return shown(self).latex

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # IPython's text/plain, which may cost what a repr must not.
        from derive.pages import shown

        printer.text(shown(self).plain)


def _settle(step: Step, settle: Callable[[Step], Any], is_settled: Callable[[Step], bool]) -> None:
    """Settle what the step rests on, the earlier before the later, without recursion."""
    waiting = [x for x in step.inputs if not is_settled(x)]
    while waiting:
        last = waiting[-1]
        before = [x for x in last.inputs if not is_settled(x)]
        if before:
            waiting.extend(before)
        else:
            settle(waiting.pop())


def _largest_row(sizes: Matrix) -> Matrix:
    columns = zip(*sizes.rows, strict=True)
    return Matrix([[max(column, key=lambda x: getattr(x, "terms", 1)) for column in columns]])


def _is_few(heavy: list[Scalar]) -> bool:
    return len(frozenset().union(*(x.free_symbols for x in heavy))) <= FEW_SYMBOLS


def _is_number(x: Any) -> bool:
    return isinstance(x, NegativeInfinity) or x.is_number


def _is_bare(x: Scalar) -> bool:
    """Whether x is a letter of an earlier step by itself."""
    return x.is_polynomial and list(x.num.values()) == [1] and x.den[ONE] == 1
