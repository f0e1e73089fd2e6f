"""LiftedDeviation: the deviation with an eps that is itself a quantity, so that it can be varied.

sigma_i = sqrt(var_i + eps), or sqrt(var_i) + eps                 Ba et al. 2016, eq. 4
"""

from dataclasses import dataclass

from derive.exact import matrix, number, sqrt
from derive.exact.trace import Apply, Function
from derive.op import Mistake


@dataclass(frozen=True)
class LiftedDeviation:
    """var (n x 1) and eps (1 x 1) give sigma (n x 1); `place` is "inside" or "outside" the root."""

    place: str = "inside"

    rowwise = 1
    examples = (
        (matrix([[4], [number(1, 4)]]), matrix([[number(1, 9)]])),
        (matrix([[2]]), matrix([[1]])),
    )
    mistakes = (Mistake("eps forgotten", lambda var, eps: sqrt(var)),)

    def rule(self, var, eps):
        """The root."""
        return sqrt(var + eps) if self.place == "inside" else sqrt(var) + eps

    def pullback(self, dsigma, sigma, var, eps):
        """dvar = dsigma / (2 root); deps is the sum of that, or outside the root that of dsigma."""
        root = sigma if self.place == "inside" else sigma - eps
        dvar = dsigma / (root * 2)
        return dvar, (dvar if self.place == "inside" else dsigma).column_sums()

    def formula(self, sigma, var, eps):
        """Row by row."""
        return sigma["i"], self._root(var["i"], eps[()], Function)

    def notation(self, var, eps):
        """The root of every row."""
        return self._root(var, eps, Apply)

    def _root(self, var, eps, spelled):
        return spelled("sqrt", var + eps) if self.place == "inside" else spelled("sqrt", var) + eps
