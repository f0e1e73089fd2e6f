"""Exact gradients: the reverse sweep over a derivation, as further steps of it."""

from __future__ import annotations

from collections.abc import Sequence

from derive.derivation import Derivation
from derive.exact import Matrix
from derive.gradients.parameters import with_parameters
from derive.gradients.sweep import Sweep, sweep
from derive.gradients.target import target, trained

__all__ = ["Sweep", "differentiate", "sweep", "target", "trained", "with_parameters"]


def differentiate(
    d: Derivation, of: str = "", wrt: Sequence[str] = (), seed: Matrix | None = None
) -> Sweep:
    """The gradients of one number by the steps `wrt`, all its trained matrices where empty.

    of: "loss", "O[1][1]", "<G,O>" or "mse(O)" (see `derive.gradients.target`); seed: G or T.
    wrt may also name "temperature" and "eps".  InputError where a name or a shape does not fit.
    """
    found = target(with_parameters(d, wrt), of, seed)
    names = tuple(dict.fromkeys(wrt)) or trained(found.derivation, found.source)
    return sweep(found.derivation, found.source, found.seed, names, found.text)
