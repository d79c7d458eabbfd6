"""Rounds that visitors play in a browser, and whose progressive wagers go to the demo's link.

The demo's dealers deal them at their own tables, between their own rounds: START GAME with the visitor's seats, the
hands that have won, END GAME. So such a wager feeds the meters as any other, and a hit is confirmed and paid from them.
Only chance counts: a round with a seed, or with other rules than the link's, goes nowhere.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from queue import Empty, Full, Queue
from threading import Lock
from typing import Any

from croupier.games.blackjack.round import BlackjackRound
from croupier.games.paytable import Kind
from croupier.games.settlement import Settlement
from croupier.web.demo import DEMO_SETUP
from croupier.web.rounds import Standing

MOST_WAITING, MOST_TOLD = 100, 500
WAITS, FED, FAILED = "waits for a dealer", "fed", "not fed"


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
    """Who waits for a dealer, and what came of it; nobody is dealt twice."""

    def __init__(self) -> None:
        self._waiting: Queue[str] = Queue(MOST_WAITING)
        self._told: OrderedDict[str, Visit] = OrderedDict()
        self._lock = Lock()

    def offer(self, standing: Standing) -> None:
        """A round as it stands: taken once its progressive wagers are settled."""
        visit = visit_of(standing)
        with self._lock:
            if visit is None or visit.round in self._told:
                return
            try:
                self._waiting.put_nowait(visit.round)
            except Full:
                visit = replace(visit, state=FAILED)
            self._told[visit.round] = visit
            while len(self._told) > MOST_TOLD:
                self._told.popitem(last=False)

    def next(self) -> Visit | None:
        """Whoever has waited longest."""
        try:
            return self.told(self._waiting.get_nowait())
        except Empty:
            return None

    def told(self, id_: str) -> Visit | None:
        with self._lock:
            return self._told.get(id_)

    def note(self, visit: Visit, state: str, table: int, awards: tuple[dict[str, Any], ...] = ()) -> None:
        with self._lock:
            self._told[visit.round] = replace(visit, state=state, table=table, awards=awards)


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
