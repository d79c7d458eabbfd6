"""Side wagers: against dealing every deal, against published figures, and what must hold of any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import comb, perm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis.blackjack.odds import side_sheets
from croupier.analysis.blackjack.question import Asked, check_questions
from croupier.analysis.blackjack.side.bust import all_cases, dealer_cases, longest_hand
from croupier.analysis.blackjack.side.census import (
    BustSheet,
    SideSheet,
    make_side_sheet,
    prices_at_seeds,
    side_census,
    stands_with_sevens,
)
from croupier.analysis.blackjack.side.deals import TYPES, Ints, count_deals
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.vulnerability.shoes import expected_from
from croupier.cards.card import DECK, Card, parse_cards
from croupier.errors import CroupierError, NotationError
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import (
    BET_THE_BUST,
    BET_THE_SET,
    BLAZING_DEALER,
    BLAZING_PLAYER,
    BUSTS,
    HOUSE_MONEY,
    INSURANCE,
    KINGS_AND_BLACKJACK,
    KINGS_BOUNTY,
    KINGS_OF_SPADES,
    NOBODY_LEFT,
    ROYAL_MATCH,
    SIDE_WAGERS,
    SUITED_KINGS,
    SUPER_MATCH,
    TRILUX,
    TRILUX_BONUS,
    TWO_SEVENS,
)
from croupier.games.paytable import Paytable
from croupier.games.wager import Outcome, Wager, approved_paytable
from tests.analysis.blackjack.side import brute_force as brute
from tests.games.blackjack.support import offer_blackjack

GAME = blackjack()


def sheet_of(wager: Wager, paytable: str, decks: int, **more: Any) -> SideSheet:
    return make_side_sheet(GAME, wager, paytable, wager.paytables[paytable], decks, **more)


def bust_of(paytable: str, decks: int) -> BustSheet:
    sheet = sheet_of(BET_THE_BUST, paytable, decks)
    assert isinstance(sheet, BustSheet)
    return sheet


def per_cent(value: Fraction, places: int) -> str:
    return f"{float(value * 100):.{places}f}"


def by_label(counts: Mapping[Outcome, int]) -> dict[str, int]:
    return {outcome.label: count for outcome, count in counts.items() if count}


# Against dealing every deal


SHOES = {
    "kings and aces": "Ks Ks Kh Kh Kd Qc Qc Jd Ts As Ah 9s 9h 5c",
    "sevens": "7d 7d 7d 7h 7h 7c 7c 7s As Th Kd 4c 4d 8s",
    "low and suited": "Ac Ac Ac 2c 3c 3d 4h 4h 4d Qc Kc Jc Jh Th",
    "no tens": "As Ad 7c 7c 7s 7h 6h 6h 8h 8c 9c 2d 3d",
    "kings and queens": "Ks Ks Qs Qs Kh Qh Kd Qd Kc 9c Ah Th 5s",
}
WAGERS: dict[str, tuple[Wager, Callable[[list[str]], Counter[str]]]] = {
    "kings-bounty": (KINGS_BOUNTY, brute.kings_bounty),
    "insurance": (INSURANCE, brute.insurance),
    "blazing-7s-dealer": (BLAZING_DEALER, brute.blazing_dealer),
    "blazing-7s-player": (BLAZING_PLAYER, partial(brute.blazing_player, stands_against=set())),
    "trilux": (TRILUX, brute.trilux),
    "bet-the-set": (BET_THE_SET, brute.bet_the_set),
    "house-money": (HOUSE_MONEY, brute.house_money),
    "royal-match": (ROYAL_MATCH, brute.royal_match),
    "trilux-bonus": (TRILUX_BONUS, brute.trilux_bonus),
    "super-match": (SUPER_MATCH, brute.super_match),
}


def copies_of(shoe: str) -> Ints:
    copies = np.zeros(TYPES, dtype=np.int64)
    for word in shoe.split():
        copies[Card.parse(word).number] += 1
    return copies


@pytest.mark.parametrize("shoe", list(SHOES.values()), ids=list(SHOES))
@pytest.mark.parametrize("wager", list(WAGERS))
def test_every_deal_of_a_small_shoe(wager: str, shoe: str) -> None:
    of, deal = WAGERS[wager]
    assert by_label(count_deals(of, copies_of(shoe))) == dict(deal(shoe.split()))


@pytest.mark.parametrize("decks", [3, 5, 7])
def test_odd_numbers_of_decks(decks: int) -> None:
    """Every deal of all their cards, and both Royal Matches: the dealer's is of another suit, or of the same."""
    assert by_label(side_census(BET_THE_SET, decks)) == brute.of_decks(decks, brute.set_line)
    assert by_label(side_census(HOUSE_MONEY, decks)) == brute.of_decks(decks, brute.money_line)
    assert by_label(side_census(TRILUX_BONUS, decks)) == brute.with_up_card(decks, brute.bonus_line)
    crowned = 4 * decks**2 * (3 * decks**2 + (decks - 1) ** 2)
    assert by_label(side_census(ROYAL_MATCH, decks))["Crown Treasure"] == crowned


