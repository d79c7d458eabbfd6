"""Live rounds: a fresh shoe, every wager at every seat, decided, revealed and settled, act by act."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Result, middle, seconds
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Source, SystemSource
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.acts import Deal, Decide, NoMoreBets, Reveal, Rotation, Settle
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.table.bets import Bet

WAGER_CENTS = 500
ROUNDS = 100


def play_round(offering: Offering, seats: int, source: Source) -> Round:
    """One round from the shuffle to the last pay, by the game's first named strategy."""
    game = offering.game
    round_ = open_round(offering, Shoe.fresh(1, source))
    for seat in range(1, seats + 1):
        for spot in game.betting_spots:
            round_ = round_.do(Bet(seat, spot, WAGER_CENTS))
    round_ = round_.do(NoMoreBets())
    if game.rotation:
        round_ = round_.do(Rotation(number=source.below(game.seats + 1) + 1))
    while round_.phase is Phase.DEALING:
        round_ = round_.do(Deal())
    if game.decision:
        decide = next(iter(game.strategies.values()))
        for seat in round_.undecided:
            hand = round_.seats[seat].hand
            round_ = round_.do(Decide(seat, game.decision.say(hand, decide(hand))))
    return round_.do(Reveal()).do(Settle())


def rounds() -> Iterator[Result]:
    """Rounds a second of each game, with one seat and with all."""
    source = SystemSource()
    for game in GAMES.values():
        offering = Offering(game)
        for seats in (1, game.seats):

            def play(offering: Offering = offering, seats: int = seats) -> None:
                for _ in range(ROUNDS):
                    assert play_round(offering, seats, source).is_over

            play()
            each_s = middle(lambda play=play: seconds(play), 7) / ROUNDS  # type: ignore[misc]
            who = f"{seats} seat{'s' if seats > 1 else ''}"
            yield Result(f"{game.title}, live rounds with {who}", f"{1 / each_s:,.0f} rounds/s")
