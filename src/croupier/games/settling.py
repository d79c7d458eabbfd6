"""The order of paying and taking in a head-to-head game."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games.round import PacketSeat, Round
from croupier.games.rulebook import rule
from croupier.games.settlement import Settlement, settle


@rule("triple-shot-rummy 8.1")
def collect_forfeits(round_: Round) -> Iterator[Settlement]:
    """Before the dealer's cards are turned: the wagers of those who gave up."""
    for number, seat in _from_the_right(round_):
        if _gave_up(round_, seat) and round_.game.decides:
            yield _settle_spot(round_, number, seat, round_.game.decides.spots[0].key)


@rule("triple-shot-rummy 8.2", "triple-shot-rummy 8.3", "triple-shot-rummy 8.4", "triple-shot-rummy 8.5")
@rule("three-card-baccarat 8.1", "three-card-baccarat 8.2", "supreme-99 8.1", "supreme-99 8.2")
def settle_the_rest(round_: Round) -> Iterator[Settlement]:
    """Seat by seat from the dealer's right, each in the game's order of spots."""
    for number, seat in _from_the_right(round_):
        for spot in round_.game.settling_order:
            collected = _gave_up(round_, seat) and round_.game.spots[spot][0] is round_.game.decides
            if spot in seat.wagers and not collected:
                yield _settle_spot(round_, number, seat, spot)


def _from_the_right(round_: Round) -> list[tuple[int, PacketSeat]]:
    return sorted(round_.seats.items(), reverse=True)


def _gave_up(round_: Round, seat: PacketSeat) -> bool:
    return round_.game.decision is not None and seat.choice in round_.game.decision.forfeits


def _settle_spot(round_: Round, number: int, seat: PacketSeat, spot: str) -> Settlement:
    wager = round_.game.spots[spot][0]
    outcome = wager.outcome(seat.hand, round_.dealer, seat.choice if wager is round_.game.decides else None)
    price = round_.offering.prices[wager.key][outcome]
    pay = price.pays[[each.key for each in wager.spots].index(spot)]
    return settle(
        number,
        spot,
        price.row,
        pay,
        staked_cents=seat.wagers[spot],
        rounding=round_.offering.rounding,
        why=outcome.label,
    )
