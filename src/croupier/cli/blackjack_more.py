"""More about a side wager of blackjack: with players who go out, beside the base game, and how a hold can be funded."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from croupier.analysis.printing import fixed, percent
from croupier.cli.console import console, table
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.side_wagers import BET_THE_BUST

if TYPE_CHECKING:
    from croupier.analysis.blackjack.strategy import Evaluated
    from croupier.analysis.side_wagers import SideSheet

MOST_FUNDINGS = 40


def basic_play(game: BlackjackGame) -> Evaluated:
    """Everybody plays basic strategy."""
    from croupier.analysis.blackjack.basic import basic_strategy, evaluate

    return evaluate(basic_strategy(game.rules), game.rules)


def with_players(game: BlackjackGame, sheet: SideSheet, players: int, *, as_json: bool) -> dict[str, Any]:
    """Bet the Bust with its push where nobody is left: exact for one player, between bounds for more."""
    from croupier.analysis.side_push import BustTable

    figures = BustTable(basic_play(game)).figures(sheet.paytable, players)
    if not as_json:
        who = "one player" if players == 1 else f"{players} players"
        edge, push = figures.house_edge, figures.push
        screen = console()
        screen.print(f"  With {who} at basic strategy, the push counted:")
        screen.print(f"  pushes              {100 * push.low:.4f} % to {100 * push.high:.4f} %")
        screen.print(f"  house edge          {100 * edge.low:.4f} % to {100 * edge.high:.4f} % (proved bounds)\n")
    return {"with_players": figures.as_json()}


def with_bet(game: BlackjackGame, sheet: SideSheet, *, as_json: bool) -> dict[str, Any]:
    """A person who bets both: how the side wager goes with the base game, at basic strategy."""
    from croupier.analysis.side_correlation import bet_together, bust_together
    from croupier.analysis.side_push import BustTable

    play = basic_play(game)
    on_bust = sheet.wager is BET_THE_BUST
    both = bust_together(BustTable(play), sheet.paytable) if on_bust else bet_together(sheet, play)
    if not as_json:
        screen = console()
        screen.print("  Beside the base game at basic strategy, one unit on each:")
        screen.print(f"  correlation         {both.correlation:+.6f}")
        screen.print(f"  expected result     {100 * both.mean():+.6f} %")
        screen.print(f"  standard deviation  {both.standard_deviation():.6f} together\n")
    found = {"correlation": both.correlation, "expected": both.mean(), "standard_deviation": both.standard_deviation()}
    return {"with_bet": found}


def find_hold(sheet: SideSheet, printed: str, *, as_json: bool) -> dict[str, Any]:
    """Contributions in whole percents, and seeds as people choose them, whose hold is printed so."""
    from croupier.analysis.progressive import meter_title

    assert sheet.progressive is not None, "asked only where there is a meter"
    found = list(islice(sheet.progressive.fundings(printed), MOST_FUNDINGS))
    if not as_json:
        listing = table(f"Fundings with a hold of {printed}", "contribution", "seeds, in wagers", "hold", left=2)
        for funding in found:
            seeds = ", ".join(f"{meter_title(meter)} {int(seed):,}" for meter, seed in funding.seeds.items())
            listing.add_row(percent(funding.contribution, 1), seeds, percent(sheet.progressive.hold(funding)))
        console().print(listing)
        if len(found) == MOST_FUNDINGS:
            console().print(f"  There are more than these {MOST_FUNDINGS}.")
    return {
        "fundings": [
            {
                "contribution": fixed(funding.contribution, 2),
                "seeds": {meter_title(meter): int(seed) for meter, seed in funding.seeds.items()},
                "hold_percent": float(100 * sheet.progressive.hold(funding)),
            }
            for funding in found
        ]
    }
