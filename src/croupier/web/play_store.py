"""Rounds that are played over the network, and jobs that count for somebody: neither touches any money.

A round is the record it was opened with, which holds the sealed shoe, and its acts in the engine's own text. An act is
there with the id that the client made, or it is not: so a round goes on after a crash exactly where it was, and an act
that is sent again is found. Several servers may share the store: the act's number in its round is taken once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Column,
    ColumnElement,
    DateTime,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.errors import NotationError
from croupier.progressive.store import StoreError
from croupier.web.engines import engine_beside

SUFFIX = ".rounds"
LONGEST_COMMAND = 64
NOBODY = "from "
"""Begins the owner's name where nobody has signed in."""

_META = MetaData()
_ROUNDS = Table(
    "play_rounds",
    _META,
    Column("id", String(40), primary_key=True),
    Column("owner", String(120), nullable=False),
    Column("command", String(LONGEST_COMMAND), nullable=False),
    Column("asked", Text, nullable=False),
    Column("record", Text, nullable=False),
    Column("seeded", Integer, nullable=False),
    Column("over", Integer, nullable=False),
    Column("opened", DateTime, nullable=False),
    Column("touched", DateTime, nullable=False),
    UniqueConstraint("owner", "command"),
    Index("play_rounds_touched", "touched"),
)
_ACTS = Table(
    "play_acts",
    _META,
    Column("round", String(40), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("command", String(LONGEST_COMMAND), nullable=False),
    Column("said", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("at", DateTime, nullable=False),
)
_JOBS = Table(
    "play_jobs",
    _META,
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
_NOBODYS = _ROUNDS.c.owner.startswith(NOBODY)


class Taken(Exception):
    """Somebody else was first: look again."""


@dataclass(frozen=True)
class RoundRow:
    """A round as it was opened."""

    id: str
    owner: str
    command: str
    asked: str
    record: str
    seeded: bool
    opened: datetime


@dataclass(frozen=True)
class ActRow:
    """An act that was done."""

    number: int
    command: str
    said: str
    act: str


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


def check_command(command: str) -> None:
    """The id that a client made, before any store is asked for it."""
    if not command.isprintable():
        raise NotationError(f"An id has 1 to {LONGEST_COMMAND} printable characters, not {command[:70]!r}.")


def _check_storable(text: str) -> None:
    if "\0" in text:  # which PostgreSQL has no way to keep
        raise NotationError(f"An act is written without the character NUL, not as {text[:70]!r}.")


class PlayStore:
    """Rounds and jobs, on SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._engine = engine_beside(url, SUFFIX, survives_power=False)
        try:
            self._make_tables()
        except (Taken, StoreError):  # two servers that begin together: the other one was first
            self._make_tables()

    def _make_tables(self) -> None:
        with _Errors():
            _META.create_all(self._engine)

    def close(self) -> None:
        self._engine.dispose()

    # Rounds

    def open_round(self, row: RoundRow) -> None:
        """Keep a new round; `Taken` where its owner has sent this id before."""
        values = {**vars(row), "seeded": int(row.seeded), "over": 0, "touched": row.opened}
        with _Errors(), self._engine.begin() as db:
            db.execute(insert(_ROUNDS).values(**values))

    def round(self, id_: str) -> RoundRow | None:
        return self._round(_ROUNDS.c.id == id_)

    def round_opened_by(self, owner: str, command: str) -> RoundRow | None:
        return self._round(and_(_ROUNDS.c.owner == owner, _ROUNDS.c.command == command))

    def _round(self, where: object) -> RoundRow | None:
        kept = [_ROUNDS.c[name] for name in RoundRow.__dataclass_fields__]
        with _Errors(), self._engine.connect() as db:
            row = db.execute(select(*kept).where(where)).mappings().one_or_none()  # type: ignore[arg-type]
        return RoundRow(**{**row, "seeded": bool(row["seeded"])}) if row else None

    def unfinished(self, owner: str) -> int:
        """How many rounds of this owner are not over; of all who have not signed in for `NOBODY`."""
        whose = _NOBODYS if owner == NOBODY else _ROUNDS.c.owner == owner
        with _Errors(), self._engine.connect() as db:
            found = db.execute(select(func.count()).select_from(_ROUNDS).where(whose, _ROUNDS.c.over == 0))
            return int(found.scalar_one())

    def acts(self, id_: str) -> list[ActRow]:
        """A round's acts in their order."""
        kept = [_ACTS.c[name] for name in ActRow.__dataclass_fields__]
        with _Errors(), self._engine.connect() as db:
            rows = db.execute(select(*kept).where(_ACTS.c.round == id_).order_by(_ACTS.c.number)).mappings().all()
        return [ActRow(**row) for row in rows]

    def append(self, id_: str, acts: list[ActRow], now: datetime, *, over: bool) -> None:
        """All of these acts or none; `Taken` where another has the number of one of them."""
        rows = [{"round": id_, **vars(act), "at": now} for act in acts]
        for act in acts:
            _check_storable(act.said + act.act)
        with _Errors(), self._engine.begin() as db:
            db.execute(insert(_ACTS), rows)
            db.execute(update(_ROUNDS).where(_ROUNDS.c.id == id_).values(over=int(over), touched=now))

    def forget_rounds(self, nobodys_before: datetime, before: datetime) -> None:
        """Rounds that nobody has touched since."""
        self._forget(or_(and_(_NOBODYS, _ROUNDS.c.touched < nobodys_before), _ROUNDS.c.touched < before))

    def forget_left(self, before: datetime) -> None:
        """Unfinished rounds of those who have not signed in, and have not touched them since."""
        self._forget(and_(_NOBODYS, _ROUNDS.c.over == 0, _ROUNDS.c.touched < before))

    def forget_oldest(self, most: int) -> None:
        """Of those who have not signed in, all but so many."""
        last = select(_ROUNDS.c.touched).where(_NOBODYS).order_by(_ROUNDS.c.touched.desc()).offset(most).limit(1)
        with _Errors(), self._engine.connect() as db:
            found = db.execute(last).scalar_one_or_none()
        if found is not None:
            self._forget(and_(_NOBODYS, _ROUNDS.c.touched <= found))

    def _forget(self, where: ColumnElement[bool]) -> None:
        with _Errors(), self._engine.begin() as db:
            ids = list(db.execute(select(_ROUNDS.c.id).where(where)).scalars())
            for first in range(0, len(ids), 500):
                some = ids[first : first + 500]
                db.execute(delete(_ACTS).where(_ACTS.c.round.in_(some)))
                db.execute(delete(_ROUNDS).where(_ROUNDS.c.id.in_(some)))

    # Jobs

    def add_job(self, row: JobRow) -> None:
        """Keep a new job; `Taken` where its owner has sent this id before."""
        with _Errors(), self._engine.begin() as db:
            db.execute(insert(_JOBS).values(**{**vars(row), "cancel": int(row.cancel)}))

    def job(self, id_: str) -> JobRow | None:
        return self._job(_JOBS.c.id == id_)

    def job_asked_by(self, owner: str, command: str) -> JobRow | None:
        return self._job(and_(_JOBS.c.owner == owner, _JOBS.c.command == command))

    def _job(self, where: object) -> JobRow | None:
        with _Errors(), self._engine.connect() as db:
            row = db.execute(select(_JOBS).where(where)).mappings().one_or_none()  # type: ignore[arg-type]
        return JobRow(**{**row, "cancel": bool(row["cancel"])}) if row else None

    def change_job(self, id_: str, now: datetime, **values: object) -> None:
        with _Errors(), self._engine.begin() as db:
            db.execute(update(_JOBS).where(_JOBS.c.id == id_).values(**values, touched=now))

    def ask_to_cancel(self, id_: str) -> None:
        """Whoever works on it looks here; that it still works is for it alone to write."""
        with _Errors(), self._engine.begin() as db:
            db.execute(update(_JOBS).where(_JOBS.c.id == id_).values(cancel=1))

    def forget_jobs(self, before: datetime) -> None:
        with _Errors(), self._engine.begin() as db:
            db.execute(delete(_JOBS).where(_JOBS.c.touched < before))


class _Errors:
    """Whatever the database says is an error that the server can tell."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, IntegrityError):
            raise Taken from error
        if isinstance(error, SQLAlchemyError):
            raise StoreError("The store of rounds and jobs cannot be used at the moment.") from error
