"""What may be done at a table now, what a seat can bet and at what cost, and what the dealer does by itself.

Everything is found by asking the round: an act is here because the round itself allows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.errors import Refusal
from croupier.games.table.bets import Bet, TakeBack, Void, open_spots, spot_title
from croupier.games.table.history import BETTING, Act, History
from croupier.games.table.offering import TableOffering
from croupier.games.table.shown import Legal

QUIT = "q"
"""What leaves a table: no choice has this key."""
DEALERS_WORDS = {
    "rotation": "draws the dealing rotation",
    "deal": "deals the next packet",
    "reveal": "turns the dealer's cards over",
    "settle": "pays and takes",
}
GO_ON = "go-on"
"""In place of an act: the dealer does all that nobody has to decide."""
VOID_REASON = "called off"


def legal_acts(round_: History) -> list[Legal]:
    """Everything that is allowed now, the players' acts before the dealer's."""
    acts = [*_bets(round_), *round_.in_play()]
    if round_.can(Void(VOID_REASON)):
        acts.append(Legal(Void(VOID_REASON), "calls the round off: every wager goes back"))
    return acts


def _bets(round_: History) -> Iterator[Legal]:
    if round_.phase != BETTING:
        return
    for seat in range(1, round_.offering.open_seats + 1):
        for spot in open_spots(round_):
            bet = Bet(seat, spot, least_cents(round_.offering, spot))
            if round_.can(bet):
                most = most_cents(round_.offering, spot)
                words = f"bets on {spot_title(round_, spot)}"
                cost = bet.cents * len(round_.offering.game.laid_with(spot))
                yield Legal(bet, words, seat, cost, bet.cents, most)
    for seat, there in round_.seats.items():
        for spot, cents in there.wagers.items():
            if spot in round_.offering.game.betting_spots:
                back = cents * len(round_.offering.game.laid_with(spot))
                yield Legal(TakeBack(seat, spot), f"takes {spot_title(round_, spot)} back", seat, -back)
    if round_.can(round_.no_more_bets):
        yield Legal(round_.no_more_bets, "closes betting")


def dealers_acts(round_: History) -> list[Act[Any]]:
    """All that the dealer does until people have to act again, or the round is over."""
    done = []
    while (act := round_.next_by_dealer) is not None:
        done.append(act)
        round_ = round_.do(act)
    return done


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
