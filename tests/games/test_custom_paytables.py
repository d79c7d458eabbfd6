"""A paytable of one's own pays at the table what the count says it pays."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards.shoe import Shoe
from croupier.errors import PaytableError
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.acts import Deal, Decide, NoMoreBets, Reveal, Rotation, Settle
from croupier.games.head_to_head.game import Game
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.paytable import Paytable
from croupier.games.table.bets import Bet
from croupier.games.wager import Wager

STAKE_CENTS = 6_000
"""Divisible by every denominator below, so that nothing is rounded."""


def random_table(wager: Wager, rng: Random) -> Paytable | None:
    """Pays for some of a wager's outcomes, or None where the rules forbid this table."""
    pays = ["lose", "push", "1 to 1", "3 to 2", "7 to 5 less 5%", "4 for 1", "100 to 1"]
    rows = [f"{outcome.label}   {rng.choice(pays)}" for outcome in wager.outcomes if rng.random() < 0.6]
    if not rows:
        return None
    table = Paytable.parse("own", "\n".join(rows))
    try:
        wager.prices(table)
    except PaytableError:
        return None
    return table


def play_out(game: Game, offering: Offering, rng: Random) -> Round:
    round_ = open_round(offering, Shoe.fresh(1, rng.randrange(10**9)))
    for spot in game.betting_spots:
        round_ = round_.do(Bet(1, spot, STAKE_CENTS))
    round_ = round_.do(NoMoreBets())
    if round_.phase is Phase.ROTATION:
        round_ = round_.do(Rotation(number=rng.randint(1, 7)))
    while round_.phase is Phase.DEALING:
        round_ = round_.do(Deal())
    if round_.undecided and game.decision and game.decides:
        choice = rng.choice(game.decides.choices)
        round_ = round_.do(Decide(1, game.decision.say(round_.seats[1].hand, choice)))
    return round_.do(Reveal()).do(Settle())


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_live_money_is_the_counted_price(key: str, seed: int) -> None:
    game, rng = GAMES[key], Random(seed)
    made = {wager.key: random_table(wager, rng) for wager in game.wagers}
    offering = Offering(game, {wager: table for wager, table in made.items() if table})
    round_ = play_out(game, offering, rng)
    seat = round_.seats[1]
    for wager in game.wagers:
        choice = seat.choice if wager is game.decides else None
        price = offering.prices[wager.key][wager.outcome(seat.hand, round_.dealer, choice)]
        spots = {spot.key for spot in wager.spots}
        live = sum(settled.net_cents for settled in round_.settlements if settled.spot in spots)
        assert Fraction(live, STAKE_CENTS) == price.net
        staked = sum(settled.staked_cents for settled in round_.settlements if settled.spot in spots)
        assert staked == price.staked * STAKE_CENTS
