"""Rounds that are played over the network: they touch no money.

A round is the record it was opened with, which holds the sealed shoe, and its acts in the engine's own text. An act is
there with the id that the client made, or it is not: so a round goes on after a crash exactly where it was, and an act
that is sent again is found. Several servers may share the store: the act's number in its round is taken once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Column,
    ColumnElement,
    DateTime,
    Engine,
    Index,
    Integer,
    MetaData,
    ScalarSelect,
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
from croupier.store import StoreError
from croupier.training.lesson import Grade
from croupier.web.errors import ApiError
from croupier.web.identity.store import MadeLater, engine_beside

# What the tables of rounds, jobs and visits have in common: where they are, and what is told of their errors.

SUFFIX = ".rounds"
LONGEST_COMMAND = 64
META = MetaData()


class Taken(Exception):
    """Somebody else was first: look again."""


def check_command(command: str) -> None:
    """The id that a client made, before any store is asked for it."""
    if not command.isprintable():
        raise NotationError(f"An id has 1 to {LONGEST_COMMAND} printable characters, not {command[:70]!r}.")


class Kept:
    """A part of the store, on the engine of the whole."""

    _engine: Engine


class StoreErrors:
    """Whatever the database says is an error that the server can tell."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, IntegrityError):
            raise Taken from error
        if isinstance(error, SQLAlchemyError):
            raise StoreError("The store of rounds and jobs cannot be used at the moment.") from error


# Jobs that count for somebody: what each is about, how far it is, and what came of it.

