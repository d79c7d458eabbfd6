"""A state is what its entries have made it: how it begins, and how it is brought back from a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from croupier.errors import CroupierError, RecordError
from croupier.ledger.book import Book
from croupier.ledger.entry import Entry
from croupier.ledger.rows import STRANGE
from croupier.store.store import Store


class Identified(Protocol):
    """All that a writer asks of an act: the id that its client made."""

    @property
    def id(self) -> str: ...


class Aggregate(Protocol):
    """A state that is built from entries only."""

    @property
    def book(self) -> Book:
        """What was entered so far."""

    def handle(self, act: Any, at: str) -> Entry:
        """The entry that the act would make, or a Refusal; changes nothing."""

    def apply(self, entry: Entry) -> None: ...

    def snapshot(self) -> dict[str, Any]: ...


State = TypeVar("State", bound=Aggregate)


@dataclass(frozen=True)
class Origin(Generic[State]):
    """How a state begins: with nothing, or with a snapshot.

    Origin(partial(Link, "main"), Link.of_snapshot, same_link_act)
    """

    empty: Callable[[], State]
    of_snapshot: Callable[[dict[str, Any]], State]
    answers: Callable[[Any, Entry], bool]
    """Whether an entry that carries the act's id is what this act came to, or the id was used for another one."""
    rebuilt: bool = False
    """Whether it is made of its entries whenever it is opened, whatever snapshot there is."""


def restore(
    store: Store,
    stream: str,
    origin: Origin[State],
    seen: Callable[[Entry], None] | None = None,
    secret: bytes | None = None,
) -> tuple[State, int]:
    """The durable state of a stream, from its snapshot and what came after it, and the number of that snapshot.

    A snapshot that is damaged, of another history or of another program's form is left aside; with a secret, also one
    that was not made with it. Entries that are read for it are shown to whoever wants to see them. A book that has a
    later entry than can be read one after the other is damaged: what was made of its beginning is nobody's state.
    """
    last = store.last(stream)
    state, number = _restored(store, stream, origin, seen, secret)
    check_read_through(stream, state.book.entries, last)
    return state, number


def check_read_through(stream: str, entries: int, last: Entry | None) -> None:
    """Refuse a book of which less was read than was there before: the file is damaged between the two."""
    if last is not None and entries < last.number:
        raise RecordError(
            f"{stream} can be read up to entry {entries:,} only, and has entry {last.number:,}: those between them are "
            "missing from the store."
        )


def _restored(
    store: Store,
    stream: str,
    origin: Origin[State],
    seen: Callable[[Entry], None] | None,
    secret: bytes | None,
) -> tuple[State, int]:
    snapshot = None if origin.rebuilt else store.load_snapshot(stream)
    if snapshot is not None and (secret is None or snapshot.made_with(secret, stream)):
        there = [row.digest for row in store.rows(stream, after=snapshot.number - 1, limit=1)]
        if there == [snapshot.entry_digest]:
            try:
                state = origin.of_snapshot(dict(snapshot.state))
            except (CroupierError, KeyError, TypeError, ValueError):
                state = origin.empty()
            if (state.book.entries, state.book.digest) == (snapshot.number, snapshot.entry_digest):
                return apply_all(state, store.entries(stream, after=snapshot.number), seen), snapshot.number
    return apply_all(origin.empty(), store.entries(stream), seen), 0


def readable(store: Store, stream: str, origin: Origin[State]) -> State:
    """The state of a damaged stream as it stood before the first entry that cannot be read, or is not in its place."""
    state, whole = origin.empty(), 0
    try:
        for entry in store.entries(stream):
            state.apply(entry)
            whole += 1
    except STRANGE:
        state = apply_all(origin.empty(), store.entries(stream, limit=whole))
    return state


def apply_all(state: State, entries: Iterable[Entry], seen: Callable[[Entry], None] | None = None) -> State:
    for entry in entries:
        state.apply(entry)
        if seen is not None:
            seen(entry)
    return state
