"""What may be done at a table now, and what the dealer does without anybody deciding it.

Everything is found by asking the round: an act is here because the round itself allows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.games.table.bets import Bet, TakeBack, Void, open_spots, spot_title
from croupier.games.table.choices import least_cents, most_cents
from croupier.games.table.history import BETTING, Act, History
from croupier.games.table.shown import Legal

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
