"""The exact mathematics of the blackjack side wagers, from any number of decks: counts, figures and sheets.

    side_census(KINGS_BOUNTY, 6)                                        {2 Kings of Spades + Dealer BJ: ..., ...}
    make_side_sheet(game, TRILUX, "6", TRILUX.paytables["6"], 8)        every figure, at the given meters

`deals` says what is counted for each kind of wager, `meter.wager` what the figures of a meter are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.shoe import read_values, value_letter
from croupier.analysis.blackjack.side.bust import VALUES, all_cases, bust_census, bust_outcome
from croupier.analysis.blackjack.side.caps import Capped, best_play
from croupier.analysis.blackjack.side.deals import TYPES, count_deals, fact_of
from croupier.analysis.blackjack.side.played_out import played_out_census
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.figures import Figures
from croupier.analysis.meter.wager import Funding, Progressive, meter_title, preconfigured, progressive_of
from croupier.analysis.printing import as_percent
from croupier.analysis.sheet import WagerSheet
from croupier.cards.card import DECK, Card
from croupier.errors import NotationError
from croupier.games.blackjack.game import USUAL
from croupier.games.blackjack.rules import ACE, Rules
from croupier.games.blackjack.side_wagers import BUST, UP_CARDS, SideWager
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.tabulate import priced_digest, rules_digest
from croupier.games.wager import Fact, Outcome, Price, Wager

MOST_DECKS = 100
"""Far beyond any shoe, and the counts still fit an array's integers."""
SEVEN = 7
BUST_COLUMNS = {"1": True, "2": False}
"""Of Bet the Bust: column Hit for a dealer who hits a soft 17, Stand for one who does not."""


def side_census(
    wager: Wager,
    decks: int,
    *,
    rules: Rules | None = None,
    stands_against: Collection[int] | None = None,
    hits_soft_17: bool | None = None,
) -> dict[Outcome, int]:
    """How many deals end in each outcome; up cards are values, 1 for an ace.

    `rules` matter where a third card counts (how basic strategy plays two sevens, and whether a blackjack is checked
    for first) and where the dealer's total or whole hand does. What `stands_against` or `hits_soft_17` say goes before
    them. Without rules players draw to two sevens, a blackjack is checked for, and the dealer stands on a soft 17.
    """
    if not 1 <= decks <= MOST_DECKS:
        raise NotationError(f"A shoe has from 1 to {MOST_DECKS} decks, not {decks}.")
    if rules is not None and rules.decks != decks:
        raise NotationError(f"The rules {rules} are not for {decks} decks.")
    if fact_of(wager) is Fact.DEALER_TOTAL:
        hits = rules is not None and rules.hits_soft_17 if hits_soft_17 is None else hits_soft_17
        return dict(_bust_census(wager, decks, hits_soft_17=hits))
    if fact_of(wager) is Fact.DEALER_HAND:
        hits = rules is not None and rules.hits_soft_17 if hits_soft_17 is None else hits_soft_17
        return dict(_played_out_census(wager, decks, hits_soft_17=hits))
    if fact_of(wager) is not Fact.THIRD_CARD:
        return dict(_census(wager, decks))
    if stands_against is None:
        stands_against = stands_with_sevens(rules) if rules else ()
    checked = rules is None or rules.hole_card
    return dict(_census(wager, decks, frozenset(read_values(stands_against)), hole_card=checked))


@cache
def _bust_census(wager: Wager, decks: int, *, hits_soft_17: bool) -> dict[Outcome, int]:
    return bust_census(wager, decks, hits_soft_17=hits_soft_17)


@cache
def _played_out_census(wager: Wager, decks: int, *, hits_soft_17: bool) -> dict[Outcome, int]:
    return played_out_census(wager, np.full(TYPES, decks, dtype=np.int64), hits_soft_17=hits_soft_17)


