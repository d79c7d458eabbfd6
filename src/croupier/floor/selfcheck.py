"""The self-check of a book: all of it is read as it is stored, and must add up to the state that the writer works with.

    checked = BookCheck("link:main")
    checked.read_on(store)                              every row is whole and in its place, columns as in its content
    checked.compare(held_of(link.book, link.state))     number, digest, every balance, and all that has flowed

A writer opens from a snapshot, so that a long book opens at once. A snapshot is made with the site's secret, and is
believed no further than that: whoever has the secret too could put another one there, with a meter that no entry has
filled. The entries cannot be put right so easily, so they are asked before a link opens, and behind the games of links
that were open when the floor began. Rows are read without the writer, which goes on meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from croupier.errors import CroupierError, RecordError
from croupier.floor.link.link import count_totals
from croupier.floor.link.state import LinkState
from croupier.ledger.book import Book, add_flows, move
from croupier.ledger.entry import Transfer
from croupier.ledger.rows import read_moved, read_transfers
from croupier.store.store import Store, StoreLost

GIVE_UP_EVERY = 1_000


class BookCheck:
    """A book as far as it was read; more of it can be read later."""

    def __init__(self, stream: str, given_up: Callable[[], bool] = lambda: False) -> None:
        self.stream = stream
        self._given_up = given_up
        """Asked now and then on the way: a floor that closes does not wait for a long book."""
        self.book = Book()
        self._moved: Counter[tuple[str, bytes]] = Counter()
        """By kind and transfers as they are written, how often: most entries of a busy link move the same."""

    def read_on(self, store: Store, until: int | None = None) -> None:
        """Read what is stored by now, or up to an entry; the first row that is not as it must be is named."""
        moved, number, digest, at = self._moved, self.book.entries, self.book.digest, self.book.at
        for row in store.rows(self.stream, number, None if until is None else max(0, until - number)):
            number += 1
            if not number % GIVE_UP_EVERY and self._given_up():
                raise StoreLost(f"The self-check of {self.stream} was given up at entry {number}.")
            if not isinstance(row.body, str):
                raise self._wrong(number, "it is no text")
            body = row.body.encode()
            if sha256(body).hexdigest() != row.digest:
                raise self._wrong(number, "its digest is not that of its content")
            try:
                told = read_moved(body)
            except (ValueError, RecursionError):
                raise self._wrong(number, "it cannot be read") from None
            at = told.at
            if row[:4] != (number, at, told.command, told.kind) or told.number != number:
                raise self._wrong(number, "its columns are not those of its content")
            if not digest == told.before == row.before:
                raise self._wrong(number, "it does not follow the one before it")
            digest = row.digest
            moved[told.kind, bytes(told.transfers)] += 1
        self.book.entries, self.book.digest, self.book.at = number, digest, at

    def _wrong(self, number: int, why: str) -> RecordError:
        return RecordError(f"Entry {number} of {self.stream} is missing or was altered: {why}.")

    def summed(self) -> LinkState:
        """Everything that the transfers add up to. What was moved so many times was moved so many times over."""
        state = LinkState(self.stream)
        for (kind, text), times in self._moved.items():
            try:
                transfers = [Transfer.of_list(transfer) for transfer in read_transfers(text)]
            except (ValueError, CroupierError) as error:
                raise RecordError(f"In {self.stream} an entry ({kind}) moves what cannot be read: {error}.") from None
            many = tuple(transfer._replace(units=transfer.units * times) for transfer in transfers)
            move(state.book.balances, many)
            if self.stream.startswith("link:"):
                add_flows(state.sums, kind, many)
                count_totals(state, kind, many)
        return state

    def check(self, store: Store, held: Callable[[], LinkState]) -> None:
        """Read what is stored, then on to the very entry at which the writer has copied its state, and compare."""
        self.read_on(store)
        now = held()
        self.read_on(store, now.book.entries)
        self.compare(now)

    def compare(self, held: LinkState) -> None:
        """Refuse a state in memory that is not what is stored."""
        book, summed = held.book, self.summed()
        if (book.entries, book.digest) != (self.book.entries, self.book.digest):
            raise RecordError(
                f"{self.stream} ends with entry {self.book.entries} ({self.book.digest:.12}) in the store, and with "
                f"entry {book.entries} ({book.digest:.12}) in memory."
            )
        wrong = list(_differences("", summed.book.balances, book.balances))
        for level in {**summed.sums, **held.sums}:
            prefix = f"{level} " if level else ""
            wrong += _differences(prefix, summed.sums.get(level, {}), held.sums.get(level, {}))
        wrong += _differences("", _totals(summed), _totals(held))
        if wrong:
            raise RecordError(
                f"The entries of {self.stream} do not add up to what the writer works with, which began with a "
                f"snapshot: {'; '.join(wrong)}."
            )


def _differences(prefix: str, stored: Mapping[Any, int], held: Mapping[Any, int]) -> Iterator[str]:
    for name in {**stored, **held}:
        there, here = stored.get(name, 0), held.get(name, 0)
        if there != here:
            yield f"{prefix}{name} is {there:,} units by the entries, and {here:,} in memory"


def held_of(book: Book, state: LinkState | None = None) -> LinkState:
    """A copy of what is compared, for another thread than the writer's."""
    held = LinkState("", book=Book(book.entries, book.at, book.digest, dict(book.balances)))
    if state is not None:
        held.sums = {level: dict(flows) for level, flows in state.sums.items()}
        held.contributed, held.paid = state.contributed, state.paid
    return held


def _totals(state: LinkState) -> dict[str, int]:
    return {"all contributions": state.contributed, "all that was won": state.paid}
