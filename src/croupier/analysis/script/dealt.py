"""Any script, dealt round by round as it is written: how games are sampled that no kernel deals.

It is some hundred times slower than a kernel, and asks the definition itself: steps, conditions, choices and judgments.
What is chosen is what the count chooses, or what a strategy says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.script.counts import Choosing, counting
from croupier.analysis.script.plain import one_seats_script
from croupier.cards.card import Card, Hand
from croupier.games.catalogue import find_game
from croupier.games.paytable import Paytable
from croupier.games.script.game import ScriptGame, wager_of
from croupier.games.script.language import Choose, Deal, Seen, Show
from croupier.games.script.wager import ScriptWager


class WrittenTables(NamedTuple):
    """What is dealt, in words: another process finds the game by its name, and asks its definition."""

    bins: int
    said: str
    """JSON: the game, its wagers with their paytables in the order of the bins, and the strategy."""

    @classmethod
    def of(cls, game: ScriptGame, tables: Mapping[ScriptWager, Paytable], strategy: str) -> WrittenTables:
        """`strategy` is a name of the game's, or nothing for the best play."""
        wagers = [[wager.key, str(paytable)] for wager, paytable in tables.items()]
        settings = json.dumps({"game": game.key, "wagers": wagers, "strategy": strategy})
        return cls(sum(len(wager.outcomes) for wager in tables), settings)

    def play(
        self, state: np.uint64, rounds: int, seats: int, cards: NDArray[np.uint8], counts: NDArray[np.int64]
    ) -> None:
        dealer, chance = _dealer(self.said), Random(int(state))
        deck = list(dealer.game.deck.cards)
        for _ in range(rounds):
            for place in dealer.round(_drawn(deck, chance), seats):
                counts[place] += 1


@lru_cache(maxsize=4)
def _dealer(settings: str) -> Dealer:
    asked = json.loads(settings)
    game = find_game(asked["game"], ScriptGame)
    tables = {wager_of(game, key): Paytable.parse(key, rows) for key, rows in asked["wagers"]}
    return Dealer(game, tables, asked["strategy"])


class Dealer:
    """Deals rounds, and tells in which bins their wagers end."""

    def __init__(self, game: ScriptGame, tables: Mapping[ScriptWager, Paytable], strategy: str) -> None:
        self.game = game
        self._wagers: list[Callable[[dict[int, Hand]], int]] = []
        first = 0
        for wager, paytable in tables.items():
            choose = counting(game, wager).choosing(wager.prices(paytable), game.strategies.get(strategy))
            bins = {ending: first + place for place, ending in enumerate(wager.outcomes)}
            self._wagers.append(lambda dealt, w=wager, c=choose, b=bins: b[self._ending(w, c, dealt)])  # type: ignore[misc]
            first += len(wager.outcomes)

    def round(self, cards: Iterator[Card], seats: int) -> Iterator[int]:
        """The bin of each wager of each seat.

        What lies face down is dealt when it is turned, and what is not due is dealt too and looked at by nobody:
        neither changes what the other cards may be.
        """
        dealt: list[dict[int, Hand]] = [{} for _ in range(seats)]
        for at, step in enumerate(self.game.script):
            if isinstance(step, Deal | Show) and not step.where.is_down:
                shared = () if step.where.is_seats else tuple(next(cards) for _ in range(step.cards))
                for own in dealt:
                    own[at] = shared or tuple(next(cards) for _ in range(step.cards))
        for own in dealt:
            for wager in self._wagers:
                yield wager(own)

    def _ending(self, wager: ScriptWager, choose: Choosing, dealt: dict[int, Hand]) -> object:
        seen = Seen()
        for at, step in one_seats_script(self.game, wager):
            if seen.ended:
                break
            if not step.when(seen):
                continue
            if isinstance(step, Choose):
                if step.options(seen):
                    seen = seen.after(choose(seen, step))
            else:
                seen = seen.with_cards(step.where, dealt[at])
        return wager.ending(seen)


def _drawn(cards: list[Card], chance: Random) -> Iterator[Card]:
    """One card after another, each of those left as likely as the next; they stay in the order that they got."""
    for place in range(len(cards)):
        other = chance.randrange(place, len(cards))
        cards[place], cards[other] = cards[other], cards[place]
        yield cards[place]