@cache
def _census(
    wager: Wager, decks: int, stands_against: frozenset[int] = frozenset(), *, hole_card: bool = True
) -> dict[Outcome, int]:
    return count_deals(wager, np.full(TYPES, decks, dtype=np.int64), stands_against, hole_card=hole_card)


def counts_from(wager: Wager, rules: Rules, copies: NDArray[np.int64]) -> dict[Outcome, int]:
    """How many deals end in each outcome under these rules, from a shoe with so many copies of each of the 52 cards."""
    if fact_of(wager) is Fact.DEALER_HAND:
        return played_out_census(wager, copies, hits_soft_17=rules.hits_soft_17)
    stands = stands_with_sevens(rules) if fact_of(wager) is Fact.THIRD_CARD else ()
    return count_deals(wager, copies, stands, hole_card=rules.hole_card)


@lru_cache(maxsize=64)
def stands_with_sevens(rules: Rules) -> frozenset[int]:
    """Against which up cards basic strategy takes no card to two sevens: it stands, or surrenders."""
    return takes_no_third_seven(evaluate(basic_strategy(rules), rules).strategy.first)


def takes_no_third_seven(first: NDArray[np.int8]) -> frozenset[int]:
    """The same for any way to play the first two cards, (hands, 10)."""
    moves = first[hands().place((SEVEN, SEVEN))].tolist()
    return frozenset(up for up, move in enumerate(moves, ACE) if move in (Action.STAND, Action.SURRENDER))


def third_card_in_words(rules: Rules) -> str:
    """Whose third card is counted under these rules."""
    out = sorted(stands_with_sevens(rules))
    but = f" (not against {', '.join(map(value_letter, out))})" if out else ""
    ends = (
        "a dealer's blackjack ends the hand before"
        if rules.hole_card
        else "with no hole card the third card comes before a dealer's blackjack is seen"
    )
    return f"A player with two sevens draws a third card by hit, double or split, as basic strategy does{but}; {ends}."


PROCEEDS_IN_WORDS = (
    "The counts are of a player who always keeps the proceeds. Capped: they are put on the Bet whenever that "
    "is worth more than nothing, at best play under these rules; counted in double precision."
)

# Sheets


@dataclass(frozen=True, eq=False)
class SideSheet(WagerSheet):
    """The exact analysis of a side wager; where it is progressive, at given meters."""

    progressive: Progressive | None = None
    meters: Mapping[str, Fraction] | None = None
    """What the meters stand at, in wagers."""
    funding: Funding | None = None
    """What the hold is computed with, if it is known."""

    @property
    def digest(self) -> str:
        if isinstance(self.wager, SideWager):
            return self.wager.digest(self.paytable, self.decks)
        return priced_digest(self.wager, self.paytable, "blackjack", [self.decks, rules_digest(self.wager)])

    @property
    def hit_frequency(self) -> Fraction:
        """A share of a meter is a win, whatever the meter stands at."""
        return self.progressive.hit_frequency if self.progressive else super().hit_frequency

    @property
    def hold(self) -> Fraction | None:
        """What the house keeps in the long run; None where nothing is progressive or the funding is not known."""
        return self.progressive.hold(self.funding) if self.progressive and self.funding else None

    def as_json(self) -> dict[str, Any]:
        sheet = super().as_json()
        if self.progressive is None or self.meters is None:
            return sheet
        sheet["fixed_return"] = as_percent(self.progressive.fixed_return)
        sheet["meters"] = {meter_title(meter): float(worth) for meter, worth in self.meters.items()}
        even = self.progressive.break_even(self.meters)
        in_wagers = {meter_title(meter): None if worth is None else float(worth) for meter, worth in even.items()}
        sheet["break_even_meter"] = next(iter(in_wagers.values())) if len(in_wagers) == 1 else in_wagers
        sheet["break_even_meter_exact"] = {meter_title(meter): str(worth) for meter, worth in even.items()}
        if self.funding and self.hold is not None:
            sheet["hold"] = as_percent(self.hold)
            sheet["contribution"] = as_percent(self.funding.contribution)
            sheet["seeds"] = {meter_title(meter): float(seed) for meter, seed in self.funding.seeds.items()}
        return sheet


