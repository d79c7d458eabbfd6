"""A table to practise at: who sits where, bets what and decides how is drawn from a seed, and the engine deals.

Players follow their game's own strategy, but not always: a dealer has to know what to do with the rest too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from croupier.analysis.analyst import analyst_of
from croupier.cards.shuffle import SeededSource, Source, shuffled
from croupier.errors import NotationError, UnknownName
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.table.bets import Bet, open_spots
from croupier.games.table.history import Act, History
from croupier.games.table.shown import Legal

USUAL_SEATS = 3
SEED = re.compile(r"[A-Za-z0-9-]{1,40}")
STAKES = (500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 7_500, 10_000)
BETS_A_SIDE, BETS_NO_BASE, STRAYS, INSURES = 2, 8, 6, 3
"""One in so many: makes a side wager, leaves out a base wager that is optional, decides at random, insures."""


class LessonHouse(NamedTuple):
    """How somebody has set the table to learn at; what is left out is as usual."""

    rules: str = ""
    """Words of a placard, in a game that has a choice of rules."""
    paytables: tuple[tuple[str, str], ...] = ()
    """By wager: the ID of one of its approved paytables."""

    def posted(self, game: TableGame) -> dict[str, Paytable]:
        posted = {}
        for key, name in self.paytables:
            wager = game.wager(key)
            if name not in wager.paytables:
                raise UnknownName(f"paytable of {wager.title}", name, list(wager.paytables))
            posted[wager.key] = wager.paytables[name]
        return posted


USUAL_HOUSE = LessonHouse()


def play_round(name: str, seed: str, seats: int = USUAL_SEATS, house: LessonHouse = USUAL_HOUSE) -> History:
    """A round of the game from beginning to end; the same seed, seats and house give the same round."""
    game = find_any_game(name)
    if not SEED.fullmatch(seed):
        raise NotationError(f"The seed {seed[:50]!r} is not made of 1 to 40 letters, digits and hyphens.")
    if not 1 <= seats <= game.seats:
        raise NotationError(f"{seats} players cannot sit at {game.title}: it has 1 to {game.seats} seats.")
    chance = SeededSource(f"{game.key} players {seed}")
    offering = game.taught(chance.below, house.rules, house.posted(game))
    round_ = offering.open(offering.fresh_shoe(f"{game.key} cards {seed}"))
    for bet in _wagers(round_, sorted(shuffled(range(1, game.seats + 1), chance)[:seats]), chance):
        round_ = round_.do(bet)
    round_ = round_.do(round_.no_more_bets)
    while not round_.is_over:
        round_ = round_.do(_next_act(round_, chance))
    return round_


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
    able = [choice for choice in round_.in_play() if choice.seat == seat and choice.key]
    usual = _usual(round_, able)
    if usual is None:
        return _answer(able, chance)
    return able[chance.below(len(able))].act if _one_in(STRAYS, chance) else usual


def _usual(round_: History, able: list[Legal]) -> Act[Any] | None:
    """What whoever follows the game's first strategy does; nothing where the seat is only offered something."""
    for name in round_.offering.game.strategies:
        return next(choice.act for choice in able if name in choice.advised_by)
    return analyst_of(round_.offering.game).usual_act(round_)


def _answer(able: list[Legal], chance: Source) -> Act[Any]:
    """To what a seat is offered, the last of which is to decline; a wager of any amount is made for some stake."""
    *offered, decline = able
    if not offered or not _one_in(INSURES, chance):
        return decline.act
    taken = offered[chance.below(len(offered))]
    least, most = taken.least_cents, taken.most_cents
    if least is None or most is None or taken.cost_cents != least:
        return taken.act
    stakes = [cents for cents in STAKES if least <= cents <= most]
    return replace(taken.act, cents=stakes[chance.below(len(stakes))])  # type: ignore[type-var]
