"""Blackjack's base wager on a PAR sheet: best play and basic strategy, the results of a round, the dealer's hands.

Nothing here is counted in whole numbers: figures come from the solver, in double precision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import COLUMNS, Cell, Chart
from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.dealer import BLACKJACK, BROKEN, dealer_distribution, endings_of
from croupier.analysis.blackjack.moments import Moments, moments
from croupier.analysis.blackjack.odds import TWO_HANDS, sampled_swings
from croupier.analysis.blackjack.shoe import value_letter
from croupier.analysis.blackjack.side.bust import cards_of_value
from croupier.analysis.blackjack.solver import Solution, solve
from croupier.analysis.blackjack.switch import Switching, best_switching, chart_switching, check_of_two_hands
from croupier.analysis.census import OPTIMAL
from croupier.analysis.par.print import FigureInPrint, GridInPrint, LineInPrint, TableInPrint, net_result, one_in
from croupier.analysis.printing import fixed, percent
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET
from croupier.games.wager import Wager

PRECISION = 1e-10
"""Every figure is this close to the exact one, or closer: see `solver`."""
PLACES = 10
"""Of probabilities in print, as many as the precision bears."""
LEAST_WIN, MOST_WIN = 1e-3, 100
CELL_WORDS: Mapping[Cell, str] = {
    Cell.HIT: "hit",
    Cell.STAND: "stand",
    Cell.DOUBLE: "double, or hit where that is not allowed",
    Cell.DOUBLE_OR_STAND: "double, or stand",
    Cell.SPLIT: "split",
    Cell.SPLIT_WITH_DOUBLE: "split where split hands may be doubled, or hit",
    Cell.SURRENDER: "surrender, or hit",
    Cell.SURRENDER_OR_STAND: "surrender, or stand",
    Cell.SURRENDER_OR_SPLIT: "surrender, or split",
    Cell.ZAP: "zap",
    Cell.AS_TOTAL: "as the total says, and of a zap: none",
}


@dataclass(frozen=True, eq=False)
class BetSheet:
    """The base wager under the rules of one table, from a full shoe."""

    game: BlackjackGame
    convention: Convention = Convention.CDZ_MINUS

    strategy = OPTIMAL

    def __post_init__(self) -> None:
        if self.game.rules.switch:
            check_of_two_hands(self.convention)
        if not self.convention.is_fixed:
            raise NotationError(
                f"A PAR sheet lists every result of a round, and {self.convention} has no fixed strategy for hands "
                "after a split: take CDZ-, CDP1 or BEST. `croupier odds` has the edge of the others."
            )

    @property
    def best_play(self) -> str:
        """How the player decides, in words."""
        if self.game.rules.switch:
            return f"best play ({TWO_HANDS}; after a split by the convention {self.convention})"
        return (
            "best play (with the exact cards of each hand the decision that has the highest expected result; after a "
            f"split by the convention {self.convention}: {self.convention.words})"
        )

    @property
    def wager(self) -> Wager:
        return self.game.wager(BET.key)

    @property
    def paytable_id(self) -> str:
        return next(iter(self.wager.paytables))

    @property
    def decks(self) -> int:
        return self.game.rules.decks

    @cached_property
    def digest(self) -> str:
        """As an offering of this wager has it; the words of the rules are in the digest of the whole PAR sheet."""
        return self.game.offer().digest_of(self.wager)

    @cached_property
    def solution(self) -> Solution:
        return solve(self.game.rules, convention=self.convention)

    @cached_property
    def two_hands(self) -> Switching:
        """In place of the solution, where a seat has two hands."""
        return best_switching(self.game.rules)

    @cached_property
    def swings(self) -> Moments:
        return sampled_swings(self.two_hands) if self.game.rules.switch else moments(self.solution)

    @cached_property
    def chart(self) -> Chart:
        return basic_strategy(self.game.rules)

    @cached_property
    def basic_edge(self) -> float:
        """The house edge of basic strategy."""
        if self.game.rules.switch:
            return -chart_switching(self.game.rules).edge
        return -evaluate(self.chart, self.game.rules).edge

    @property
    def edge(self) -> float:
        """The house edge of the best play."""
        return -(self.two_hands.edge if self.game.rules.switch else self.solution.edge)

    @property
    def hit_frequency(self) -> float:
        return self.swings.chance(LEAST_WIN, MOST_WIN)

    @cached_property
    def dealer(self) -> dict[int, dict[str, float]]:
        """By up card, in the order of charts: how the dealer's hand ends."""
        return {up: dealer_distribution(self.game.rules, up) for up in COLUMNS}

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game.key,
            "wager": self.wager.key,
            "paytable": self.paytable_id,
            "decks": self.decks,
            "rules": str(self.game.rules),
            "strategy": self.strategy,
            "convention": str(self.convention),
            "digest": self.digest,
            "house_edge": {"exact": None, "percent": 100 * self.edge},
            "hit_frequency": {"exact": None, "percent": 100 * self.hit_frequency},
            "standard_deviation": self.swings.standard_deviation,
            "variance": self.swings.variance,
            "precision": PRECISION,
            "lines_exact": self.swings.exact,
            "lines": [
                {
                    "line": f"{float(result):+g} units",
                    "pays": f"{float(result):+g}",
                    "combinations": None,
                    "probability": chance,
                    "return": float(result) * chance,
                }
                for result, chance in self.swings.law.items()
            ],
            "basic_strategy": {
                "house_edge": {"exact": None, "percent": 100 * self.basic_edge},
                "cost_percent": 100 * (self.basic_edge - self.edge),
                "chart": str(self.chart).splitlines(),
            },
            "dealer": {value_letter(up): endings for up, endings in self.dealer.items()},
        }


