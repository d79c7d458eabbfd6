"""Bet the Bust with one player, as it is dealt: how likely each outcome is once the wager is made.

The wager is offered while a hand is left to play, so not to a player whose blackjack has just been paid. The exact
figures of `side_push` are of a player who bets every time; here those rounds are taken out.
"""

from __future__ import annotations

from croupier.analysis.blackjack.solver import Solution
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.analysis.side_push import BustTable
from croupier.games.blackjack.rules import ACE, TEN
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BUSTS, MADE, NOBODY_LEFT
from croupier.games.wager import Outcome


def natural_wins(play: Evaluated | Solution) -> float:
    """How often a player's blackjack is paid: the dealer has none."""
    table = play.table
    place = table.hands.place((ACE, TEN))
    return float((table.deals[place] * (1 - table.caught[place])).sum())


def bust_law(play: Evaluated | Solution) -> dict[Outcome, float]:
    """How likely each outcome is, given that the wager was made."""
    figures = BustTable(play).figures(next(iter(BET_THE_BUST.paytables.values())), 1)
    checked = float((play.table.deals * (1 - play.table.caught)).sum())
    paid = natural_wins(play) / checked
    law = {BUSTS[line.up]: line.probability * (line.bust - line.out_and_bust.low) for line in figures.up_cards}
    law[MADE] = sum(line.probability * (1 - line.bust - line.out_and_made.low) for line in figures.up_cards)
    law[NOBODY_LEFT] = figures.push.low - paid
    return {outcome: law[outcome] / (1 - paid) for outcome in BET_THE_BUST.outcomes}
