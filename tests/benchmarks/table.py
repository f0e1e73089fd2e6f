"""What is compared, and the one table that says how it came out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

SIDES = ("derive", "peer")
HEADINGS = ("measure", "derive", "beside it", "ratio", "target")


@dataclass(frozen=True)
class Comparison:
    """The same task done by us and by another library.

    `at_least` asks how many times faster we are, `at_most` how many times slower we may be; one of
    them is given.  `before` runs, unmeasured, before each round.  `agrees` looks at the peer's
    result, for what is wrong need not be fast.  A peer that `is_long` about it has one round and no
    warm-up.
    """

    what: str
    peer: str
    derive: Callable[[], Any]
    other: Callable[[], Any]
    at_least: float | None = None
    at_most: float | None = None
    before: Callable[[], None] | None = None
    agrees: Callable[[Any], bool] = lambda _: True
    rounds: int = 5
    is_long: bool = False

    def work(self, side: str) -> Callable[[], Any]:
        """What that side does in one round."""
        return self.derive if side == "derive" else self.other

    def often(self, side: str) -> dict[str, int]:
        """How many rounds are taken."""
        if self.is_long and side == "peer":
            return {"rounds": 1}
        return {"rounds": self.rounds, "warmup_rounds": 1}

    def verdict(self, derive: float, peer: float) -> tuple[str, str]:
        """The ratio and the target, in words."""
        if self.at_least is not None:
            ratio = peer / derive
            return f"{ratio:.3g} times faster", missed(
                f"≥ {self.at_least:g}", ratio >= self.at_least
            )
        ratio = derive / peer
        return f"{ratio:.2g} of its time", missed(f"≤ {self.at_most:g}", ratio <= self.at_most)


def both_sides(comparisons: Mapping[str, Comparison]) -> Any:
    """A test of (comparison, side), for each comparison ours and then at once the peer's."""
    cases = [
        pytest.param(comparison, side, id=f"{name}-{side}")
        for name, comparison in comparisons.items()
        for side in SIDES
    ]
    return pytest.mark.parametrize(("comparison", "side"), cases)


@dataclass
class Table:
    """Rows in the order they were measured, printed as Markdown."""

    medians: dict[Comparison, dict[str, float]] = field(default_factory=dict)
    rows: list[Comparison | Sequence[str]] = field(default_factory=list)

    def time(self, comparison: Comparison, side: str, median: float) -> None:
        """One side of a comparison."""
        if comparison not in self.medians:
            self.medians[comparison] = {}
            self.rows.append(comparison)
        self.medians[comparison][side] = median

    def row(self, what: str, ours: str, other: str = "", ratio: str = "", target: str = "") -> None:
        """Anything else."""
        self.rows.append((what, ours, other, ratio, target))

    def markdown(self) -> str:
        """The table."""
        cells = [self._cells(row) for row in self.rows]
        return "\n".join(map(_line, (HEADINGS, ("---",) * len(HEADINGS), *cells)))

    def _cells(self, row: Comparison | Sequence[str]) -> Sequence[str]:
        if not isinstance(row, Comparison):
            return row
        medians = self.medians[row]
        ours, peer = (shown(medians[side]) if side in medians else "-" for side in SIDES)
        verdict = row.verdict(**medians) if len(medians) == len(SIDES) else ("", "")
        return row.what, ours, f"{row.peer} {peer}", *verdict


def shown(seconds: float) -> str:
    """A time to three digits."""
    return f"{seconds:.3g} s" if seconds >= 0.9995 else f"{seconds * 1000:.3g} ms"


def missed(target: str, is_met: bool) -> str:
    """The target, and that it was missed if it was."""
    return target if is_met else f"{target}, missed"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