@pytest.mark.parametrize("stands", [{1}, {7, 10}, set(range(1, 11))])
def test_players_who_stand_with_two_sevens(stands: set[int]) -> None:
    shoe = SHOES["sevens"]
    counted = by_label(count_deals(BLAZING_PLAYER, copies_of(shoe), stands))
    assert counted == dict(brute.blazing_player(shoe.split(), stands))


def test_without_a_hole_card_no_blackjack_comes_first() -> None:
    shoe = SHOES["sevens"]
    counted = by_label(count_deals(BLAZING_PLAYER, copies_of(shoe), {10}, hole_card=False))
    assert counted == dict(brute.blazing_player(shoe.split(), {10}, checked=False))


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize(
    "shoe", [(2, 1, 2, 0, 2, 2, 1, 2, 1, 5), (4, 3, 0, 0, 0, 4, 0, 0, 0, 4), (0, 2, 3, 3, 0, 0, 2, 1, 2, 2)]
)
def test_every_dealers_hand_of_a_small_shoe(shoe: tuple[int, ...], hits_soft_17: bool) -> None:
    cards = dict(enumerate(shoe, start=1))
    length = min(longest_hand(hits_soft_17=hits_soft_17), sum(shoe))
    for up, number in cards.items():
        cases = dealer_cases(up, cards, hits_soft_17=hits_soft_17, length=length)
        if not number:
            assert not any(cases.values())
            continue
        left = [value for value, many in cards.items() for _ in range(many - (value == up))]
        ends = brute.dealer_ends(up, left, hits_soft_17=hits_soft_17)
        all_orders = number * perm(sum(shoe) - 1, length - 1)
        assert {total: Fraction(n, all_orders) for total, n in cases.items() if n} == {
            total: chance for total, chance in ends.items() if total and chance
        }


# Published figures


def test_kings_bounty_as_published_for_six_decks() -> None:
    """E. Jacobson, 8 June 2013: house edge 23.164 %, standard deviation 4.871."""
    figures = sheet_of(KINGS_BOUNTY, "KB01", 6).figures
    assert per_cent(figures.house_edge, 3) == "23.164"
    assert f"{figures.standard_deviation:.3f}" == "4.871"


def test_kings_bounty_as_published_for_two_decks() -> None:
    """The same author, 29 June 2022, for a table with higher pays: 24.733489 %."""
    pays = Paytable.parse(
        "two decks",
        """
        2 Kings of Spades + Dealer BJ   1,000 to 1
        2 Kings of Spades               200 to 1
        2 Suited Kings                  50 to 1
        2 Suited Queens, Jacks or 10s   25 to 1
        Suited 20                       9 to 1
        2 Kings                         6 to 1
        Unsuited 20                     4 to 1""",
    )
    sheet = make_side_sheet(GAME, KINGS_BOUNTY, "two decks", pays, 2)
    assert per_cent(sheet.figures.house_edge, 6) == "24.733489"


def test_kings_bounty_by_decks() -> None:
    """Fewer decks hold fewer pairs of one card; one deck holds none, and its edge is that of the last three lines."""
    edges = [sheet_of(KINGS_BOUNTY, "KB01", decks).figures.house_edge for decks in (1, 2, 4, 6, 8)]
    assert [per_cent(edge, 4) for edge in edges] == ["37.2549", "28.7540", "24.5555", "23.1637", "22.4693"]
    assert all(side_census(KINGS_BOUNTY, 1)[each] == 0 for each in (KINGS_AND_BLACKJACK, KINGS_OF_SPADES, SUITED_KINGS))


