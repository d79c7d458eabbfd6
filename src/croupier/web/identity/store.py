"""What signing in needs and no ledger should keep: PINs (argon2), sessions, failed tries. It may be thrown away.

On SQLite it is a file of its own beside the books, so that nobody who signs in waits for a wager to be written.
Who is enrolled, with which card and in which role, stands in the site's book alone.

Every row that lets somebody in is sealed: an HMAC over all that it says, with the site's secret and with the session
key, which is kept elsewhere. A row without its seal is nobody's. What an older version left unsealed is sealed by the
one start that makes the session key, and by none after it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Engine,
    Integer,
    MetaData,
    RowMapping,
    String,
    Table,
    create_engine,
    delete,
    event,
    false,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.compliance.authority import SiteKey
from croupier.errors import CroupierError
from croupier.files import of_sqlite
from croupier.store.sqlite_files import file_at
from croupier.store.store import StoreError, without_password
from croupier.web.settings import SessionKey

# Where the server keeps what is not in the books: on SQLite a file beside them, on PostgreSQL tables of their own.


def engine_beside(url: str, suffix: str, *, survives_power: bool = True) -> Engine:
    """On SQLite the file of the books with this suffix, so that nobody waits for a wager to be written.

    What only has to survive the server, and not a failure of the power, is written without waiting for the disk.
    """
    if of_sqlite(url):
        engine = create_engine(f"{url}{suffix}", connect_args={"timeout": 10, "check_same_thread": False})

        @event.listens_for(engine, "connect")
        def _(connection: object, _: object) -> None:
            connection.execute("PRAGMA journal_mode=WAL")  # type: ignore[attr-defined]
            connection.execute("PRAGMA secure_delete=ON")  # type: ignore[attr-defined]
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

    def make(self) -> list[str]:
        """Now, by somebody who may: the names of the tables."""
        assert self._engine is not None
        return sorted(self._tables.tables)

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
_SEAL = Table(
    "access_seal",
    _META,
    Column("one", Integer, primary_key=True),
    Column("mark", String(64), nullable=False),
    Column("at", DateTime, nullable=False),
)
"""With which keys the rows are sealed, in a digest that tells nothing of them; one row."""
_PINS = Table(
    "access_sealed_pins",
    _META,
    Column("person", String(64), primary_key=True),
    Column("hash", String(200), nullable=False),
    Column("set_at", DateTime, nullable=False),
    Column("given", Integer, nullable=False),
    Column("seal", String(64), nullable=False),
)
"""`given` is of a PIN that was set by somebody else: it counts for nothing but choosing another."""
_WAITING = Table(
    "access_sealed_waiting",
    _META,
    Column("person", String(64), primary_key=True),
    Column("command", String(64), nullable=False),
    Column("hash", String(200), nullable=False),
    Column("key", String(500), nullable=False),
    Column("seal", String(64), nullable=False),
)
"""PINs that count as soon as the site's book has the act that sets them; `key` is what the book gets to know of one."""
_OLD_PINS = Table(
    "access_pins",
    _META,
    Column("person", String(64), primary_key=True),
    Column("hash", String(200), nullable=False),
    Column("set_at", DateTime, nullable=False),
)
_OLD_GIVEN = Table("access_pins_given", _META, Column("person", String(64), primary_key=True))
_OLD_WAITING = Table(
    "access_pins_waiting",
    _META,
    Column("person", String(64), primary_key=True),
    Column("command", String(64), nullable=False),
    Column("hash", String(200), nullable=False),
)
"""Rows of earlier versions, which sealed nothing. What they had of sessions is not looked at any more."""
_FIRST = Table("access_first_code", _META, Column("code", String(64), primary_key=True))
"""The code of an empty site, and what its first card is made from. Whoever reads this file then is the first manager
anyway; once somebody has signed in, no row here does anything."""
_SESSIONS = Table(
    "access_sealed_sessions",
    _META,
    Column("token_hash", String(64), primary_key=True),
    Column("person", String(64), nullable=False),
    Column("device", String(64), nullable=False),
    Column("console", Integer, nullable=False),
    Column("card", String(64), nullable=False),
    Column("began", DateTime, nullable=False),
    Column("ends", DateTime, nullable=False),
    Column("seal", String(64), nullable=False),
)
_TOLD = Table(
    "access_told",
    _META,
    Column("number", Integer, primary_key=True),
    Column("id", String(64), nullable=False),
    Column("at", DateTime, nullable=False),
    Column("event", String(20), nullable=False),
    Column("person", String(64), nullable=False),
    Column("how", String(64), nullable=False),
    Column("why", String(64), nullable=False),
    Column("where", String(64), nullable=False),
    Column("session", String(16), nullable=False),
    Column("times", Integer, nullable=False),
    Column("by", String(64), nullable=False),
    Column("seal", String(64), nullable=False),
)
"""What the site's book is still to be told of who came in and who did not."""
_FAILURES = Table(
    "access_failures",
    _META,
    Column("who", String(100), primary_key=True),
    Column("tries", Integer, nullable=False),
    Column("last", DateTime, nullable=False),
)


