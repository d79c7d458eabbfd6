"""The questions about one wager that is settled: whether it is its turn, what it comes to, and what is paid."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from croupier.games.money import dollars, short_dollars
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
    by_player = any(phase.asks for phase in after.offering.game.parts if phase.name == part)
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
        offered = numbered([(spot.value, wager_name(self.table, spot)) for spot in _some(was_open, self.wager)])
        return Question(Kind.ORDER, "Which wager is settled next?", (self.wager.value,), paragraph, offered)

    def amounts(self) -> Iterator[Question]:
        result = self._result()
        yield result
        paid = self.table.paid_on_cents(self.settled)
        if result.answers == (HALF,):
            ask = f"{self.name}: what do you give back?"
            yield self._money(Kind.PAY, ask, self.settled.returned_cents, sum_of_pay(self.settled, paid))
        elif self.settled.pay.kind in (PayKind.TO, PayKind.FOR):
            if self.settled.pay.has_commission:
                ask = f"{self.name}: what is the commission on {self._chips}?"
                charged = self.settled.commission_cents
                yield self._money(Kind.COMMISSION, ask, charged, sum_of_commission(self.settled, paid))
            less = ", less the commission" if self.settled.pay.has_commission else ""
            ask = f"{self.name}, {self._chips}: what do you pay{less}?"
            yield self._money(Kind.PAY, ask, paid_cents(self.settled), sum_of_pay(self.settled, paid))

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
            return Question(Kind.RESULT, ask, (right,), paragraph, choices, **self._where, facts=facts)
        rows = self.table.offering.paytable(wager.key).rows
        lines = [(row.label, f"{row.label}, {row.pay}") for row in rows]
        right = LOSE if self.settled.pay.kind is PayKind.LOSE else self.settled.line
        choices = (*numbered(lines), Choice(LOSE, "Loses" if self.settled.staked_cents else "Nothing", "l"))
        ask = f"{self.name}: what does it make?"
        return Question(Kind.BONUS, ask, (right,), paragraph, choices, **self._where, facts=facts)

    @property
    def _where(self) -> dict[str, Any]:
        return {"seat": self.settled.seat, "spot": self.settled.spot, "hand": self.wager.hand}

    def _may_surrender(self, wager: Wager, spot: Spot) -> bool:
        """Whether the rules give part of such a wager back."""
        place, prices = wager.spots.index(spot), self.table.offering.prices[wager.key].values()
        pays = (price.pays[place] for price in prices)
        return any(pay.kind is PayKind.FOR and pay.odds < 1 for pay in pays)

    def _money(self, kind: Kind, ask: str, cents: int, worked_out: str) -> Question:
        paragraph = self.table.offering.game.spots[self.settled.spot][1].pays or self.settled.cites
        return Question(kind, ask, (str(cents),), paragraph, typed=Typed.MONEY, **self._where, sum=worked_out)


def _some(wagers: list[OpenWager], right: OpenWager) -> list[OpenWager]:
    """Not more than a person can look through: the rest of the seat, one of each other seat, and then any."""
    firsts = {wager.seat: wager for wager in reversed(wagers)}
    ranked = sorted(wagers, key=lambda spot: (spot != right, spot.seat != right.seat, firsts[spot.seat] != spot))
    kept = ranked[:MOST_OFFERED]
    return [wager for wager in wagers if wager in kept]


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


# How an amount is worked out, as a dealer says it


def sum_of_pay(settled: Settlement, on_cents: int) -> str:
    """`$30 at 20 to 1 is $600`; of what is paid in place of the wager, and of a commission, it says so."""
    pay, out = settled.pay, paid_cents(settled)
    if pay.kind is PayKind.FOR and pay.odds == Fraction(1, 2):
        return f"Half of {short_dollars(on_cents)} is {short_dollars(out)}"
    win = out + settled.commission_cents
    sentence = f"{short_dollars(on_cents)} at {pay.win:,} {pay.kind} {pay.stake} is {short_dollars(win)}"
    if on_cents * pay.odds != win:
        sentence += " in whole chips"
    if pay.kind is PayKind.FOR:
        sentence += ", the wager included"
    if settled.commission_cents:
        sentence += f", less {short_dollars(settled.commission_cents)} commission is {short_dollars(out)}"
    return sentence


def sum_of_commission(settled: Settlement, on_cents: int) -> str:
    """`5 % of $30 is $1.50`: it is charged on the win."""
    pay, charged = settled.pay, short_dollars(settled.commission_cents)
    if pay.flat_cents:
        return f"The commission is {short_dollars(pay.flat_cents)}, and never more than the win: {charged}"
    win = on_cents * pay.odds
    of = short_dollars(int(win)) if win.denominator == 1 else f"{float(win / 100):.4f}"
    rounded = "" if win * pay.commission == settled.commission_cents else " in whole chips"
    return f"{float(pay.commission * 100):g} % of {of} is {charged}{rounded}"
