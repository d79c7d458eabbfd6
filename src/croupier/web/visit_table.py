"""Visits of the demo: rounds whose progressive wagers its dealers enter at the link, each once.

They are kept beside the rounds, so that nobody is dealt twice, or forgotten, when the server starts again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, DateTime, Integer, String, Table, Text, insert, select, update

from croupier.web.play_base import META, Kept, StoreErrors

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
