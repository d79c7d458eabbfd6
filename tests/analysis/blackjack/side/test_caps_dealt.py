"""House Money with its proceeds on the Bet: every round of a small shoe, dealt at the live table with real suits.

The live table is what pays: it is dealt every order of a few cards, once with the proceeds put on the Bet and once
with them kept, in exact fractions. What that comes to is held against what is counted, result by result; and that the
proceeds go on the Bet just where that is worth more is seen by both having been dealt. Which line two cards are is
asked of `brute_force`, which imports nothing of Croupier.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import pytest

from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.caps import Capped, unit_more
from croupier.analysis.blackjack.solver import solve
from croupier.cards.card import DECK, Card
from croupier.games.blackjack import acts
from croupier.games.blackjack.answers import Cap, NoCap
from croupier.games.blackjack.game import of_the_family
from croupier.games.blackjack.round import BlackjackRound, Phase, open_round
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import HOUSE_MONEY, value
from croupier.games.catalogue import find_any_game
from croupier.games.table.bets import Bet
from croupier.games.table.offering import Limits
from tests.analysis.blackjack.side.brute_force import house_money, points
from tests.analysis.test_live_against_solver import SEAT, UNIT_CENTS, At, LiveTable, card, first_cards_are_out

PRICES = HOUSE_MONEY.prices(HOUSE_MONEY.paytables["9-4-3-1"])
OUTCOMES = {outcome.label: outcome for outcome in HOUSE_MONEY.outcomes}
Ends = dict[Fraction | None, Fraction]
"""By what the Bet came to per unit of it, None where nothing was put on it: how likely that is."""


@dataclass(frozen=True)
class CappingTable(LiveTable):
    """A live table at which one seat's proceeds are put on the Bet, or never are."""

    caps: bool = True

    def act(self, at: At) -> acts.Act:
        if at.round.phase is Phase.CAPPING:
            return Cap(SEAT) if self.caps else NoCap()
        return super().act(at)


@dataclass(frozen=True)
class Deal:
    """Two cards of a seat and a dealer's up card of this value, out of a shoe."""

    first: str
    second: str
    up: int

    @property
    def line(self) -> str:
        [line] = house_money([self.first, self.second])
        return line

    def start(self, opened: BlackjackRound, shoe: list[str]) -> Iterator[At]:
        """The round with these three cards on the table, and each hole card that can lie there."""
        mine = [self.first, self.second]
        left = Counter(map(points, shoe)) - Counter([*map(points, mine), self.up])
        while not first_cards_are_out(opened):
            dealt = Card.parse(mine.pop(0)) if opened.owed[0].position == SEAT else card(self.up)
            opened = opened.do(acts.Deal((dealt,)))
        for hole, rest, chance in At(opened, left, None, Fraction(1)).each_card():
            yield At(opened, rest, hole, chance)


def deals(shoe: list[str]) -> dict[Deal, Fraction]:
    """Each deal and how likely it is, card by card."""
    dealt: Counter[Deal] = Counter()
    for one, other in combinations(range(len(shoe)), 2):
        for up, of in enumerate(shoe):
            if up not in (one, other):
                dealt[Deal(shoe[one], shoe[other], points(of))] += 1
    return {deal: Fraction(number, dealt.total()) for deal, number in dealt.items()}


def ends(table: CappingTable, opened: BlackjackRound, deal: Deal, shoe: list[str]) -> tuple[Ends, Fraction]:
    """How the Bet ends by what was put on it, and what the seat has won on average."""
    found: defaultdict[Fraction | None, Fraction] = defaultdict(Fraction)
    average, won = Fraction(0), PRICES[OUTCOMES[deal.line]].net
    for start in deal.start(opened, shoe):
        for end in table.ends(start):
            result = Fraction(end.round.result_cents(SEAT), UNIT_CENTS)
            average += end.chance * result
            capped = any(event.kind == "cap" for event in end.round.events)
            found[(result - won) / (won + 2) if capped else None] += end.chance
    return dict(found), average


