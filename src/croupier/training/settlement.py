"""The questions about one wager that is settled: whether it is its turn, what it comes to, and what is paid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from croupier.cards.card import format_cards
from croupier.games.blackjack.hand import BlackjackSeat, describe, describe_cards
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.head_to_head.round import Round
from croupier.games.money import dollars
from croupier.games.paytable import Kind as PayKind
from croupier.games.table.bets import spot_title
from croupier.games.table.history import History
from croupier.games.table.settlement import Settlement
from croupier.training.procedure import COLLECT, DECIDE, INSURANCE
from croupier.training.step import Choice, Kind, Step, Typed, numbered

MOST_OFFERED = 8
WIN, LOSE, PUSH, HALF = "win", "lose", "push", "half"
RESULTS = (Choice(WIN, "Wins", "w"), Choice(LOSE, "Loses", "l"), Choice(PUSH, "Pushes", "p"))
HALF_BACK = Choice(HALF, "Half comes back", "h")
PLAIN_SPOTS = frozenset({"insurance", "bet-the-bust"})
"""Beside the game's first wager: those that win, lose or push, without a line of a paytable to find."""
NOT_BY_WORTH = frozenset({"pair-plus", "6-card-bonus", "pair-fortunes"})
"""Bonus wagers to which it does not matter what the hand is worth against the dealer's."""
IN_TURN = (DECIDE, INSURANCE)
"""Parts in which a wager is settled because of what its player did: whose it is, is no question."""
_BY_SEAT = {"triple-shot-rummy": "8.2", "three-card-baccarat": "8.1", "supreme-99": "8.1", "blackjack": "8.1"}
_BY_SPOT: Mapping[str, Mapping[str, str]] = {
    "triple-shot-rummy": {"play": "8.3", "ante": "8.3", "pair-plus": "8.4", "6-card-bonus": "8.4"},
    "three-card-baccarat": dict.fromkeys(("bet", "kings-bonus", "tie", "dragon-bonus"), "8.2"),
    "supreme-99": dict.fromkeys(("bet", "pair-fortunes"), "8.2"),
    "blackjack": {
        **{"insurance": "4.5", "bet": "8.2", "kings-bounty": "9.7", "bet-the-bust": "8.11"},
        **{"blazing-7s-dealer": "11.16", "blazing-7s-player": "8.11", "trilux": "12.8"},
    },
}
_PAID = {"bet-the-bust": "10.12"}
"""Where another paragraph says how much than says that it wins."""


class OpenWager(NamedTuple):
    """A wager that lies on the table."""

    seat: int
    spot: str
    hand: int = 0
    """Which hand of the seat, from 1, where it has several."""

    @property
    def value(self) -> str:
        return f"{self.seat} {self.spot} {self.hand}"


def open_wagers(table: History) -> list[OpenWager]:
    """Everything that is not settled yet, by seats and as it was laid."""
    if isinstance(table, BlackjackRound):
        return [each for number, seat in table.seats.items() for each in _of_seat(number, seat)]
    settled = {(each.seat, each.spot) for each in table.settlements}
    return [
        OpenWager(number, spot)
        for number, seat in table.seats.items()
        for spot in seat.wagers
        if (number, spot) not in settled
    ]


def _of_seat(number: int, seat: BlackjackSeat) -> Iterator[OpenWager]:
    for place, hand in enumerate(seat.hands):
        if not hand.settled:
            yield OpenWager(number, "bet", place + 1 if len(seat.hands) > 1 else 0)
    yield from (OpenWager(number, spot) for spot in seat.open_sides)


def ask_settlement(before: History, after: History, at: int, part: str, *, new_seat: bool, first: bool) -> list[Step]:
    """All that is asked about the wager that event number `at` settles."""
    settled, was_open = after.settlements[-1], open_wagers(before)
    [wager] = set(was_open) - set(open_wagers(after))
    about = _About(after, settled, wager, at)
    order = [about.order(was_open, part, new_seat=new_seat, first=first)]
    return [*(order if len(was_open) > 1 and part not in IN_TURN else ()), *about.amounts()]


