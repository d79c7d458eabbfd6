"""The odds of blackjack as they are asked for: the base wager by the exact solver, the side wagers by counting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.hands import Floats, Ints
from croupier.analysis.blackjack.moments import Moments, mean_stake, moments
from croupier.analysis.blackjack.question import (
    BASIC,
    OPTIMAL,
    Asked,
    amounts,
    check_questions,
    levels,
    share,
)
from croupier.analysis.blackjack.sampled import TWO_HANDS_LINES, shoe_cards, shoe_tables
from croupier.analysis.blackjack.side.bust_players import BustTable, Outs, PushFigures, push_figures
from croupier.analysis.blackjack.side.census import SideSheet, make_side_sheet, without_cards
from croupier.analysis.blackjack.side.correlation import Together, bet_together, bust_together, check_beside_bet
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.analysis.blackjack.switch import Switching, best_switching, chart_switching, check_of_two_hands
from croupier.analysis.kernels.shoe_play import empty_seats, play_shoes
from croupier.analysis.kernels.table_cache import KEEPS_NOTHING, Kept
from croupier.analysis.meter.wager import WHOLE_PERCENTS, Funding, Progressive, meter_title, preconfigured
from croupier.analysis.printing import decks_in_words, fixed, listed, plain_number
from croupier.cards.card import format_cards, parse_cards
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, paytable_name, wager_missing

# Meters


# The side wagers of blackjack as they are asked for: paytables, meters and their money.


def side_sheets(game: BlackjackGame, wager: Wager, asked: Asked, find_paytable: FindPaytable) -> list[SideSheet]:
    """One sheet for each paytable asked for, at the meters and with the money that was said."""
    decks = game.rules.decks
    if decks not in game.decks_of(wager):
        allowed = listed(game.decks_of(wager))
        raise NotationError(f"{wager.title} is not offered with {decks_in_words(decks)}: it takes {allowed}.")
    reason = _why_not(game, wager)
    if reason:
        raise NotationError(reason)
    names = [asked.paytable] if asked.paytable else list(wager.paytables)
    if wager is BET_THE_BUST and not asked.paytable:
        names = ["1" if game.rules.hits_soft_17 else "2"]
    tables = {name: find_paytable(wager, name) for name in names}
    others = other_meters(wager, tables, asked)
    sheets = [side_sheet(game, wager, name, tables[name], asked) for name in names if name not in others]
    gone = parse_cards(asked.remove, decks=decks)
    return [without_cards(sheet, game.rules, gone) for sheet in sheets] if gone else sheets


def other_meters(wager: Wager, tables: Mapping[str, Paytable], asked: Asked) -> list[str]:
    """The paytables that do not have the meters which were named; where none has them, it is said why."""
    others: dict[str, NotationError] = {}
    for name, paytable in tables.items():
        try:
            levels(wager, paytable, amounts(asked.meters, "meter"))
            levels(wager, paytable, amounts(asked.seeds, "seed"))
        except NotationError as error:
            others[name] = error
    if len(others) == len(tables):
        raise next(iter(others.values()))
    return list(others)


def not_priced(wager: Wager, sheets: Iterable[SideSheet], asked: Asked) -> list[str]:
    """The paytables that have other meters than those which were named, where all of the wager were asked for."""
    if asked.paytable or not (asked.meters or asked.seeds):
        return []
    priced = {sheet.paytable_id for sheet in sheets}
    return [name for name in wager.paytables if name not in priced]


def _why_not(game: BlackjackGame, wager: Wager) -> str | None:
    """Why a wager that goes by the play of hands is not counted under these rules, in the house's own sentence."""
    if wager is BET_THE_BUST and not game.rules.push_22:
        return None  # where a blackjack is only found at the end, the dealer's hand is counted all the same
    if wager is not BET_THE_BUST and not getattr(wager, "caps", False):
        return None
    try:
        game.offer(side_wagers=[wager.key])
    except NotationError as error:
        return str(error)
    return None


