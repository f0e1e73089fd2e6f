"""Numbers drawn from a name: a counter run through BLAKE2, the same on every machine.

Draw k of a name is word k of the stream
BLAKE2b(name, 0x1f, 0) BLAKE2b(name, 0x1f, 1) ...     RFC 7693; counters of 8 bytes, big-endian
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import count
from typing import TypeVar

T = TypeVar("T")
BETWEEN = "\x1f"
WORD = 8


def words_of(*name: object) -> Iterator[int]:
    """The words, 64 bits each, that belong to a name; names of different parts have others.

    >>> first = next(words_of("head", 7, 1))
    >>> first == next(words_of("head", 7, 1)), first == next(words_of("head", 7, 2))
    (True, False)
    """
    start = BETWEEN.join(map(str, name)).encode() + BETWEEN.encode()
    for k in count():
        block = blake2b(start + k.to_bytes(WORD, "big")).digest()
        yield from (int.from_bytes(block[at : at + WORD], "big") for at in range(0, 64, WORD))


def below(stream: Iterator[int], n: int) -> int:
    """A number from 0 to n - 1, each as likely as another; n at most 2^32.

    A word past the last whole multiple of n is passed over, so that there is no remainder.
    """
    most = (1 << 64) - (1 << 64) % n
    return next(word for word in stream if word < most) % n


def chosen(stream: Iterator[int], values: Sequence[T]) -> T:
    """One of the values."""
    return values[below(stream, len(values))]


def digest(*parts: object, size: int = 4) -> str:
    """A short hexadecimal mark of what is named."""
    return blake2b(BETWEEN.join(map(str, parts)).encode(), digest_size=size).hexdigest()