CASES = [
    ("6D S17 SP2 3:2", "As Ah 6c 7s 7s 7d 8s Ks Kd Qs Js Th"),
    ("6D H17 SP3 RSA HSA LS 6:5", "Ad Ad 8s 8c 8d 9d Kd Kd Qd Td Tc"),
    ("6D S17 SP2 ES 3:2", "Ac As 6s 6d 8s 8s Kc Ks Qh Td 7s"),
    ("6D H17 SP2 ES10 LS 6:5", "Ah As 6s 7s 6d 8d 8d Kh Ks Jd Tc"),
    ("6D H17 SP2 LS 1:1 CH6 NDCC DAC SAD SAT B21 BJW DBJ", "Ad As 4s 5s 8s 8d 8d Kd Ks Qd Jc Td"),
    ("6D SP2 CH5 DAC 3:2", "2s 2s 2d 3s 3d 7s 8d Kd Kd Ts Qc"),
    ("6D SP2 LS SAT DBJ 3:2", "Ad Ah 7s 7d 8d 9s Kd Kh Qd Tc Ts"),
    ("6D H17 SP2 LS SAZ P22 ZAP17 1:1", "As Ad 6s 7s 8s 8s 9d Kd Ks Qs Ts"),
]
"""Shoes that no round can use up, with pairs and neighbors of one suit and of two; most have a suited ace and king."""


@pytest.mark.parametrize(("words", "cards"), CASES)
def test_every_round_of_a_small_shoe_with_the_proceeds_on_the_bet(words: str, cards: str) -> None:
    rules, shoe = Rules.parse(words), cards.split()
    values = Counter(map(points, shoe))
    play = solve(rules, Composition(tuple(values[each] for each in range(1, 11))))
    counted = Capped(HOUSE_MONEY, PRICES, play, tuple(Counter(map(Card.parse, shoe))[each] for each in DECK))
    title = of_the_family(find_any_game("zappit-blackjack" if rules.zap else "blackjack")).with_rules(rules)
    offering = title.offer(side_wagers=[HOUSE_MONEY.key], limits=Limits(UNIT_CENTS, 10 * UNIT_CENTS))
    opened = open_round(offering).do(Bet(SEAT, "bet", UNIT_CENTS)).do(Bet(SEAT, HOUSE_MONEY.key, UNIT_CENTS))
    opened = opened.do(acts.NoMoreBets())

    law: defaultdict[tuple[str, Fraction | None], Fraction] = defaultdict(Fraction)
    worth = unit_more(play)
    decided: set[bool] = set()
    for deal, chance in deals(shoe).items():
        won = PRICES[OUTCOMES[deal.line]].net
        if won <= 0:
            law[deal.line, None] += chance
            continue
        (put, with_it), (_, kept) = (ends(CappingTable(play, caps=caps), opened, deal, shoe) for caps in (True, False))
        place = hands().place(tuple(value(Card.parse(each)) for each in (deal.first, deal.second)))
        caps = worth[place, deal.up - 1] > 0
        assert caps == (with_it > kept), (deal, with_it, kept)
        decided.add(bool(caps))
        for units, likely in put.items() if caps else [(None, Fraction(1))]:
            law[deal.line, units] += chance * likely

    assert sum(law.values()) == 1
    assert decided == {True, False}
    assert sum(counted.law.values()) == pytest.approx(1, abs=1e-12)
    told = {(outcome.label, units): likely for (outcome, units), likely in counted.law.items() if likely > 1e-15}
    dealt = {(line, units): float(likely) for (line, units), likely in law.items()}
    assert {line for line, _ in dealt} == set(house_money(shoe))
    if moments(play).exact:
        assert told == pytest.approx(dealt, abs=1e-12)
    # Chances of three split hands are near, as the Bet's are; their mean is exact.
    mean = sum(likely * float(counted.net(OUTCOMES[line], units)) for (line, units), likely in law.items())
    assert counted.expected == pytest.approx(float(mean), abs=1e-12)