def side_sheet(game: BlackjackGame, wager: Wager, name: str, paytable: Paytable, asked: Asked) -> SideSheet:
    """The sheet of one paytable, approved or one's own, at the meters and with the money asked for."""
    return make_side_sheet(
        game,
        wager,
        paytable_name(wager, name, paytable),
        paytable,
        game.rules.decks,
        meters=levels(wager, paytable, amounts(asked.meters, "meter")),
        contribution=share(asked.contribution),
        seeds=levels(wager, paytable, amounts(asked.seeds, "seed")),
        rules=game.rules,
    )


# More about a side wager of blackjack: with players who go out, beside the base game, and how it can be funded.

MOST_FUNDINGS = 40


@lru_cache(maxsize=1)
def basic_play(game: BlackjackGame) -> Evaluated:
    """Everybody plays basic strategy."""
    return evaluate(basic_strategy(game.rules), game.rules)


@lru_cache(maxsize=1)
def _basic_variance(game: BlackjackGame) -> float:
    """The same for every paytable of a side wager."""
    return moments(basic_play(game)).variance


def with_players(game: BlackjackGame, sheet: SideSheet, players: int, kept: Kept = KEEPS_NOTHING) -> PushFigures:
    """Bet the Bust with its push where nobody is left: exact for one player, between bounds for more."""
    about = {"rules": repr(game.rules), "players": players}
    outs = kept.tables(Outs, about, lambda: BustTable(basic_play(game)).outs(players))
    return push_figures(game.rules, outs, sheet.paytable, players)


def with_bet(game: BlackjackGame, sheet: SideSheet) -> Together:
    """A person who bets both: how the side wager goes with the base game, at basic strategy."""
    if game.rules.zap or game.rules.switch:
        raise NotationError(f"{{with_bet}} is not counted for {game.title}: its cards may change.", fields=["with_bet"])
    if words := game.rules.of_plain_blackjack:
        raise NotationError(f"{{with_bet}} is not counted under {words[0]}.", fields=["with_bet"])
    if sheet.wager is BET_THE_BUST:
        return bust_together(BustTable(basic_play(game)), sheet.paytable, _basic_variance(game))
    check_beside_bet(sheet.wager)
    return bet_together(sheet, basic_play(game), _basic_variance(game))


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
                "seeds": {meter_title(meter): plain_number(seed) for meter, seed in funding.seeds.items()},
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
    possible = progressive.fundings(printed, shares, given=seeds or {}, first=usual)
    return Fundings(progressive, list(islice(possible, MOST_FUNDINGS + 1)), usual)


# The base wager of blackjack in figures: best play, basic strategy, or a chart of one's own.

LEAST_WIN, MOST_WIN = 0.01, 100


@dataclass(frozen=True)
class BetFigures:
    """What a way to play comes to, per unit of the first wager."""

    game: BlackjackGame
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
    def rules(self) -> Rules:
        return self.game.rules

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
            "game": self.game.key,
            "wager": BET.key,
            "paytable": paytable,
            "decks": self.rules.decks,
            "rules": self.game.short_placard,
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


class KeptBet(NamedTuple):
    """What takes seconds to count of the figures of the Bet, as numbers and arrays."""

    convention: str
    words: str
    edge: float
    stake: float
    lines_convention: str
    insures: bool
    mean: float
    variance: float
    exact: bool
    sampled: str
    results: Ints
    """Of the law, as numerators and denominators, (results, 2)."""
    chances: Floats

    @classmethod
    def of(cls, figures: BetFigures) -> KeptBet:
        swings = figures.swings
        return cls(
            *(figures.convention or "", figures.words, figures.edge, figures.stake, figures.lines_convention or ""),
            *(figures.insures, swings.mean, swings.variance, swings.exact, swings.sampled),
            np.array([(result.numerator, result.denominator) for result in swings.law]),
            np.array(list(swings.law.values())),
        )

    def figures(self, game: BlackjackGame, strategy: str) -> BetFigures:
        results = [Fraction(int(over), int(under)) for over, under in self.results]
        law = dict(zip(results, map(float, self.chances), strict=True))
        swings = Moments(self.mean, self.variance, law, bool(self.exact), self.sampled)
        words = self.convention or None, self.words, self.edge, swings, self.lines_convention or None
        return BetFigures(game, strategy, *words, self.stake, bool(self.insures))