JOBS = Table(
    "play_jobs",
    META,
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


class JobTable(Kept):
    def add_job(self, row: JobRow) -> None:
        """Keep a new job; `Taken` where its owner has sent this id before."""
        with StoreErrors(), self._engine.begin() as db:
            db.execute(insert(JOBS).values(**{**vars(row), "cancel": int(row.cancel)}))

    def job(self, id_: str) -> JobRow | None:
        return self._job(JOBS.c.id == id_)

    def job_asked_by(self, owner: str, command: str) -> JobRow | None:
        return self._job(and_(JOBS.c.owner == owner, JOBS.c.command == command))

    def _job(self, where: object) -> JobRow | None:
        with StoreErrors(), self._engine.connect() as db:
            row = db.execute(select(JOBS).where(where)).mappings().one_or_none()  # type: ignore[arg-type]
        return JobRow(**{**row, "cancel": bool(row["cancel"])}) if row else None

    def change_job(self, id_: str, now: datetime, **values: object) -> None:
        with StoreErrors(), self._engine.begin() as db:
            db.execute(update(JOBS).where(JOBS.c.id == id_).values(**values, touched=now))

    def ask_to_cancel(self, id_: str) -> None:
        """Whoever works on it looks here; that it still works is for it alone to write."""
        with StoreErrors(), self._engine.begin() as db:
            db.execute(update(JOBS).where(JOBS.c.id == id_).values(cancel=1))

    def forget_jobs(self, before: datetime) -> None:
        with StoreErrors(), self._engine.begin() as db:
            db.execute(delete(JOBS).where(JOBS.c.touched < before))


# How people did in the dealer's school: a line for each lesson that somebody who has signed in finished.
#
# It is no part of the books. Whoever trains without signing in keeps the results in the browser.

TRAINING_SUFFIX = ".training"
MOST_KEPT = 500
"""Of one person and game: the oldest go first."""

_META = MetaData()
_RESULTS = Table(
    "training_results",
    _META,
    Column("person", String(120), primary_key=True),
    Column("command", String(LONGEST_COMMAND), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("at", DateTime, nullable=False),
    Column("seed", String(40), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("right_at_once", Integer, nullable=False),
    Column("mistakes", Text, nullable=False),
    Column("ms", Integer, nullable=False),
    Index("training_results_of", "person", "game", "at"),
)


@dataclass(frozen=True)
class Result:
    """One lesson that somebody finished."""

    game: str
    at: datetime
    seed: str
    seats: int
    grade: Grade
    ms: int


class TrainingStore(MadeLater):
    """Made when it is first used, on SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        super().__init__(url, TRAINING_SUFFIX, _META)

    def keep(self, person: str, command: str, result: Result) -> None:
        """Once for each id that the client made; sent with another lesson, the id is refused."""
        check_command(command)
        grade, game = result.grade, result.game
        values: dict[str, object] = {"person": person, "command": command, "game": game, "at": result.at}
        values |= {"seed": result.seed, "seats": result.seats, "ms": result.ms}
        values |= {"steps": grade.steps, "right_at_once": grade.right, "mistakes": json.dumps(dict(grade.mistakes))}
        try:
            with self._engine.begin() as db:
                db.execute(insert(_RESULTS).values(**values))
                db.execute(delete(_RESULTS).where(_of(person, game), _RESULTS.c.at < _oldest(person, game)))
        except IntegrityError:
            if not self._is_kept({key: value for key, value in values.items() if key != "at"}):
                sentence = f"The id {command!r} was sent with another lesson: make a new one."
                raise ApiError(409, "id-used", sentence) from None
        except SQLAlchemyError as error:
            raise StoreError("The store of training results cannot be used at the moment.") from error

    def _is_kept(self, values: dict[str, object]) -> bool:
        """Whether it was sent before."""
        same = and_(*(_RESULTS.c[key] == value for key, value in values.items()))
        try:
            with self._engine.connect() as db:
                return db.execute(select(_RESULTS.c.person).where(same)).first() is not None
        except SQLAlchemyError as error:
            raise StoreError("The store of training results cannot be used at the moment.") from error

    def results(self, person: str, game: str) -> list[Result]:
        """The oldest first."""
        try:
            with self._engine.connect() as db:
                rows = db.execute(select(_RESULTS).where(_of(person, game)).order_by(_RESULTS.c.at)).mappings().all()
        except SQLAlchemyError as error:
            raise StoreError("The store of training results cannot be used at the moment.") from error
        return [
            Result(
                row["game"],
                row["at"],
                row["seed"],
                row["seats"],
                Grade(row["steps"], row["right_at_once"], json.loads(row["mistakes"])),
                row["ms"],
            )
            for row in rows
        ]


def _of(person: str, game: str) -> ColumnElement[bool]:
    return and_(_RESULTS.c.person == person, _RESULTS.c.game == game)


def _oldest(person: str, game: str) -> ScalarSelect[datetime]:
    """Of those that are kept."""
    newest = select(_RESULTS.c.at).where(_of(person, game)).order_by(_RESULTS.c.at.desc()).limit(MOST_KEPT).subquery()
    return select(newest.c.at).order_by(newest.c.at).limit(1).scalar_subquery()


# Visits of the demo: rounds whose progressive wagers its dealers enter at the link, each once.
#
# They are kept beside the rounds, so that nobody is dealt twice, or forgotten, when the server starts again.

VISITS = Table(
    "play_visits",
    META,
    Column("round", String(40), primary_key=True),
    Column("seats", Text, nullable=False),
    Column("won", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("dealt_at", Integer),
    Column("awards", Text, nullable=False),
    Column("made", DateTime, nullable=False),
)


@dataclass(frozen=True)
class VisitRow:
    """A visit as it stands. The texts are JSON."""

    round: str
    seats: str
    won: str
    state: str
    dealt_at: int | None
    awards: str
    made: datetime


class VisitTable(Kept):
    def add_visit(self, row: VisitRow) -> None:
        """`Taken` where the round is there already."""
        with StoreErrors(), self._engine.begin() as db:
            db.execute(insert(VISITS).values(**vars(row)))

    def visit(self, round_: str) -> VisitRow | None:
        with StoreErrors(), self._engine.connect() as db:
            row = db.execute(select(VISITS).where(VISITS.c.round == round_)).mappings().one_or_none()
        return VisitRow(**row) if row else None

    def visits(self, *states: str) -> list[VisitRow]:
        """Those in one of these states, the oldest first."""
        wanted = select(VISITS).where(VISITS.c.state.in_(states)).order_by(VISITS.c.made, VISITS.c.round)
        with StoreErrors(), self._engine.connect() as db:
            return [VisitRow(**row) for row in db.execute(wanted).mappings()]

    def change_visit(self, round_: str, **values: object) -> None:
        with StoreErrors(), self._engine.begin() as db:
            db.execute(update(VISITS).where(VISITS.c.round == round_).values(**values))


NOBODY = "from "
"""Begins the owner's name where nobody has signed in."""

_ROUNDS = Table(
    "play_rounds",
    META,
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
    UniqueConstraint("owner", "command"),
    Index("play_rounds_touched", "touched"),
)
_ACTS = Table(
    "play_acts",
    META,
    Column("round", String(40), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("command", String(LONGEST_COMMAND), nullable=False),
    Column("said", Text, nullable=False),
    Column("act", Text, nullable=False),
    Column("at", DateTime, nullable=False),
)
_ADDED = (_ROUNDS.c.done, _ROUNDS.c.size, _ROUNDS.c.player)
"""Since the first servers: how many acts were done, about how many bytes all of it takes, and which browser plays."""
_NOBODYS = _ROUNDS.c.owner.startswith(NOBODY)
_UNFINISHED = and_(_ROUNDS.c.over == 0, _ROUNDS.c.done > 0)
"""A round in which nothing was done yet is no more than a table that somebody looks at."""
ROW_BYTES = 100
"""What the database needs for a row beside its texts, about."""


class Gone(Exception):
    """The round has been forgotten meanwhile."""


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


class PlayStore(JobTable, VisitTable):
    """Rounds, jobs and the demo's visits, on SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._engine = engine_beside(url, SUFFIX, survives_power=False)
        try:
            try:
                self._make_tables()
            except (Taken, StoreError):  # two servers that begin together: the other one was first
                self._make_tables()
        except BaseException:
            self.close()
            raise

    def _make_tables(self) -> None:
        with StoreErrors():
            META.create_all(self._engine)
            there = {each["name"] for each in inspect(self._engine).get_columns(_ROUNDS.name)}
            with self._engine.begin() as db:
                for column in _ADDED:
                    if column.name not in there:
                        db.execute(text(f"ALTER TABLE {_ROUNDS.name} ADD COLUMN {CreateColumn(column)}"))

    def close(self) -> None:
        self._engine.dispose()

    # Rounds

    def open_round(self, row: RoundRow) -> None:
        """Keep a new round; `Taken` where its owner has sent this id before."""
        size = ROW_BYTES + len(row.asked) + len(row.record.encode())
        values = {**vars(row), "seeded": int(row.seeded), "over": 0, "touched": row.opened, "size": size}
        with StoreErrors(), self._engine.begin() as db:
            db.execute(insert(_ROUNDS).values(**values))

    def round(self, id_: str) -> RoundRow | None:
        return self._round(_ROUNDS.c.id == id_)

    def round_opened_by(self, owner: str, command: str) -> RoundRow | None:
        return self._round(and_(_ROUNDS.c.owner == owner, _ROUNDS.c.command == command))

    def _round(self, where: object) -> RoundRow | None:
        kept = [_ROUNDS.c[name] for name in RoundRow.__dataclass_fields__]
        with StoreErrors(), self._engine.connect() as db:
            row = db.execute(select(*kept).where(where)).mappings().one_or_none()  # type: ignore[arg-type]
        return RoundRow(**{**row, "seeded": bool(row["seeded"])}) if row else None

    def unfinished(self, owner: str) -> int:
        """How many rounds of this owner are not over; of all who have not signed in for `NOBODY`."""
        whose = _NOBODYS if owner == NOBODY else _ROUNDS.c.owner == owner
        with StoreErrors(), self._engine.connect() as db:
            found = db.execute(select(func.count()).select_from(_ROUNDS).where(whose, _UNFINISHED))
            return int(found.scalar_one())

    def unfinished_ids(self, owner: str, most: int) -> list[str]:
        """The rounds of this owner that are not over, the last one touched first."""
        mine = select(_ROUNDS.c.id).where(_ROUNDS.c.owner == owner, _UNFINISHED)
        with StoreErrors(), self._engine.connect() as db:
            return list(db.execute(mine.order_by(_ROUNDS.c.touched.desc()).limit(most)).scalars())

    def acts(self, id_: str) -> list[ActRow]:
        """A round's acts in their order; `Gone` where there is no such round any more."""
        kept = [_ACTS.c[name] for name in ActRow.__dataclass_fields__]
        both = _ROUNDS.outerjoin(_ACTS, _ACTS.c.round == _ROUNDS.c.id)
        asked = select(*kept).select_from(both).where(_ROUNDS.c.id == id_).order_by(_ACTS.c.number)
        with StoreErrors(), self._engine.connect() as db:
            rows = db.execute(asked).mappings().all()
        if not rows:
            raise Gone
        return [ActRow(**row) for row in rows if row["number"] is not None]

    def append(self, id_: str, acts: list[ActRow], now: datetime, *, over: bool) -> None:
        """All of these acts or none; `Taken` where another has the number of one of them."""
        rows = [{"round": id_, **vars(act), "at": now} for act in acts]
        for act in acts:
            _check_storable(act.act)
        more = {"done": _ROUNDS.c.done + len(acts), "size": _ROUNDS.c.size + sum(act.size for act in acts)}
        with StoreErrors(), self._engine.begin() as db:
            changed = db.execute(update(_ROUNDS).where(_ROUNDS.c.id == id_).values(over=int(over), touched=now, **more))
            if changed.rowcount != 1:
                raise Gone
            db.execute(insert(_ACTS), rows)

    def forget_rounds(self, nobodys_before: datetime, before: datetime) -> None:
        """Rounds that nobody has touched since."""
        self._forget(or_(and_(_NOBODYS, _ROUNDS.c.touched < nobodys_before), _ROUNDS.c.touched < before))

    def forget_left(self, before: datetime) -> None:
        """Unfinished rounds of those who have not signed in, and have not touched them since."""
        self._forget(and_(_NOBODYS, _ROUNDS.c.over == 0, _ROUNDS.c.touched < before))

    def forget_longest_left(self, owner: str, before: datetime) -> bool:
        """The oldest unfinished round of this owner, if it was not touched since; whether there was one."""
        mine = select(_ROUNDS.c.id).where(_ROUNDS.c.owner == owner, _UNFINISHED, _ROUNDS.c.touched < before)
        oldest = mine.order_by(_ROUNDS.c.touched).limit(1).scalar_subquery()
        return self._forget(and_(_ROUNDS.c.id == oldest, _ROUNDS.c.touched < before)) > 0

    def forget_unused(self, owner: str, most: int) -> None:
        """Of this owner's rounds in which nothing was done, all but the last so many."""
        unused = and_(_ROUNDS.c.owner == owner, _ROUNDS.c.over == 0, _ROUNDS.c.done == 0)
        self._forget_before(unused, select(_ROUNDS.c.touched).where(unused), most)

    def forget_oldest(self, most: int, most_bytes: int) -> None:
        """Of those who have not signed in, all but so many, and all but so many bytes."""
        self._forget_before(_NOBODYS, select(_ROUNDS.c.touched).where(_NOBODYS), most)
        newest_first = func.sum(_ROUNDS.c.size).over(order_by=_ROUNDS.c.touched.desc())
        summed = select(_ROUNDS.c.touched, newest_first.label("sum")).where(_NOBODYS).subquery()
        self._forget_before(_NOBODYS, select(summed.c.touched).where(summed.c.sum > most_bytes), 0)

    def _forget_before(self, which: ColumnElement[bool], touched: Select[tuple[datetime]], most: int) -> None:
        """Of these rounds, all that are not younger than the one after so many."""
        last = touched.order_by(touched.selected_columns[0].desc()).offset(most).limit(1)
        with StoreErrors(), self._engine.connect() as db:
            found = db.execute(last).scalar_one_or_none()
        if found is not None:
            self._forget(and_(which, _ROUNDS.c.touched <= found))

    def _forget(self, where: ColumnElement[bool]) -> int:
        """The rounds first: whoever appends to one of them meanwhile waits, and is told that it is gone."""
        with StoreErrors(), self._engine.begin() as db:
            ids = list(db.execute(delete(_ROUNDS).where(where).returning(_ROUNDS.c.id)).scalars())
            for first in range(0, len(ids), 500):
                some = ids[first : first + 500]
                db.execute(delete(_ACTS).where(_ACTS.c.round.in_(some)))
                db.execute(delete(VISITS).where(VISITS.c.round.in_(some)))
        return len(ids)
