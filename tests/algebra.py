"""Proofs by SymPy that an expression in exponentials is zero."""

from math import lcm

import sympy


def is_zero(expr):
    """Whether a rational expression in exponentials is zero: SymPy's cancel over powers of e.

    Every e^(sum of c m) becomes a product of integer powers of one letter for each m.
    """
    exponents = {e: sympy.expand(e.exp).as_coefficients_dict() for e in expr.atoms(sympy.exp)}
    exponents[sympy.E] = {sympy.S.One: sympy.S.One}
    q = lcm(*(int(c.q) for terms in exponents.values() for c in terms.values()))
    stems = {m: sympy.Dummy() for terms in exponents.values() for m in terms}
    powers = {
        e: sympy.Mul(*(stems[m] ** (c * q) for m, c in terms.items()))
        for e, terms in exponents.items()
    }
    return sympy.cancel(expr.xreplace(powers)) == 0
