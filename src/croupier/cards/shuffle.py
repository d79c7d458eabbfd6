"""Chance without favour: every order of the cards is equally likely, and a seed repeats a shuffle exactly.

A source is a stream of random bytes, and everything is drawn from it in one way that any language can repeat:

- A number below n takes the fewest bytes that can hold n - 1, at least one, most significant first. The limit is
  the largest multiple of n that so many bytes can count to. At the limit or above, the bytes are thrown away and
  as many are taken again; below it, the number is the remainder of dividing by n. So no number is favoured.
- A shuffle goes from the last card to the second (Fisher-Yates): with i cards not yet placed it draws a number
  below i and exchanges the card at that place, counted from 0, with the i-th card.
- The stream of a seed: K is the SHA-256 of the text `croupier seed 1`, a newline and the seed (in UTF-8; a whole
  number in decimal). Block j, from 0, is the SHA-256 of K and j (eight bytes, most significant first); the stream
  is block 0, block 1 and so on. This never changes: golden tests hold it.
"""

from __future__ import annotations

import hashlib
import os
import weakref
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from operator import length_hint
from typing import TypeAlias, TypeVar

from croupier.errors import NotationError, Refusal

Item = TypeVar("Item")
Seed: TypeAlias = int | str | bytes


class Source(ABC):
    """A stream of random bytes, and numbers drawn from it without bias; each thread uses its own."""

    def __init__(self) -> None:
        self._bytes: Iterator[int] = iter(b"")

    @property
    @abstractmethod
    def origin(self) -> str:
        """What the next draw comes from, in one line for the record: `system` or `seed 7`."""

    @abstractmethod
    def _block(self) -> bytes:
        """The next bytes of the stream."""

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1, each equally likely."""
        if not 1 <= n <= 256:
            return self._below_many(n)
        limit = 256 - 256 % n
        while True:
            for byte in self._bytes:
                if byte < limit:
                    return byte % n
            self._bytes = iter(self._block())

    def take(self, size: int) -> bytes:
        """The next `size` bytes of the stream."""
        return bytes(self.below(256) for _ in range(size))

    def _below_many(self, n: int) -> int:
        if n < 1:
            raise Refusal("no-number-below", f"There is no number from 0 to below {n}; draw below 1 or more.")
        width = ((n - 1).bit_length() + 7) // 8
        limit = 256**width // n * n
        while (number := int.from_bytes(self.take(width), "big")) >= limit:
            pass
        return number % n


class SystemSource(Source):
    """The operating system's cryptographic generator; no two sources ever share a byte, not even after a fork."""

    BLOCK = 256
    """Bytes asked for at once: a few shuffles' worth, since asking costs more than the bytes."""

    def __init__(self) -> None:
        super().__init__()
        _SYSTEM_SOURCES.add(self)

    def __reduce__(self) -> tuple[type[SystemSource], tuple[()]]:
        # A copy, or one sent to another process, starts a stream of its own.
        return SystemSource, ()

    @property
    def origin(self) -> str:
        return "system"

    def _block(self) -> bytes:
        return os.urandom(self.BLOCK)

    def _forget(self) -> None:
        self._bytes = iter(b"")


class SeededSource(Source):
    """A stream that a seed repeats, for tests and replays; 7 and "7" are one seed. Never for play."""

    def __init__(self, seed: Seed) -> None:
        super().__init__()
        name, seed_bytes = _read_seed(seed)
        self._name = name
        self._key = hashlib.sha256(b"croupier seed 1\n" + seed_bytes).digest()
        self._blocks = 0

    @property
    def origin(self) -> str:
        drawn = self._blocks * hashlib.sha256().digest_size - length_hint(self._bytes)
        return f"seed {self._name}" if drawn == 0 else f"seed {self._name} after {drawn} bytes"

    def _block(self) -> bytes:
        block = hashlib.sha256(self._key + self._blocks.to_bytes(8, "big")).digest()
        self._blocks += 1
        return block


def shuffled(items: Iterable[Item], source: Source) -> tuple[Item, ...]:
    """The items in random order, each order equally likely."""
    order = list(items)
    below = source.below
    for unplaced in range(len(order), 1, -1):
        chosen = below(unplaced)
        order[chosen], order[unplaced - 1] = order[unplaced - 1], order[chosen]
    return tuple(order)


def roll_dice(source: Source, dice: int = 3) -> tuple[int, ...]:
    """So many six-sided dice."""
    return tuple(source.below(6) + 1 for _ in range(dice))


def as_source(chance: Source | Seed) -> Source:
    """The source itself, or the one of a seed."""
    return chance if isinstance(chance, Source) else SeededSource(chance)


def _read_seed(seed: Seed) -> tuple[str, bytes]:
    """The seed's name in a record, which is one line, and its bytes."""
    if isinstance(seed, bytes):
        return f"bytes {seed.hex()}", seed
    text = f"{seed:d}" if isinstance(seed, int) else seed
    if not text or not text.isprintable() or text != text.strip():
        raise NotationError(f"{text!r} is no seed: write one line of text, with no space before or after it.")
    return text, text.encode()


_SYSTEM_SOURCES: weakref.WeakSet[SystemSource] = weakref.WeakSet()


def _forget_all() -> None:
    for source in _SYSTEM_SOURCES:
        source._forget()


# A forked process inherits the parent's unused bytes: without this both would deal the same cards.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
