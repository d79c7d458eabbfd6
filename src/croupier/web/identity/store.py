"""What signing in needs and no ledger should keep: PINs (argon2), sessions, failed tries. It may be thrown away.

On SQLite it is a file of its own beside the books, so that nobody who signs in waits for a wager to be written.
Who is enrolled, with which card and in which role, stands in the site's book alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock

from sqlalchemy import (
    Column,
    DateTime,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.store.store import StoreError

# Where the server keeps what is not in the books: on SQLite a file beside them, on PostgreSQL tables of their own.


def engine_beside(url: str, suffix: str, *, survives_power: bool = True) -> Engine:
    """On SQLite the file of the books with this suffix, so that nobody waits for a wager to be written.

    What only has to survive the server, and not a failure of the power, is written without waiting for the disk.
    """
    if url.startswith("sqlite:"):
        engine = create_engine(f"{url}{suffix}", connect_args={"timeout": 10, "check_same_thread": False})

        @event.listens_for(engine, "connect")
        def _(connection: object, _: object) -> None:
            connection.execute("PRAGMA journal_mode=WAL")  # type: ignore[attr-defined]
            if not survives_power:
                connection.execute("PRAGMA synchronous=NORMAL")  # type: ignore[attr-defined]

        return engine
    rest = url.partition("://")[2]
    return create_engine(f"postgresql+psycopg://{rest}", pool_size=5, max_overflow=10, pool_pre_ping=True)


class MadeLater:
    """Tables beside the books that are made when they are first used, by servers that may begin together."""

    def __init__(self, url: str, suffix: str, tables: MetaData) -> None:
        self._url, self._suffix, self._tables = url, suffix, tables
        self._made: Engine | None = None
        self._making = Lock()

    @property
    def _engine(self) -> Engine:
        with self._making:
            if self._made is None:
                engine = engine_beside(self._url, self._suffix, survives_power=False)
                try:
                    try:
                        self._make_tables(engine)
                    except SQLAlchemyError:  # the other server was first
                        self._make_tables(engine)
                except BaseException:
                    engine.dispose()
                    raise
                self._made = engine
            return self._made

    def _make_tables(self, engine: Engine) -> None:
        self._tables.create_all(engine)

    def close(self) -> None:
        if self._made is not None:
            self._made.dispose()


MAKING = 0x616363657373
"""The advisory lock of those who make the tables: "access" in ASCII."""
NONE, OWN, GIVEN = 0, 1, 2
"""With which PIN somebody has signed in."""
_META = MetaData()
_PINS = Table(
    "access_pins",
    _META,
    Column("person", String(64), primary_key=True),
    Column("hash", String(200), nullable=False),
    Column("set_at", DateTime, nullable=False),
)
_GIVEN = Table("access_pins_given", _META, Column("person", String(64), primary_key=True))
"""Whose PIN was set by somebody else: it counts for nothing but choosing another."""
_WAITING = Table(
    "access_pins_waiting",
    _META,
    Column("person", String(64), primary_key=True),
    Column("command", String(64), nullable=False),
    Column("hash", String(200), nullable=False),
)
"""PINs that count as soon as the site's book has the act that sets them."""
_FIRST = Table("access_first_code", _META, Column("code", String(64), primary_key=True))
_SESSIONS = Table(
    "access_sessions",
    _META,
    Column("token_hash", String(64), primary_key=True),
    Column("person", String(64), nullable=False),
    Column("device", String(64), nullable=False),
    Column("console", Integer, nullable=False),
    Column("card", String(64), nullable=False),
    Column("began", DateTime, nullable=False),
    Column("ends", DateTime, nullable=False),
)
_FAILURES = Table(
    "access_failures",
    _META,
    Column("who", String(100), primary_key=True),
    Column("tries", Integer, nullable=False),
    Column("last", DateTime, nullable=False),
)


@dataclass(frozen=True)
class Session:
    """Somebody who has signed in."""

    token_hash: str
    person: str
    device: str
    """Where; empty for a console."""
    console: bool
    """With a PIN of one's own, for office work; without one, for what a card alone may do."""
    card: str
    """The hash of the card that counted then: another card ends the session."""
    began: datetime
    ends: datetime
    given: bool = False
    """With a PIN that somebody else has set: as with the card alone, and for choosing another PIN."""


