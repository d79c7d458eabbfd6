"""Paying and taking: what one spot's wager comes to, to the cent, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from croupier.games.money import Rounding, Stake, dollars
from croupier.games.paytable import Kind, Pay


@dataclass(frozen=True, slots=True)
class Settlement:
    """The end of one wager: staked = returned + kept, always. One that is undone stays, and `reverse` follows it."""

    seat: int
    spot: str
    line: str
    pay: Pay
    staked_cents: int
    returned_cents: int
    """All that goes to the player: the wager where it comes back, and the win less commission."""
    commission_cents: int
    rounded_cents: Fraction
    """What rounding to whole chips gave the player (or, below zero, took)."""
    why: str
    cites: str = ""
    """The paragraph of the rulebook that it rests on, or nothing."""
    free_cents: int = 0
    """Free chips beside the stake: a win was paid on them too, and they went back to the tray."""

    hand: int = 0
    """Which of the seat's hands it was on, from 1; none where there is one alone, or where it lies beside them."""

    @property
    def stake(self) -> Stake:
        return Stake(self.staked_cents, self.free_cents)

    @property
    def kept_cents(self) -> int:
        """What stays with the house; below zero where the house pays out."""
        return self.staked_cents - self.returned_cents

    @property
    def net_cents(self) -> int:
        """The player's result."""
        return -self.kept_cents


def settle(
    seat: int,
    spot: str,
    line: str,
    pay: Pay,
    *,
    staked_cents: int,
    rounding: Rounding,
    why: str,
    cites: str = "",
    free_cents: int = 0,
    hand: int = 0,
) -> Settlement:
    """Price one wager. Fractions of a chip go where the house's rounding rule says.

    A win is paid on free chips as on the player's own; a free chip itself is never the player's.
    """
    assert pay.kind is not Kind.FOR or not free_cents, "what is paid in place of a wager is paid for money"
    win = (staked_cents + free_cents) * pay.odds
    paid = rounding.pay(win)
    # The commission comes out of the win, so it is never more than what is paid.
    charged = pay.commission_on(win)
    commission = min(rounding.charge(charged), paid)
    wager_back = staked_cents if pay.kind in (Kind.TO, Kind.PUSH) else 0
    exact = wager_back + win - charged
    returned = wager_back + paid - commission
    rounded = returned - exact
    return Settlement(seat, spot, line, pay, staked_cents, returned, commission, rounded, why, cites, free_cents, hand)


def reverse(settlement: Settlement, *, why: str, cites: str = "") -> Settlement:
    """The entry that undoes another: the same amounts, the other way."""
    return replace(
        settlement,
        line=f"{settlement.line}, undone",
        staked_cents=-settlement.staked_cents,
        returned_cents=-settlement.returned_cents,
        commission_cents=-settlement.commission_cents,
        rounded_cents=-settlement.rounded_cents,
        free_cents=-settlement.free_cents,
        why=why,
        cites=cites,
    )


def sentence(settlement: Settlement, title: str) -> str:
    """One line that a player understands: `Seat 2, Play: Player wins with 3; $5.00 pays 2 to 1, $10.00.`"""
    staked = str(settlement.stake)
    if settlement.pay.kind is Kind.LOSE:
        result = f"{staked} loses"
    elif settlement.pay.kind is Kind.PUSH:
        result = f"{staked} pushes"
    else:
        # "To" odds are paid beside the wager, "for" odds in its place.
        staked_back = settlement.staked_cents if settlement.pay.kind is Kind.TO else 0
        won = settlement.returned_cents - staked_back + settlement.commission_cents
        odds = f"{settlement.pay.win:,} {settlement.pay.kind} {settlement.pay.stake}"
        # A bonus that rides on another spot has no chips of its own.
        result = f"{staked} pays {odds}, {dollars(won)}" if settlement.stake.cents else f"pays {odds}, {dollars(won)}"
        if settlement.commission_cents:
            result += f", less {dollars(settlement.commission_cents)} commission"
    return f"Seat {settlement.seat}, {title}: {settlement.why}; {result}."