def bet_figures(
    game: BlackjackGame, asked: Asked, chart: Chart | None = None, kept: Kept = KEEPS_NOTHING
) -> BetFigures:
    """The Bet as it was asked for; the chart is the one that was named, as its owner has read it.

    What was counted once by this program is found again in `kept`; a chart of one's own is counted anew.
    """
    wager = game.wager(BET.key)
    if asked.paytable and asked.paytable not in wager.paytables:
        raise UnknownName(
            "paytable of the Bet (its odds are in {rules})", asked.paytable, wager.paytables, fields=["rules"]
        )
    if chart is not None and asked.chart:
        return _of_chart(game, chart, asked.chart, f"the chart in {asked.chart}")
    strategy = read_strategy(asked.strategy)
    about = {"rules": repr(game.rules), "strategy": strategy, "convention": str(Convention.parse(asked.convention))}
    return kept.tables(KeptBet, about, lambda: KeptBet.of(_named_play(game, strategy, asked))).figures(game, strategy)


def _named_play(game: BlackjackGame, strategy: str, asked: Asked) -> BetFigures:
    if strategy == OPTIMAL:
        return _of_best_play(game, asked.convention)
    return _of_chart(game, basic_strategy(game.rules), BASIC, "basic strategy, the best chart of totals")


def read_strategy(name: str) -> str:
    """`optimal`, or `basic`, also written `basic strategy`."""
    word = name.strip().lower().replace("-", " ").removesuffix(" strategy")
    if word not in (OPTIMAL, BASIC):
        raise UnknownName("strategy of Blackjack", name, (OPTIMAL, BASIC))
    return word


TWO_HANDS = "best play of each hand for its own cards, those of the other hand and the up card, and the better switch"
BY_CHART = "both hands by {chart}, and the switch that is then worth more"


def _of_two_hands(game: BlackjackGame, play: Switching, strategy: str, words: str) -> BetFigures:
    convention = str(Convention.CDZ_MINUS) if strategy == OPTIMAL else None
    return BetFigures(game, strategy, convention, words, play.edge, sampled_swings(play), convention, play.stake)


def _of_best_play(game: BlackjackGame, convention: str) -> BetFigures:
    if game.rules.switch:
        check_of_two_hands(Convention.parse(convention))
        return _of_two_hands(game, best_switching(game.rules), OPTIMAL, TWO_HANDS)
    solution = solve(game.rules, convention=convention)
    # The law of a round needs a fixed strategy; where the convention has none, the usual one's is shown, and so called.
    fixed_play = solution if solution.convention.is_fixed else solve(game.rules)
    words = f"best play for the exact cards; after a split {solution.convention.in_words}"
    swings, stake = moments(fixed_play), mean_stake(solution)
    named, lines_by = str(solution.convention), str(fixed_play.convention)
    return BetFigures(game, OPTIMAL, named, words, solution.edge, swings, lines_by, stake)


def _of_chart(game: BlackjackGame, chart: Chart, name: str, words: str) -> BetFigures:
    if game.rules.switch:
        return _of_two_hands(game, chart_switching(game.rules, chart), name, BY_CHART.format(chart=words))
    play = evaluate(chart, game.rules)
    insures = chart.insurance and game.rules.insurance
    return BetFigures(game, name, None, words, play.edge, moments(play), None, mean_stake(play), insures)


def bet_as_json(figures: BetFigures) -> dict[str, Any]:
    wager = figures.game.wager(BET.key)
    return figures.as_json(paytable=next(iter(wager.paytables)), digest=figures.game.offer().digest_of(wager))


def game_asked(title: BlackjackGame, asked: Asked) -> BlackjackGame:
    """The title under the rules that the question is about; what is wrong with the question is said here."""
    check_questions(asked)
    game = title.under(asked.rules, asked.decks)
    if asked.paytable and not asked.wager:
        raise wager_missing(asked.paytable, game.wagers)
    return game


def wagers_asked(game: BlackjackGame, asked: Asked) -> Iterator[Wager]:
    """The one that is named, or all that are offered with so many decks."""
    if asked.wager:
        yield game.wager(asked.wager)
        return
    for wager in game.wagers:
        if wager.key == BET.key or (game.rules.decks in game.decks_of(wager) and _why_not(game, wager) is None):
            yield wager