@pytest.mark.parametrize(
    ("decks", "published", "all_hands"),
    [
        (1, (48, 52, 720, 1_096), 22_100),
        (2, (384, 728, 5_760, 10_016), 182_104),
        (4, (3_072, 7_280, 46_080, 85_120), 1_478_256),
        (8, (24_576, 64_480, 368_640, 700_928), 11_912_160),
    ],
)
def test_trilux_as_published(decks: int, published: tuple[int, ...], all_hands: int) -> None:
    """M. Shackelford's tables of the same three cards (Flush, Straight 2 Flush): sets of three, so a third of deals."""
    counts = by_label(side_census(TRILUX, decks))
    trips = sum(count for label, count in counts.items() if label.startswith("Three"))
    found = counts["Straight Flush"], trips, counts["Straight"], counts["Flush"]
    assert found == tuple(3 * count for count in published)
    assert sum(counts.values()) == 3 * all_hands


def test_trilux_as_published_for_a_progressive_of_six_decks() -> None:
    """Galaxy's 21+3 Progressive: suited aces, kings, queens one in 20,889, other suited 6,267, 484, offsuit 198."""
    counts = side_census(TRILUX, 6)
    deals = sum(counts.values())
    aces, suited, straight_flush, offsuit = (deals / counts[outcome] for outcome in TRILUX.outcomes[:4])
    assert round(aces / 3) == 20_889
    assert round(suited * 12 / 10) == 6_267  # twelve ranks here, ten there
    assert (round(straight_flush), round(offsuit)) == (484, 198)


def test_three_sevens_as_published_for_six_decks() -> None:
    """M. Shackelford's Super Sevens with a third card guaranteed: 480 suited of 30,079,920, 12,144 in all."""
    counts = by_label(side_census(BLAZING_DEALER, 6))
    threes = {label: 2 * count for label, count in counts.items() if label.startswith("Three")}
    assert threes["Three 7's - Diamonds"] + threes["Three 7's - Suited (Other)"] == 480
    assert sum(threes.values()) == 12_144
    assert 2 * sum(counts.values()) == 30_079_920


@pytest.mark.parametrize(
    ("decks", "stands", "hits"),
    [
        (1, "0.283585", "0.287485"),
        (2, "0.282582", "0.286446"),
        (4, "0.282086", "0.285931"),
        (6, "0.281921", "0.285760"),
        (8, "0.281839", "0.285675"),
    ],
)
def test_busts_as_published(decks: int, stands: str, hits: str) -> None:
    """M. Shackelford's page on Bust, where deals with a blackjack count too."""
    for hits_soft_17, printed in ((False, stands), (True, hits)):
        cases = all_cases(decks, hits_soft_17=hits_soft_17)
        all_orders = perm(52 * decks, longest_hand(hits_soft_17=hits_soft_17))
        assert f"{sum(each[22] for each in cases.values()) / all_orders:.6f}" == printed


@pytest.mark.parametrize(
    ("decks", "printed"),
    [
        (1, "0.169815 0.352973 0.375588 0.402803 0.428905 0.420823 0.259854 0.238627 0.233442 0.232499"),
        (2, "0.168096 0.353291 0.374794 0.398540 0.422505 0.422132 0.261143 0.241630 0.230898 0.231144"),
        (3, "0.167557 0.353398 0.374501 0.397162 0.420440 0.422503 0.261546 0.242656 0.230066 0.230692"),
        (4, "0.167293 0.353451 0.374349 0.396481 0.419419 0.422676 0.261742 0.243173 0.229653 0.230465"),
        (5, "0.167136 0.353483 0.374256 0.396075 0.418810 0.422776 0.261859 0.243485 0.229406 0.230329"),
    ],
)
def test_busts_by_up_card_as_published(decks: int, printed: str) -> None:
    """M. Shackelford's page on Bet the Bust, soft 17 stood on. Its columns headed 4, 6 and 8 decks are 3, 4 and 5."""
    busts = [each[22] / sum(each.values()) for each in all_cases(decks, hits_soft_17=False).values()]
    assert [f"{bust:.6f}" for bust in busts] == printed.split()


