"""Deviation: the root that a normalisation divides by, with a little eps against 0.

sigma_i = sqrt(var_i + eps)                                       Ba et al. 2016, eq. 4
"""

from dataclasses import dataclass, field

from derive.exact import InputError, Scalar, Undecided, matrix, number, sqrt
from derive.exact.trace import term
from derive.op import Mistake


@dataclass(frozen=True)
class Deviation:
    """var (n x 1) gives the column of the deviations (n x 1).

    place: "inside" for sqrt(var + eps), "outside" for sqrt(var) + eps.
    """

    eps: Scalar = field(default_factory=lambda: number(0))
    place: str = "inside"

    rowwise = 1
    examples = ((matrix([[4], [number(1, 2)], [3]]),),)
    mistakes = (Mistake("no root", lambda var: var),)

    def rule(self, var):
        """The root.  InputError where it is 0, Undecided where that cannot be told."""
        if self.eps.is_zero:
            _check(var)
        return self.root(var, self.eps)

    def root(self, var, eps):
        """With eps where the convention puts it, and without one that is 0."""
        if self.eps.is_zero:
            return sqrt(var)
        return sqrt(var + eps) if self.place == "inside" else sqrt(var) + eps

    def pullback(self, dsigma, sigma, var):
        """dvar = dsigma / (2 root), the root without an eps outside of it."""
        root = sigma if self.place == "inside" else sigma - self.eps
        return (dsigma / (root * 2),)

    def formula(self, sigma, var):
        """The root of row i."""
        return sigma["i"], self.root(var["i"], term(self.eps))

    def notation(self, var):
        """The root, entry by entry."""
        return self.root(var, term(self.eps))


def _check(var):
    for i, side in var.signs():
        if side == 0:
            raise InputError(
                f"normalisation: row {i} is 0/0 at eps = 0, as all its entries are equal "
                "(for LayerNorm) or 0 (for RMSNorm)",
                expected="another row, or eps > 0",
                hint='write eps = "1/100000" under [conventions]',
            )
        if side is None:
            raise Undecided(f"normalisation: whether row {i} is 0/0 is not decided")
