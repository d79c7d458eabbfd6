"""Anchors that were made, and which of them arrived where: kept beside the books, so that nothing is sent never.

On SQLite it is a file of its own beside the books, on PostgreSQL tables that all servers of the site share: whoever
leads next goes on with the same numbers. An anchor that is in it is sent to every destination in order, at least once.

What it says of deliveries is believed only as far as it can be so: they go in order, and nothing arrived before it was
made. A row that says otherwise was written by somebody else; it silences nobody, and is told.
"""

from __future__ import annotations

import base64
import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Column, DateTime, Integer, MetaData, String, Table, Text, delete, func, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.ledger.anchor import SERIES_DIGITS, Anchor, SignedAnchor
from croupier.ledger.entry import canonical
from croupier.store.store import StoreError
from croupier.web.identity.store import engine_beside

MAKING = 0x616E63686F72
"""The advisory lock of those who make the tables: "anchor" in ASCII."""
_META = MetaData()
_MADE = Table(
    "anchors_made",
    _META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("body", Text, nullable=False),
    Column("key", String(64), nullable=False),
    Column("signature", String(128), nullable=False),
    Column("made", DateTime, nullable=False),
)
"""The signature is empty until it is there."""
_TO = Table(
    "anchors_to", _META, Column("destination", String(200), primary_key=True), Column("first", Integer, nullable=False)
)
"""From which anchor on a destination gets them."""
_SENT = Table(
    "anchors_sent",
    _META,
    Column("destination", String(200), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", DateTime, nullable=False),
    Column("receipt", Text, nullable=False),
)


@dataclass(frozen=True)
class Kept:
    """An anchor as it is kept, signed or not yet."""

    anchor: Anchor
    key: str
    signature: str
    made: datetime

    @property
    def signed(self) -> SignedAnchor | None:
        return SignedAnchor(self.anchor, self.key, self.signature) if self.signature else None


@dataclass(frozen=True)
class Delivery:
    """How one destination stands."""

    last: int
    """The last anchor that arrived; 0 where none has."""
    at: datetime | None
    waiting: int
    oldest: datetime | None
    """When the oldest that is signed and waits was made."""
    strange: int = 0
    """The greatest number that is said to have arrived, or to come first, and cannot be; 0 where all can."""


class Outbox:
    """May be used from several threads, and by several servers."""

    def __init__(self, url: str) -> None:
        self._engine = engine_beside(url, ".anchors")
        try:
            with self._spoken(), self._engine.begin() as db:
                if db.dialect.name == "postgresql":
                    db.execute(select(func.pg_advisory_xact_lock(MAKING)))
                _META.create_all(db)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._engine.dispose()

    def tables(self) -> list[str]:
        return sorted(_META.tables)

    # Making

    def last(self) -> Kept | None:
        with self._spoken(), self._engine.connect() as db:
            row = db.execute(select(_MADE).order_by(_MADE.c.number.desc()).limit(1)).first()
        return _kept(row) if row else None

    def series(self) -> str:
        """Of what is kept; another where nothing is."""
        last = self.last()
        return last.anchor.series if last else secrets.token_hex(SERIES_DIGITS // 2)

    def add(self, anchor: Anchor, key: str, signature: str, now: datetime) -> bool:
        """Keep it, for good before this returns; not where another server has just made one of this number."""
        text = canonical(anchor.body()).decode("ascii")
        try:
            with self._engine.begin() as db:
                db.execute(delete(_SENT).where(_SENT.c.number >= anchor.number))  # nothing arrived before it was made
                db.execute(
                    insert(_MADE).values(number=anchor.number, body=text, key=key, signature=signature, made=now)
                )
        except IntegrityError:
            return False
        except SQLAlchemyError as error:
            raise StoreError("The anchors cannot be kept at the moment.") from error
        return True

    def unsigned(self) -> list[Kept]:
        with self._spoken(), self._engine.connect() as db:
            rows = db.execute(select(_MADE).where(_MADE.c.signature == "").order_by(_MADE.c.number)).all()
        return [_kept(row) for row in rows]

    def sign(self, number: int, key: str, signature: str) -> None:
        """A signature that came later; one that is there stays."""
        mine = (_MADE.c.number == number) & (_MADE.c.signature == "")
        with self._spoken(), self._engine.begin() as db:
            db.execute(update(_MADE).where(mine).values(key=key, signature=signature))

    def all(self, after: int = 0, most: int = 10_000) -> Iterator[Kept]:
        with self._spoken(), self._engine.connect() as db:
            chosen = select(_MADE).where(_MADE.c.number > after).order_by(_MADE.c.number).limit(most)
            rows = db.execute(chosen).all()
        yield from map(_kept, rows)

    def stamped(self, after: int = 0, most: int = 10_000) -> Iterator[SignedAnchor]:
        """Those that are signed, with the timestamps that were given for them."""
        for kept in self.all(after, most):
            if kept.signed is not None:
                yield replace(kept.signed, stamps=tuple(self._receipts(kept.anchor.number)))

    def _receipts(self, number: int) -> list[bytes]:
        given = select(_SENT.c.receipt).where((_SENT.c.number == number) & (_SENT.c.receipt != ""))
        with self._spoken(), self._engine.connect() as db:
            return [base64.b64decode(row[0]) for row in db.execute(given.order_by(_SENT.c.destination))]

    # Sending

    def begin(self, destination: str, *, from_the_first: bool) -> None:
        """A destination that was not there before."""
        last = self.last()
        first = 1 if from_the_first or last is None else last.anchor.number
        with self._spoken(), self._engine.begin() as db:
            if db.execute(select(_TO.c.first).where(_TO.c.destination == destination)).first() is None:
                db.execute(insert(_TO).values(destination=destination, first=first))

    def next_for(self, destination: str) -> SignedAnchor | None:
        """The one that comes next there; none while it waits for its signature."""
        with self._spoken(), self._engine.connect() as db:
            begin = self._begin(db, destination)
            row = db.execute(select(_MADE).where(_MADE.c.number >= begin).order_by(_MADE.c.number).limit(1)).first()
        return _kept(row).signed if row else None

    def sent(self, destination: str, number: int, receipt: bytes, now: datetime) -> None:
        values = {"destination": destination, "number": number, "at": now}
        try:
            with self._engine.begin() as db:
                db.execute(insert(_SENT).values(**values, receipt=base64.b64encode(receipt).decode()))
        except IntegrityError:  # another server has sent it too
            return
        except SQLAlchemyError as error:
            raise StoreError("That an anchor was sent cannot be kept at the moment.") from error

    def delivery(self, destination: str) -> Delivery:
        mine = _SENT.c.destination == destination
        with self._spoken(), self._engine.connect() as db:
            # What is named is read first: an anchor that arrives meanwhile is then counted, and none is strange for it.
            named = db.execute(select(func.max(_SENT.c.number)).where(mine)).scalar_one() or 0
            first = db.execute(select(_TO.c.first).where(_TO.c.destination == destination)).scalar_one_or_none() or 1
            begin, end = self._begin(db, destination), self._end(db)
            last = db.execute(select(_SENT.c.number, _SENT.c.at).where(mine & (_SENT.c.number == begin - 1))).first()
            waits = (_MADE.c.number >= begin) & (_MADE.c.signature != "")
            count, oldest = db.execute(select(func.count(), func.min(_MADE.c.made)).where(waits)).one()
        strange = max(named if named >= begin else 0, first if first > max(end, 1) else 0)
        return Delivery(last[0] if last else 0, last[1] if last else None, count, oldest, strange)

    def _end(self, db: Connection) -> int:
        return int(db.execute(select(func.max(_MADE.c.number))).scalar_one() or 0)

    def _begin(self, db: Connection, destination: str) -> int:
        """The number of the first anchor that did not arrive there; they go in order."""
        end = self._end(db)
        first = db.execute(select(_TO.c.first).where(_TO.c.destination == destination)).scalar_one_or_none() or 1
        first = first if first <= max(end, 1) else 1
        arrived = (_SENT.c.destination == destination) & (_SENT.c.number >= first) & (_SENT.c.number <= end)
        count, last = db.execute(select(func.count(), func.max(_SENT.c.number)).where(arrived)).one()
        if not count or last - first + 1 == count:
            return int(last or first - 1) + 1
        there = select(_SENT.c.number).where((_SENT.c.destination == destination) & (_SENT.c.number == _MADE.c.number))
        gap = select(func.min(_MADE.c.number)).where((_MADE.c.number >= first) & ~there.exists())
        return int(db.execute(gap).scalar_one() or end + 1)

    @contextmanager
    def _spoken(self) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            raise StoreError("The anchors cannot be read or kept at the moment.") from error


def _kept(row: Sequence[object]) -> Kept:
    _, body, key, signature, stamped_at = row
    assert isinstance(stamped_at, datetime)
    return Kept(Anchor.of_json(json.loads(str(body))), str(key), str(signature), stamped_at)