def test_bet_the_bust_by_decks() -> None:
    """The maker speaks of 9.63 % on average."""
    edges = {(table, decks): bust_of(table, decks).figures.house_edge for table in "12" for decks in (1, 2, 6, 8)}
    hit = [per_cent(edges["1", decks], 4) for decks in (1, 2, 6, 8)]
    stand = [per_cent(edges["2", decks], 4) for decks in (1, 2, 6, 8)]
    assert hit == ["9.1470", "9.4734", "9.6882", "9.7149"]
    assert stand == ["9.5302", "9.8525", "10.0636", "10.0898"]


def test_insurance_by_decks() -> None:
    """With no card known but the ace: 1 - 3 x 16n / (52n - 1)."""
    for decks in (1, 2, 4, 6, 8):
        edge = sheet_of(INSURANCE, "1", decks).figures.house_edge
        assert edge == 1 - Fraction(3 * 16 * decks, 52 * decks - 1)


@pytest.mark.parametrize(
    ("wager", "paytable", "decks", "published"),
    [
        *((BET_THE_SET, table, 6, edge) for table, edge in (("20-10", "2.5723"), ("15-10", "10.6109"))),
        (BET_THE_SET, "12-12", 6, "3.8585"),
        (BET_THE_SET, "25-10", 2, "10.6796"),
        (BET_THE_SET, "15", 1, "5.8824"),
        *((ROYAL_MATCH, "25", decks, edge) for decks, edge in ((1, "10.8597"), (2, "8.3271"), (4, "7.0792"))),
        *((ROYAL_MATCH, "25", decks, edge) for decks, edge in ((6, "6.6658"), (8, "6.4597"))),
        *((ROYAL_MATCH, "10", decks, edge) for decks, edge in ((1, "3.7707"), (2, "0.8215"), (6, "-1.1130"))),
        (ROYAL_MATCH, "25-5", 6, "3.70"),
        (TRILUX_BONUS, "9", 6, "3.2386"),
        (TRILUX_BONUS, "8", 6, "12.91"),
    ],
)
def test_as_published(wager: Wager, paytable: str, decks: int, published: str) -> None:
    """Sources are in the rulebook: 16.8, 17.10 and 18.7."""
    places = len(published.split(".")[1])
    assert per_cent(sheet_of(wager, paytable, decks).figures.house_edge, places) == published


def test_the_other_figure_for_bet_the_set_comes_from_no_count() -> None:
    """Another page gives 10.3199 % for 15-10 with six decks: no whole number of hands makes that."""
    edge = sheet_of(BET_THE_SET, "15-10", 6).figures.house_edge
    assert edge == Fraction(33, 311)
    assert all(per_cent(Fraction(lost, comb(312, 2)), 4) != "10.3199" for lost in range(5000, 5015))


def test_both_royal_matches_by_hand() -> None:
    """Any of 4 x 36 hands of the player; then the dealer has 4 x 36 less those that use a card of the player's."""
    counts = by_label(side_census(ROYAL_MATCH, 6))
    assert counts["Crown Treasure"] == 144 * (3 * 36 + 25)
    assert counts["Crown Treasure"] + counts["Royal Match"] == 144 * comb(310, 2)


# What must hold


@pytest.mark.parametrize("decks", [1, 2, 6, 8, 100])
def test_all_deals_are_counted_once(decks: int) -> None:
    cards = 52 * decks
    pairs = comb(cards, 2)
    expected = {
        KINGS_BOUNTY: pairs * comb(cards - 2, 2),
        BLAZING_DEALER: pairs * (cards - 2),
        TRILUX: pairs * (cards - 2),
        BLAZING_PLAYER: pairs * perm(cards - 2, 3),
        BET_THE_SET: pairs,
        ROYAL_MATCH: pairs * comb(cards - 2, 2),
        TRILUX_BONUS: pairs * (cards - 2),
    }
    for wager, deals in expected.items():
        assert sum(side_census(wager, decks).values()) == deals
        assert min(side_census(wager, decks).values()) >= 0


@pytest.mark.parametrize("wager", SIDE_WAGERS, ids=[wager.key for wager in SIDE_WAGERS])
def test_lines_add_up(wager: Wager) -> None:
    for paytable in wager.paytables:
        figures = sheet_of(wager, paytable, 6).figures
        assert sum(line.probability for line in figures.lines) == 1
        assert sum(line.contribution for line in figures.lines) == -figures.house_edge
        assert sum(line.combinations for line in figures.lines) == figures.deals


