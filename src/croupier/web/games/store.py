"""What the games keep beside the books: rounds with their acts, and jobs.

None of it touches money. A round is the record it was opened with, which holds the sealed shoe, and its acts in the
engine's own text. An act is there with the id that the client made, or it is not: so a round goes on after a crash
exactly where it was, and an act that is sent again is found. Several servers may share the store: the act's number in
its round is taken once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    DateTime,
    Engine,
    Index,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    delete,
    func,
    insert,
    inspect,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.schema import CreateColumn

from croupier.errors import NotationError
from croupier.store.store import StoreError
from croupier.web.identity.store import MadeLater

SUFFIX = ".rounds"
LONGEST_COMMAND = 64


class Taken(Exception):
    """Somebody else was first: look again."""


class Gone(Exception):
    """The round has been forgotten meanwhile."""


class ShoeSpent(Exception):
    """Nothing more is dealt from this shoe at this place: it was opened, or has gone on from there."""


def check_command(command: str) -> None:
    """The id that a client made, before any store is asked for it."""
    if not command.isprintable():
        raise NotationError(f"An id has 1 to {LONGEST_COMMAND} printable characters, not {command[:70]!r}.")


class Database(MadeLater):
    """Tables beside the books, where servers of an earlier version may have left some without a column.

    What the database refuses because it is there already is `Taken`; whatever else it says is a `StoreError`.
    """

    def __init__(
        self, url: str, suffix: str, tables: MetaData, title: str, added: Collection[Column[object]] = ()
    ) -> None:
        super().__init__(url, suffix, tables)
        self._title, self._added = title, added
        """`added` are columns that stores of the first servers do not have."""

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with self._errors(), self._engine.connect() as db:
            yield db

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Everything that is done with it, or nothing."""
        with self._errors(), self._engine.begin() as db:
            yield db

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except IntegrityError as error:
            raise Taken from error
        except SQLAlchemyError as error:
            raise StoreError(f"The store of {self._title} cannot be used at the moment.") from error

    def _make_tables(self, engine: Engine) -> None:
        super()._make_tables(engine)
        with engine.begin() as db:
            for column in self._added:
                table = column.table.name
                if column.name not in {there["name"] for there in inspect(db).get_columns(table)}:
                    db.execute(text(f"ALTER TABLE {table} ADD COLUMN {CreateColumn(column)}"))
            for altered in {column.table for column in self._added}:
                for index in altered.indexes:  # which may be of a column that was added
                    index.create(db, checkfirst=True)


# Rounds

_PLAY = MetaData()
NOBODY = "from "
"""Begins the owner's name where nobody has signed in."""

