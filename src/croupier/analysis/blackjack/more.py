"""More about a side wager of blackjack: with players who go out, beside the base game, and how it can be funded."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.analysis.printing import fixed
from croupier.analysis.progressive import WHOLE_PERCENTS, Funding, Progressive, meter_title, preconfigured
from croupier.analysis.side_correlation import Together, bet_together, bust_together
from croupier.analysis.side_push import BustTable, PushFigures
from croupier.analysis.side_wagers import SideSheet
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.side_wagers import BET_THE_BUST

MOST_FUNDINGS = 40


@lru_cache(maxsize=1)
def basic_play(game: BlackjackGame) -> Evaluated:
    """Everybody plays basic strategy."""
    return evaluate(basic_strategy(game.rules), game.rules)


@lru_cache(maxsize=1)
def _basic_variance(game: BlackjackGame) -> float:
    """The same for every paytable of a side wager."""
    return moments(basic_play(game)).variance


def with_players(game: BlackjackGame, sheet: SideSheet, players: int) -> PushFigures:
    """Bet the Bust with its push where nobody is left: exact for one player, between bounds for more."""
    return BustTable(basic_play(game)).figures(sheet.paytable, players)


def with_bet(game: BlackjackGame, sheet: SideSheet) -> Together:
    """A person who bets both: how the side wager goes with the base game, at basic strategy."""
    play = basic_play(game)
    if sheet.wager is BET_THE_BUST:
        return bust_together(BustTable(play), sheet.paytable, _basic_variance(game))
    return bet_together(sheet, play, _basic_variance(game))


def together_as_json(both: Together) -> dict[str, Any]:
    return {"correlation": both.correlation, "expected": both.mean(), "standard_deviation": both.standard_deviation()}


class Fundings(NamedTuple):
    """Contributions and seeds whose hold is printed so."""

    progressive: Progressive
    found: list[Funding]
    """One more than are shown, where there are more."""
    usual: Funding | None
    """What the maker configures."""

    def as_json(self) -> list[dict[str, Any]]:
        return [
            {
                "contribution": fixed(funding.contribution, 2 if funding.contribution * 100 % 1 == 0 else 6),
                "seeds": {meter_title(meter): plain_seed(seed) for meter, seed in funding.seeds.items()},
                "hold_percent": float(100 * self.progressive.hold(funding)),
                "preconfigured": funding == self.usual,
            }
            for funding in self.found[:MOST_FUNDINGS]
        ]


def find_hold(
    sheet: SideSheet, printed: str, *, contribution: Fraction | None = None, seeds: Mapping[str, Fraction] | None = None
) -> Fundings:
    """Contributions in whole percents and seeds as people choose them, whose hold is printed so; or those given.

    What the maker configures comes first, then what is nearest to its contribution.
    """
    progressive = sheet.progressive
    assert progressive is not None, "asked only where there is a meter"
    usual = preconfigured(sheet.wager.key, sheet.paytable_id)
    middle = usual.contribution if usual else Fraction(0)
    shares = sorted(WHOLE_PERCENTS, key=lambda share: abs(share - middle)) if contribution is None else [contribution]
    found = progressive.fundings(printed, shares, given=seeds or {}, first=usual)
    return Fundings(progressive, list(islice(found, MOST_FUNDINGS + 1)), usual)


def plain_seed(seed: Fraction) -> int | float:
    return int(seed) if seed.denominator == 1 else float(seed)
