"""How much is worked out for one article: counted, so that the same article ends the same way."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

MOST = 1_500_000
"""So much work is done for one article; what would need more is not checked."""
FREE = MOST // 4
"""So much, before fewer of the last matrices are tried: articles by hand need half of it."""
NODE = 2
"""What a part of an expression costs besides its entries."""
STEP = 6
"""What a step costs besides its entries."""
GARBAGE = 100_000
"""So many new objects before those that only hold each other are looked for."""


class TooMuch(Exception):
    """More would have to be worked out than is, for one article."""


class Work:
    """The work that is done for an article: entries worked out, and compared."""

    def __init__(self, most: int = MOST) -> None:
        """None done yet."""
        self.done, self.most = 0, most

    @property
    def is_over(self) -> bool:
        """Whether no more is done."""
        return self.done > self.most

    def spend(self, count: int) -> None:
        """So much more is done.  TooMuch where that is too much."""
        self.done += count
        if self.done > self.most:
            raise TooMuch

    def narrowed(self, count: int) -> int:
        """Of so many of the last, how many are still tried: the more was done, the fewer."""
        return max(1, count * FREE // max(FREE, self.done))


_work: ContextVar[Work | None] = ContextVar("work", default=None)


@contextmanager
def counted(work: Work | None) -> Iterator[None]:
    """What is worked out inside counts; with None nothing does."""
    before = _work.set(work)
    try:
        yield
    finally:
        _work.reset(before)


def spend(count: int) -> None:
    """So much work is done for the article that is read, if one is.  TooMuch where it is enough."""
    work = _work.get()
    if work is not None:
        work.spend(count)


def narrowed(count: int) -> int:
    """Of so many of the last, how many are tried for the article that is read."""
    work = _work.get()
    return count if work is None else work.narrowed(count)


@contextmanager
def many_objects() -> Iterator[None]:
    """Looks for garbage less often, as much of what is made is kept."""
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], GARBAGE) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