class _About(NamedTuple):
    """One settlement, and the table after it."""

    table: History
    settled: Settlement
    wager: OpenWager
    at: int

    @property
    def name(self) -> str:
        return wager_name(self.table, self.wager)

    def order(self, was_open: list[OpenWager], part: str, *, new_seat: bool, first: bool) -> Step:
        game = self.table.offering.game.key
        by_spot = _BY_SPOT[game][self.wager.spot]
        paragraph = _BY_SEAT[game] if new_seat and not (first and part != "settle") else by_spot
        if part == COLLECT:
            paragraph = "8.1"
        elif part == "checked" and self.wager.spot == "bet":
            paragraph = "5.5"
        offered = numbered([(each.value, wager_name(self.table, each)) for each in _some(was_open, self.wager)])
        return Step(Kind.ORDER, self.at, "Which wager is settled next?", (self.wager.value,), paragraph, offered)

    def amounts(self) -> Iterator[Step]:
        result = self._result()
        yield result
        if result.answers == (HALF,):
            yield self._money(Kind.PAY, f"{self.name}: what do you give back?", self.settled.returned_cents)
        elif self.settled.pay.kind in (PayKind.TO, PayKind.FOR):
            if self.settled.pay.commission:
                ask = f"{self.name}: what is the commission on {dollars(self.settled.staked_cents)}?"
                yield self._money(Kind.COMMISSION, ask, self.settled.commission_cents)
            less = ", less the commission" if self.settled.pay.commission else ""
            ask = f"{self.name}, {dollars(self.settled.staked_cents)}: what do you pay{less}?"
            yield self._money(Kind.PAY, ask, paid_cents(self.settled))

    def _result(self) -> Step:
        game = self.table.offering.game
        wager = game.spots[self.settled.spot][0]
        paragraph = self.settled.cites
        facts = facts_of(self.table, self.settled, self.wager)
        if wager is game.wagers[0] or self.settled.spot in PLAIN_SPOTS:
            surrenders = isinstance(self.table, BlackjackRound) and self.settled.spot == "bet"
            choices: tuple[Choice, ...] = (*RESULTS, HALF_BACK) if surrenders else RESULTS
            ask, right = f"{self.name}: what becomes of it?", result_of(self.settled)
            return Step(Kind.RESULT, self.at, ask, (right,), paragraph, choices, seat=self.settled.seat, facts=facts)
        rows = self.table.offering.paytable(wager.key).rows
        lines = [(row.label, f"{row.label}, {row.pay}") for row in rows]
        right = LOSE if self.settled.pay.kind is PayKind.LOSE else self.settled.line
        choices = (*numbered(lines), Choice(LOSE, "Loses", "l"))
        ask = f"{self.name}: what does it make?"
        return Step(Kind.BONUS, self.at, ask, (right,), paragraph, choices, seat=self.settled.seat, facts=facts)

    def _money(self, kind: Kind, ask: str, cents: int) -> Step:
        paragraph = _PAID.get(self.settled.spot) or self.settled.cites
        return Step(kind, self.at, ask, (str(cents),), paragraph, typed=Typed.MONEY, seat=self.settled.seat)


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


def facts_of(table: History, settled: Settlement, wager: OpenWager) -> str:
    """What the cards are worth that decide it."""
    if isinstance(table, BlackjackRound):
        return _facts_of_blackjack(table, settled, wager)
    assert isinstance(table, Round)
    seat = table.seats[settled.seat]
    if settled.spot in NOT_BY_WORTH:
        return ""
    turned = any(event.kind == "reveal" for event in table.events)
    dealer = f" The dealer has {table.game.describe_dealer(table.dealer)}." if turned else ""
    return f"Seat {settled.seat} has {table.game.describe(seat.hand, seat.choice)}.{dealer}"


def _facts_of_blackjack(table: BlackjackRound, settled: Settlement, wager: OpenWager) -> str:
    seat = table.seats[settled.seat]
    if settled.spot not in ("bet", *PLAIN_SPOTS):
        return f"Seat {settled.seat} was dealt {format_cards(seat.dealt)}, and the dealer shows {table.up_card}."
    dealer = f"The dealer: {describe_cards(table.dealer)}." if len(table.dealer) > 1 else ""
    if settled.spot != "bet":
        return dealer
    hand = seat.hands[max(0, wager.hand - 1)]
    return f"{wager_name(table, wager)}: {describe(hand)}. {dealer}".strip()
