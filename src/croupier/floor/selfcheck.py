"""The self-check of a book: all of it is read as it is stored, and must come to the state that the writer works with.

    checked = BookCheck("link:main")
    checked.read_on(store)                              every row is whole and in its place, columns as in its content
    checked.compare(held_of(link.book, link.state))     number, digest, every balance, and of a link all that it is

A writer opens from a snapshot, so that a long book opens at once. A snapshot is made with the site's secret, and is
believed no further than that: whoever has the secret too could put another one there, with a meter that no entry has
filled, a prize that nobody has won, or pays that nobody has signed. The entries cannot be put right so easily, so the
link is made of them once more before it opens, and behind the games of links that were open when the floor began. Rows
are read without the writer, which goes on meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from typing import Any

from croupier.errors import RecordError
from croupier.floor.act import EntryKind
from croupier.floor.aggregate import check_read_through
from croupier.floor.forms import Signed, signers
from croupier.floor.house import ITSELF, House
from croupier.floor.link import cycle
from croupier.floor.link.link import Link, agreement_of, count_totals, not_allowed, recheck
from croupier.floor.link.state import LinkState, TableCycle
from croupier.floor.people import People
from croupier.floor.refusals import No, refusal
from croupier.ledger.book import Book, add_flows, move
from croupier.ledger.entry import Account, Entry, Transfer
from croupier.ledger.rows import STRANGE, read_moved, read_table, read_transfers
from croupier.store.store import Row, Store, StoreLost

GIVE_UP_EVERY = 1_000
LINK = "link:"
_BY_AMOUNT = frozenset({"name", "book", "sums", "contributed", "paid", "own_paid"})
"""Of a link's state: what is told by its amounts where it differs, and what no entry leads to."""


class BookCheck:
    """A book as far as it was read; more of it can be read later."""

    def __init__(self, stream: str, given_up: Callable[[], bool] = lambda: False) -> None:
        self.stream = stream
        self._given_up = given_up
        """Asked now and then on the way: a floor that closes does not wait for a long book."""
        self.book = Book()
        self._come_to = Rebuilt(stream.removeprefix(LINK)) if stream.startswith(LINK) else Summed(stream)

    def read_on(self, store: Store, until: int | None = None) -> None:
        """Read what is stored by now, or up to an entry; the first row that is not as it must be is named."""
        take, number, digest, at = self._come_to.take, self.book.entries, self.book.digest, self.book.at
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
            try:
                take(row, told.kind, bytes(told.transfers))
            except STRANGE as error:
                raise RecordError(f"Entry {number} of {self.stream} ({told.kind}) cannot be: {error}") from None
        self.book.entries, self.book.digest, self.book.at = number, digest, at

    def _wrong(self, number: int, why: str) -> RecordError:
        return RecordError(f"Entry {number} of {self.stream} is missing or was altered: {why}.")

    def summed(self) -> LinkState:
        """Everything that the entries come to."""
        return self._come_to.state_now()

    def check(self, store: Store, held: Callable[[], LinkState]) -> None:
        """Read what is stored, then on to the very entry at which the writer has copied its state, and compare."""
        last = store.last(self.stream)
        self.read_on(store)
        check_read_through(self.stream, self.book.entries, last)
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
        parts = [part for part in PARTS if getattr(summed, part) != getattr(held, part)]
        if parts:
            raise RecordError(
                f"The entries of {self.stream} make another link than the one that the writer works with, which began "
                f"with a snapshot. It differs in: {', '.join(parts).replace('_', ' ')}."
            )


class Summed:
    """What the transfers of a book add up to. What was moved so many times was moved so many times over."""

    def __init__(self, name: str) -> None:
        self._state = LinkState(name)
        self._moved: Counter[tuple[str, bytes]] = Counter()
        """By kind and transfers as they are written, how often: most entries of a busy link move the same."""

    def take(self, row: Row, kind: str, transfers: bytes) -> None:
        """The next row, which is whole and in its place."""
        self._moved[kind, transfers] += 1

    def state_now(self) -> LinkState:
        state = held_of(self._state.book, self._state)
        for (kind, text), times in self._moved.items():
            many = [transfer._replace(units=transfer.units * times) for transfer in _transfers(text)]
            self._add(state, kind, many)
        return state

    def _add(self, state: LinkState, kind: str, transfers: list[Transfer]) -> None:
        move(state.book.balances, transfers)


