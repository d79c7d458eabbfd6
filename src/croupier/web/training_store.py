"""How people did in the dealer's school: a line for each lesson that somebody who has signed in finished.

It is no part of the books. Whoever trains without signing in keeps the results in the browser.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Column,
    ColumnElement,
    DateTime,
    Index,
    Integer,
    MetaData,
    ScalarSelect,
    String,
    Table,
    Text,
    and_,
    delete,
    insert,
    select,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.progressive.store import StoreError
from croupier.training.lesson import Grade
from croupier.web.engines import MadeLater
from croupier.web.errors import ApiError
from croupier.web.play_base import LONGEST_COMMAND, check_command

SUFFIX = ".training"
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
        super().__init__(url, SUFFIX, _META)

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