class AccessStore:
    """PINs, sessions and failures, on SQLite or PostgreSQL."""

    def __init__(self, url: str) -> None:
        self._engine = engine_beside(url, ".access")
        try:
            with self._errors(), self._engine.begin() as db:
                if db.dialect.name == "postgresql":  # servers that start at the same time make the tables one by one
                    db.execute(select(func.pg_advisory_xact_lock(MAKING)))
                _META.create_all(db)
        except BaseException:
            self.close()
            raise

    # PINs

    def pin(self, person: str) -> str | None:
        with self._errors(), self._engine.connect() as db:
            return db.execute(select(_PINS.c.hash).where(_PINS.c.person == person)).scalar_one_or_none()

    def all_pins(self) -> dict[str, str]:
        """The hashes by person, for a backup that is told to take them."""
        with self._errors(), self._engine.connect() as db:
            return {row[0]: row[1] for row in db.execute(select(_PINS.c.person, _PINS.c.hash))}

    def set_pin(self, person: str, hashed: str, now: datetime, *, given: bool = False) -> None:
        """`given` where somebody else has set it: both at once, so that it never counts as chosen."""
        with self._errors(), self._engine.begin() as db:
            for table in (_PINS, _GIVEN):
                db.execute(delete(table).where(table.c.person == person))
            db.execute(insert(_PINS).values(person=person, hash=hashed, set_at=now))
            if given:
                db.execute(insert(_GIVEN).values(person=person))

    def is_given(self, person: str) -> bool:
        """Whether somebody else has set the PIN that counts now."""
        return person in self.all_given()

    def all_given(self) -> list[str]:
        with self._errors(), self._engine.connect() as db:
            return sorted(row[0] for row in db.execute(select(_GIVEN.c.person)))

    def keep_aside(self, person: str, command: str, hashed: str) -> None:
        """A PIN that does not count yet; whatever waited before is forgotten."""
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_WAITING).where(_WAITING.c.person == person))
            db.execute(insert(_WAITING).values(person=person, command=command, hash=hashed))

    def waiting(self, person: str, command: str) -> str | None:
        """The hash that waits for this act to be on the book."""
        mine = (_WAITING.c.person == person) & (_WAITING.c.command == command)
        with self._errors(), self._engine.connect() as db:
            return db.execute(select(_WAITING.c.hash).where(mine)).scalar_one_or_none()

    def all_waiting(self) -> list[tuple[str, str]]:
        """Person and act of every PIN that waits."""
        with self._errors(), self._engine.connect() as db:
            return [(row[0], row[1]) for row in db.execute(select(_WAITING.c.person, _WAITING.c.command))]

    def forget_waiting(self, person: str) -> None:
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_WAITING).where(_WAITING.c.person == person))

    # The one-time code of the first start

    def first_code(self) -> str:
        """It counts until the first manager has signed in; nothing afterwards."""
        with self._errors(), self._engine.connect() as db:
            return db.execute(select(_FIRST.c.code)).scalar_one_or_none() or ""

    def keep_first_code(self, code: str) -> str:
        """The code of an empty site: the one that is there, or this one from now on."""
        found = self.first_code()
        if not found:
            with self._errors(), self._engine.begin() as db:
                db.execute(insert(_FIRST).values(code=code))
        return found or code

    # Sessions

    def begin(self, session: Session) -> None:
        with self._errors(), self._engine.begin() as db:
            if session.console:  # somebody has a card and a PIN: the first start is over for good
                db.execute(delete(_FIRST))
            db.execute(delete(_SESSIONS).where(_SESSIONS.c.ends < session.began - timedelta(days=1)))
            values = {name: value for name, value in vars(session).items() if name != "given"}
            db.execute(insert(_SESSIONS).values(**values | {"console": _with_pin(session)}))

    def session(self, token_hash: str) -> Session | None:
        """As it stands, unless it was ended."""
        with self._errors(), self._engine.connect() as db:
            row = db.execute(select(_SESSIONS).where(_SESSIONS.c.token_hash == token_hash)).mappings().first()
        if row is None:
            return None
        return Session(**{**row, "console": row["console"] == OWN, "given": row["console"] == GIVEN})

    def extend(self, token_hash: str, ends: datetime) -> None:
        with self._errors(), self._engine.begin() as db:
            db.execute(update(_SESSIONS).where(_SESSIONS.c.token_hash == token_hash).values(ends=ends))

    def end(self, token_hash: str) -> None:
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_SESSIONS).where(_SESSIONS.c.token_hash == token_hash))

    def end_all(self, person: str) -> None:
        """Everywhere, as after a new PIN."""
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_SESSIONS).where(_SESSIONS.c.person == person))

    # Failed tries

    def failures(self, who: str) -> tuple[int, datetime] | None:
        with self._errors(), self._engine.connect() as db:
            row = db.execute(select(_FAILURES.c.tries, _FAILURES.c.last).where(_FAILURES.c.who == who)).one_or_none()
        return (row[0], row[1]) if row else None

    def count_failure(self, who: str, now: datetime, forgotten: timedelta) -> int:
        """How many there are with this one; after a quiet time they are forgotten, whoever's they are."""
        mine, first = _FAILURES.c.who == who, {"tries": 1, "last": now}
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_FAILURES).where(_FAILURES.c.last < now - forgotten))
            more = update(_FAILURES).where(mine).values(tries=_FAILURES.c.tries + 1, last=now)
            if not db.execute(more).rowcount:
                try:
                    with db.begin_nested():
                        db.execute(insert(_FAILURES).values(who=who, **first))
                except IntegrityError:  # another server was first
                    db.execute(more)
            return int(db.execute(select(_FAILURES.c.tries).where(mine)).scalar_one())

    def forgive(self, who: str) -> None:
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_FAILURES).where(_FAILURES.c.who == who))

    def close(self) -> None:
        self._engine.dispose()

    def _errors(self) -> _Errors:
        return _Errors()


def _with_pin(session: Session) -> int:
    return OWN if session.console else GIVEN if session.given else NONE


class _Errors:
    """Whatever the database says is an error that the server can tell."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, SQLAlchemyError):
            raise StoreError("The store of sessions cannot be used at the moment.") from error


def utc() -> datetime:
    """Without a zone, as it is stored."""
    return datetime.now(UTC).replace(tzinfo=None)