@dataclass(frozen=True)
class SignedInSession:
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


@dataclass(frozen=True)
class Pin:
    """What is kept of a person's PIN."""

    person: str
    hash: str
    set_at: datetime
    given: bool
    """Whether somebody else has set it."""


@dataclass(frozen=True)
class Waiting:
    """A PIN that does not count yet."""

    person: str
    command: str
    """The act that sets it."""
    hash: str
    key: str = ""
    """The key to agree with that is noted with it, as JSON; none for a PIN that somebody else sets."""


@dataclass(frozen=True)
class Told:
    """Who came in or did not, until the site's book has it."""

    id: str
    at: datetime
    event: str
    person: str
    how: str
    why: str
    where: str
    session: str
    times: int = 1
    by: str = ""
    """Who ended another person's session; else the program itself notes it."""


class OtherSessionKey(CroupierError):
    """The rows were sealed with another key than this one, or by none."""


@dataclass(frozen=True)
class Seal:
    """Who may write a row: whoever has the site's secret and the session key."""

    secret: bytes = field(repr=False)

    @classmethod
    def of(cls, key: SiteKey, session: SessionKey) -> Seal:
        return cls(hmac.new(session.secret, b"access\n" + key.secret, hashlib.sha256).digest())

    def on(self, what: str, *values: object) -> str:
        """Over what a row or a ticket is and all that it says."""
        text = json.dumps([what, *(str(value) if isinstance(value, datetime) else value for value in values)])
        return hmac.digest(self.secret, text.encode(), "sha256").hex()

    def is_on(self, seal: str, what: str, *values: object) -> bool:
        return hmac.compare_digest(seal.encode(), self.on(what, *values).encode())


def make_access_tables(url: str) -> list[str]:
    """Make the tables of people's access where they are missing, as their owner does; their names."""
    engine = engine_beside(url, ".access")
    try:
        _make_tables(engine)
    finally:
        engine.dispose()
    return sorted(_META.tables)


def _make_tables(engine: Engine) -> None:
    with engine.begin() as db:
        if db.dialect.name == "postgresql":  # servers that start at the same time make the tables one by one
            db.execute(select(func.pg_advisory_xact_lock(MAKING)))
        _META.create_all(db)


