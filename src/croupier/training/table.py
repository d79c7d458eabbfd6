"""A table to practise at: who sits where, bets what and decides how is drawn from a seed, and the engine deals.

Players follow their game's own strategy, but not always: a dealer has to know what to do with the rest too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from croupier.analysis.blackjack.chart import Chart, says
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import SeededSource, Source, shuffled
from croupier.errors import NotationError
from croupier.games.blackjack.answers import BustBet
from croupier.games.blackjack.decisions import decisions
from croupier.games.blackjack.game import BlackjackGame, offer_blackjack
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.head_to_head.game import Game
from croupier.games.head_to_head.legal import menu
from croupier.games.head_to_head.round import Offering, Round
from croupier.games.table.bets import Bet, open_spots
from croupier.games.table.history import Act, History
from croupier.games.table.legal import legal_acts
from croupier.games.table.offering import TableOffering

USUAL_SEATS = 3
SEED = re.compile(r"[A-Za-z0-9-]{1,40}")
STAKES = (500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000)
BETS_A_SIDE, BETS_NO_BASE, STRAYS, INSURES = 2, 8, 6, 3
"""One in so many: makes a side wager, leaves out a base wager that is optional, decides at random, insures."""
RULES = "8D S17 DAS SP4 LS 3:2"
"""Of blackjack wherever somebody learns it: the pages deal it by these, and count its chart for them."""
BASIC_STRATEGY = """
    hard 4-8:     H   H   H   H   H   H   H   H   H   H
    hard 9:       H   D   D   D   D   H   H   H   H   H
    hard 10:      D   D   D   D   D   D   D   D   H   H
    hard 11:      D   D   D   D   D   D   D   D   D   H
    hard 12:      H   H   S   S   S   H   H   H   H   H
    hard 13-14:   S   S   S   S   S   H   H   H   H   H
    hard 15:      S   S   S   S   S   H   H   H   R   H
    hard 16:      S   S   S   S   S   H   H   R   Rs  R
    hard 17-21:   S   S   S   S   S   S   S   S   S   S
    soft 12:      H   H   H   H   H   H   H   H   H   H
    soft 13-14:   H   H   H   D   D   H   H   H   H   H
    soft 15-16:   H   H   D   D   D   H   H   H   H   H
    soft 17:      H   D   D   D   D   H   H   H   H   H
    soft 18:      S   Ds  Ds  Ds  Ds  S   S   H   H   H
    soft 19-21:   S   S   S   S   S   S   S   S   S   S
    pair A,A:     P   P   P   P   P   P   P   P   P   P
    pair 2,2:     P   P   P   P   P   P   H   H   H   H
    pair 3,3:     P   P   P   P   P   P   H   H   H   H
    pair 4,4:     H   H   H   P   P   H   H   H   H   H
    pair 5,5:     D   D   D   D   D   D   D   D   H   H
    pair 6,6:     P   P   P   P   P   H   H   H   H   H
    pair 7,7:     P   P   P   P   P   P   H   H   H   H
    pair 8,8:     P   P   P   P   P   P   P   P   P   P
    pair 9,9:     P   P   P   P   P   S   P   P   S   S
    pair T,T:     S   S   S   S   S   S   S   S   S   S
    insurance:   no"""
"""As `croupier strategy blackjack` prints it for these rules: working it out takes too long for a page."""


@cache
def _chart() -> Chart:
    return Chart.parse(BASIC_STRATEGY)


def play_round(name: str, seed: str, seats: int = USUAL_SEATS) -> History:
    """A round of the game from beginning to end; the same seed and seats give the same round."""
    game = find_any_game(name)
    if not SEED.fullmatch(seed):
        raise NotationError(f"The seed {seed[:50]!r} is not made of 1 to 40 letters, digits and hyphens.")
    if not 1 <= seats <= game.seats:
        raise NotationError(f"{seats} players cannot sit at {game.title}: it has 1 to {game.seats} seats.")
    chance = SeededSource(f"{game.key} players {seed}")
    offering = _offered(game, chance)
    round_ = offering.open(Shoe.fresh(offering.decks, f"{game.key} cards {seed}"))
    for bet in _wagers(round_, sorted(shuffled(range(1, game.seats + 1), chance)[:seats]), chance):
        round_ = round_.do(bet)
    round_ = round_.do(round_.no_more_bets)
    while not round_.is_over:
        round_ = round_.do(_next_act(round_, chance))
    return round_


def _offered(game: TableGame, chance: Source) -> TableOffering:
    """All that there is to learn; what a table has one of, or draws one way or the other, goes by the seed."""
    if isinstance(game, BlackjackGame):
        progressive = tuple(PROGRESSIVES)[chance.below(len(PROGRESSIVES))]
        return offer_blackjack(RULES, ["kings-bounty", "bet-the-bust", progressive])
    assert isinstance(game, Game)
    dice = {"dice-cup"} & set(game.options) if _one_in(2, chance) else set()
    return Offering(game, options=frozenset(dice))


def _one_in(many: int, chance: Source) -> bool:
    return chance.below(many) == 0


# The players


def _wagers(round_: History, seats: list[int], chance: Source) -> Iterator[Bet]:
    base, *sides = open_spots(round_)
    mandatory = round_.offering.game.wagers[0].mandatory
    for seat in seats:
        chosen = [spot for spot in sides if _one_in(BETS_A_SIDE, chance)]
        if mandatory or not chosen or not _one_in(BETS_NO_BASE, chance):
            chosen.insert(0, base)
        for spot in chosen:
            yield Bet(seat, spot, _stake(round_, spot, chance))


def _stake(round_: History, spot: str, chance: Source) -> int:
    limits = round_.offering.limits_of(spot)
    able = [cents for cents in STAKES if limits.minimum_cents <= cents <= limits.maximum_cents]
    return able[chance.below(len(able))]


def _next_act(round_: History, chance: Source) -> Act[Any]:
    """The dealer's, or that of the first seat which the table waits for."""
    act = round_.next_by_dealer
    if act is not None:
        return act
    seat, *_ = round_.waits_for
    if not isinstance(round_, BlackjackRound):
        assert isinstance(round_, Round)
        return _choice(round_, seat, chance)
    return _answer(round_, seat, chance) if round_.turn is None else _decision(round_, chance)


def _choice(round_: Round, seat: int, chance: Source) -> Act[Any]:
    offered = menu(round_, seat)
    if _one_in(STRAYS, chance):
        return offered.choices[chance.below(len(offered.choices))].act
    return next(iter(offered.advice().values())).act


def _answer(round_: BlackjackRound, seat: int, chance: Source) -> Act[Any]:
    """To insurance, or to Bet the Bust."""
    *offered, decline = [each.act for each in legal_acts(round_) if each.seat == seat and each.key]
    if not offered or not _one_in(INSURES, chance):
        return decline
    taken = offered[chance.below(len(offered))]
    if isinstance(taken, BustBet):
        return replace(taken, cents=_stake(round_, taken.spot, chance))
    return taken


def _decision(round_: BlackjackRound, chance: Source) -> Act[Any]:
    able = {act.name: act for act in decisions(round_)}
    if _one_in(STRAYS, chance):
        return list(able.values())[chance.below(len(able))]
    return able[says(_chart(), round_)[0]]