def test_up_cards_add_up_to_the_whole() -> None:
    for table in "12":
        sheet = bust_of(table, 6)
        assert sum(each.probability for each in sheet.up_cards) == 1
        assert sum(each.probability * each.house_edge for each in sheet.up_cards) == sheet.figures.house_edge
        assert sum(each.probability * each.bust for each in sheet.up_cards) == sheet.figures.hit_frequency


def test_the_dealer_always_plays_in_the_census_of_bet_the_bust() -> None:
    counts = side_census(BET_THE_BUST, 6)
    assert counts[NOBODY_LEFT] == 0
    assert all(counts[each] > 0 for each in BUSTS.values())


def test_a_dealer_who_hits_a_soft_17_busts_more_often() -> None:
    for up in range(1, 11):
        stands, hits = (all_cases(6, hits_soft_17=hits)[up] for hits in (False, True))
        differs = Fraction(hits[22], sum(hits.values())) - Fraction(stands[22], sum(stands.values()))
        assert differs > 0 if up in (1, 2, 3, 4, 5, 6) else differs == 0


def test_a_blackjack_and_a_stand_leave_two_sevens() -> None:
    """Where the player always stands nobody gets three of them, and two of them are as likely as ever."""
    draws, stands = side_census(BLAZING_PLAYER, 6), side_census(BLAZING_PLAYER, 6, stands_against=range(1, 11))
    threes = [outcome for outcome in BLAZING_PLAYER.outcomes if "Three" in outcome.label]
    assert all(stands[outcome] == 0 < draws[outcome] for outcome in threes)
    assert stands[TWO_SEVENS] == draws[TWO_SEVENS] + sum(draws[outcome] for outcome in threes)
    # One more seven comes after 1 - P(blackjack) of the deals with two, the aces and tens being all there.
    open_ = 1 - Fraction(2 * 24 * 96, 309 * 308)
    assert Fraction(sum(draws[outcome] for outcome in threes), stands[TWO_SEVENS]) == Fraction(22, 310) * open_


def three_sevens(words: str) -> Fraction:
    """How often, of the deals with two sevens."""
    rules = Rules.parse(words)
    counts = side_census(BLAZING_PLAYER, rules.decks, rules=rules)
    threes = sum(count for outcome, count in counts.items() if "Three" in outcome.label)
    return Fraction(threes, threes + counts[TWO_SEVENS])


def test_the_rules_say_who_gets_a_third_card() -> None:
    assert stands_with_sevens(Rules.parse("6D")) == set()
    assert stands_with_sevens(Rules.parse("6D SP1")) == {2, 3, 4, 5, 6}
    assert stands_with_sevens(Rules.parse("1D")) == {10}
    assert three_sevens("6D ENHC") == Fraction(22, 310)
    assert three_sevens("6D") == Fraction(22, 310) * (1 - Fraction(2 * 24 * 96, 309 * 308))
    assert three_sevens("6D SP1 ENHC") == Fraction(22, 310) * (1 - Fraction(5 * 24, 309))


def test_rules_and_decks_must_agree() -> None:
    with pytest.raises(NotationError, match="not for 8 decks"):
        side_census(BLAZING_PLAYER, 8, rules=Rules.parse("6D"))


@pytest.mark.parametrize("rules", ["2D H17", "6D S17", "6D H17 LS", "8D S17 LS", "8D H17 NDAS SP2"])
def test_basic_strategy_draws_to_two_sevens(rules: str) -> None:
    """What the census of the version with the player's cards takes as given."""
    solution = solve(Rules.parse(rules))
    draws = (Action.HIT, Action.DOUBLE, Action.SPLIT)
    assert all(solution.best("7 7", up) in draws for up in range(1, 11))


def test_basic_strategy_stands_with_two_sevens_from_one_deck() -> None:
    assert solve(Rules.parse("1D")).best("7 7", 10) is Action.STAND


# Meters


@given(
    paytable=st.sampled_from(["1", "2"]),
    low=st.fractions(0, 10**6),
    high=st.fractions(0, 10**6),
    part=st.fractions(0, 1),
)
@settings(max_examples=30, deadline=None)
def test_the_edge_is_linear_in_the_meter(paytable: str, low: Fraction, high: Fraction, part: Fraction) -> None:
    def edge(meter: Fraction) -> Fraction:
        return sheet_of(BLAZING_DEALER, paytable, 6, meters={"": meter}).figures.house_edge

    between = low + part * (high - low)
    assert edge(between) == edge(low) + part * (edge(high) - edge(low))