ROUNDS = Table(
    "play_rounds",
    _PLAY,
    Column("id", String(40), primary_key=True),
    Column("owner", String(120), nullable=False),
    Column("command", String(LONGEST_COMMAND), nullable=False),
    Column("asked", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("seeded", Integer, nullable=False),
    Column("over", Integer, nullable=False),
    Column("opened", DateTime, nullable=False),
    Column("touched", DateTime, nullable=False),
    Column("done", Integer, nullable=False, server_default="0"),
    Column("size", Integer, nullable=False, server_default="0"),
    Column("player", String(64), nullable=False, server_default=""),
    Column("shoe", String(64), nullable=False, server_default=""),
    Column("revealed", Integer, nullable=False, server_default="0"),
    Column("followed", Integer, nullable=False, server_default="1"),
    Column("previous", String(40), nullable=False, server_default=""),
    Column("watched", Integer, nullable=False, server_default="0"),
    UniqueConstraint("owner", "command"),
    Index("play_rounds_touched", "touched"),
    Index("play_rounds_of_shoe", "shoe"),
    Index("play_rounds_after", "previous"),
    Index("play_rounds_of_player", "owner", "player", "opened"),
)
_ACTS = Table(
    "play_acts",
    _PLAY,
    Column("round", String(40), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("command", String(LONGEST_COMMAND), nullable=False),
    Column("said", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("at", DateTime, nullable=False),
)
_ADDED = ("done", "size", "player", "shoe", "revealed", "followed", "previous", "watched")
ADDED = tuple(ROUNDS.c[name] for name in _ADDED)
"""Columns that stores of earlier servers do not have. Their rounds count as followed: who knows whether they were.
Nobody watches them."""
_NOBODYS = ROUNDS.c.owner.startswith(NOBODY)
_UNFINISHED = and_(ROUNDS.c.over == 0, ROUNDS.c.done > 0)
"""A round in which nothing was done yet is no more than a table that somebody looks at."""
ROW_BYTES = 100
"""What the database needs for a row beside its texts, about."""


@dataclass(frozen=True)
class RoundRow:
    """A round as it was opened."""

    id: str
    owner: str
    command: str
    asked: str
    """The digest of what was asked for."""
    record: str
    seeded: bool
    opened: datetime
    player: str = ""
    """Opened without signing in: the digest of the opener's token. Earlier servers kept none."""
    shoe: str = ""
    """The commitment of its shoe. Earlier servers kept none, and dealt each round from a shoe of its own."""
    previous: str = ""
    """The round of the same player that it was opened after."""


@dataclass(frozen=True)
class ActRow:
    """An act that was done."""

    number: int
    command: str
    said: str
    """The digest of the request, with the first of its acts: it only has to be known again."""
    act: str

    @property
    def size(self) -> int:
        return ROW_BYTES + len(self.command) + len(self.said) + len(self.act.encode(errors="replace"))


def _check_storable(text: str) -> None:
    if "\0" in text:  # which PostgreSQL has no way to keep
        raise NotationError(f"An act is written without the character NUL, not as {text[:70]!r}.")


class RoundStore:
    """Rounds and their acts."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def open_round(self, row: RoundRow, after: str = "") -> None:
        """Keep a new round; `Taken` where its owner has sent this id before.

        Where it is dealt from the shoe of the round `after`, on from there, that round is marked: it is followed once,
        whatever is forgotten later. `ShoeSpent`, and nothing kept, where it was followed or the shoe was opened. A
        table that others may watch stays one.
        """
        size = ROW_BYTES + len(row.asked) + len(row.record.encode())
        values = {**vars(row), "seeded": int(row.seeded), "over": 0, "touched": row.opened, "size": size, "followed": 0}
        with self.database.write() as db:
            if after:
                _hold(db, row.shoe)
                same = ROUNDS.c.shoe == row.shoe
                opened = db.execute(select(ROUNDS.c.id).where(same, ROUNDS.c.revealed == 1).limit(1)).first()
                last = and_(ROUNDS.c.id == after, same, ROUNDS.c.followed == 0)
                if opened or db.execute(update(ROUNDS).where(last).values(followed=1)).rowcount != 1:
                    raise ShoeSpent
            there = ROUNDS.alias()
            watched = select(there.c.watched).where(there.c.id == row.previous).scalar_subquery()
            db.execute(insert(ROUNDS).values(**values, watched=func.coalesce(watched, 0)))

    def round(self, id_: str) -> RoundRow | None:
        return self._round(ROUNDS.c.id == id_)

    def round_opened_by(self, owner: str, command: str) -> RoundRow | None:
        return self._round(and_(ROUNDS.c.owner == owner, ROUNDS.c.command == command))

    def _round(self, where: object) -> RoundRow | None:
        kept = [ROUNDS.c[name] for name in RoundRow.__dataclass_fields__]
        with self.database.read() as db:
            row = db.execute(select(*kept).where(where)).mappings().one_or_none()  # type: ignore[arg-type]
        return RoundRow(**{**row, "seeded": bool(row["seeded"])}) if row else None

    def is_revealed(self, id_: str) -> bool:
        """Whether the shoe of this round was opened."""
        with self.database.read() as db:
            return bool(db.execute(select(ROUNDS.c.revealed).where(ROUNDS.c.id == id_)).scalar_one_or_none())

    def reveal(self, shoe: str) -> bool:
        """The shoe is opened, and nothing is dealt from it any more; not while a round from it goes on.

        A table at which nobody has bet is no round yet, and comes to none.
        """
        same = ROUNDS.c.shoe == shoe
        try:
            with self.database.write() as db:
                _hold(db, shoe)
                db.execute(update(ROUNDS).where(same).values(revealed=1))
                if db.execute(select(ROUNDS.c.id).where(same, _UNFINISHED).limit(1)).first():
                    raise ShoeSpent
        except ShoeSpent:
            return False
        return True

    def unfinished(self, owner: str) -> int:
        """How many rounds of this owner are not over; of all who have not signed in for `NOBODY`."""
        whose = _NOBODYS if owner == NOBODY else ROUNDS.c.owner == owner
        with self.database.read() as db:
            count = db.execute(select(func.count()).select_from(ROUNDS).where(whose, _UNFINISHED))
            return int(count.scalar_one())

    def unfinished_ids(self, owner: str, most: int) -> list[str]:
        """The rounds of this owner that are not over, the last one touched first."""
        mine = select(ROUNDS.c.id).where(ROUNDS.c.owner == owner, _UNFINISHED)
        with self.database.read() as db:
            return list(db.execute(mine.order_by(ROUNDS.c.touched.desc()).limit(most)).scalars())

    def over_ids(self, owner: str, player: str, most: int) -> list[str]:
        """The rounds that they have played to the end, the last one first."""
        whose = and_(_NOBODYS, ROUNDS.c.player == player) if owner.startswith(NOBODY) else ROUNDS.c.owner == owner
        mine = select(ROUNDS.c.id).where(whose, ROUNDS.c.over == 1)
        with self.database.read() as db:
            return list(db.execute(mine.order_by(ROUNDS.c.touched.desc()).limit(most)).scalars())

    def let_watch(self, id_: str, *, watched: bool) -> None:
        """Whether others may follow the player from this round on."""
        with self.database.write() as db:
            db.execute(update(ROUNDS).where(ROUNDS.c.id == id_).values(watched=int(watched)))

    def next_watched(self, id_: str) -> str | None:
        """The last round that was opened after this one, where this one may be watched on."""
        this, then = ROUNDS.alias(), ROUNDS.alias()
        both = and_(then.c.previous == this.c.id, this.c.watched == 1)
        newest = select(then.c.id).join(this, both).where(this.c.id == id_).order_by(then.c.opened.desc()).limit(1)
        with self.database.read() as db:
            return db.execute(newest).scalar_one_or_none()

    def acts(self, id_: str) -> list[ActRow]:
        """A round's acts in their order; `Gone` where there is no such round any more."""
        kept = [_ACTS.c[name] for name in ActRow.__dataclass_fields__]
        both = ROUNDS.outerjoin(_ACTS, _ACTS.c.round == ROUNDS.c.id)
        asked = select(*kept).select_from(both).where(ROUNDS.c.id == id_).order_by(_ACTS.c.number)
        with self.database.read() as db:
            rows = db.execute(asked).mappings().all()
        if not rows:
            raise Gone
        return [ActRow(**row) for row in rows if row["number"] is not None]

    def append(self, id_: str, acts: list[ActRow], now: datetime, *, over: bool) -> None:
        """All of these acts or none; `Taken` where another has the number of one of them.

        `ShoeSpent` where the round's shoe was opened before it began.
        """
        rows = [{"round": id_, **vars(act), "at": now} for act in acts]
        for act in acts:
            _check_storable(act.act)
        more = {"done": ROUNDS.c.done + len(acts), "size": ROUNDS.c.size + sum(act.size for act in acts)}
        with self.database.write() as db:
            sealed = and_(ROUNDS.c.id == id_, ROUNDS.c.revealed == 0)
            changed = db.execute(update(ROUNDS).where(sealed).values(over=int(over), touched=now, **more))
            if changed.rowcount != 1:
                there = db.execute(select(ROUNDS.c.id).where(ROUNDS.c.id == id_)).first()
                raise ShoeSpent if there else Gone
            db.execute(insert(_ACTS), rows)

    def forget_rounds(self, nobodys_before: datetime, before: datetime) -> None:
        """Rounds that nobody has touched since."""
        self._forget(or_(and_(_NOBODYS, ROUNDS.c.touched < nobodys_before), ROUNDS.c.touched < before))

    def forget_left(self, before: datetime) -> None:
        """Unfinished rounds of those who have not signed in, and have not touched them since."""
        self._forget(and_(_NOBODYS, ROUNDS.c.over == 0, ROUNDS.c.touched < before))

    def forget_longest_left(self, owner: str, before: datetime) -> bool:
        """The oldest unfinished round of this owner, if it was not touched since; whether there was one."""
        mine = select(ROUNDS.c.id).where(ROUNDS.c.owner == owner, _UNFINISHED, ROUNDS.c.touched < before)
        oldest = mine.order_by(ROUNDS.c.touched).limit(1).scalar_subquery()
        return self._forget(and_(ROUNDS.c.id == oldest, ROUNDS.c.touched < before)) > 0

    def forget_unused(self, owner: str, most: int) -> None:
        """Of this owner's rounds in which nothing was done, all but the last so many."""
        unused = and_(ROUNDS.c.owner == owner, ROUNDS.c.over == 0, ROUNDS.c.done == 0)
        self._forget_before(unused, select(ROUNDS.c.touched).where(unused), most)

    def forget_oldest(self, most: int, most_bytes: int) -> None:
        """Of those who have not signed in, all but so many, and all but so many bytes."""
        self._forget_before(_NOBODYS, select(ROUNDS.c.touched).where(_NOBODYS), most)
        newest_first = func.sum(ROUNDS.c.size).over(order_by=ROUNDS.c.touched.desc())
        summed = select(ROUNDS.c.touched, newest_first.label("sum")).where(_NOBODYS).subquery()
        self._forget_before(_NOBODYS, select(summed.c.touched).where(summed.c.sum > most_bytes), 0)

    def _forget_before(self, which: ColumnElement[bool], touched: Select[tuple[datetime]], most: int) -> None:
        """Of these rounds, all that are not younger than the one after so many."""
        last = touched.order_by(touched.selected_columns[0].desc()).offset(most).limit(1)
        with self.database.read() as db:
            last_touched = db.execute(last).scalar_one_or_none()
        if last_touched is not None:
            self._forget(and_(which, ROUNDS.c.touched <= last_touched))

    def _forget(self, where: ColumnElement[bool]) -> int:
        """The rounds first: whoever appends to one of them meanwhile waits, and is told that it is gone."""
        with self.database.write() as db:
            ids = list(db.execute(delete(ROUNDS).where(where).returning(ROUNDS.c.id)).scalars())
            for first in range(0, len(ids), 500):
                db.execute(delete(_ACTS).where(_ACTS.c.round.in_(ids[first : first + 500])))
        return len(ids)


def _hold(db: Connection, shoe: str) -> None:
    """Until the end of the transaction, nobody else opens the shoe or goes on with it. Before anything is read."""
    db.execute(update(ROUNDS).where(ROUNDS.c.shoe == shoe).values(shoe=ROUNDS.c.shoe))


# Jobs that count for somebody

_JOBS = Table(
    "play_jobs",
    _PLAY,
    Column("id", String(40), primary_key=True),
    Column("owner", String(120), nullable=False),
    Column("command", String(LONGEST_COMMAND), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("asked", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("progress", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("cancel", Integer, nullable=False),
    Column("made", DateTime, nullable=False),
    Column("touched", DateTime, nullable=False),
    UniqueConstraint("owner", "command"),
)


@dataclass(frozen=True)
class JobRow:
    """A job, as whoever works on it last wrote it down. The texts are JSON."""

    id: str
    owner: str
    command: str
    kind: str
    asked: str
    state: str
    progress: str
    result: str
    sentence: str
    cancel: bool
    made: datetime
    touched: datetime


class JobStore:
    """Jobs: what each is about, how far it is, and what came of it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_job(self, row: JobRow) -> None:
        """Keep a new job; `Taken` where its owner has sent this id before."""
        with self._database.write() as db:
            db.execute(insert(_JOBS).values(**{**vars(row), "cancel": int(row.cancel)}))

    def job(self, id_: str) -> JobRow | None:
        return self._job(_JOBS.c.id == id_)

    def job_asked_by(self, owner: str, command: str) -> JobRow | None:
        return self._job(and_(_JOBS.c.owner == owner, _JOBS.c.command == command))

    def _job(self, where: object) -> JobRow | None:
        with self._database.read() as db:
            row = db.execute(select(_JOBS).where(where)).mappings().one_or_none()  # type: ignore[arg-type]
        return JobRow(**{**row, "cancel": bool(row["cancel"])}) if row else None

    def change_job(self, id_: str, now: datetime, **values: object) -> None:
        with self._database.write() as db:
            db.execute(update(_JOBS).where(_JOBS.c.id == id_).values(**values, touched=now))

    def ask_to_cancel(self, id_: str) -> None:
        """Whoever works on it looks here; that it still works is for it alone to write."""
        with self._database.write() as db:
            db.execute(update(_JOBS).where(_JOBS.c.id == id_).values(cancel=1))

    def forget_jobs(self, before: datetime) -> None:
        with self._database.write() as db:
            db.execute(delete(_JOBS).where(_JOBS.c.touched < before))


def play_database(url: str) -> Database:
    """Where rounds and jobs are kept."""
    return Database(url, SUFFIX, _PLAY, "rounds and jobs", added=ADDED)
