"""Problems, steps and derivations.

A derivation is a graph of named steps.  A step's value is exact and is worked out when it is first
asked for; where a closed form would no longer fit a page, it is written in the letters of the step
before, each letter standing for its own exact value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derive.conventions import Conventions
from derive.errors import InputError, nearest
from derive.exact import Matrix, NegativeInfinity, Scalar, letter, matrix
from derive.exact.trace import Indexed, Name, Term, entries
from derive.exact.weight import Weight, is_heavy, weight
from derive.op import Op
from derive.places import check_symbols, parse_place

if TYPE_CHECKING:
    import sympy

    from derive.certify import Certified, Format
    from derive.exact.write import Names

FEW_SYMBOLS, FEW_TERMS = 3, 24
"""With few symbols a value is multiplied out up to so many terms; else letters stand for sums."""


@dataclass(frozen=True)
class Problem:
    """What is given, and under which conventions.

    given: matrices by name, H (n x d_model), W_Q and W_K (d_model x d_k), W_V (d_model x d_v), and
    `context` (m x d_context) where keys and values come from another input.

    >>> from derive import builtin
    >>> sorted(builtin("cross").given)
    ['H', 'W_K', 'W_Q', 'W_V', 'context']
    """

    name: str
    given: Mapping[str, Matrix]
    conventions: Conventions = field(default_factory=Conventions)
    tokens: tuple[str, ...] = ()
    title: str = ""
    lang: str = "en"
    model: str = "attention"
    source: str = ""


@dataclass(frozen=True, eq=False)
class Step:
    """A named matrix: given (`op` is None), or what an operation makes of other steps.

    >>> from derive import builtin, derive
    >>> derive(builtin("head")).step("S").value
    Matrix([[1, 0, 1], [1, 1, 2], [2, 1, 3]])
    """

    name: str
    op: Op | None
    inputs: tuple[Step, ...]
    _given: Matrix | None = None

    @classmethod
    def given(cls, name: str, value: Matrix) -> Step:
        """A step that is not derived."""
        return cls(name, None, (), value)

    @cached_property
    def value(self) -> Matrix:
        """The exact matrix: closed, or in letters of the inputs where that would be too large."""
        if self._given is not None:
            return self._given
        assert self.op is not None
        return self.op.rule(*self.operands)

    @cached_property
    def operands(self) -> tuple[Matrix, ...]:
        """The inputs as this step uses them: values, or letters where those are too large."""
        values = tuple(step.value for step in self.inputs)
        heavy = [x for value in values if not _is_numeric(value) for x in value if is_heavy(x)]
        if not heavy or (_is_few(heavy) and self._largest(values) <= FEW_TERMS):
            return values
        return tuple(step.lettered for step in self.inputs)

    def _largest(self, values: tuple[Matrix, ...]) -> int:
        """A bound on the terms of an entry of the result: the rule run on sizes."""
        assert self.op is not None
        sizes = self.op.rule(*(value.map(weight) for value in values))
        return max(getattr(size, "terms", 1) for size in sizes)

    @cached_property
    def lettered(self) -> Matrix:
        """The value with a letter for each entry of more than one term that has symbols."""
        rows = enumerate(self.value.rows, 1)
        return Matrix([[self._lettered(i, j, x) for j, x in enumerate(row, 1)] for i, row in rows])

    def _lettered(self, i: int, j: int, x: Any) -> Any:
        small = isinstance(x, NegativeInfinity) or x.is_number or weight(x).terms <= 1
        return x if small else letter(self.name, i, j, x)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """(rows, columns); found on sizes where the value is not worked out yet."""
        if self.op is None or "value" in self.__dict__:
            return self.value.shape
        return self.op.rule(*(_blank(step.shape) for step in self.inputs)).shape

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
        first, *others = (step.entries for step in self.inputs)
        return self.op.rule(Matrix(first.rows[i : i + 1]), *others).rows[0]

    @property
    def formula(self) -> tuple[Term, Term] | None:
        """Entry i, j and what it is; None for what is given."""
        if self.op is None:
            return None
        return self.op.formula(Indexed(self.name), *(Indexed(s.name) for s in self.inputs))

    @property
    def notation(self) -> Term | None:
        """The rule in matrix notation; None for what is given."""
        return self.op.notation(*(Name(s.name) for s in self.inputs)) if self.op else None


def _blank(shape: tuple[int, int]) -> Matrix:
    rows, columns = shape
    return Matrix([[Weight(1)] * columns] * rows)


def _is_few(heavy: list[Scalar]) -> bool:
    return len(frozenset().union(*(x.free_symbols for x in heavy))) <= FEW_SYMBOLS


def _is_numeric(value: Matrix) -> bool:
    from derive.exact.numbers import Numbers

    return isinstance(value, Numbers)


@dataclass(frozen=True)
class Derivation:
    """Steps in the order they are taken; `d["A"]` is a step's value as a SymPy matrix.

    >>> from derive import builtin, derive
    >>> d = derive(builtin("head"))
    >>> d["O"][1, 0]
    (2 + 2*exp(sqrt(2)/2))/(2 + exp(sqrt(2)/2))
    >>> d.places("O", 3)[1]
    ['1.503', '0.752']
    """

    problem: Problem
    steps: tuple[Step, ...] = ()

    @classmethod
    def of(cls, problem: Problem) -> Derivation:
        """The derivation that has taken no step yet: what is given.

        InputError where a symbol has the name of a given entry that is something else.
        """
        check_symbols(problem.given)
        return cls(problem, tuple(Step.given(k, matrix(v.rows)) for k, v in problem.given.items()))

    def then(self, name: str, op: Op, *inputs: str) -> Derivation:
        """A new derivation with one more step."""
        step = Step(name, op, tuple(self.step(x) for x in inputs))
        return Derivation(self.problem, (*self.steps, step))

    def step(self, name: str) -> Step:
        """The step of that name; InputError with the closest name where there is none."""
        for step in self.steps:
            if step.name == name:
                return step
        names = [step.name for step in self.steps]
        close = nearest(name, names)
        raise InputError(
            f'there is no step "{name}" in this derivation',
            expected="one of " + ", ".join(names),
            hint=f'did you mean "{close}"?' if close else "",
        )

    @property
    def derived(self) -> tuple[Step, ...]:
        """The steps that are worked out, without what is given."""
        return tuple(step for step in self.steps if step.op is not None)

    def __repr__(self) -> str:
        return f"Derivation({self.problem.name}: {', '.join(s.name for s in self.steps)})"

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __contains__(self, name: str) -> bool:
        return any(step.name == name for step in self.steps)

    # --- values, for whoever computes on

    def __getitem__(self, name: str) -> sympy.Matrix:
        """The exact value as a SymPy matrix in the free symbols of the problem, counted from 0."""
        from derive.exact.bridge import to_sympy_matrix

        return to_sympy_matrix(self.step(name).value)

    def entry(self, place: str) -> sympy.Expr:
        """One entry as on the page, counted from 1: `d.entry("A[2][3]")`, `d.entry("Z[1]")`."""
        from derive.exact.bridge import to_sympy

        return to_sympy(self.exact(place))

    def exact(self, place: str) -> Scalar:
        """The entry as an exact scalar of the kernel."""
        name, i, j = parse_place(place)
        step = self.step(name)
        rows, columns = step.shape
        if not (1 <= i <= rows and 1 <= j <= columns):
            raise InputError(
                f"{place} is outside {name}, which is {rows} x {columns}",
                expected=f"rows 1 to {rows}, columns 1 to {columns}, counted from 1",
            )
        entry: Scalar = step.value[i - 1, j - 1]
        return entry

    def places(self, name: str, places: int = 3, rounding: str = "half-up") -> list[list[str]]:
        """The entries to so many decimal places, every digit proved; "—" where symbols remain."""
        from derive.certify import Format

        return self._texts(name, Format(places=places, rounding=rounding))

    def digits(self, name: str, digits: int = 6, rounding: str = "half-up") -> list[list[str]]:
        """The entries to so many significant digits, every digit proved."""
        from derive.certify import Format

        return self._texts(name, Format(digits=digits, rounding=rounding))

    def _texts(self, name: str, form: Format) -> list[list[str]]:
        return [[str(c) for c in row] for row in self.certified(name, form)]

    def certified(self, name: str, form: Format) -> list[list[Certified]]:
        """The entries with their proved digits."""
        from derive.certify import certified

        return certified(self.step(name).value, form)

    def to_numpy(self, name: str | None = None) -> Any:
        """The doubles nearest to a step's exact entries; without a name, a dict of all steps.

        ValueError where symbols remain or a double is undecided.
        """
        if name is None:
            return {s.name: self.to_numpy(s.name) for s in self.steps}
        import numpy

        from derive.certify import doubles

        return numpy.array(doubles(self.step(name).value, name))

    @cached_property
    def names(self) -> Names:
        """The letters for powers of e and for denominators that this derivation is written with."""
        from derive.names import names_of

        return names_of(self)

    # --- pages

    def latex(self, **options: Any) -> str:
        """The derivation as a LaTeX document; options as in `derive.views.walkthrough.Options`."""
        from derive.pages import page

        return page(self, "latex", **options)

    def _repr_markdown_(self) -> str:
        from derive.pages import page

        return page(self, "notebook")