@pytest.mark.parametrize(
    ("wager", "paytable"),
    [(BLAZING_DEALER, "1"), (BLAZING_DEALER, "2"), (BLAZING_PLAYER, "ML03"), (BLAZING_PLAYER, "ML04"), (TRILUX, "6")],
)
@pytest.mark.parametrize("decks", [6, 8])
def test_at_the_break_even_meter_the_wager_is_fair(wager: Wager, paytable: str, decks: int) -> None:
    sheet = sheet_of(wager, paytable, decks)
    assert sheet.progressive is not None
    assert sheet.meters is not None
    for meter, worth in sheet.progressive.break_even(sheet.meters).items():
        assert worth is not None
        fair = sheet_of(wager, paytable, decks, meters={**sheet.meters, meter: worth})
        assert fair.figures.house_edge == 0
        assert fair.figures.expected == 0


def test_figures_at_the_meters_agree_with_the_progressive() -> None:
    for meters in ({"Mega": 5000, "Major": 0, "Minor": 123}, {"Mega": 1, "Major": 2, "Minor": 3}):
        sheet = sheet_of(BLAZING_DEALER, "ML03", 8, meters=meters)
        assert sheet.progressive is not None
        assert sheet.figures.house_edge == sheet.progressive.house_edge(meters)


def test_a_share_is_printed_as_a_share_and_hits_at_any_meter() -> None:
    empty = sheet_of(BLAZING_DEALER, "1", 6, meters={"": 0})
    full = sheet_of(BLAZING_DEALER, "1", 6)
    assert [line.pays for line in empty.figures.lines][:3] == ["100%", "10%", "200 for 1"]
    assert empty.as_json()["hit_frequency"] == full.as_json()["hit_frequency"]
    assert empty.progressive is not None
    assert empty.figures.hit_frequency < empty.progressive.hit_frequency == full.figures.hit_frequency


# Sheets


def test_a_sheet_as_json() -> None:
    found = sheet_of(BLAZING_DEALER, "ML03", 8).as_json()
    assert (found["game"], found["wager"], found["paytable"], found["decks"]) == (
        *("blackjack", "blazing-7s-dealer"),
        *("ML03", 8),
    )
    assert found["hold"]["percent"] == pytest.approx(21.6463983)
    assert found["house_edge"]["percent"] == pytest.approx(45.6463983)
    assert found["fixed_return"]["percent"] == pytest.approx(48.2421996)
    assert found["hit_frequency"]["percent"] == pytest.approx(14.8100093)
    assert found["meters"] == found["seeds"] == {"Mega": 2000.0, "Major": 1000.0, "Minor": 500.0}
    assert found["break_even_meter"]["Mega"] == pytest.approx(99097.714286)
    assert found["contribution"]["exact"] == "6/25"
    assert sum(line["combinations"] for line in found["lines"]) == found["combinations"]


def test_a_sheet_without_meters_has_no_hold() -> None:
    found = sheet_of(KINGS_BOUNTY, "KB01", 6).as_json()
    assert {"hold", "meters", "break_even_meter", "fixed_return"}.isdisjoint(found)


def test_a_progressive_of_unknown_funding_is_priced_at_an_empty_meter() -> None:
    sheet = sheet_of(TRILUX, "6", 6)
    assert sheet.hold is None
    assert sheet.as_json()["meters"] == {"Progressive": 0.0}
    assert "hold" not in sheet.as_json()
    funded = sheet_of(TRILUX, "6", 6, contribution=Fraction(1, 5), seeds={"": 2000})
    assert funded.progressive is not None
    assert funded.hold == 1 - funded.progressive.fixed_return - Fraction(1, 5) - 2000 * Fraction(80, comb(312, 3))
    assert funded.as_json()["meters"] == {"Progressive": 2000.0}
    assert sheet_of(TRILUX, "6", 6, seeds={"": 2000}).hold is None


def test_bet_the_bust_as_json() -> None:
    found = bust_of("1", 6).as_json()
    assert found["hits_soft_17"] is True
    assert [each["up_card"] for each in found["up_cards"]][::9] == ["Ace", "10 Value Cards"]
    assert found["up_cards"][0]["pays"] == "7/2"


