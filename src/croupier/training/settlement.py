"""The questions about one wager that is settled: whether it is its turn, what it comes to, and what is paid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from croupier.games.money import dollars
from croupier.games.paytable import Kind as PayKind
from croupier.games.table.bets import spot_title
from croupier.games.table.history import SETTLE, History
from croupier.games.table.questions import Choice, Kind, OpenWager, Question, Typed, numbered
from croupier.games.table.settlement import Settlement
from croupier.games.wager import Spot, Wager

MOST_OFFERED = 8
WIN, LOSE, PUSH, HALF = "win", "lose", "push", "half"
RESULTS = (Choice(WIN, "Wins", "w"), Choice(LOSE, "Loses", "l"), Choice(PUSH, "Pushes", "p"))
HALF_BACK = Choice(HALF, "Half comes back", "h")


def ask_settlement(before: History, after: History, part: str, *, new_seat: bool, first: bool) -> list[Question]:
    """All that is asked about the wager that the newest event settles."""
    settled, was_open = after.settlements[-1], before.open_wagers()
    closed = set(was_open) - set(after.open_wagers())
    if not closed:  # a bonus without chips of its own: it comes with the wager that it rides on
        return list(_About(after, settled, OpenWager(settled.seat, settled.spot)).amounts())
    [wager] = closed
    about = _About(after, settled, wager)
    order = [about.order(was_open, part, new_seat=new_seat, first=first)]
    by_player = any(each.asks for each in after.offering.game.parts if each.name == part)
    return [*(order if len(was_open) > 1 and not by_player else ()), *about.amounts()]


class _About(NamedTuple):
    """One settlement, and the table after it."""

    table: History
    settled: Settlement
    wager: OpenWager

    @property
    def name(self) -> str:
        return wager_name(self.table, self.wager)

    def order(self, was_open: list[OpenWager], part: str, *, new_seat: bool, first: bool) -> Question:
        by_seat = new_seat and not (first and part != SETTLE)
        paragraph = self.table.turn_paragraph(self.wager, part, new_seat=by_seat)
        offered = numbered([(each.value, wager_name(self.table, each)) for each in _some(was_open, self.wager)])
        return Question(Kind.ORDER, "Which wager is settled next?", (self.wager.value,), paragraph, offered)

    def amounts(self) -> Iterator[Question]:
        result = self._result()
        yield result
        if result.answers == (HALF,):
            yield self._money(Kind.PAY, f"{self.name}: what do you give back?", self.settled.returned_cents)
        elif self.settled.pay.kind in (PayKind.TO, PayKind.FOR):
            if self.settled.pay.has_commission:
                ask = f"{self.name}: what is the commission on {self._chips}?"
                yield self._money(Kind.COMMISSION, ask, self.settled.commission_cents)
            less = ", less the commission" if self.settled.pay.has_commission else ""
            ask = f"{self.name}, {self._chips}: what do you pay{less}?"
            yield self._money(Kind.PAY, ask, paid_cents(self.settled))

    @property
    def _chips(self) -> str:
        return dollars(self.table.paid_on_cents(self.settled))

    def _result(self) -> Question:
        game = self.table.offering.game
        wager, spot = game.spots[self.settled.spot]
        paragraph = self.settled.cites
        facts = self.table.facts(self.settled, self.wager)
        if not self.table.by_line(self.settled):
            choices: tuple[Choice, ...] = (*RESULTS, HALF_BACK) if self._may_surrender(wager, spot) else RESULTS
            ask, right = f"{self.name}: what becomes of it?", result_of(self.settled)
            return Question(Kind.RESULT, ask, (right,), paragraph, choices, seat=self.settled.seat, facts=facts)
        rows = self.table.offering.paytable(wager.key).rows
        lines = [(row.label, f"{row.label}, {row.pay}") for row in rows]
        right = LOSE if self.settled.pay.kind is PayKind.LOSE else self.settled.line
        choices = (*numbered(lines), Choice(LOSE, "Loses" if self.settled.staked_cents else "Nothing", "l"))
        ask = f"{self.name}: what does it make?"
        return Question(Kind.BONUS, ask, (right,), paragraph, choices, seat=self.settled.seat, facts=facts)

    def _may_surrender(self, wager: Wager, spot: Spot) -> bool:
        """Whether the rules give part of such a wager back."""
        place, prices = wager.spots.index(spot), self.table.offering.prices[wager.key].values()
        pays = (price.pays[place] for price in prices)
        return any(pay.kind is PayKind.FOR and pay.odds < 1 for pay in pays)

    def _money(self, kind: Kind, ask: str, cents: int) -> Question:
        paragraph = self.table.offering.game.spots[self.settled.spot][1].pays or self.settled.cites
        return Question(kind, ask, (str(cents),), paragraph, typed=Typed.MONEY, seat=self.settled.seat)


def _some(wagers: list[OpenWager], right: OpenWager) -> list[OpenWager]:
    """Not more than a person can look through: the rest of the seat, one of each other seat, and then any."""
    firsts = {each.seat: each for each in reversed(wagers)}
    ranked = sorted(wagers, key=lambda each: (each != right, each.seat != right.seat, firsts[each.seat] != each))
    kept = ranked[:MOST_OFFERED]
    return [each for each in wagers if each in kept]


def wager_name(table: History, wager: OpenWager) -> str:
    hand = f", hand {wager.hand}" if wager.hand else ""
    return f"Seat {wager.seat}, {spot_title(table, wager.spot)}{hand}"


def result_of(settled: Settlement) -> str:
    """Whether it won, lost or pushed; of a surrendered Bet half comes back."""
    match settled.pay.kind:
        case PayKind.LOSE:
            return LOSE
        case PayKind.PUSH:
            return PUSH
        case PayKind.FOR if settled.returned_cents < settled.staked_cents:
            return HALF
    return WIN


def paid_cents(settled: Settlement) -> int:
    """What the dealer hands out beside a wager that stays, or in place of one that does not, less the commission."""
    return settled.returned_cents - (settled.staked_cents if settled.pay.kind is PayKind.TO else 0)
