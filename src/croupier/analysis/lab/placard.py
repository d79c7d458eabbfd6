"""The Bet of blackjack in the lab: what its rules come to, beside other rules, and the blackjack's pay for an edge.

In place of a paytable it has a placard: `6D S17 DAS SP4 3:2`. Other rules are other decisions, and counting them takes
seconds. What a blackjack pays changes none: nobody decides anything about one. So rules are counted once, with one pay,
and a changed pay only moves the chance of a blackjack to another result.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from croupier.analysis.blackjack.moments import Moments
from croupier.analysis.blackjack.odds import BetFigures, bet_as_json, bet_figures, read_strategy
from croupier.analysis.blackjack.question import BASIC, BLACKJACK, KNOWN_ODDS, Asked, words_of
from croupier.analysis.lab.sessions import Law
from croupier.analysis.printing import fixed
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import BlackjackGame, of_the_family
from croupier.games.blackjack.rules import (
    CHARLIES,
    DECKS,
    FINEST_ODDS,
    LARGEST_ODDS,
    ZAPS,
    DoubleOn,
    EarlySurrender,
    Rules,
    rule_word,
)
from croupier.games.game import TableGame
from croupier.games.wager import Wager

COUNTED_AT = Fraction(3, 2)
"""A result that nothing but a blackjack has."""
PLACES = 4
PARTS = 10**15
"""A chance in whole numbers, for the sum of a session: finer than it is known."""


def bet_sheet(title: BlackjackGame, placard: str, strategy: str) -> BetFigures:
    """The figures of a title under these rules, by the best play or by basic strategy."""
    game = title.under(placard)
    if not paid_apart(game):
        return _counted(game, strategy)
    usual = {name: getattr(title.usual_rules, name) for name in ("insurance", "cut")}
    return _paid(_counted(game.with_rules(replace(game.rules, blackjack_odds=COUNTED_AT, **usual)), strategy), game)


def paid_apart(game: BlackjackGame) -> bool:
    """Whether a house may choose what a blackjack pays, and nothing else in the game has that result."""
    return BLACKJACK in game.varies and not game.rules.surrender_any_time


@lru_cache(maxsize=64)
def _counted(game: BlackjackGame, strategy: str) -> BetFigures:
    return bet_figures(game, Asked(strategy=read_strategy(strategy)))


def _paid(counted: BetFigures, game: BlackjackGame) -> BetFigures:
    """The same play, with a blackjack paid as the rules of this game say."""
    swings, odds = counted.swings, game.rules.blackjack_odds
    chance = swings.law[COUNTED_AT]
    more = chance * float(odds - COUNTED_AT)
    mean, second = swings.mean + more, swings.variance + swings.mean**2 + chance * float(odds**2 - COUNTED_AT**2)
    law = {result: chance for result, chance in swings.law.items() if result != COUNTED_AT}
    law[odds] = law.get(odds, 0.0) + chance
    moved = Moments(mean, second - mean**2, dict(sorted(law.items())), swings.exact, swings.sampled)
    return replace(counted, game=game, edge=counted.edge + more, swings=moved)


# What it comes to


def bet_table_as_json(figures: BetFigures) -> dict[str, Any]:
    """In the JSON form of `croupier odds`, with its rules as rows, its figures in print, and what each line returns."""
    as_json = bet_as_json(figures)
    nets = [float(net) for net in figures.swings.law]
    lines = [line | {"return": line["probability"] * net} for line, net in zip(as_json["lines"], nets, strict=True)]
    printed = {name: f"{fixed(share, PLACES)} %" for name, share in _percents(figures).items()}
    printed["volatility"] = f"{figures.swings.standard_deviation:,.{PLACES}f}"
    return as_json | {
        "lines": lines,
        "printed": printed,
        "text": figures.game.short_placard,
        "rows": _rule_rows(figures.rules),
        "approved_as": [],
    }


def _percents(figures: BetFigures) -> dict[str, Fraction]:
    edge = -figures.edge
    shares = {"house_edge": edge, "hit_frequency": figures.hit_frequency, "element_of_risk": edge / figures.stake}
    return {name: Fraction(100 * share) for name, share in shares.items()}


def bet_differences(first: BetFigures, second: BetFigures) -> dict[str, str]:
    """What the first has more than the second."""
    ours, theirs = _percents(first), _percents(second)
    changes = {name: f"{fixed(ours[name] - theirs[name], PLACES, signed=True)} %" for name in ours}
    apart = first.swings.standard_deviation - second.swings.standard_deviation
    return changes | {"volatility": f"{apart:+,.{PLACES}f}"}


def one_more_on_a_blackjack(figures: BetFigures, strategy: str) -> list[dict[str, Any]]:
    """What one more on a blackjack takes from the house edge: nobody decides anything about one."""
    if not paid_apart(figures.game):
        return []
    odds = figures.rules.blackjack_odds + 1
    if odds > LARGEST_ODDS:
        return []
    costs = 100 * (bet_sheet(figures.game, _with_odds(figures.game, odds), strategy).edge - figures.edge)
    pay = f"{odds.numerator}:{odds.denominator}"
    return [{"row": BLACKJACK, "pay": pay, "exact": None, "printed": f"{fixed(Fraction(costs), PLACES)} %"}]


def law_of_bet(figures: BetFigures) -> Law:
    """For the sum of a session."""
    return tuple((net, count) for net, chance in figures.swings.law.items() if (count := round(chance * PARTS)))


# The pay behind a wanted edge


def find_blackjacks_pay(figures: BetFigures, strategy: str, name: str, wanted: Fraction) -> dict[str, Any]:
    """What a blackjack has to pay for this house edge, within the precision of the count."""
    if name != BLACKJACK:
        raise UnknownName("pay of the Bet", name, [BLACKJACK])
    if not paid_apart(figures.game):
        raise NotationError(f"What a blackjack pays is a rule of {figures.game.title}: there is no pay to find.")
    counted = bet_sheet(figures.game, _with_odds(figures.game, COUNTED_AT), strategy)
    odds = float(COUNTED_AT) + (-float(wanted) - counted.edge) / counted.swings.law[COUNTED_AT]
    if not 0 < odds <= LARGEST_ODDS:
        raise NotationError(
            f"No pay of a blackjack from nothing to {LARGEST_ODDS}:1 gives a house edge of {float(100 * wanted):g} %."
        )
    below = [known_odds for known_odds in KNOWN_ODDS if known_odds <= odds][-1:]
    near = [*below, *[known_odds for known_odds in KNOWN_ODDS if known_odds > odds][:1]]
    return {
        "exact": str(Fraction(odds).limit_denominator(FINEST_ODDS)),
        "value": odds,
        "printed": f"{odds:.{PLACES}f}:1",
        "near": [_tried(figures.game, strategy, near_odds) for near_odds in near],
    }


def _tried(game: BlackjackGame, strategy: str, odds: Fraction) -> dict[str, Any]:
    edge = -100 * bet_sheet(game, _with_odds(game, odds), strategy).edge
    pay = f"{odds.numerator}:{odds.denominator}"
    printed = f"{fixed(Fraction(edge), PLACES)} %"
    return {"pay": pay, "house_edge": {"exact": None, "percent": edge}, "printed": printed}


def _with_odds(game: BlackjackGame, odds: Fraction) -> str:
    return game.with_rules(replace(game.rules, blackjack_odds=odds)).short_placard


# What the page offers

YES_OR_NO = (False, True)
CHOICES: dict[str, tuple[Any, ...]] = {
    "decks": DECKS,
    "hits_soft_17": YES_OR_NO,
    "double_on": tuple(DoubleOn),
    "double_after_split": YES_OR_NO,
    "split_hands": (1, 2, 3, 4),
    "resplit_aces": YES_OR_NO,
    "hit_split_aces": YES_OR_NO,
    "late_surrender": YES_OR_NO,
    "early_surrender": tuple(EarlySurrender),
    "double_any_cards": YES_OR_NO,
    "surrender_after_double": YES_OR_NO,
    "surrender_any_time": YES_OR_NO,
    "charlie": CHARLIES,
    "doubled_charlies": YES_OR_NO,
    "bonus_21": YES_OR_NO,
    "blackjack_wins": YES_OR_NO,
    "diamond_blackjack": YES_OR_NO,
    "hole_card": YES_OR_NO,
    "original_bets_only": YES_OR_NO,
    "push_22": YES_OR_NO,
    "zap": ZAPS[1:],
    "surrender_after_zap": YES_OR_NO,
    "switched_blackjack": YES_OR_NO,
    "blackjack_odds": KNOWN_ODDS,
}
"""Those that the figures of the Bet depend on, with what may be chosen; other odds are written."""


def choices_as_json(game: TableGame, wager: Wager) -> dict[str, Any]:
    """Placards in place of paytables, and for each rule the words that it can have on one."""
    title = of_the_family(game)
    rules = [
        {"rule": name, "words": [rule_word(name, value) for value in allowed]}
        for name, allowed in CHOICES.items()
        if name in title.varies
    ]
    placards = [title.under(placard) for placard in title.placards]
    return {
        "wager": wager.key,
        "title": wager.title,
        "decks": [],
        "strategies": [BASIC],
        "rules": rules,
        "tables": [
            {"id": placard.short_placard, "rows": _rule_rows(placard.rules), "contribution": "", "seeds": {}}
            for placard in placards
        ],
    }


def words_unsaid(game: TableGame) -> dict[str, str]:
    """By rule, the word that holds where a placard says none."""
    return words_of(of_the_family(game).under("").rules)


def _rule_rows(rules: Rules) -> list[dict[str, str]]:
    return [{"label": name, "pay": word} for name, word in words_of(rules).items()]
