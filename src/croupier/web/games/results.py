"""What the dealer's school keeps: how people who have signed in did in lessons and drills.

No part of the books. Who trains without signing in keeps them in the browser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
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
    func,
    insert,
    select,
)

from croupier.training.lesson import Grade
from croupier.web.errors import ApiError
from croupier.web.games.store import LONGEST_COMMAND, Database, Taken, check_command

SUFFIX = ".training"
MOST_KEPT = 500
"""Of one person, game and drill: the oldest go first."""
LATELY = 5
"""Whole rounds that say how somebody deals by now."""

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
    Column("drill", String(64), nullable=False, server_default=""),
    Column("in_time", Integer, nullable=False, server_default="0"),
    Index("training_results_of", "person", "game", "at"),
)
ADDED = (_RESULTS.c.drill, _RESULTS.c.in_time)
"""Columns that stores of earlier servers do not have: theirs are all of whole rounds."""


@dataclass(frozen=True)
class Result:
    """One lesson that somebody finished, or one drill."""

    game: str
    at: datetime
    seed: str
    seats: int
    grade: Grade
    ms: int
    drill: str = ""
    """Which one; none of a whole round."""
    in_time: bool = False
    """Whether it was against the clock: then as many were answered as the time allowed."""


@dataclass(frozen=True)
class Done:
    """What somebody has done of one kind: whole rounds of a game, or one of its drills."""

    times: int
    steps: int
    right: int
    """Questions that were answered rightly at once."""
    last: datetime
    best: int
    """Of one that was against the clock, the most that were right at once."""


@dataclass(frozen=True)
class Progress:
    """How somebody stands in one game."""

    rounds: Done | None = None
    drills: Mapping[tuple[str, bool], Done] = field(default_factory=dict)
    """By drill, and whether it was against the clock."""
    lately: tuple[tuple[int, int], ...] = ()
    """Of the last whole rounds, the oldest first: how many questions were right at once, and of how many."""

    @property
    def all(self) -> tuple[Done, ...]:
        return (*((self.rounds,) if self.rounds else ()), *self.drills.values())

    @property
    def questions(self) -> int:
        return sum(done.steps for done in self.all)

    @property
    def right(self) -> int:
        return sum(done.right for done in self.all)

    @property
    def last(self) -> datetime:
        return max(done.last for done in self.all)


def training_database(url: str) -> Database:
    return Database(url, SUFFIX, _META, "training results", added=ADDED)


class TrainingStore:
    """A line for each lesson and each drill that somebody finished."""

    def __init__(self, url: str) -> None:
        self._database = training_database(url)

    def close(self) -> None:
        self._database.close()

    def keep(self, person: str, command: str, result: Result) -> None:
        """Once for each id that the client made; sent with another lesson, the id is refused."""
        check_command(command)
        grade, same_kind = result.grade, _of(person, result.game, result.drill)
        lesson: dict[str, object] = {"person": person, "command": command, "game": result.game}
        lesson |= {"seed": result.seed, "seats": result.seats, "ms": result.ms}
        lesson |= {"steps": grade.steps, "right_at_once": grade.right, "mistakes": json.dumps(dict(grade.mistakes))}
        lesson |= {"drill": result.drill, "in_time": int(result.in_time)}
        try:
            with self._database.write() as db:
                db.execute(insert(_RESULTS).values(**lesson, at=result.at))
                db.execute(delete(_RESULTS).where(same_kind, _RESULTS.c.at < _oldest(same_kind)))
        except Taken:
            same = and_(*(_RESULTS.c[key] == value for key, value in lesson.items()))
            with self._database.read() as db:
                sent_before = db.execute(select(_RESULTS.c.person).where(same)).first() is not None
            if not sent_before:
                sentence = f"The id {command!r} was sent with another lesson: make a new one."
                raise ApiError(409, "id-used", sentence) from None

    def results(self, person: str, game: str) -> list[Result]:
        """Whole rounds, the oldest first."""
        return self._results(_of(person, game, ""))

    def drills(self, person: str, game: str) -> list[Result]:
        """Of all drills, the oldest first."""
        return self._results(and_(_RESULTS.c.person == person, _RESULTS.c.game == game, _RESULTS.c.drill != ""))

    def _results(self, which: ColumnElement[bool]) -> list[Result]:
        with self._database.read() as db:
            rows = db.execute(select(_RESULTS).where(which).order_by(_RESULTS.c.at)).all()
        grades = [Grade(row.steps, row.right_at_once, json.loads(row.mistakes)) for row in rows]
        return [
            Result(row.game, row.at, row.seed, row.seats, grade, row.ms, row.drill, bool(row.in_time))
            for row, grade in zip(rows, grades, strict=True)
        ]

    def progress(self, person: str = "") -> dict[str, dict[str, Progress]]:
        """By person and game: of one, or of everybody who has finished anything."""
        row = _RESULTS.c
        whose = row.person == person if person else row.person != ""
        sums = (func.count(), func.sum(row.steps), func.sum(row.right_at_once), func.max(row.at))
        kinds = select(row.person, row.game, row.drill, row.in_time, *sums, func.max(row.right_at_once)).where(whose)
        newest = func.row_number().over(partition_by=(row.person, row.game), order_by=row.at.desc()).label("number")
        rounds = select(row.person, row.game, row.at, row.right_at_once, row.steps, newest).where(
            whose, row.drill == ""
        )
        ranked = rounds.subquery()
        with self._database.read() as db:
            done = db.execute(kinds.group_by(row.person, row.game, row.drill, row.in_time)).all()
            last = db.execute(select(ranked).where(ranked.c.number <= LATELY).order_by(ranked.c.at)).all()
        lately: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for result in last:
            lately.setdefault((result.person, result.game), []).append((result.right_at_once, result.steps))
        by_game: dict[tuple[str, str], dict[tuple[str, bool], Done]] = {}
        for who, game, drill, in_time, times, steps, right, at, best in done:
            tally = Done(times, int(steps), int(right), at, best)
            by_game.setdefault((who, game), {})[drill, bool(in_time)] = tally
        by_person: dict[str, dict[str, Progress]] = {}
        for (who, game), kept in sorted(by_game.items()):
            drills = {key: done for key, done in sorted(kept.items()) if key[0]}
            its = Progress(kept.get(("", False)), drills, tuple(lately.get((who, game), ())))
            by_person.setdefault(who, {})[game] = its
        return by_person


def _of(person: str, game: str, drill: str) -> ColumnElement[bool]:
    return and_(_RESULTS.c.person == person, _RESULTS.c.game == game, _RESULTS.c.drill == drill)


def _oldest(same_kind: ColumnElement[bool]) -> ScalarSelect[datetime]:
    """Of those that are kept."""
    newest = select(_RESULTS.c.at).where(same_kind).order_by(_RESULTS.c.at.desc()).limit(MOST_KEPT).subquery()
    return select(newest.c.at).order_by(newest.c.at).limit(1).scalar_subquery()
