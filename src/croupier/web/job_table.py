"""Jobs that count for somebody: what each is about, how far it is, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Column,
    DateTime,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    delete,
    insert,
    select,
    update,
)

from croupier.web.play_base import LONGEST_COMMAND, META, Kept, StoreErrors

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
