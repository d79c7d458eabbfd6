"""Where the server keeps what is not in the books: on SQLite a file beside them, on PostgreSQL tables of their own."""

from __future__ import annotations

from sqlalchemy import Engine, create_engine, event


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
