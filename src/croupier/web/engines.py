"""Where the server keeps what is not in the books: on SQLite a file beside them, on PostgreSQL tables of their own."""

from __future__ import annotations

from threading import Lock

from sqlalchemy import Engine, MetaData, create_engine, event
from sqlalchemy.exc import SQLAlchemyError


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
                        self._tables.create_all(engine)
                    except SQLAlchemyError:  # the other server was first
                        self._tables.create_all(engine)
                except BaseException:
                    engine.dispose()
                    raise
                self._made = engine
            return self._made

    def close(self) -> None:
        if self._made is not None:
            self._made.dispose()
