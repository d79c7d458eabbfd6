"""Where the plots of all time go on from after a restart: a link's sampled meters, beside the books, no part of them.

What is kept names the entry that it was read to, with its digest: a book that says something else there is read anew.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Column, Integer, LargeBinary, MetaData, String, Table, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from croupier.web.engines import MadeLater
from croupier.web.history import MeterHistory, Point

SUFFIX = ".history"
KEEP_EVERY = 5_000
"""Entries: so many are read again after a restart at most."""

_META = MetaData()
_KEPT = Table(
    "meter_history",
    _META,
    Column("link", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("body", LargeBinary, nullable=False),
)


class _Body(msgspec.Struct):
    levels: tuple[str, ...]
    units: dict[str, int]
    fine: list[Point]
    coarse: list[Point]


_write = msgspec.msgpack.Encoder().encode
_read = msgspec.msgpack.Decoder(_Body).decode


class HistoryStore(MadeLater):
    """Made when it is first used, on SQLite or PostgreSQL. It only saves time: what fails is read from the book."""

    def __init__(self, url: str) -> None:
        super().__init__(url, SUFFIX, _META)

    def take_up(self, link: str, history: MeterHistory) -> str:
        """Put what is kept of a link in a history that has read nothing yet; the digest of its last entry, or none."""
        try:
            with self._engine.connect() as db:
                row = db.execute(select(_KEPT).where(_KEPT.c.link == link)).first()
            if row is None or (body := _read(row.body)).levels != history.levels:
                return ""
        except (SQLAlchemyError, msgspec.MsgspecError):
            return ""
        history.go_on(row.number, body.units, body.fine, body.coarse)
        return str(row.digest)

    def keep(self, link: str, history: MeterHistory, digest: str) -> None:
        body = _write(_Body(history.levels, history.units, history.fine, history.coarse))
        try:
            with self._engine.begin() as db:
                db.execute(delete(_KEPT).where(_KEPT.c.link == link))
                db.execute(insert(_KEPT).values(link=link, number=history.number, digest=digest, body=body))
        except SQLAlchemyError:  # another server was first, or there is no room: it is read from the book again
            return