def fundings_asked(sheet: SideSheet, asked: Asked) -> Fundings | None:
    """The fundings with the hold that was asked for."""
    if asked.find_hold is None:
        return None
    if sheet.progressive is None:
        raise NotationError(f"{sheet.wager.title} has no meter, so it has no hold to find.")
    seeds = amounts(asked.seeds, "seed")
    return find_hold(sheet, asked.find_hold, contribution=share(asked.contribution), seeds=seeds)


def odds_as_json(
    title: BlackjackGame,
    asked: Asked,
    find_paytable: FindPaytable,
    chart: Chart | None = None,
    kept: Kept = KEEPS_NOTHING,
) -> Any:
    """A sheet for each wager and paytable; one alone where only one can be meant."""
    game = game_asked(title, asked)
    answers: list[dict[str, Any]] = []
    for wager in wagers_asked(game, asked):
        if wager.key == BET.key:
            answers.append(bet_as_json(bet_figures(game, asked, chart, kept)))
        else:
            sheets = side_sheets(game, wager, asked, find_paytable)
            others = not_priced(wager, sheets, asked)
            told = {"not_priced": others} if others else {}
            answers += [_side(game, sheet, asked, kept) | told for sheet in sheets]
    return answers[0] if asked.paytable or asked.key == BET.key else answers


def _side(game: BlackjackGame, sheet: SideSheet, asked: Asked, kept: Kept) -> dict[str, Any]:
    """The sheet, and what was asked beside its figures."""
    fundings, sheet_json = fundings_asked(sheet, asked), sheet.as_json()
    if asked.removes:
        sheet_json["removed"] = format_cards(parse_cards(asked.remove, decks=sheet.decks))
    if asked.players is not None:
        sheet_json["with_players"] = with_players(game, sheet, asked.players, kept).as_json()
    if asked.with_bet:
        sheet_json["with_bet"] = together_as_json(with_bet(game, sheet))
    if fundings is not None:
        sheet_json["fundings"] = fundings.as_json()
    return sheet_json


# Two hands of one seat

SAMPLED_ROUNDS, SAMPLED_SEED = 4_000_000, 22
NINETY_NINE = 2.576
"""So many standard errors to both sides hold 99 % of all samples."""
SAMPLE_SAID = (
    "The mean of one round is counted. Its chances are from the sample, tilted to that mean, each to within "
    f"{NINETY_NINE / 2 / sqrt(SAMPLED_ROUNDS):.1g} with 99 % confidence, and those of a session rest on them; "
    f"what comes less than once in {round(SAMPLED_ROUNDS / log(100), -3):,.0f} rounds may be missing."
)


@lru_cache(maxsize=16)
def sampled_swings(play: Switching) -> Moments:
    """How a seat's round ends, per unit of its Bet: the mean as counted, the rest from a sample that is said."""
    rules = play.rules
    tables = shoe_tables(rules, play, [], seats=1, fresh=True)
    counts = np.zeros(tables.bins, dtype=np.int64)
    seed = np.uint64(SAMPLED_SEED)
    play_shoes(seed, SAMPLED_ROUNDS, empty_seats(rules.first_hands), shoe_cards(rules), 0, tables, counts)
    law = {
        Fraction(int(line), rules.first_hands): int(number) / SAMPLED_ROUNDS
        for line, number in zip(TWO_HANDS_LINES, counts, strict=False)
        if number
    }
    mean = sum(float(result) * chance for result, chance in law.items())
    variance, fourth = (sum((float(result) - mean) ** n * chance for result, chance in law.items()) for n in (2, 4))
    close = NINETY_NINE * sqrt((fourth - variance**2) / SAMPLED_ROUNDS) / (2 * sqrt(variance))
    sentence = (
        f"Lines, hit frequency and deviation are sampled from {SAMPLED_ROUNDS:,} rounds, the deviation to within "
        f"{close:.4f} with 99 % confidence; the edge is counted."
    )
    return Moments(play.edge, variance, law, exact=False, sampled=sentence)