class AccessStore:
    """PINs, sessions and failures, on SQLite or PostgreSQL. `sealed` names those whose PINs this start has sealed."""

    def __init__(self, url: str, key: SiteKey, session: SessionKey, *, anew: bool = False, seals: bool = True) -> None:
        """`anew` where the key that sealed the rows is lost: they are thrown away, PINs and all. Without `seals`, what
        an earlier version left is refused: its server may still be running."""
        self.seal = Seal.of(key, session)
        self.sealed: list[str] = []
        self._engine = engine_beside(url, ".access")
        database = self._engine.url.database
        self._file = Path(database) if of_sqlite(url) and database else None
        try:
            with self._errors():
                _make_tables(self._engine)
            with self._errors(), self._engine.begin() as db:
                if db.dialect.name == "postgresql":
                    db.execute(select(func.pg_advisory_xact_lock(MAKING)))
                db.execute(update(_SEAL).where(false()).values(one=1))  # on SQLite, whoever is first goes on
                self._begin(db, url, session, anew=anew, seals=seals)
            session.keep()
            self._file_at = (0, 0) if self._file is None else file_at(self._file)
        except BaseException:
            self.close()
            raise

    def _begin(self, db: Connection, url: str, session: SessionKey, *, anew: bool, seals: bool) -> None:
        """Refuse the rows of another key, and rows that nobody has sealed unless the key is new."""
        mark, there = self.seal.on("mark"), db.execute(select(_SEAL.c.mark)).scalar_one_or_none()
        if there is not None and hmac.compare_digest(there, mark):
            return
        if anew:
            for table in (_SEAL, _PINS, _WAITING, _SESSIONS, _TOLD, _OLD_PINS, _OLD_GIVEN, _OLD_WAITING):
                db.execute(delete(table))
        elif there is not None:
            session.forget()
            raise _other_key(url, session)
        old, waiting = (db.execute(select(table)).mappings().all() for table in (_OLD_PINS, _OLD_WAITING))
        unsealed = sorted({row["person"] for row in (*old, *waiting)})
        if unsealed and not seals:
            session.forget()
            raise OtherSessionKey(
                f"The PINs in {without_password(url)} are from an earlier version, which sealed none: start the site's "
                "server once, which seals them."
            )
        if unsealed and not session.is_new:
            raise OtherSessionKey(
                f"The PINs of {', '.join(unsealed)} in {without_password(url)} are from an "
                f"earlier version, which sealed none, and the session key {session.path} was there before this start. "
                "If they are right, name a file that is not there yet with {session_key}: it is made, and seals them.",
                fields=["session_key"],
            )
        given = set(db.execute(select(_OLD_GIVEN.c.person)).scalars())
        for row in old:
            self._put_pin(db, Pin(**row, given=row["person"] in given))
        for row in waiting:
            self._put_waiting(db, Waiting(**row))
        for table in (_OLD_PINS, _OLD_GIVEN, _OLD_WAITING):
            db.execute(delete(table))
        db.execute(insert(_SEAL).values(one=1, mark=mark, at=utc()))
        self.sealed = sorted(row["person"] for row in old)

    # PINs

    def pin(self, person: str) -> Pin | None:
        """As it was sealed; nothing where there is none, or somebody else has written it."""
        return next(iter(self.all_pins(person)), None)

    def all_pins(self, of: str | None = None) -> list[Pin]:
        """Of everybody, as a backup takes them if it is told to; or of one."""
        asked = select(_PINS).order_by(_PINS.c.person)
        with self._errors(), self._engine.connect() as db:
            rows = db.execute(asked if of is None else asked.where(_PINS.c.person == of)).mappings().all()
        pins = [(Pin(row["person"], row["hash"], row["set_at"], bool(row["given"])), row["seal"]) for row in rows]
        return [pin for pin, seal in pins if self.seal.is_on(seal, "pin", *_values(pin))]

    def set_pin(self, person: str, hashed: str, now: datetime, *, given: bool = False) -> None:
        """`given` where somebody else has set it."""
        with self._errors(), self._engine.begin() as db:
            self._put_pin(db, Pin(person, hashed, now, given))

    def _put_pin(self, db: Connection, pin: Pin) -> None:
        db.execute(delete(_PINS).where(_PINS.c.person == pin.person))
        seal = self.seal.on("pin", *_values(pin))
        db.execute(insert(_PINS).values(**{**vars(pin), "given": int(pin.given)}, seal=seal))

    def is_given(self, person: str) -> bool:
        """Whether somebody else has set the PIN that counts now."""
        pin = self.pin(person)
        return pin is not None and pin.given

    def keep_aside(self, waiting: Waiting) -> None:
        """Whatever waited before for the person is forgotten."""
        with self._errors(), self._engine.begin() as db:
            self._put_waiting(db, waiting)

    def _put_waiting(self, db: Connection, waiting: Waiting) -> None:
        db.execute(delete(_WAITING).where(_WAITING.c.person == waiting.person))
        db.execute(insert(_WAITING).values(**vars(waiting), seal=self.seal.on("waiting", *_values(waiting))))

    def waiting(self, person: str, command: str) -> Waiting | None:
        """What waits for this act to be on the book."""
        return next(
            (waiting for waiting in self.all_waiting() if (waiting.person, waiting.command) == (person, command)), None
        )

    def all_waiting(self) -> list[Waiting]:
        with self._errors(), self._engine.connect() as db:
            rows = [dict(row) for row in db.execute(select(_WAITING)).mappings()]
        rows_read = [(row.pop("seal"), Waiting(**row)) for row in rows]
        return [waiting for seal, waiting in rows_read if self.seal.is_on(seal, "waiting", *_values(waiting))]

    def forget_waiting(self, person: str) -> None:
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_WAITING).where(_WAITING.c.person == person))

    # The one-time code of the first start

    def first_code(self) -> str:
        """It counts until the first manager has signed in; nothing afterwards."""
        return self.first_secret().partition(".")[0]

    def first_secret(self) -> str:
        """The code, and what was never printed beside it: gone when the first manager has signed in."""
        with self._errors(), self._engine.connect() as db:
            return db.execute(select(_FIRST.c.code)).scalar_one_or_none() or ""

    def keep_first_code(self, code: str) -> str:
        """The code of an empty site: the one that is there, or this one from now on."""
        first_code = self.first_code()
        if not first_code:
            with self._errors(), self._engine.begin() as db:
                db.execute(insert(_FIRST).values(code=f"{code}.{secrets.token_hex(16)}"))
        return first_code or code

    # Sessions

    def begin(self, session: SignedInSession) -> None:
        with self._errors(), self._engine.begin() as db:
            if session.console:  # somebody has a card and a PIN: the first start is over for good
                db.execute(delete(_FIRST))
            values = {name: value for name, value in vars(session).items() if name != "given"}
            sealed = {"console": _with_pin(session), "seal": self._session_seal(session)}
            db.execute(insert(_SESSIONS).values(**values | sealed))

    def _session_seal(self, session: SignedInSession) -> str:
        return self.seal.on("session", *_values(session))

    def check_in_place(self) -> None:
        """Refuse to go on with a file that was removed or replaced: what is open still answers from the old one."""
        if self._file is not None and file_at(self._file) != self._file_at:
            raise StoreError(
                f"The file of the sessions and PINs, {self._file.name}, was removed or replaced under the server. "
                "Put it back; without it a start makes an empty one, in which nobody has a PIN."
            )

    def session(self, token_hash: str) -> SignedInSession | None:
        """As it stands, unless it was ended; one that no server of the site has written is nobody's."""
        with self._errors(), self._engine.connect() as db:
            row = db.execute(select(_SESSIONS).where(_SESSIONS.c.token_hash == token_hash)).mappings().first()
        return self._sealed(row) if row is not None else None

    def all_sessions(self, person: str | None = None) -> list[SignedInSession]:
        """Of everybody or of one, over or not, as they began."""
        asked = select(_SESSIONS).order_by(_SESSIONS.c.began)
        with self._errors(), self._engine.connect() as db:
            rows = db.execute(asked if person is None else asked.where(_SESSIONS.c.person == person)).mappings().all()
        return [session for session in map(self._sealed, rows) if session is not None]

    def _sealed(self, row: RowMapping) -> SignedInSession | None:
        values = {name: value for name, value in row.items() if name != "seal"}
        session = SignedInSession(**{**values, "console": row["console"] == OWN, "given": row["console"] == GIVEN})
        return session if hmac.compare_digest(row["seal"].encode(), self._session_seal(session).encode()) else None

    def extend(self, session: SignedInSession) -> None:
        """To its new end."""
        mine, seal = _SESSIONS.c.token_hash == session.token_hash, self._session_seal(session)
        with self._errors(), self._engine.begin() as db:
            db.execute(update(_SESSIONS).where(mine).values(ends=session.ends, seal=seal))

    def end(self, token_hash: str, told: Told | None = None) -> bool:
        """Whether it was there; and what the book is told of it, in one commit."""
        with self._errors(), self._engine.begin() as db:
            was_there = bool(db.execute(delete(_SESSIONS).where(_SESSIONS.c.token_hash == token_hash)).rowcount)
            if was_there and told is not None:
                self._put_told(db, told)
            return was_there

    # What the book is to be told

    def keep_told(self, told: Told) -> None:
        with self._errors(), self._engine.begin() as db:
            self._put_told(db, told)

    def _put_told(self, db: Connection, told: Told) -> None:
        db.execute(insert(_TOLD).values(**vars(told), seal=self.seal.on("told", *_values(told))))

    def all_told(self) -> list[Told]:
        """In order; what nobody of the site has written is left aside."""
        with self._errors(), self._engine.connect() as db:
            rows = [dict(row) for row in db.execute(select(_TOLD).order_by(_TOLD.c.number)).mappings()]
        rows_read = [(row.pop("seal"), row.pop("number"), Told(**row)) for row in rows]
        return [told for seal, _, told in rows_read if self.seal.is_on(seal, "told", *_values(told))]

    def forget_told(self, id: str) -> None:
        with self._errors(), self._engine.begin() as db:
            db.execute(delete(_TOLD).where(_TOLD.c.id == id))

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


def _values(record: Pin | Waiting | SignedInSession | Told) -> Sequence[Any]:
    return list(vars(record).values())


def _other_key(url: str, session: SessionKey) -> OtherSessionKey:
    why = f"is not at {session.path}" if session.is_new else f"is another one than {session.path}"
    return OtherSessionKey(
        f"The key that sessions and PINs in {without_password(url)} are sealed with {why}: name it with "
        "{session_key} FILE. Every server of a site has the same one. Where it is lost, croupier pin NAME "
        "{new_session_key} begins with a new one, and all other PINs count no more.",
        fields=["session_key", "new_session_key"],
    )


def _with_pin(session: SignedInSession) -> int:
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
