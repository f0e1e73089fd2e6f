"""latex2sympy2, which parses the arithmetic: loaded apart, driven under a lock, left as it was.

Only `parse` may be called. What it is given is made by `derive.read.latex.rewrite`: placeholders of
one letter, numbers, sums, \\cdot, fractions, roots and powers. Everything it could misread stays
outside.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from threading import RLock
from types import ModuleType
from typing import Any, TextIO

from derive.errors import InputError

PLACEHOLDERS = tuple("abcfghkmnopqrstuvwxyzABCDFGHJKLMNOPQRSUVWXYZ")
"""Letters that mean nothing to the library but themselves: not e, i, d, E, I, T, j or l."""

_LOCK = RLock()
_STAND_IN = "typing.io"
_WARM = (
    r"\frac{(-1)\cdot a\cdot (b)^{2}+\sqrt{a}}{e^{a}+1}",
    r"\frac{3\cdot \sqrt{2}}{2}",
    r"\frac{a}{2\cdot a+1}",
    r"\frac{(a)^{2}}{(a)^{2}+a+1}",
    r"(a+b)^{(-1)}",
    r"a\cdot b+c",
    r"a\cdot \frac{b}{c}+0.5\cdot a",
    r"(a+b)\cdot (a+c)",
    r"1\cdot 2+\frac{1}{2}\cdot 3",
)
"""Parsed once when the library is loaded: it learns its grammar by parsing."""


class Mismatch(ValueError):
    """The library could not read what it was handed, or did not read all of it."""


@lru_cache(2048)
def parse(text: str) -> Any:
    """The unevaluated SymPy tree of canonical arithmetic in placeholders; Mismatch otherwise."""
    with _LOCK:
        library = _library()
        try:
            return _Run(library, fast=True).tree(text)
        except Mismatch:
            return _Run(library, fast=False).tree(text)
        finally:
            _reset(library)


@lru_cache(1)
def _library() -> ModuleType:
    try:
        root = str(distribution("latex2sympy2").locate_file(""))
    except PackageNotFoundError:
        hint = "install it: pip install latex2sympy2"
        raise InputError("reading LaTeX needs the package latex2sympy2", hint=hint) from None
    with _apart(root):
        library = import_module("latex2sympy2")
    for text in _WARM:
        _Run(library, fast=True).tree(text)
    return library


@contextmanager
def _apart(root: str) -> Iterator[None]:
    """The library's folder first on the path, its too common module names only while it loads."""
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_common(name)}
    standing = sys.modules.get(_STAND_IN)
    stand_in = ModuleType(_STAND_IN)
    stand_in.TextIO = TextIO  # type: ignore[attr-defined]
    sys.modules[_STAND_IN] = stand_in
    sys.path.insert(0, root)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.path.remove(root)
        del sys.modules[_STAND_IN]
        for name in [name for name in sys.modules if _is_common(name)]:
            del sys.modules[name]
        sys.modules.update(hidden)
        if standing is not None:
            sys.modules[_STAND_IN] = standing


def _is_common(name: str) -> bool:
    return name == "gen" or name.startswith("gen.")


class _Run:
    """One parse by the library's own lexer and parser, which report to us and print nothing."""

    def __init__(self, library: ModuleType, fast: bool) -> None:
        self.library, self.fast = library, fast

    def tree(self, text: str) -> Any:
        library = self.library
        listener = _listener(library)
        lexer = library.PSLexer(library.InputStream(text))
        tokens = library.CommonTokenStream(lexer)
        parser = library.PSParser(tokens)
        for part in (lexer, parser):
            part.removeErrorListeners()
            part.addErrorListener(listener)
            part.checkVersion = _unchecked
        if self.fast:
            parser._interp.predictionMode = import_module(
                "antlr4.atn.PredictionMode"
            ).PredictionMode.SLL
        expression = parser.math().relation()
        if tokens.LA(1) != -1 or expression is None or expression.expr() is None:
            raise Mismatch(f"not all of {text!r} was read")
        return library.convert_expr(expression.expr())


def _unchecked(*_: Any) -> None:
    """The library prints where versions differ; nothing is printed here."""


@lru_cache(1)
def _listener(library: ModuleType) -> Any:
    class Listener(library.ErrorListener):  # type: ignore[name-defined]
        def syntaxError(self, *found: Any) -> None:
            raise Mismatch(str(found[4]))

    return Listener()


def _reset(library: ModuleType) -> None:
    """What the library keeps between calls, as it was when loaded."""
    kept: dict[str, Any] = {"variances": {}, "var": {}, "VARIABLE_VALUES": {}}
    vars(library).update(kept, is_real=None, frac_type=r"\frac")