@dataclass(frozen=True, eq=False)
class CapSheet(SideSheet):
    """A wager whose proceeds may be put on the Bet: its own figures are of somebody who never does."""

    rules: Rules = USUAL

    @cached_property
    def capped(self) -> Capped:
        """At best play under the rules, and the proceeds put on the Bet where that is right."""
        assert isinstance(self.wager, SideWager)
        return Capped(self.wager, self.figures.prices, best_play(self.rules))

    def as_json(self) -> dict[str, Any]:
        return super().as_json() | {"with_proceeds_on_the_bet": self.capped.as_json()}


@dataclass(frozen=True)
class UpCard:
    """The wager against one up card, if the dealer always plays."""

    up: int
    """1 for an ace."""
    probability: Fraction
    """How often the wager is made against this card, if it always is."""
    bust: Fraction
    """How often the dealer then busts."""
    odds: Fraction
    """What that pays on top of the wager."""

    @property
    def house_edge(self) -> Fraction:
        return 1 - self.bust * (self.odds + 1)

    def as_json(self) -> dict[str, Any]:
        return {
            "up_card": UP_CARDS[self.up - 1],
            "probability": float(self.probability),
            "bust": as_percent(self.bust),
            "pays": str(self.odds),
            "house_edge": as_percent(self.house_edge),
        }


@dataclass(frozen=True, eq=False)
class BustSheet(SideSheet):
    """Bet the Bust, overall and against each up card; the overall player bets every time."""

    hits_soft_17: bool = False

    @cached_property
    def up_cards(self) -> tuple[UpCard, ...]:
        cases = all_cases(self.decks, hits_soft_17=self.hits_soft_17)
        lines = []
        for up in VALUES:
            here = sum(cases[up].values())
            odds = self.figures.prices[bust_outcome(self.wager, up, BUST)].net
            lines.append(UpCard(up, Fraction(here, self.figures.deals), Fraction(cases[up][BUST], here), odds))
        return tuple(lines)

    def as_json(self) -> dict[str, Any]:
        return super().as_json() | {
            "hits_soft_17": self.hits_soft_17,
            "up_cards": [up_card.as_json() for up_card in self.up_cards],
        }


@dataclass(frozen=True, eq=False)
class PlayedOutSheet(SideSheet):
    """A wager on the dealer's whole hand, which is played to its end for it."""

    hits_soft_17: bool = False

    def as_json(self) -> dict[str, Any]:
        return super().as_json() | {"hits_soft_17": self.hits_soft_17}


def make_side_sheet(
    game: TableGame,
    wager: Wager,
    paytable_id: str,
    paytable: Paytable,
    decks: int,
    *,
    meters: Mapping[str, Fraction | int] | None = None,
    contribution: Fraction | None = None,
    seeds: Mapping[str, Fraction | int] | None = None,
    rules: Rules | None = None,
    stands_against: Collection[int] | None = None,
    hits_soft_17: bool | None = None,
) -> SideSheet:
    """Count and price a side wager; `rules`, `stands_against` and `hits_soft_17` are as in `side_census`.

    Contribution and seeds are the pre-configured ones where none are given and some are known. A progressive wager is
    priced at its meters: those given, else the seeds, else empty meters. Bet the Bust goes by the column of its
    paytable where neither the rules nor anybody says whether the dealer hits a soft 17.
    """
    prices = wager.prices(paytable)
    if fact_of(wager) is Fact.DEALER_TOTAL:
        hits = hits_soft_17
        if hits is None:
            hits = rules.hits_soft_17 if rules else BUST_COLUMNS.get(paytable_id)
        if hits is None:
            raise NotationError(f"Paytable {paytable_id} does not say whether the dealer hits a soft 17: say it.")
        figures = Figures(wager, side_census(wager, decks, hits_soft_17=hits), prices)
        return BustSheet(game, wager, paytable_id, paytable, None, figures, decks, hits_soft_17=hits)
    counts = side_census(wager, decks, rules=rules, stands_against=stands_against, hits_soft_17=hits_soft_17)
    if fact_of(wager) is Fact.DEALER_HAND:
        hits = rules is not None and rules.hits_soft_17 if hits_soft_17 is None else hits_soft_17
        figures = Figures(wager, counts, prices)
        return PlayedOutSheet(game, wager, paytable_id, paytable, None, figures, decks, hits_soft_17=hits)
    if isinstance(wager, SideWager) and wager.caps:
        under = rules or Rules(decks=decks)
        return CapSheet(game, wager, paytable_id, paytable, None, Figures(wager, counts, prices), decks, rules=under)
    progressive = progressive_of(wager, paytable, counts)
    if progressive is None:
        return SideSheet(game, wager, paytable_id, paytable, None, Figures(wager, counts, prices), decks)
    funding = _funding(progressive, preconfigured(wager.key, paytable_id), contribution, seeds)
    known = seeds if funding is None else funding.seeds
    standing = _standing(progressive, meters or known)
    figures = Figures(wager, counts, _at_meters(wager, paytable, prices, standing))
    return SideSheet(game, wager, paytable_id, paytable, None, figures, decks, progressive, standing, funding)


