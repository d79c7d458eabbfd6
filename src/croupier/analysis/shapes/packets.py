"""Head-to-head games: packets of one deck, counted by classes of the seat's hand against the dealer's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from croupier.analysis.analyst import NOTHING_TO_DECIDE, Prices
from croupier.analysis.census import OPTIMAL, take_census
from croupier.analysis.figures import Figures
from croupier.analysis.strategy import ChartRow, Compared, Rated, compare_strategies, rate_hand, strategy_chart
from croupier.games.game import TableGame
from croupier.games.head_to_head.game import Game
from croupier.games.table.history import History
from croupier.games.table.shown import SEAT, Seen
from croupier.games.wager import Wager

OWN_HAND = "the seat's own cards; the others and the dealer's are not known"


def fits(game: TableGame) -> bool:
    return isinstance(game, Game)


def analyst(game: TableGame) -> PacketAnalyst:
    assert isinstance(game, Game)
    return PacketAnalyst(game)


@dataclass(frozen=True, eq=False)
class PacketAnalyst:
    """Asks the census of each wager, which is counted once and kept."""

    game: Game

    def strategies(self, wager: Wager) -> tuple[str, ...]:
        return (OPTIMAL, *self.game.strategies) if wager.choices else ()

    def deals(self, wager: Wager) -> int:
        return take_census(self.game, wager).deals

    def solve(self, wager: Wager, prices: Prices, strategy: str) -> Figures:
        return Figures(wager, take_census(self.game, wager).outcome_counts(strategy, prices), prices)

    def rate(self, wager: Wager, prices: Prices, seen: Seen) -> tuple[Rated, ...]:
        return rate_hand(take_census(self.game, wager), prices, seen[SEAT])

    def compare(self, wager: Wager, prices: Prices) -> tuple[Compared, ...]:
        return compare_strategies(take_census(self.game, wager), prices)

    def chart(self, wager: Wager, prices: Prices, strategy: str) -> tuple[ChartRow, ...]:
        return strategy_chart(take_census(self.game, wager), prices, strategy)

    def hints(self, round_: History) -> dict[str, Any]:
        wager = self.game.decides
        if wager is None or not round_.waits_for:
            return {"given": OWN_HAND, "seats": [], "sentence": NOTHING_TO_DECIDE}
        prices = round_.offering.prices[wager.key]
        seats = []
        for number in round_.waits_for:
            decided = [
                {
                    "act": f"decide {number} {each.words}",
                    "hand": each.means,
                    "value": float(each.value),
                    "value_exact": str(each.value),
                    "cost": float(each.cost),
                }
                for each in self.rate(wager, prices, round_.seen(number))
            ]
            seats.append({"seat": number, "decisions": decided})
        return {"given": OWN_HAND, "seats": seats, "sentence": ""}
