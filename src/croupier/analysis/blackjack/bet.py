"""The base wager of blackjack in figures: best play, basic strategy, or a chart of one's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from croupier.analysis.blackjack.asked import Asked
from croupier.errors import UnknownName
from croupier.games.blackjack.game import BlackjackGame, BlackjackOffering
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.rules import Rules

if TYPE_CHECKING:
    from croupier.analysis.blackjack.chart import Chart
    from croupier.analysis.blackjack.moments import Moments

OPTIMAL, BASIC = "optimal", "basic"
LEAST_WIN, MOST_WIN = 0.01, 100


@dataclass(frozen=True)
class BetFigures:
    """What a way to play comes to, per unit of the first wager."""

    rules: Rules
    strategy: str
    """`optimal`, `basic`, or the file of a chart."""
    convention: str | None
    """Of hands after a split; a chart plays them as it plays all."""
    words: str
    """How this is played."""
    edge: float
    """The player's."""
    swings: Moments
    lines_convention: str | None
    """By which the lines are: not every convention has them."""
    stake: float
    insures: bool = False

    @property
    def hit_frequency(self) -> float:
        return self.swings.chance(LEAST_WIN, MOST_WIN)

    def as_json(self, *, paytable: str, digest: str) -> dict[str, Any]:
        """In the form that the other games use; exact fractions are not known, the precision is stated instead."""
        lines = [
            {
                "line": f"{float(result):+g} units",
                "pays": f"{float(result):+g}",
                "combinations": None,
                "probability": chance,
            }
            for result, chance in self.swings.law.items()
        ]
        return {
            "game": "blackjack",
            "wager": BET.key,
            "paytable": paytable,
            "decks": self.rules.decks,
            "rules": str(self.rules),
            "strategy": self.strategy,
            "convention": self.convention,
            "digest": digest,
            "house_edge": {"exact": None, "percent": -100 * self.edge},
            "hit_frequency": {"exact": None, "percent": 100 * self.hit_frequency},
            "standard_deviation": self.swings.standard_deviation,
            "mean_stake": self.stake,
            "element_of_risk": {"exact": None, "percent": -100 * self.edge / self.stake},
            "precision": 1e-10,
            "lines_convention": self.lines_convention,
            "lines": lines,
        }


def bet_figures(game: BlackjackGame, asked: Asked, chart: Chart | None = None) -> BetFigures:
    """The Bet as it was asked for; the chart is the one that was named, as its owner has read it."""
    wager = game.wager(BET.key)
    if asked.paytable and asked.paytable not in wager.paytables:
        raise UnknownName("paytable of the Bet (its odds are in --rules)", asked.paytable, wager.paytables)
    if chart is not None and asked.chart:
        return _of_chart(game.rules, chart, asked.chart, f"the chart in {asked.chart}")
    if read_strategy(asked.strategy) == OPTIMAL:
        return _of_best_play(game.rules, asked.convention)
    from croupier.analysis.blackjack.basic import basic_strategy

    return _of_chart(game.rules, basic_strategy(game.rules), BASIC, "basic strategy, the best chart of totals")


def read_strategy(name: str) -> str:
    """`optimal`, or `basic`, also written `basic strategy`."""
    word = name.strip().lower().replace("-", " ").removesuffix(" strategy")
    if word not in (OPTIMAL, BASIC):
        raise UnknownName("strategy of Blackjack", name, (OPTIMAL, BASIC))
    return word


def _of_best_play(rules: Rules, convention: str) -> BetFigures:
    from croupier.analysis.blackjack.moments import mean_stake, moments
    from croupier.analysis.blackjack.solver import solve

    solution = solve(rules, convention=convention)
    # The law of a round needs a fixed strategy; where the convention has none, the usual one's is shown, and so called.
    fixed_play = solution if solution.convention.is_fixed else solve(rules)
    words = f"best play for the exact cards; after a split {solution.convention.in_words}"
    swings, stake = moments(fixed_play), mean_stake(solution)
    named, lines_by = str(solution.convention), str(fixed_play.convention)
    return BetFigures(rules, OPTIMAL, named, words, solution.edge, swings, lines_by, stake)


def _of_chart(rules: Rules, chart: Chart, name: str, words: str) -> BetFigures:
    from croupier.analysis.blackjack.basic import evaluate
    from croupier.analysis.blackjack.moments import mean_stake, moments

    game = evaluate(chart, rules)
    insures = chart.insurance and rules.insurance
    return BetFigures(rules, name, None, words, game.edge, moments(game), None, mean_stake(game), insures)


def bet_as_json(game: BlackjackGame, figures: BetFigures) -> dict[str, Any]:
    wager = game.wager(BET.key)
    return figures.as_json(paytable=next(iter(wager.paytables)), digest=BlackjackOffering(game).digest_of(wager))
