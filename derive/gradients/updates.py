"""What a step of training does to a matrix, and what it is expected to do to the loss.

Gradient descent      W' = W - eta dW
Adam                  m = b_1 m + (1 - b_1) dW,  v = b_2 v + (1 - b_2) dW * dW,
                      W' = W - eta (m / (1 - b_1^t)) / (sqrt(v / (1 - b_2^t)) + eps)
                                                             Kingma and Ba 2015, algorithm 1
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.exact import Matrix, Scalar, sqrt
from derive.exact.trace import Apply, Hadamard, Power, Quotient, Sum, Term, Value, term


@dataclass(frozen=True)
class Update:
    """What all of these share: nothing of them is a law of matrices to be tried on examples.

    Values after a step are written in letters of the step before.
    """

    rowwise = 0
    examples = ()
    mistakes = ()
    is_lettered = True
    is_kinked = False

    def pullback(self, *_: Matrix) -> tuple[Matrix, ...]:
        """Nothing is differentiated through a step of training."""
        raise NotImplementedError

    def formula(self, *_: Any) -> None:
        """The notation says as much."""


@dataclass(frozen=True)
class Descend(Update):
    """W, dW give W' of the same shape."""

    eta: Scalar

    def rule(self, W: Matrix, dW: Matrix) -> Matrix:
        """W - eta dW."""
        return W - dW * self.eta

    def notation(self, W: Term, dW: Term) -> Term:
        """The same."""
        return W - _times(self.eta, dW)


@dataclass(frozen=True)
class Running(Update):
    """dW, and what it was before from the second step on, give the mean of dW to a power."""

    beta: Scalar
    power: int = 1

    def rule(self, dW: Matrix, *before: Matrix) -> Matrix:
        """beta m + (1 - beta) dW^power; m is 0 before the first step."""
        own = (dW if self.power == 1 else dW * dW) * (1 - self.beta)
        return before[0] * self.beta + own if before else own

    def notation(self, dW: Term, *before: Term) -> Term:
        """The same."""
        own = _times(1 - self.beta, dW if self.power == 1 else Hadamard((dW, dW)))
        return _times(self.beta, before[0]) + own if before else own


@dataclass(frozen=True)
class Adam(Update):
    """W and the two running means after `step` steps give W' of the same shape."""

    eta: Scalar
    step: int
    betas: tuple[Scalar, Scalar]
    eps: Scalar

    def rule(self, W: Matrix, m: Matrix, v: Matrix) -> Matrix:
        """The means without their bias towards 0, one over the root of the other."""
        first, second = (1 - beta**self.step for beta in self.betas)
        return W - m * (self.eta / first) / (sqrt(v / second) + self.eps)

    def notation(self, W: Term, m: Term, v: Term) -> Term:
        """The same."""
        first, second = (_unbiased(beta, self.step) for beta in self.betas)
        root = Apply("sqrt", Quotient(v, second))
        step = Quotient(Quotient(m, first), Sum((root, Value(self.eps))))
        return W - _times(self.eta, step)


@dataclass(frozen=True)
class Inner(Update):
    """G and Y give the sum of G_ij Y_ij, 1 x 1."""

    def rule(self, G: Matrix, Y: Matrix) -> Matrix:
        """The products, added up."""
        return _total(Y * G)

    def notation(self, G: Term, Y: Term) -> Term:
        """<G, Y>."""
        return Apply("sum", Hadamard((G, Y)))


@dataclass(frozen=True)
class Foreseen(Update):
    """W, W', dW of each matrix in turn give the first-order decrease, sum <dW, W - W'>, 1 x 1.

    Of gradient descent it is eta |dW|^2, summed over all matrices.
    """

    def rule(self, *three: Matrix) -> Matrix:
        """The inner products, added up."""
        first, *others = (
            _total((W - new) * dW)
            for W, new, dW in zip(three[::3], three[1::3], three[2::3], strict=True)
        )
        return sum(others, first)

    def notation(self, *three: Term) -> Term:
        """The same."""
        first, *others = (
            Apply("sum", Hadamard((Sum((W, -new)), dW)))
            for W, new, dW in zip(three[::3], three[1::3], three[2::3], strict=True)
        )
        return sum(others, first)


@dataclass(frozen=True)
class Squares(Update):
    """Every gradient gives eta times the sum of the squares of all entries, 1 x 1."""

    eta: Scalar

    def rule(self, *gradients: Matrix) -> Matrix:
        """The squares, added up."""
        first, *others = (_total(dW * dW) for dW in gradients)
        return sum(others, first) * self.eta

    def notation(self, *gradients: Term) -> Term:
        """The same."""
        first, *others = (Apply("sum", Hadamard((dW, dW))) for dW in gradients)
        return _times(self.eta, sum(others, first))


@dataclass(frozen=True)
class Decrease(Update):
    """The number before a step and after it give by how much it fell, 1 x 1."""

    def rule(self, before: Matrix, after: Matrix) -> Matrix:
        """The difference."""
        return before - after

    def notation(self, before: Term, after: Term) -> Term:
        """The same."""
        return before - after


def _total(X: Matrix) -> Matrix:
    return X.row_sums().column_sums()


def _times(c: Scalar, x: Term) -> Term:
    if c.is_rational and c.fraction[0] == 1:
        return x if c == 1 else Quotient(x, term(c.fraction[1]))
    return term(c) * x


def _unbiased(beta: Scalar, step: int) -> Term:
    return Sum((term(1), -(term(beta) if step == 1 else Power(term(beta), step))))
