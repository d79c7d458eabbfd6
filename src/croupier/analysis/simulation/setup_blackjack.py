"""From a table of blackjack to a job for workers, and back from its bins to the Bet and its side wagers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.sampled import (
    bet_lines,
    bet_nets,
    hand_lines,
    parts_of_bet,
    shoe_cards,
    shoe_tables,
    side_lines,
)
from croupier.analysis.blackjack.side.bust_players import BustTable
from croupier.analysis.blackjack.side.caps import Capped, caps_of
from croupier.analysis.blackjack.side.census import prices_at_seeds, side_census, takes_no_third_seven
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.analysis.blackjack.strategy import Action, Evaluated
from croupier.analysis.blackjack.switch import Switching, best_switching, chart_switching
from croupier.analysis.census import OPTIMAL
from croupier.analysis.kernels.shoe_play import ShoeTables
from croupier.analysis.kernels.table_cache import KEEPS_NOTHING, Kept
from croupier.analysis.simulation.job import Job
from croupier.analysis.simulation.setup import Chances, Simulation, WagerBins, check_seats, check_strategy
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET, WON_BLACKJACK, WON_DIAMONDS
from croupier.games.blackjack.rules import ACE, TEN
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BUSTS, INSURANCE, MADE, NOBODY_LEFT, SideWager
from croupier.games.paytable import Paytable
from croupier.games.wager import Outcome, Price, Wager

BASIC = "basic"
Play: TypeAlias = "Callable[[], Evaluated | Solution | Switching]"
"""A strategy with its values, which are worked out when they are first asked for."""


def simulate_blackjack(
    game: BlackjackGame,
    wagers: Sequence[tuple[Wager, str, Paytable]],
    *,
    seats: int,
    strategy: str | Chart,
    seed: int,
    rounds: int,
    fresh: bool,
    strategy_words: str | None = None,
    kept: Kept = KEEPS_NOTHING,
) -> Simulation:
    """Sample blackjack: the Bet and any side wagers at once, from shoes with a cut card or a fresh one each round.

    The Bet is always played, and told of where it is among the wagers. Meters stand at their seeds; `said` is what a
    chart is called. Tables may be `kept` of wagers of the game's own alone: they are found by what these are called.
    """
    rules = game.rules
    check_seats(game, seats)
    play = _play(game, strategy)
    name = (strategy_words or "chart") if isinstance(strategy, Chart) else strategy
    sides = [wager for wager in wagers if wager[0].key != BET.key]
    bins = [_bet_bins(game, play)] if len(sides) < len(wagers) else []
    first_bin = len(bet_lines(rules)) + len(hand_lines(rules))
    for wager, paytable_id, paytable in sides:
        prices: Mapping[Outcome, Price]
        count: Callable[[], Chances | None]
        if isinstance(wager, SideWager) and wager.caps:
            prices, count = _capped(game, wager, paytable, play)
            bins.append(WagerBins(wager, paytable_id, paytable, first_bin, prices, count))
        else:
            prices = prices_at_seeds(wager, paytable_id, paytable)
            count = partial(_count_side, game, wager, play, seats)
            bins.append(WagerBins(wager, paytable_id, paytable, first_bin, prices, count))
        first_bin += len(side_lines(wager, rules))
    identity: dict[str, Any] = {
        "game": game.key,
        "rules": rules.full,
        "wagers": [wager.key for wager, _, _ in sides],
        "strategy": name,
        "fresh": fresh,
    }
    tables = kept.tables(
        ShoeTables,
        identity | {"seats": seats, "chart": str(strategy) if isinstance(strategy, Chart) else None},
        lambda: shoe_tables(
            rules,
            played if isinstance(played := play(), Switching) else played.strategy,
            [wager for wager, _, _ in sides],
            seats=seats,
            fresh=fresh,
            caps=lambda _: caps_of(_one_hand(play)),
        ),
    )
    alone = seats == 1 and fresh
    job = Job(identity, tables, shoe_cards(rules), seats, None, seed, rounds, independent=alone)
    return Simulation(
        game,
        job,
        tuple(bins),
        name,
        as_counted=fresh,
        hand_bins=slice(len(bet_lines(rules)), len(bet_lines(rules)) + len(hand_lines(rules))),
        void_bin=tables.void_bin,
    )


def _play(game: BlackjackGame, strategy: str | Chart) -> Play:
    if not isinstance(strategy, Chart):
        check_strategy(strategy, (BASIC, OPTIMAL), game)

    @cache
    def play() -> Evaluated | Solution | Switching:
        if game.rules.switch:
            chart = strategy if isinstance(strategy, Chart) else None
            return best_switching(game.rules) if strategy == OPTIMAL else chart_switching(game.rules, chart)
        if strategy == OPTIMAL:
            return solve(game.rules)
        return evaluate(strategy if isinstance(strategy, Chart) else basic_strategy(game.rules), game.rules)

    return play


def _one_hand(play: Play) -> Evaluated | Solution:
    """Where a seat has one hand, which is all that can be counted through."""
    played = play()
    assert not isinstance(played, Switching), "two hands are sampled"
    return played


def _bet_bins(game: BlackjackGame, play: Play) -> WagerBins:
    """A round of the Bet is what all its hands win or lose together."""
    wager = game.wager(BET.key)
    [(paytable_id, paytable)] = wager.paytables.items()
    lines, nets = bet_lines(game.rules), bet_nets(game)
    labels = [
        str(line) if isinstance(line, Outcome) else f"{float(net):+g} units"
        for line, net in zip(lines, nets, strict=True)
    ]
    prices = {Outcome(label): Price(label, (), net, 1) for label, net in zip(labels, nets, strict=True)}

    def count() -> Chances | None:
        if isinstance(play(), Switching):
            return None  # how two hands end together is not counted
        # A blackjack that pays even money wins as much as another hand: the law knows results, not how they came.
        law = dict(moments(_one_hand(play)).law)
        naturals = _naturals(_one_hand(play))
        chances: dict[Outcome, float] = {}
        for line, (outcome, price) in zip(lines, prices.items(), strict=True):
            if isinstance(line, Outcome):
                chances[outcome] = naturals.get(line, law.get(price.net, 0.0))
                law[price.net] = law.get(price.net, 0.0) - chances[outcome]
        for line, (outcome, price) in zip(lines, prices.items(), strict=True):
            if isinstance(line, int):
                chances[outcome] = law.get(price.net, 0.0)
        return {outcome: chances[outcome] for outcome in prices}

    def edge_of_two_hands() -> float:
        both = play()
        assert isinstance(both, Switching)
        return -both.edge

    edge = edge_of_two_hands if game.rules.switch else None
    return WagerBins(wager, paytable_id, paytable, 0, prices, count, edge)


def _capped(
    game: BlackjackGame, wager: SideWager, paytable: Paytable, play: Play
) -> tuple[dict[Outcome, Price], Callable[[], Chances]]:
    """A wager whose proceeds are put on the Bet where that is right: what both then come to is one result."""
    posted = wager.prices(paytable)
    bet = game.wager(BET.key)
    hand_prices = bet.prices(next(iter(bet.paytables.values())))
    prices, lines, parts = {}, side_lines(wager, game.rules), parts_of_bet(game.rules)
    for outcome, line in lines:
        if line is None:
            prices[outcome] = posted[outcome]
            continue
        units = Fraction(line, parts) if isinstance(line, int) else hand_prices[line].net
        label = f"{posted[outcome].row} on the Bet, {line if isinstance(line, Outcome) else f'{float(units):+g}'}"
        won = posted[outcome].net
        prices[Outcome(label)] = Price(label, (), won + (won + 1) * units, 1)

    def count() -> Chances:
        capped = Capped(wager, posted, _one_hand(play))
        chances: dict[Outcome, float] = {}
        for (outcome, line), name in zip(lines, prices, strict=True):
            units = Fraction(line, parts) if isinstance(line, int) else line and hand_prices[line].net
            # A blackjack that pays even money wins as much as another hand, and has a line of its own all the same.
            naturals = dict(zip((WON_BLACKJACK, WON_DIAMONDS), capped.naturals.get(outcome, ()), strict=False))
            if line in (WON_BLACKJACK, WON_DIAMONDS):
                chances[name] = naturals.get(line, 0.0)
            else:
                apart = sum(chance for sort, chance in naturals.items() if hand_prices[sort].net == units)
                chances[name] = capped.law.get((outcome, units), 0.0) - apart
        return chances

    return prices, count


def _count_side(game: BlackjackGame, wager: Wager, play: Play, seats: int) -> Chances | None:
    """With several players there are bounds for Bet the Bust, and no exact law. Insurance is counted over all deals
    with an ace up: where some have given up before they are asked, that is not the law of those who are."""
    rules = game.rules
    if wager is INSURANCE and rules.hole_card and rules.surrenders_early(ACE):
        return None
    if wager is BET_THE_BUST:
        return bust_law(_one_hand(play)) if seats == 1 else None
    sevens = None if rules.switch else takes_no_third_seven(_one_hand(play).strategy.first)
    counts = side_census(wager, rules.decks, rules=rules, stands_against=sevens)
    deals = sum(counts.values())
    return {outcome: Fraction(number, deals) for outcome, number in counts.items()}


# Bet the Bust with one player, as it is dealt: how likely each outcome is once the wager is made.
#
# The wager is offered while a hand is left to play, so not to a player whose blackjack has just been paid, or who has
# surrendered early. The exact
# figures of `side.bust_players` are of a player who bets every time; here those rounds are taken out.


def natural_wins(play: Evaluated | Solution) -> float:
    """How often a player's blackjack is paid: the dealer has none, or it wins against the dealer's too."""
    table = play.table
    place = table.hands.place((ACE, TEN))
    pushes = 0.0 if table.rules.blackjack_wins else table.caught[place]
    return float((table.deals[place] * (1 - pushes)).sum())


def _naturals(play: Evaluated | Solution) -> dict[Outcome, float]:
    """The same by sort of blackjack."""
    shares = [float(share) for share, _ in play.table.results.naturals]
    return {
        line: share * natural_wins(play) for line, share in zip((WON_BLACKJACK, WON_DIAMONDS), shares, strict=False)
    }


def bust_law(play: Evaluated | Solution) -> dict[Outcome, float]:
    """How likely each outcome is, given that the wager was made."""
    figures = BustTable(play).figures(next(iter(BET_THE_BUST.paytables.values())), 1)
    table = play.table
    dealt = table.deals * (1 - table.caught)
    settled = np.zeros_like(dealt, dtype=np.bool_)
    settled[table.hands.place((ACE, TEN))] = True
    for up in (ACE, TEN):  # against these a hand may be given up before the check
        settled[:, up - 1] |= table.rules.surrenders_early(up) & (play.strategy.first[:, up - 1] == Action.SURRENDER)
    paid = float(dealt[settled].sum() / dealt.sum())
    law = {BUSTS[line.up]: line.probability * (line.bust - line.out_and_bust.low) for line in figures.up_cards}
    law[MADE] = sum(line.probability * (1 - line.bust - line.out_and_made.low) for line in figures.up_cards)
    law[NOBODY_LEFT] = figures.push.low - paid
    return {outcome: law[outcome] / (1 - paid) for outcome in BET_THE_BUST.outcomes}
