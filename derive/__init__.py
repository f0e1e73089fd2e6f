"""Exact derivations of the mathematics of the Transformer.

>>> from derive import attention
>>> d = attention([[1, 0], [0, 1], [1, 1]], [[1, 0], [0, 1]], [[1, 1], [0, 1]], [[1, 0], [1, 1]])
>>> d.entry("A[2][3]")
exp(sqrt(2)/2)/(2 + exp(sqrt(2)/2))
>>> d.places("O", 3)
[['1.401', '0.599'], ['1.503', '0.752'], ['1.576', '0.716']]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from derive.api import attention, builtin, derive, shapes
    from derive.certify import Certified as Certified
    from derive.conventions import Conventions
    from derive.derivation import Derivation, Problem
    from derive.errors import InputError
    from derive.numerals import Format
    from derive.read import load, read_toml
    from derive.read.latex import read_latex
    from derive.step import Step
    from derive.verify import verify

__version__ = "0.1.0"

_HOMES = {
    "attention": "derive.api",
    "builtin": "derive.api",
    "derive": "derive.api",
    "shapes": "derive.api",
    "Certified": "derive.certify",
    "Format": "derive.numerals",
    "Conventions": "derive.conventions",
    "Derivation": "derive.derivation",
    "Problem": "derive.derivation",
    "Step": "derive.step",
    "InputError": "derive.errors",
    "load": "derive.read",
    "read_latex": "derive.read.latex",
    "read_toml": "derive.read",
    "verify": "derive.verify",
}

__all__ = [
    "Conventions",
    "Derivation",
    "Format",
    "InputError",
    "Problem",
    "Step",
    "attention",
    "builtin",
    "derive",
    "load",
    "read_latex",
    "read_toml",
    "shapes",
    "verify",
]


def __getattr__(name: str) -> Any:
    # Loaded when first used, so that `derive --help` need not load the kernel.
    if name not in _HOMES:
        raise AttributeError(f"module 'derive' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    value = getattr(home, name) if name != "verify" else home  # a package that can be called
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
