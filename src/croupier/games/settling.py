"""The order of paying and taking in a head-to-head game."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games.round import PacketSeat, Round
from croupier.games.rulebook import rule
from croupier.games.settlement import Settlement, settle


@rule("triple-shot-rummy 8.1", "triple-shot-rummy 8.2", "triple-shot-rummy 8.3", "triple-shot-rummy 8.4")
@rule("triple-shot-rummy 8.5", "three-card-baccarat 8.1", "three-card-baccarat 8.2")
@rule("supreme-99 8.1", "supreme-99 8.2")
def settle_all(round_: Round) -> Iterator[Settlement]:
    """Forfeited wagers first; then seat by seat from the dealer's right, each in the game's order of spots."""
    from_the_right = sorted(round_.seats.items(), reverse=True)
    forfeits = round_.game.decision.forfeits if round_.game.decision else frozenset()
    for number, seat in from_the_right:
        if seat.choice in forfeits and round_.game.decides:
            yield _settle_spot(round_, number, seat, round_.game.decides.spots[0].key)
    for number, seat in from_the_right:
        for spot in round_.game.settling_order:
            wager = round_.game.spots[spot][0]
            if spot in seat.wagers and not (seat.choice in forfeits and wager is round_.game.decides):
                yield _settle_spot(round_, number, seat, spot)


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
