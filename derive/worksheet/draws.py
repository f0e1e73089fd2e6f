"""Numbers drawn from a name: a counter run through BLAKE2, the same on every machine.

Draw k of a name is word k of the stream
BLAKE2b(name, 0x1f, 0) BLAKE2b(name, 0x1f, 1) ...     RFC 7693; counters of 8 bytes, big-endian
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from itertools import count
from struct import unpack

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
        yield from unpack(">8Q", blake2b(start + k.to_bytes(WORD, "big")).digest())


def below(stream: Iterator[int], n: int, count: int) -> list[int]:
    """So many numbers from 0 to n - 1, each as likely as another; n at most 2^32.

    A word past the last whole multiple of n is passed over, so that there is no remainder.
    """
    most = (1 << 64) - (1 << 64) % n
    found: list[int] = []
    while len(found) < count:
        word = next(stream)
        if word < most:
            found.append(word % n)
    return found


def digest(*parts: object, size: int = 4) -> str:
    """A short hexadecimal mark of what is named."""
    return blake2b(BETWEEN.join(map(str, parts)).encode(), digest_size=size).hexdigest()
