"""Two hands whose second cards may change places: every order of small shoes at the live table against the count."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest
from openpyxl import load_workbook  # type: ignore[import-untyped]

from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.moments import most_in_a_round
from croupier.analysis.blackjack.odds import sampled_swings
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.shoe import Composition, value_letter
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.splits import plan_for
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.blackjack.switch import Switching, best_switching, chart_switching
from croupier.analysis.par.base_wager import BetSheet
from croupier.analysis.par.blackjack import blackjack_sheets, make_blackjack_par
from croupier.analysis.par.edges import edge_counted_before
from croupier.analysis.par.workbook import as_xlsx
from croupier.cards.card import Card
from croupier.cli.session import blackjack_law
from croupier.compliance.approval import shipped_register
from croupier.errors import NotationError
from croupier.games.blackjack import acts
from croupier.games.blackjack.answers import NoInsurance, NoSwitch, Switch
from croupier.games.blackjack.decisions import Double, Hit, Split, Stand
from croupier.games.blackjack.game import of_the_family
from croupier.games.blackjack.round import BlackjackRound, Phase, open_round
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.blackjack.side_wagers import value
from croupier.games.catalogue import find_any_game
from croupier.games.table.bets import Bet
from tests.analysis.par.test_workbook import Computed
from tests.analysis.test_live_against_solver import At
from tests.games.blackjack.support import title_with

UNIT_CENTS, SEAT = 1000, 1
KINDS = (Stand, Hit, Double, Split)


def mean(play: Switching) -> Fraction:
    """What the live table pays per unit of the Bet, over every order in which the cards can come."""
    opened = open_round(title_with(play.rules).offer())
    opened = opened.do(Bet(SEAT, "bet", UNIT_CENTS)).do(acts.NoMoreBets())
    left = Counter({each: cards for each, cards in enumerate(play.shoe.counts, start=1) if cards})
    law: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    waiting = [At(opened, left, None, Fraction(1))]
    while waiting:
        at = waiting.pop()
        if at.round.is_over:
            law[Fraction(at.round.result_cents(SEAT), UNIT_CENTS)] += at.chance
        elif at.round.owed:
            waiting.extend(dealt(at))
        else:
            waiting.append(At(at.round.do(act(at, play)), at.left, at.hole, at.chance))
    assert sum(law.values()) == 1
    return sum((result * chance for result, chance in law.items()), Fraction(0))


def dealt(at: At) -> Iterator[At]:
    if at.round.owed[0].position == 0 and len(at.round.dealer) == 1:
        assert at.hole is not None
        yield At(at.round.do(acts.Deal((card(at.hole),))), at.left, at.hole, at.chance)
        return
    for each, left, chance in at.each_card():
        after = At(at.round.do(acts.Deal((card(each),))), left, at.hole, chance)
        if at.hole is None and len(after.round.dealer) == 1 and len(after.round.seats[SEAT].dealt) == 4:
            yield from (At(after.round, rest, hole, likely) for hole, rest, likely in after.each_card())
        else:
            yield after


def act(at: At, play: Switching) -> acts.Act:
    match at.round.phase:
        case Phase.INSURANCE:
            return NoInsurance()
        case Phase.CHECKING:
            return acts.Peek({value(at.round.up_card), at.hole} == {ACE, TEN})
        case Phase.SWITCHING:
            (a, b), (c, d) = (map(value, hand.cards) for hand in at.round.seats[SEAT].hands)
            return Switch(SEAT) if play.switches((a, b), (c, d), value(at.round.up_card)) else NoSwitch(SEAT)
        case Phase.PLAYING:
            return decision(at.round, play)
        case Phase.DEALER:
            return acts.Reveal()
    return acts.Settle()


def decision(round_: BlackjackRound, play: Switching) -> acts.Act:
    assert round_.turn is not None
    seat, up = round_.seats[SEAT], value(round_.up_card)
    hand = seat.hands[round_.turn.hand]
    if hand.from_split and hand.pair_value and round_.can(Split(SEAT)):
        return Split(SEAT)
    one, two, three, four = map(value, seat.dealt[:4])
    switched = any(event.kind == "switch" for event in round_.events)
    both = [(one, four), (two, three)] if switched else [(one, three), (two, four)]
    low, high = sorted(both[1 - hand.origin])
    strategy, held = play.beside[low, high].strategy, tuple(map(value, hand.cards))
    place = hands().place(held)
    if not hand.from_split:
        return KINDS[Action((strategy.first if len(held) == 2 else strategy.draws)[place, up - 1])](SEAT)
    row = plan_for(play.rules.one_hand).rows[held[0]].place.tolist().index(place)
    other, again = strategy.after_split[held[0]]
    return KINDS[Action((again if held[1] == held[0] else other)[row, up - 1])](SEAT)


def card(of: int) -> Card:
    return Card.parse(f"{value_letter(of)}s")


@cache
def best(words: str, shoe: str) -> Switching:
    return best_switching(Rules.parse(words), Composition.parse(shoe))


CASES = [
    ("6D H17 SP1 1:1 P22 SWITCH", "5x2 6x3 Tx6"),
    ("6D S17 SP1 1:1 P22 SWITCH SWBJ", "Ax3 9x2 Tx6"),
    ("8D S17 SP2 NDAS 1:1 P22 SWITCH", "8x4 9x3 Tx8"),
    ("6D S17 SP1 1:1 P22 SWITCH", "7x3 8x2 Tx6"),
    ("6D S17 SP1 1:1 P22 SWITCH", "Ax3 9x2 Tx6"),
]


@pytest.mark.parametrize(("words", "shoe"), CASES)
def test_every_round_of_a_small_shoe(words: str, shoe: str) -> None:
    play = best(words, shoe)
    assert float(mean(play)) == pytest.approx(play.edge, abs=1e-12)


def test_both_ways_are_best_somewhere() -> None:
    switched = [best(*case).switched for case in CASES]
    assert all(0 < share < 1 for share in switched)
    assert all(best(*case).edge > best(*case).edge_without for case in CASES)
    splits = [beside.strategy.first[hands().place((8, 8))] for beside in best(*CASES[2]).beside.values()]
    assert any((first == Action.SPLIT).any() for first in splits)


def test_a_hand_is_worth_what_it_is_from_a_shoe_without_the_other() -> None:
    play = best(*CASES[2])
    rules = play.rules.one_hand
    whole = [
        solve(rules, play.shoe.without(other)).value[hands().place(own), 9]
        for own, other in (((9, 10), (9, 9)), ((9, 9), (9, 10)))
    ]
    assert play.worth((9, 10), (9, 9), 10) == pytest.approx(sum(map(float, whole)), abs=1e-12)
    assert play.deals.sum() == pytest.approx(1, abs=1e-12)


def test_one_hand_alone_is_not_counted_under_switch() -> None:
    with pytest.raises(NotationError, match="counted together"):
        solve(Rules.parse("6D 1:1 SWITCH"))


def test_a_chart_costs_and_switching_by_it_is_told() -> None:
    rules = Rules.parse("6D H17 DAS SP4 1:1 P22 SWITCH")
    by_chart = chart_switching(rules)
    assert by_chart.edge < best_switching(rules).edge < 0
    delivered = edge_counted_before(find_any_game("blackjack-switch").under("6D H17 DAS SP4 1:1 P22 SWITCH"))
    assert delivered is not None
    assert delivered["house_edge"]["percent"] == pytest.approx(-100 * best_switching(rules).edge, abs=1e-9)
    again = chart_switching(rules, Chart.parse(str(Chart.parse(CHART))))
    assert again.edge < by_chart.edge


CHART = """
    hard 4-11:  H  H  H  H  H  H  H  H  H  H
    hard 12-16: S  S  S  S  S  H  H  H  H  H
    hard 17+:   S  S  S  S  S  S  S  S  S  S
    soft 13-17: H  H  H  H  H  H  H  H  H  H
    soft 18+:   S  S  S  S  S  S  S  S  S  S
    pair A,A:   P  P  P  P  P  P  P  P  P  P
    pair 2,2:   N  N  N  N  N  N  N  N  N  N
    pair 3,3:   N  N  N  N  N  N  N  N  N  N
    pair 4,4:   N  N  N  N  N  N  N  N  N  N
    pair 5,5:   N  N  N  N  N  N  N  N  N  N
    pair 6,6:   N  N  N  N  N  N  N  N  N  N
    pair 7,7:   N  N  N  N  N  N  N  N  N  N
    pair 8,8:   P  P  P  P  P  P  P  P  P  P
    pair 9,9:   N  N  N  N  N  N  N  N  N  N
    pair T,T:   N  N  N  N  N  N  N  N  N  N"""


def test_what_cannot_be_counted_is_sampled_and_said() -> None:
    swings = sampled_swings(best_switching(Rules.parse("6D H17 DAS SP4 1:1 P22 SWITCH")))
    assert swings.mean == best_switching(Rules.parse("6D H17 DAS SP4 1:1 P22 SWITCH")).edge
    assert "sampled from 4,000,000 rounds" in swings.note
    mean_of_sample = sum(float(result) * chance for result, chance in swings.law.items())
    assert abs(mean_of_sample - swings.mean) < 4 * (swings.variance / 4_000_000) ** 0.5


def test_what_a_sample_cannot_know_is_not_taken_from_it() -> None:
    """On the PAR sheet: the middle of a hold is the counted edge, the largest award is by the rules, and so is said."""
    game = of_the_family(find_any_game("blackjack-switch"))
    par = make_blackjack_par(game, blackjack_sheets(game, game.wager("bet")), shipped_register())
    [sheet] = par.sheets
    assert isinstance(sheet, BetSheet)
    swings = par.swings(sheet)
    assert sum(swings.hold(10**8, Fraction(95, 100))) / 2 == pytest.approx(sheet.edge, abs=1e-12)
    assert swings.deviation == pytest.approx(sheet.swings.standard_deviation)
    assert [swings.largest, swings.exposure] == [Fraction(8), Fraction(56)]
    assert par.as_json()["swings"][0]["largest_award"] == {"net": "8", "probability": None}
    printed = par.in_print.wagers[0].sheets[0]
    figures = {each.name: each.value for each in printed.figures}
    assert figures["Largest award, net"] == "at most +8, by the rules"
    assert {"Skewness, sampled", "Excess kurtosis, sampled"} <= set(figures)
    facts = dict(par.in_print.facts)
    assert facts["Deal"].startswith("two hands of two cards to each")
    assert facts["Method"].endswith("its lines, hit frequency and deviation are sampled")
    assert "rule documents" not in printed.basis
    computed = Computed(load_workbook(io.BytesIO(as_xlsx(par))).worksheets[1]).figures()
    assert computed["House edge"] == pytest.approx(sheet.edge, abs=1e-15)
    assert computed["Largest award, net"] == 8


def test_a_session_of_a_sample_has_the_counted_mean() -> None:
    game = of_the_family(find_any_game("blackjack-switch"))
    law = blackjack_law(game, Asked(), ["bet"], [], ["10"]).law
    play = best_switching(game.rules)
    assert float(law.mean_cents) == pytest.approx(1000 * play.edge, abs=1e-9)
    assert law.most_cents == 8000
    assert law.deviation_cents == pytest.approx(1000 * sampled_swings(play).standard_deviation, rel=1e-3)
    assert "The mean of one round is counted" in law.sampled


@pytest.mark.parametrize(("words", "most"), [("6D SP4 DAS", 8), ("6D SP4 NDAS", 4), ("6D SP1", 2), ("6D SP2 DAS", 4)])
def test_the_most_that_a_round_wins_is_by_the_rules(words: str, most: int) -> None:
    assert most_in_a_round(Rules.parse(words)) == most
