"""The gradients once more by automatic differentiation in doubles, and how far they differ.

The program that is compared is the one that `derive grad --torch` prints; it runs in a process of
its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from derive.certify import doubles
from derive.errors import InputError
from derive.gradients import Sweep
from derive.views.code import program_with_gradients

RELATIVE, ABSOLUTE = 1e-10, 1e-12
"""So far doubles may be off: of the exact value, or at all where that is tiny."""
REPORT = "import json\nprint(json.dumps([torch.__version__, *(g.tolist() for g in gradients)]))\n"
SECONDS = 300


@dataclass(frozen=True)
class Difference:
    """How far the gradient by one matrix differs at most, by itself and over the exact entry."""

    name: str
    absolute: float
    relative: float
    is_close: bool


@dataclass(frozen=True)
class Comparison:
    """The differences of every gradient, and the version of PyTorch."""

    of: str
    version: str
    differences: tuple[Difference, ...]

    @property
    def is_close(self) -> bool:
        """Whether every entry agrees within RELATIVE or ABSOLUTE."""
        return all(d.is_close for d in self.differences)

    @property
    def text(self) -> str:
        """A line for each matrix, and the verdict."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        width = max(len(d.name) for d in self.differences)
        yield f"Gradient of {self.of}, exact and by PyTorch {self.version} in doubles:"
        yield f"{'':<{width}}  largest difference  relative"
        for d in self.differences:
            mark = "" if d.is_close else "  differs"
            yield f"{d.name:<{width}}  {d.absolute:>18.1e}  {d.relative:>8.1e}{mark}"
        bounds = f"within {RELATIVE:.0e} of the entry, or {ABSOLUTE:.0e}"
        yield f"All agree {bounds}." if self.is_close else f"Not all agree {bounds}."


def compare(sweep: Sweep) -> Comparison:
    """Every gradient by the names `sweep.wrt` against PyTorch's.

    InputError where PyTorch is not installed, fails, or the problem has free symbols.
    """
    text = program_with_gradients(sweep)
    if find_spec("torch") is None:
        raise InputError(
            "PyTorch is not installed, so there is nothing to check against",
            hint="pip install torch; derive grad --torch prints the program",
        )
    version, *found = _run(text + REPORT)
    pairs = zip(sweep.wrt, found, strict=True)
    return Comparison(sweep.of, version, tuple(_difference(sweep, n, g) for n, g in pairs))


def _run(program: str) -> list[Any]:
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"PyTorch was not done after {SECONDS} seconds") from None
    if done.returncode:
        raise InputError(f"PyTorch failed: {(done.stderr.splitlines() or ['no message'])[-1]}")
    found: list[Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _difference(sweep: Sweep, name: str, found: Sequence[Sequence[float]]) -> Difference:
    exact = doubles(sweep.step(name))
    pairs = [(x, y) for a, b in zip(exact, found, strict=True) for x, y in zip(a, b, strict=True)]
    apart = [(abs(x - y), abs(x)) for x, y in pairs]
    return Difference(
        name,
        max(a for a, _ in apart),
        max((a / x for a, x in apart if x), default=0.0),
        all(a <= max(RELATIVE * x, ABSOLUTE) for a, x in apart),
    )