class Rebuilt(Summed):
    """A link, made of its entries.

    Most of a book are games without a hand, and such a game leaves nothing but its money behind once the next one has
    begun. So games are carried out when another kind of entry comes, which may look at them: of each table the last.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._link = Link(name, self._state)
        self._games: dict[int, _Game] = {}
        self._changes: dict[bytes, list[tuple[Account, int]]] = {}
        """By transfers as they are written: what they do to the accounts."""

    def take(self, row: Row, kind: str, transfers: bytes) -> None:
        book = self._state.book
        if kind in _PLAYED:
            super().take(row, kind, transfers)
            for account, units in self._changes.get(transfers) or self._change(transfers):
                book.balances[account] = book.balances.get(account, 0) + units
            table = read_table(row.body)
            if kind == EntryKind.START:
                self._games[table] = _Game(row)
            else:
                self._games.setdefault(table, _Game()).end(row, dict(book.balances))
            book.entries, book.digest, book.at = row.number, row.digest, row.at
        else:
            self._carry_out()
            self._link.apply(row.entry())

    def _change(self, transfers: bytes) -> list[tuple[Account, int]]:
        changed: dict[Account, int] = {}
        move(changed, _transfers(transfers))
        return self._changes.setdefault(transfers, list(changed.items()))

    def _carry_out(self) -> None:
        state, book = self._state, self._state.book
        for table, game in self._games.items():
            if game.start is not None:
                state.tables[table] = TableCycle()
                cycle.started(state, game.start.entry())
            if game.ended is not None:
                now, book.balances = book.balances, game.balances
                cycle.ended(state, game.ended.entry())
                book.balances = now
        self._games.clear()

    def state_now(self) -> LinkState:
        self._carry_out()
        return super().state_now()

    def _add(self, state: LinkState, kind: str, transfers: list[Transfer]) -> None:
        add_flows(state.sums, kind, transfers)
        count_totals(state, kind, transfers)


_PLAYED = frozenset({EntryKind.START, EntryKind.END})


@dataclass
class _Game:
    """A game that is not carried out yet, from START GAME on or from its last hand."""

    start: Row | None = None
    ended: Row | None = None
    balances: dict[Account, int] = field(default_factory=dict)
    """As they were at its end."""

    def end(self, row: Row, balances: dict[Account, int]) -> None:
        self.ended, self.balances = row, balances


def _transfers(text: bytes) -> list[Transfer]:
    return [Transfer.of_list(transfer) for transfer in read_transfers(text)]


def _differences(prefix: str, stored: Mapping[Any, int], held: Mapping[Any, int]) -> Iterator[str]:
    for name in {**stored, **held}:
        there, here = stored.get(name, 0), held.get(name, 0)
        if there != here:
            yield f"{prefix}{name} is {there:,} units by the entries, and {here:,} in memory"


PARTS = tuple(part.name for part in fields(LinkState) if part.name not in _BY_AMOUNT)


def held_of(book: Book, state: LinkState | None = None) -> LinkState:
    """A copy of what is compared, for another thread than the writer's."""
    held = replace(state) if state is not None else LinkState("")
    for part in PARTS:
        if isinstance(getattr(held, part), dict | set):
            setattr(held, part, getattr(held, part).copy())
    held.tables = {number: game.copy() for number, game in held.tables.items()}
    held.sums = {level: dict(flows) for level, flows in held.sums.items()}
    held.book = Book(book.entries, book.at, book.digest, dict(book.balances))
    return held


def _totals(state: LinkState) -> dict[str, int]:
    return {"all contributions": state.contributed, "all that was won": state.paid}


# What nobody has acknowledged


def recheck_in_house(house: House, link: Link, entry: Entry) -> None:
    """Refuse an entry of a link that its own act would not lead to, here and now; that somebody has signed who by the
    site's book had not had that role by then; or to which a second person has not agreed with any key that the book
    ever had of that person, who may have another one by now. The house's notes are taken as they are told."""
    recheck(link, entry)
    try:
        _check_people(house.site.people, link, entry)
    except STRANGE as error:
        raise not_allowed(entry, error) from None


def _check_people(people: People, link: Link, entry: Entry) -> None:
    for signed in signers(entry.facts):
        if signed != ITSELF and not people.had_role(signed, entry.at):
            raise RecordError(f"by the site's book, {signed.person!r} had not been {signed.role} by {entry.at}.")
    if "second" in entry.facts and people.needed_key(entry.at):
        person = Signed.of_list(entry.facts["second"]).person
        statement, agreed = agreement_of(entry, link.name)
        if agreed is None or not any(statement.is_signed(agreed, key, entry.at) for key in people.ever_noted(person)):
            raise refusal(No.NOT_AGREED, name=person)
