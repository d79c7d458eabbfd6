"""Rounds that visitors play in a browser, and whose progressive wagers go to the demo's link.

The demo's dealers deal them at their own tables, between their own rounds: START GAME with the visitor's seats, the
hands that have won, END GAME. So such a wager feeds the meters as any other, and a hit is confirmed and paid from them.
Only chance counts: a round with a seed, or with other rules than the link's, goes nowhere.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sqlalchemy import Column, DateTime, Integer, MetaData, String, Table, Text, delete, insert, select, update

from croupier.demo.cardroom import base_game_of
from croupier.demo.door import DemoDoor
from croupier.demo.room import DEALERS, DEMO_SETUP, TITLES
from croupier.games.blackjack.game import BLACKJACK, of_the_family
from croupier.games.blackjack.game import TAUGHT_RULES as RULES
from croupier.games.blackjack.side_wagers import HOSTS
from croupier.games.catalogue import find_any_game
from croupier.games.paytable import Kind
from croupier.games.table.settlement import Settlement
from croupier.web.floor.views import summary_json
from croupier.web.games.play import ThePlay, is_nobody
from croupier.web.games.rounds import Standing
from croupier.web.games.store import ROUNDS, SUFFIX, Database, Taken
from croupier.web.identity.callers import AnyCaller, TheRuntime
from croupier.web.identity.store import utc

MOST_WAITING = 100
WAITS, DEALT, FED, FAILED = "waits for a dealer", "is dealt", "fed", "not fed"
FORGOTTEN_EVERY, KEPT = timedelta(hours=1), timedelta(days=1)
_POSTED = {"paytables": {DEMO_SETUP.wager: DEMO_SETUP.paytable}}


def _usual_of(game: str) -> dict[str, Any]:
    """A title of the family as its own pages open it, with the link's decks and its progressive wager."""
    title = of_the_family(find_any_game(game))
    own = [key for key in title.usual["side_wagers"] if not title.side_wager(key).progressive]
    rules = title.under("", DEMO_SETUP.decks).short_placard
    return {"rules": rules, "side_wagers": [*own, DEMO_SETUP.wager], **_POSTED}


USUAL: dict[str, dict[str, Any]] = {
    BLACKJACK.key: {
        "rules": RULES,
        "side_wagers": [*(HOSTS[title] for title in TITLES if title in HOSTS), "bet-the-bust", DEMO_SETUP.wager],
        **_POSTED,
    },
    **{game: _usual_of(game) for game in map(base_game_of, TITLES) if game != BLACKJACK.key},
}
"""How a table is opened in the demo: with what makes the games of its link, and with their progressive wager."""
_META = MetaData()
_VISITS = Table(
    "play_visits",
    _META,
    Column("round", String(40), primary_key=True),
    Column("seats", Text, nullable=False),
    Column("won", Text, nullable=False),
    Column("state", String(20), nullable=False),
    Column("dealt_at", Integer),
    Column("awards", Text, nullable=False),
    Column("made", DateTime, nullable=False),
)
"""Seats, won and awards are JSON."""


@dataclass(frozen=True)
class Visit:
    """A round whose wagers are dealt at a table of the link."""

    round: str
    seats: tuple[int, ...]
    won: tuple[tuple[int, str], ...]
    """Seats and their lines, from the dealer's right."""
    state: str = WAITS
    table: int | None = None
    awards: tuple[dict[str, Any], ...] = ()


class LinkedForm(BaseModel):
    """A round's progressive wagers at the demo's link."""

    linked: bool = Field(description="Whether the demo's link is there.")
    state: str = Field(description="Empty before they are settled, and where they do not belong to the link.")
    table: int | None
    levels: list[dict[str, Any]]
    awards: list[dict[str, Any]]


