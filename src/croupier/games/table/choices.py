"""What a seat can bet, found by asking the engine: which spots are open, and at what cost."""

from __future__ import annotations

from croupier.errors import Refusal
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.offering import TableOffering

QUIT = "q"
"""What leaves a table: no choice has this key."""
DEALERS_WORDS = {
    "rotation": "draws the dealing rotation",
    "deal": "deals the next packet",
    "reveal": "turns the dealer's cards over",
    "settle": "pays and takes",
}


def on_table_cents(round_: History) -> int:
    """The chips of wagers that are not settled yet."""
    return round_.staked_cents - sum(settlement.staked_cents for settlement in round_.settlements)


def least_cents(offering: TableOffering, spot: str) -> int:
    """The smallest wager that the limits and the chips allow on a spot."""
    unit = offering.unit_cents(spot)
    return -(-offering.limits_of(spot).minimum_cents // unit) * unit


def most_cents(offering: TableOffering, spot: str) -> int:
    """The largest one."""
    unit = offering.unit_cents(spot)
    return offering.limits_of(spot).maximum_cents // unit * unit


def may_bet(round_: History, seat: int, spot: str) -> bool:
    """Whether a wager here could stand: not on a closed spot, nor where a mandatory wager is missing."""
    bet = Bet(seat, spot, least_cents(round_.offering, spot))
    return round_.can(bet) and round_.do(bet).can(round_.no_more_bets)


def least_to_play_cents(offering: TableOffering, seat: int) -> int:
    """What one needs to take part in a round at all."""
    table = offering.open()
    spots = [spot for spot in offering.game.betting_spots if may_bet(table, seat, spot)]
    least = [least_cents(offering, spot) * len(offering.game.laid_with(spot)) for spot in spots]
    if not least:
        raise Refusal("no-wager-possible", f"Under these limits nobody can bet at seat {seat}.")
    return min(least)
