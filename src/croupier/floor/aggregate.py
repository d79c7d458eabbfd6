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


class NotWritten(RecordError):
    """An entry that nobody has acknowledged and that the rules do not write: no server of the site has."""

    after = 0
    """How many entries the book has before it."""


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
    check: Callable[[State, Entry], None] | None = None
    """Refuses an entry that the rules would not write here. Asked of what nobody has acknowledged."""


def restore(
    store: Store,
    stream: str,
    origin: Origin[State],
    seen: Callable[[Entry], None] | None = None,
    secret: bytes | None = None,
    *,
    acknowledged: int | None = None,
) -> tuple[State, int]:
    """The durable state of a stream, from its snapshot and what came after it, and the number of that snapshot.

    A snapshot that is damaged, of another history or of another program's form is left aside; with a secret, also one
    that was not made with it. Entries that are read for it are shown to whoever wants to see them. A book that has a
    later entry than can be read one after the other is damaged: what was made of its beginning is nobody's state.

    Where it is known up to which entry the book was acknowledged, those after it are decided again: a process that died
    before it kept its mark has left a few, and whoever can write to the store may have added others.
    """

    def take(state: State, after: int) -> tuple[State, int]:
        known = None if acknowledged is None else max(acknowledged, after)
        for entry in store.entries(stream, after=after):
            if origin.check is not None and known is not None and entry.number > known:
                decided_again(stream, origin.check, state, entry)
            state.apply(entry)
            if seen is not None:
                seen(entry)
        return state, after

    last = store.last(stream)
    state, number = _restored(store, stream, origin, take, secret)
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
    take: Callable[[State, int], tuple[State, int]],
    secret: bytes | None,
) -> tuple[State, int]:
    """`take` has a state take the entries after its last."""
    snapshot = None if origin.rebuilt else store.load_snapshot(stream)
    if snapshot is not None and (secret is None or snapshot.made_with(secret, stream)):
        there = [row.digest for row in store.rows(stream, after=snapshot.number - 1, limit=1)]
        if there == [snapshot.entry_digest]:
            try:
                state = origin.of_snapshot(dict(snapshot.state))
            except (CroupierError, KeyError, TypeError, ValueError):
                state = origin.empty()
            if (state.book.entries, state.book.digest) == (snapshot.number, snapshot.entry_digest):
                return take(state, snapshot.number)
    return take(origin.empty(), 0)


def decided_again(stream: str, check: Callable[[State, Entry], None], state: State, entry: Entry) -> None:
    """Refuse an entry that the rules do not write here."""
    try:
        check(state, entry)
    except CroupierError as error:
        not_written = NotWritten(
            f"{stream} has entries that no server has acknowledged, and the rules do not write them: somebody has "
            f"written to the store. Nothing is done with this book; keep its files, and restore a backup. {error}"
        )
        not_written.after = entry.number - 1
        raise not_written from None


def readable(store: Store, stream: str, origin: Origin[State], limit: int | None = None) -> State:
    """The state of a damaged stream as it stood before the first entry that cannot be read, or is not in its place; and
    after that many entries, where no server has written those behind them."""
    state, whole = origin.empty(), 0
    try:
        for entry in store.entries(stream, limit=limit):
            state.apply(entry)
            whole += 1
    except STRANGE:
        state = apply_all(origin.empty(), store.entries(stream, limit=whole))
    return state


def apply_all(state: State, entries: Iterable[Entry]) -> State:
    for entry in entries:
        state.apply(entry)
    return state
