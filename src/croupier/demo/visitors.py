"""Rounds that visitors play in a browser, and whose progressive wagers go to the demo's link.

The demo's dealers deal them at their own tables, between their own rounds: START GAME with the visitor's seats, the
hands that have won, END GAME. So such a wager feeds the meters as any other, and a hit is confirmed and paid from them.
Only chance counts: a round with a seed, or with other rules than the link's, goes nowhere.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Lock
from typing import Any

from croupier.demo.room import DEMO_SETUP
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.paytable import Kind
from croupier.games.table.settlement import Settlement
from croupier.web.games.rounds import Standing
from croupier.web.games.store import PlayStore, Taken, VisitRow
from croupier.web.identity.store import utc

MOST_WAITING = 100
WAITS, DEALT, FED, FAILED = "waits for a dealer", "is dealt", "fed", "not fed"


@dataclass(frozen=True)
class Visit:
    """A round whose wagers are dealt at a table of the link."""

    round: str
    seats: tuple[int, ...]
    won: tuple[tuple[int, str], ...]
    """Seats and their lines, from the dealer's right."""
    state: str = WAITS
    table: int | None = None
    awards: tuple[dict[str, Any], ...] = field(default=())


class Visitors:
    """Who waits for a dealer, and what came of it. The store knows: a restart deals nobody twice and forgets nobody."""

    def __init__(self, store: PlayStore, *, clock: Callable[[], datetime] = utc) -> None:
        self._store, self._clock = store, clock
        self._lock = Lock()
        self._waiting = deque(row.round for row in store.visits(WAITS))

    def close(self) -> None:
        self._store.close()

    def offer(self, standing: Standing) -> None:
        """A round as it stands: taken once its progressive wagers are settled."""
        visit = visit_of(standing)
        if visit is None:
            return
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                visit = replace(visit, state=FAILED)
            with suppress(Taken):
                self._store.add_visit(_row(visit, self._clock()))
                if visit.state == WAITS:
                    self._waiting.append(visit.round)

    def take(self, table: int) -> Visit | None:
        """Whoever has waited longest is dealt at this table from now on, also after a restart."""
        with self._lock:
            while self._waiting:
                visit = self.told(self._waiting[0])
                if visit is not None:
                    visit = replace(visit, state=DEALT, table=table)
                    self._store.change_visit(visit.round, state=DEALT, dealt_at=table)
                self._waiting.popleft()
                if visit is not None:
                    return visit
        return None

    def left_at(self, table: int) -> Visit | None:
        """Whose round this table has begun, and not ended: the server was stopped, or did not answer."""
        return next((_visit(row) for row in self._store.visits(DEALT) if row.dealt_at == table), None)

    def told(self, id_: str) -> Visit | None:
        row = self._store.visit(id_)
        return _visit(row) if row else None

    def note(self, visit: Visit, state: str, table: int, awards: tuple[dict[str, Any], ...] = ()) -> None:
        self._store.change_visit(visit.round, state=state, dealt_at=table, awards=json.dumps(awards))


def _row(visit: Visit, now: datetime) -> VisitRow:
    texts = [json.dumps(each) for each in (visit.seats, visit.won, visit.awards)]
    return VisitRow(visit.round, texts[0], texts[1], visit.state, visit.table, texts[2], now)


def _visit(row: VisitRow) -> Visit:
    won = tuple((seat, line) for seat, line in json.loads(row.won))
    return Visit(row.round, tuple(json.loads(row.seats)), won, row.state, row.dealt_at, tuple(json.loads(row.awards)))


def visit_of(standing: Standing) -> Visit | None:
    """The wagers that belong to the link; None where there are none, or where they were not left to chance."""
    round_ = standing.round
    if standing.row.seeded or not isinstance(round_, BlackjackRound) or round_.opening_shoe is None:
        return None
    same = round_.offering.paytable(DEMO_SETUP.wager).rows == DEMO_SETUP.posted.rows
    settled = [each for each in round_.settlements if each.spot == DEMO_SETUP.wager and _is_the_links(each)]
    if not settled or not same or round_.rules.decks != DEMO_SETUP.decks:
        return None
    won = [(each.seat, each.line) for each in settled if each.pay.kind is not Kind.LOSE]
    return Visit(standing.id, tuple(sorted(each.seat for each in settled)), tuple(sorted(won, reverse=True)))


def _is_the_links(settlement: Settlement) -> bool:
    return settlement.staked_cents == DEMO_SETUP.wager_cents and not settlement.line.startswith("Void")
