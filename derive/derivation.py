"""Problems, steps and derivations.

A derivation is a graph of named steps.  A step's value is exact and is worked out when it is first
asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derive.conventions import Conventions, check_vectors
from derive.errors import InputError, nearest
from derive.exact import Matrix, Scalar, matrix
from derive.op import Op
from derive.places import check_symbols, parse_place
from derive.step import Step

if TYPE_CHECKING:
    import sympy

    from derive.certify import Certified, Format
    from derive.exact.named import Names
    from derive.gradients.along import Along
    from derive.pages import Shown


@dataclass(frozen=True)
class Problem:
    """What is given, and under which conventions.

    given: matrices by name, H (n x d_model), W_Q and W_K (d_model x d_k), W_V (d_model x d_v), and
    `context` (m x d_context) where keys and values come from another input.
    tokens: the words of the text, a row each.
    vocabulary: the words that a language model knows, in the order of the rows of W_E.
    targets: the word that should follow each token, None for the next of the text; of an
    encoder-decoder the text that it should write, from the word that starts it.

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
    vocabulary: tuple[str, ...] = ()
    targets: tuple[str, ...] | None = None

    @property
    def width(self) -> int:
        """d_model: the columns of H, or of the embedding."""
        first = next(name for name in ("H", "W_E", *self.given) if name in self.given)
        return self.given[first].shape[1 if self.conventions.vectors == "rows" else 0]


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

        InputError where a symbol has the name of a given entry that is something else, and where
        the model knows no vectors as columns.
        """
        check_vectors(problem.conventions, problem.model)
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

    def expanded(self, place: str) -> sympy.Expr:
        """The entry as `--expand` prints it, in the inputs alone; InputError where it is too long.

        >>> from derive import builtin, derive
        >>> derive(builtin("head")).expanded("A[1][2]")
        1/(1 + 2*exp(sqrt(2)/2))
        """
        from derive.exact.bridge import to_sympy
        from derive.views.in_full import checked

        return to_sympy(checked(self, place))

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

        return certified(self.step(name), form)

    def to_numpy(self, name: str | None = None) -> Any:
        """The doubles nearest to a step's exact entries; without a name, a dict of all steps.

        ValueError where symbols remain or a double is undecided.
        """
        if name is None:
            return {s.name: self.to_numpy(s.name) for s in self.steps}
        import numpy

        from derive.certify import doubles

        return numpy.array(doubles(self.step(name)))

    @cached_property
    def names(self) -> Names:
        """The letters for powers of e and for denominators that this derivation is written with."""
        from derive.names import names_of

        return names_of(self)

    # --- gradients

    def gradients(
        self, of: str = "", wrt: Sequence[str] = (), seed: Any = None
    ) -> dict[str, sympy.Matrix]:
        """The exact gradient of one number by each of the matrices `wrt`, in their shapes.

        of: "loss", an entry such as "O[1][1]", "<G,O>" or "mse(O)", where seed is G or the target;
        without it the loss, or else the first entry of the last step.  wrt: names of matrices, or
        "temperature" and "eps"; every trained matrix where empty.

        >>> from derive import builtin, derive
        >>> derive(builtin("head")).gradients("O[1][2]", ["W_V"])["W_V"][1, 1]
        (1 + exp(sqrt(2)/2))/(1 + 2*exp(sqrt(2)/2))
        """
        from derive.exact.bridge import to_sympy_matrix
        from derive.gradients import differentiate
        from derive.read.objects import as_matrix

        exact = None if seed is None else as_matrix(seed, "seed")
        found = differentiate(self, of, tuple(wrt), exact)
        return {name: to_sympy_matrix(found.step(name).value) for name in found.wrt}

    def jacobian(self, of: str, by: str) -> sympy.Matrix:
        """How every entry of a step changes with every entry of another, both counted row by row.

        >>> from derive import builtin, derive
        >>> derive(builtin("head")).jacobian("S", "Q")[1, :]
        Matrix([[0, 1, 0, 0, 0, 0]])
        """
        from derive.gradients.jacobian import jacobian

        return jacobian(self, of, by).to_sympy()

    def along(self, quantity: str, of: str = "", seed: Any = None) -> Along:
        """One number (as in `gradients`) as a function of one symbol, with its derivatives.

        quantity: "temperature", "eps", an entry of what is given such as "W_Q[1][1]", or a matrix
        times a symbol such as "c*W_Q".  Its f and df are SymPy expressions.

        >>> from derive import builtin, derive
        >>> derive(builtin("head")).along("c*W_V", "V[3][2]").f
        c
        """
        from derive.gradients.along import along
        from derive.read.objects import as_matrix

        return along(self, quantity, of, None if seed is None else as_matrix(seed, "seed"))

    # --- pages

    def latex(self, **options: Any) -> str:
        """The derivation as a LaTeX document; options as in `derive.views.walkthrough.Options`."""
        from derive.pages import page

        return page(self, "latex", **options)

    def show(
        self, name: str, *, places: int = 3, digits: int | None = None, rounding: str = "half-up"
    ) -> Shown:
        """One step for a terminal or a notebook: its rule, the exact result and its decimals.

        InputError for a step that there is not, a rounding that is not known, and no digits.
        """
        from derive.certify import Format
        from derive.pages import shown

        return shown(self.step(name), Format(places, digits, rounding), self)

    def _repr_markdown_(self) -> str:
        from derive.pages import markdown_in_notebook

        return markdown_in_notebook(self)

    def _repr_latex_(self) -> str:
        from derive.pages import shown

        return shown(self).latex