# In print


def bet_lines(sheet: BetSheet) -> Iterator[LineInPrint]:
    """The results of a round, the worst first."""
    for result, chance in sheet.swings.law.items():
        yield _line(_result_in_words(result), net_result(result), Fraction(chance), result * Fraction(chance))


def bet_total(sheet: BetSheet) -> LineInPrint:
    """One and minus the house edge, within the precision: the law and the edge are computed apart."""
    law = {result: Fraction(chance) for result, chance in sheet.swings.law.items()}
    probability = sum(law.values(), Fraction(0))
    contribution = sum((result * chance for result, chance in law.items()), Fraction(0))
    assert abs(probability - 1) < PRECISION, "every round has a result"
    close = abs(float(contribution) + sheet.edge) < PRECISION
    assert close or sheet.swings.sampled, "the results add up to the edge, where they are counted"
    return _line("Total", "", probability, contribution)


def _line(name: str, net: str, chance: Fraction, contribution: Fraction) -> LineInPrint:
    return LineInPrint(
        line=name,
        pays="",
        net=net,
        combinations="",
        probability=fixed(chance, PLACES),
        one_in=one_in(chance) if net else "",
        contribution=fixed(contribution, PLACES, signed=True),
        bar=float(contribution),
        bar_text=fixed(contribution, 4, signed=True),
    )


def _result_in_words(result: Fraction) -> str:
    if not result:
        return "Nothing won or lost"
    units = net_result(abs(result)).lstrip("+")
    return f"{'Wins' if result > 0 else 'Loses'} {units} unit{'' if units == '1' else 's'}"


def bet_figures(sheet: BetSheet) -> Iterator[FigureInPrint]:
    yield FigureInPrint(f"House edge, best play ({sheet.convention})", _percent(sheet.edge), "")
    yield FigureInPrint("Return", _percent(1 - sheet.edge), "")
    yield FigureInPrint("Hit frequency", _percent(sheet.hit_frequency, 6), "")
    yield FigureInPrint("Standard deviation", fixed(Fraction(sheet.swings.standard_deviation), 6), "")
    yield FigureInPrint("Variance", fixed(Fraction(sheet.swings.variance), 6), "")
    yield FigureInPrint("House edge, basic strategy", _percent(sheet.basic_edge), "")
    yield FigureInPrint("Basic strategy costs", _percent(sheet.basic_edge - sheet.edge), "")


def _percent(value: float, places: int = 8) -> str:
    return percent(Fraction(value), places)


def bet_notes(sheet: BetSheet) -> Iterator[str]:
    if sheet.swings.sampled:
        yield (
            "Precision: house edges are computed in double precision over every hand that can be dealt; their error is "
            f"below {PRECISION:g}."
        )
        yield f"Not counted: {sheet.swings.sampled}"
    else:
        yield (
            "Precision: computed in double precision over every hand that can be dealt, not sampled; "
            f"the error of every figure is below {PRECISION:g}."
        )
    if not (sheet.swings.sampled or sheet.swings.exact):
        yield (
            "Not exact is how rounds in which a pair becomes three or four hands divide among the results: these hands "
            "are taken as independent given the dealer's hand and their first cards. The hit frequency and the lines "
            "of such rounds are therefore close; their mean and their variance, and so house edge and standard "
            "deviation, are exact."
        )
    yield "Each round is dealt to one player from a full shoe. Insurance is a wager of its own and is not included."


def strategy_grid(sheet: BetSheet) -> GridInPrint:
    """The chart everybody knows."""
    header, *rows, insurance = str(sheet.chart).splitlines()
    named = [row.partition(":") for row in rows]
    cells = [(name, *words.split()) for name, _, words in named]
    kinds = [name.split()[0] for name, *_ in cells]
    used = {cell for _, *row in cells for cell in row}
    return GridInPrint(
        title="Basic strategy",
        columns=tuple(header.split()),
        rows=tuple(cells),
        sections=tuple(place for place in range(1, len(kinds)) if kinds[place] != kinds[place - 1]),
        legend=tuple((cell.value, words) for cell, words in CELL_WORDS.items() if cell.value in used),
        note=(
            "The best chart that plays all hands of a total alike, by the dealer's up card. A pair that cannot be "
            f"split again is played as its total says. {insurance.capitalize()}."
        ),
    )


def dealer_table(sheet: BetSheet) -> TableInPrint:
    """How the dealer's hand ends with each up card, and with any."""
    cards = cards_of_value(sheet.decks)
    shares = {up: Fraction(number, sum(cards.values())) for up, number in cards.items()}
    endings = endings_of(sheet.game.rules)
    rows = [
        (
            value_letter(up),
            _hundredths(shares[up]),
            *(_hundredths(endings[name]) for name in endings),
        )
        for up, endings in sheet.dealer.items()
    ]
    mean = {name: sum(float(shares[up]) * sheet.dealer[up][name] for up in COLUMNS) for name in endings}
    names = {BLACKJACK: "Blackjack", BROKEN: "Bust"}
    return TableInPrint(
        title="The dealer's final hand by up card, in percent",
        columns=("Up card", "Share", *(names.get(name, name) for name in endings)),
        words=1,
        rows=(*rows, ("Any", _hundredths(1), *(_hundredths(mean[name]) for name in endings))),
        total=True,
        note="From a full shoe, if the dealer plays every hand to its end.",
    )


def _hundredths(value: float | Fraction) -> str:
    """In percent, without its sign."""
    return fixed(100 * Fraction(value), 4)