def without_cards(sheet: SideSheet, rules: Rules, cards: Iterable[Card]) -> SideSheet:
    """The same wager from a shoe in which these cards are known to be gone."""
    if isinstance(sheet, BustSheet | CapSheet):
        raise NotationError(f"{sheet.wager.title} goes by the play of hands, and is counted from a full shoe alone.")
    copies = np.full(TYPES, sheet.decks, dtype=np.int64)
    for card in cards:
        copies[DECK.index(card)] -= 1
    counts = counts_from(sheet.wager, rules, copies)
    if not sum(counts.values()):
        raise NotationError(
            f"Without these cards nothing is left to deal that {sheet.wager.title} is about: remove fewer."
        )
    figures = Figures(sheet.wager, counts, sheet.figures.prices)
    return replace(sheet, figures=figures, progressive=progressive_of(sheet.wager, sheet.paytable, counts))


def prices_at_seeds(wager: Wager, paytable_id: str, paytable: Paytable) -> Mapping[Outcome, Price]:
    """What every outcome pays while the meters stand at their seeds, as in a sheet that is given no meters."""
    prices = wager.prices(paytable)
    progressive = progressive_of(wager, paytable, dict.fromkeys(prices, 1))  # which meters there are needs no counts
    if progressive is None:
        return prices
    usual = preconfigured(wager.key, paytable_id)
    return _at_meters(wager, paytable, prices, _standing(progressive, usual.seeds if usual else None))


def _standing(progressive: Progressive, known: Mapping[str, Fraction | int] | None) -> dict[str, Fraction]:
    """What the meters stand at; nothing where it is not known."""
    return progressive.meters(known or dict.fromkeys(progressive.levels, 0))


def _funding(
    progressive: Progressive,
    usual: Funding | None,
    contribution: Fraction | None,
    seeds: Mapping[str, Fraction | int] | None,
) -> Funding | None:
    if contribution is None:
        contribution = usual.contribution if usual else None
    if seeds is None:
        seeds = usual.seeds if usual else None
    if contribution is None or seeds is None:
        return None
    return Funding(Fraction(contribution), progressive.meters(seeds))


def _at_meters(
    wager: Wager, paytable: Paytable, prices: Mapping[Outcome, Price], meters: Mapping[str, Fraction]
) -> dict[Outcome, Price]:
    """What a share comes to counts, and is still printed as the share it is; outcomes of one row keep one price."""
    worth = wager.prices(paytable, meters)
    at_meters: dict[int, Price] = {}
    for outcome, price in prices.items():
        at_meters.setdefault(id(price), price._replace(net=worth[outcome].net))
    return {outcome: at_meters[id(price)] for outcome, price in prices.items()}