class Visitors:
    """Who waits for a dealer, and what came of it: the demo's part in the games of its server.

    The store knows, beside the rounds: a restart deals nobody twice and forgets nobody.
    """

    def __init__(self, url: str, door: DemoDoor | None = None, *, clock: Callable[[], datetime] = utc) -> None:
        self._database, self._clock = Database(url, SUFFIX, _META, "visits"), clock
        self._lock, self._forgotten = Lock(), clock()
        self._waiting = deque(visit.round for visit in self._in_state(WAITS))
        self.router = APIRouter(tags=["games"])
        path, summary = "/api/rounds/{round}/link", "Its progressive wagers at the demo's link"
        self.router.get(path, summary=summary, response_model=LinkedForm)(self._link)
        self._door = door
        if door is not None:
            door.add_to(self.router)

    def close(self) -> None:
        self._database.close()

    # As a guest of the games

    def usual(self, game: str) -> Mapping[str, Any] | None:
        return USUAL.get(game)

    def door(self) -> Mapping[str, Any]:
        return self._door.told() if self._door else {}

    def linked(self, game: str) -> str:
        return DEMO_SETUP.wager if game in USUAL else ""

    def offer(self, standing: Standing) -> None:
        """A round as it stands: taken once its progressive wagers are settled."""
        visit = visit_of(standing)
        if visit is None:
            return
        with self._lock:
            self._forget()
            if len(self._waiting) >= MOST_WAITING:
                visit = replace(visit, state=FAILED)
            with suppress(Taken):
                self._add(visit)
                if visit.state == WAITS:
                    self._waiting.append(visit.round)

    def _link(self, round: str, caller: AnyCaller, play: ThePlay, runtime: TheRuntime) -> dict[str, Any]:
        """What became of them, and what the link's meters stand at."""
        if is_nobody(caller):
            play.looks.take(caller.source, round)
        brief = runtime.house.link_of(min(DEALERS))
        if brief is None:
            return {"linked": False, "state": "", "table": None, "levels": [], "awards": []}
        visit = self.told(round) or Visit(round, (), (), state="")
        state = WAITS if visit.state == DEALT else visit.state  # what came of it is told when it is all done
        levels = summary_json(brief)["levels"]
        return {"linked": True, "state": state, "table": visit.table, "levels": levels, "awards": list(visit.awards)}

    # At the dealers' tables

    def take(self, table: int) -> Visit | None:
        """Whoever has waited longest is dealt at this table from now on, also after a restart."""
        with self._lock:
            while self._waiting:
                visit = self.told(self._waiting[0])
                if visit is not None:
                    visit = replace(visit, state=DEALT, table=table)
                    self._change(visit.round, state=DEALT, dealt_at=table)
                self._waiting.popleft()
                if visit is not None:
                    return visit
        return None

    def left_at(self, table: int) -> Visit | None:
        """Whose round this table has begun, and not ended: the server was stopped, or did not answer."""
        return next((visit for visit in self._in_state(DEALT) if visit.table == table), None)

    def note(self, visit: Visit, state: str, table: int, awards: tuple[dict[str, Any], ...] = ()) -> None:
        self._change(visit.round, state=state, dealt_at=table, awards=json.dumps(awards))

    # In the store

    def told(self, round_: str) -> Visit | None:
        with self._database.read() as db:
            row = db.execute(select(_VISITS).where(_VISITS.c.round == round_)).one_or_none()
        return _visit(row) if row else None

    def _in_state(self, state: str) -> list[Visit]:
        """The oldest first."""
        wanted = select(_VISITS).where(_VISITS.c.state == state).order_by(_VISITS.c.made, _VISITS.c.round)
        with self._database.read() as db:
            return [_visit(row) for row in db.execute(wanted)]

    def _add(self, visit: Visit) -> None:
        texts = {name: json.dumps(getattr(visit, name)) for name in ("seats", "won", "awards")}
        with self._database.write() as db:
            values = {"round": visit.round, "state": visit.state, "dealt_at": visit.table, **texts}
            db.execute(insert(_VISITS).values(**values, made=self._clock()))

    def _change(self, round_: str, **values: object) -> None:
        with self._database.write() as db:
            db.execute(update(_VISITS).where(_VISITS.c.round == round_).values(**values))

    def _forget(self) -> None:
        """Visits of rounds that the server has forgotten."""
        now = self._clock()
        if now - self._forgotten < FORGOTTEN_EVERY:
            return
        self._forgotten = now
        forgotten = _VISITS.c.round.not_in(select(ROUNDS.c.id))
        with self._database.write() as db:
            db.execute(delete(_VISITS).where(_VISITS.c.made < now - KEPT, forgotten))


def _visit(row: Any) -> Visit:
    won = tuple((seat, line) for seat, line in json.loads(row.won))
    return Visit(row.round, tuple(json.loads(row.seats)), won, row.state, row.dealt_at, tuple(json.loads(row.awards)))


def visit_of(standing: Standing) -> Visit | None:
    """The wagers that belong to the link; None where there are none, or where they were not left to chance."""
    round_ = standing.round
    if standing.row.seeded or round_.opening_shoe is None:
        return None
    settled = [
        settlement
        for settlement in round_.settlements
        if settlement.spot == DEMO_SETUP.wager and _is_the_links(settlement)
    ]
    if not settled or round_.offering.decks != DEMO_SETUP.decks:
        return None  # also where a game has no such wager
    if round_.offering.paytable(DEMO_SETUP.wager).rows != DEMO_SETUP.posted.rows:
        return None
    won = [(settlement.seat, settlement.line) for settlement in settled if settlement.pay.kind is not Kind.LOSE]
    return Visit(
        standing.id, tuple(sorted(settlement.seat for settlement in settled)), tuple(sorted(won, reverse=True))
    )


def _is_the_links(settlement: Settlement) -> bool:
    return settlement.staked_cents == DEMO_SETUP.wager_cents and not settlement.line.startswith("Void")