@pytest.mark.parametrize("wager", [w for w in SIDE_WAGERS if w is not INSURANCE], ids=lambda wager: wager.key)
def test_the_digest_is_that_of_an_offering(wager: Wager) -> None:
    """So that a sheet, an approval and a table can be compared."""
    for paytable_id, paytable in wager.paytables.items():
        rules = Rules(decks=8, hits_soft_17=(wager is BET_THE_BUST and paytable_id == "1"))
        offering = offer_blackjack(rules, [wager.key], paytables={wager.key: paytable})
        assert sheet_of(wager, paytable_id, 8).digest == offering.digest_of(wager)


@pytest.mark.parametrize(
    ("wager", "paytable", "more", "says"),
    [
        (KINGS_BOUNTY, "KB01", {"decks": 0}, "not 0"),
        (KINGS_BOUNTY, "KB01", {"decks": 101}, "not 101"),
        (BLAZING_DEALER, "1", {"meters": {"Mega": 1}}, "'Mega'"),
        (BLAZING_DEALER, "ML04", {"meters": {"Major": 1}}, "Minor"),
        (BLAZING_DEALER, "1", {"contribution": Fraction(5, 4)}, "from 0 to 1"),
        (BLAZING_DEALER, "1", {"seeds": {"": -1}}, "below nothing"),
    ],
)
def test_what_cannot_be_counted_is_refused(wager: Wager, paytable: str, more: dict[str, Any], says: str) -> None:
    with pytest.raises(CroupierError, match=says):
        sheet_of(wager, paytable, **({"decks": 6} | more))


def test_a_bust_table_of_ones_own_needs_the_rule_on_a_soft_17() -> None:
    mine = Paytable.parse("mine", "Ace 4 to 1; 10 Value Cards 3 to 1")
    with pytest.raises(CroupierError, match="soft 17"):
        make_side_sheet(GAME, BET_THE_BUST, "mine", mine, 6)
    assert make_side_sheet(GAME, BET_THE_BUST, "mine", mine, 6, hits_soft_17=True).figures.house_edge > 0


@pytest.mark.parametrize("wager", SIDE_WAGERS, ids=lambda wager: wager.key)
def test_prices_at_the_seeds_are_those_of_a_sheet_without_meters(wager: Wager) -> None:
    for paytable_id, paytable in wager.paytables.items():
        assert prices_at_seeds(wager, paytable_id, paytable) == sheet_of(wager, paytable_id, 6).figures.prices


def test_a_census_is_not_changed_by_its_reader() -> None:
    side_census(TRILUX, 6).clear()
    assert sum(side_census(TRILUX, 6).values()) == 3 * comb(312, 3)


@pytest.mark.parametrize(
    ("key", "paytable"), [("kings-bounty", "KB01"), ("royal-match", "25"), ("bet-the-set", "15-10")]
)
def test_cards_that_are_gone_change_the_figures_as_their_effects_say(key: str, paytable: str) -> None:
    game = blackjack()
    asked = Asked(wager=key, paytable=paytable)
    [full] = side_sheets(game, game.wager(key), asked, approved_paytable)
    [without] = side_sheets(game, game.wager(key), asked._replace(remove="Ks Kh"), approved_paytable)
    copies = np.full(52, 6, dtype=np.int64)
    for card in parse_cards("Ks Kh"):
        copies[DECK.index(card)] -= 1
    assert -without.figures.house_edge == expected_from(full, game.rules, copies)
    assert without.figures.house_edge != full.figures.house_edge


def test_more_cards_than_there_are_cannot_be_gone() -> None:
    game = blackjack()
    with pytest.raises(CroupierError, match="Ks"):
        side_sheets(game, game.wager("kings-bounty"), Asked(remove="Ks " * 7), approved_paytable)
    with pytest.raises(NotationError, match="from a full shoe alone"):
        side_sheets(game, game.wager("bet-the-bust"), Asked(remove="Ks"), approved_paytable)
    for asked in (Asked(wager="bet"), Asked(), Asked(wager="kings-bounty", with_bet=True)):
        with pytest.raises(NotationError, match="about one side wager alone"):
            check_questions(asked._replace(remove="Ks"))
