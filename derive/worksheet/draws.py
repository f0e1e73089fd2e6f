"""Numbers drawn from a name: a counter run through BLAKE2, the same on every machine.

Draw k of a name is word k of the stream
BLAKE2b(name, 0x1f, 0) BLAKE2b(name, 0x1f, 1) ...     RFC 7693; counters of 8 bytes, big-endian
"""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct

BETWEEN = "\x1f"
WORD = 8
WORDS = Struct(">8Q")
EVERY = 1 << 64


class Words:
    """The words, 64 bits each, that belong to a name in bytes."""

    def __init__(self, name: bytes) -> None:
        """name: its parts, each with 0x1f after it."""
        self.name, self.counter = name, 0
        self.ready: tuple[int, ...] = ()

    def __iter__(self) -> Words:
        return self

    def __next__(self) -> int:
        return self.take(1)[0]

    def take(self, count: int) -> tuple[int, ...]:
        """The next so many."""
        found = self.ready
        while len(found) < count:
            block = blake2b(self.name + self.counter.to_bytes(WORD, "big")).digest()
            found += WORDS.unpack(block)
            self.counter += 1
        self.ready = found[count:]
        return found[:count]


def named(*parts: object) -> bytes:
    """The beginning of a name."""
    return (BETWEEN.join(map(str, parts)) + BETWEEN).encode()


def words_of(*name: object) -> Words:
    """The words that belong to a name; names of different parts have others.

    >>> first = next(words_of("head", 7, 1))
    >>> first == next(words_of("head", 7, 1)), first == next(words_of("head", 7, 2))
    (True, False)
    """
    return Words(named(*name))


def below(stream: Words, n: int, count: int) -> list[int]:
    """So many numbers from 0 to n - 1, each as likely as another; n at most 2^32.

    A word past the last whole multiple of n is passed over, so that there is no remainder.
    """
    words = stream.take(count)
    most = EVERY - EVERY % n
    if not words or max(words) < most:
        return [word % n for word in words]
    found = [word % n for word in words if word < most]
    return found + below(stream, n, count - len(found))


def digest(*parts: object, size: int = 4) -> str:
    """A short hexadecimal mark of what is named."""
    return blake2b(BETWEEN.join(map(str, parts)).encode(), digest_size=size).hexdigest()
