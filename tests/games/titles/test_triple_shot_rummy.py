"""Triple Shot Rummy, paragraph by paragraph of docs/rulebook/triple-shot-rummy.md."""

from __future__ import annotations

import pytest

from croupier.cards.card import DECK, format_cards, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import CroupierError, Refusal
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.money import InFavourOf
from croupier.games.table.offering import Limits
from croupier.games.titles.triple_shot_rummy import GAME, points
from tests.games.support import go_on, net, offer, other_cards, play, settlement, stacked

KEY = "triple-shot-rummy"

DEALER_20 = "9h 8d 3s"
DEALER_21 = "9h 8d 4s"


def finished(
    player: str, dealer: str, decision: str = "play", bets: str = "bet 1 ante 500", offering: Offering | None = None
) -> Round:
    decide = f"decide 1 {decision};" if decision else ""
    return play(KEY, f"{bets}; no-more-bets; deal {player}; deal {dealer}; {decide} reveal; settle", offering=offering)


def result(player: str, dealer: str, decision: str = "play") -> dict[str, int]:
    """What $5 on the Ante, and on the Play, comes to."""
    return net(finished(player, dealer, decision))


def pair_plus(player: str, table: str = "1") -> int:
    """What $1 on Pair Plus comes to; the Ante is not needed."""
    dealer = format_cards(other_cards(player, 3))
    offering = offer(KEY, paytables={"pair-plus": table})
    return net(finished(player, dealer, "", "bet 1 pair-plus 100", offering))["pair-plus"]


def six_cards(player: str, dealer: str, table: str = "1") -> int:
    """What $1 on the 6 Card Bonus comes to."""
    offering = offer(KEY, paytables={"6-card-bonus": table})
    return net(finished(player, dealer, "", "bet 1 6-card-bonus 100", offering))["6-card-bonus"]


def refused(script: str, offering: Offering | None = None) -> str:
    with pytest.raises(Refusal) as refusal:
        play(KEY, script, offering=offering)
    return refusal.value.code


# 1. Deck, seats and wagers


def test_1_1_one_deck_has_no_card_twice() -> None:
    assert refused("bet 1 ante 500; no-more-bets; deal Qh 6c 4d; deal Qh 7c 8d") == "repeated-card"


def test_1_1_a_shoe_of_two_decks_is_refused() -> None:
    with pytest.raises(CroupierError):
        open_round(offer(KEY), Shoe.fresh(2, "two decks"))


def test_1_2_seats_go_from_1_to_7() -> None:
    assert sorted(play(KEY, "; ".join(f"bet {seat} ante 500" for seat in range(7, 0, -1))).seats) == list(range(1, 8))
    assert refused("bet 8 ante 500") == "no-such-seat"
    assert refused("bet 0 ante 500") == "no-such-seat"


def test_1_3_ante_pair_plus_and_6_card_bonus_are_bet_before_the_deal() -> None:
    betting = play(KEY, "bet 1 ante 500; bet 1 pair-plus 500; bet 1 6-card-bonus 500")
    assert set(betting.seats[1].wagers) == {"ante", "pair-plus", "6-card-bonus"}


def test_1_3_the_play_is_not_bet_before_the_deal() -> None:
    assert refused("bet 1 ante 500; bet 1 play 500") == "no-such-spot"


@pytest.mark.parametrize("bonus", ["", "bet 1 pair-plus 500", "bet 1 6-card-bonus 500"])
def test_1_4_a_player_may_make_none_or_one_of_the_bonus_wagers(bonus: str) -> None:
    assert play(KEY, f"bet 1 ante 500; {bonus}; no-more-bets").phase is Phase.DEALING


@pytest.mark.parametrize("bonus", ["pair-plus", "6-card-bonus"])
def test_1_5_a_bonus_wager_needs_no_ante(bonus: str) -> None:
    assert set(net(finished("Qh 6c 4d", "9h 8d 4s", "", f"bet 1 {bonus} 500"))) == {bonus}


@pytest.mark.parametrize("bonus", ["pair-plus", "6-card-bonus"])
def test_1_6_a_mandatory_ante_forbids_a_bonus_without_it(bonus: str) -> None:
    mandatory = offer(KEY, options=["ante-mandatory"])
    assert refused(f"bet 1 ante 500; bet 2 {bonus} 500; no-more-bets", mandatory) == "mandatory-wager"
    assert play(KEY, f"bet 2 ante 500; bet 2 {bonus} 500; no-more-bets", offering=mandatory).phase is Phase.DEALING


@pytest.mark.parametrize("spot", ["ante", "pair-plus", "6-card-bonus"])
def test_1_7_each_wager_goes_from_the_minimum_to_the_maximum(spot: str) -> None:
    house = offer(KEY, limits=(500, 30_000))
    assert play(KEY, f"bet 1 {spot} 500", offering=house).staked_cents == 500
    assert play(KEY, f"bet 1 {spot} 30000", offering=house).staked_cents == 30_000
    assert refused(f"bet 1 {spot} 499", house) == "below-minimum"
    assert refused(f"bet 1 {spot} 30001", house) == "above-maximum"


def test_1_8_the_wagers_of_a_seat_need_not_be_equal() -> None:
    betting = play(KEY, "bet 1 ante 500; bet 1 pair-plus 1500; bet 1 6-card-bonus 100")
    assert betting.seats[1].wagers == {"ante": 500, "pair-plus": 1500, "6-card-bonus": 100}


def test_1_9_the_play_is_exactly_the_ante() -> None:
    decided = play(KEY, "bet 1 ante 700; no-more-bets; deal Qh 6c 4d; deal 9h 8d 3s; decide 1 play with 700")
    assert decided.seats[1].wagers["play"] == 700


@pytest.mark.parametrize("cents", [0, 699, 701, 1400])
def test_1_9_another_amount_on_the_play_is_refused(cents: int) -> None:
    script = f"bet 1 ante 700; no-more-bets; deal Qh 6c 4d; deal 9h 8d 3s; decide 1 play with {cents}"
    assert refused(script) == "unequal-wager"


def test_1_11_one_player_at_two_adjacent_positions_where_the_house_allows_it() -> None:
    two = offer(KEY, options=["two-positions"])
    assert len(play(KEY, "bet 3 ante 500 by ann; bet 4 ante 500 by ann", offering=two).seats) == 2
    assert refused("bet 3 ante 500 by ann; bet 5 ante 500 by ann", two) == "not-adjacent"
    assert refused("bet 3 ante 500 by ann; bet 4 ante 500 by ann; bet 5 ante 500 by ann", two) == "not-adjacent"


# 2. Ranking of hands


def test_2_1_fewer_points_win() -> None:
    assert result("6c 9s 9d", "Kd 2s 2d") == {"play": 500, "ante": 500}


@pytest.mark.parametrize(
    ("card", "worth"),
    [("Ac", 1), *((f"{n}c", n) for n in range(2, 10)), ("Tc", 10), ("Jc", 10), ("Qc", 10), ("Kc", 10)],
)
def test_2_2_a_card_is_worth_its_number_an_ace_one_and_faces_ten(card: str, worth: int) -> None:
    pair = "3s 3h" if card != "3c" else "4s 4h"
    assert points(parse_cards(f"{card} {pair}")) == worth


@pytest.mark.parametrize("pair", ["As Ah", "7s 7h", "Ks Kh"])
def test_2_3_a_pair_counts_zero(pair: str) -> None:
    assert points(parse_cards(f"{pair} 4d")) == 4


@pytest.mark.parametrize("three", ["As Ah Ad", "9s 9h 9d", "Ks Kh Kd"])
def test_2_4_three_of_a_rank_count_zero(three: str) -> None:
    assert points(parse_cards(three)) == 0


@pytest.mark.parametrize(
    ("hand", "total"),
    [("4c 5c 6c", 0), ("Tc Jc Qc", 0), ("Ac 2c 3c", 0), ("4c 5c 9d", 9), ("Qh Kh 2s", 2), ("4c 5d 6h", 15)],
)
def test_2_5_a_suited_run_of_two_or_three_counts_zero(hand: str, total: int) -> None:
    assert points(parse_cards(hand)) == total


def test_2_6_the_card_beside_a_pair_or_run_is_the_value() -> None:
    assert points(parse_cards("7s 7h Kd")) == 10
    assert points(parse_cards("7s 8s Kd")) == 10


def test_2_7_the_ace_is_low_in_runs() -> None:
    assert points(parse_cards("As 2s 9d")) == 9
    assert points(parse_cards("Ks As 9d")) == 10 + 1 + 9
    assert points(parse_cards("Ks As 2s")) == 10


@pytest.mark.parametrize(
    ("hand", "total"),
    [("7s 8s 8h", 7), ("Ad Kd Qd", 1), ("2c 2d 3c", 2), ("Kc Kd Qc", 10), ("5h 6h 7h", 0), ("Ks Qh Jc", 30)],
)
def test_2_8_the_lowest_of_several_totals_counts(hand: str, total: int) -> None:
    assert points(parse_cards(hand)) == total


def test_2_9_hands_go_from_0_to_30() -> None:
    assert points(parse_cards("4c 5c 6c")) == 0
    assert points(parse_cards("Kc Qd Th")) == 30


def test_2_10_equal_totals_tie_whatever_the_cards() -> None:
    assert result("7s 7h Kd", "2c 3d 5h") == {"play": 0, "ante": 0}
    assert result("4c 5c 6c", "9s 9h 9d") == {"play": 0, "ante": 0}


# 3. Dealing


def test_3_1_betting_closes_before_the_first_packet() -> None:
    assert refused("bet 1 ante 500; deal Qh 6c 4d") == "out-of-turn"
    assert refused("bet 1 ante 500; no-more-bets; bet 2 ante 500") == "out-of-turn"
    assert play(KEY, "bet 1 ante 500; no-more-bets").events[-1].text.startswith("No more bets.")


def test_3_2_the_dealer_names_the_positions_without_pair_plus() -> None:
    closed = play(KEY, "bet 1 ante 500; bet 2 ante 500; bet 2 pair-plus 500; bet 5 ante 500; no-more-bets")
    assert "No Pair Plus: positions 1, 5." in closed.events[-1].text


def test_3_2_a_wager_that_is_not_offered_is_not_named() -> None:
    closed = play(KEY, "bet 1 ante 500; no-more-bets", offering=offer(KEY, left_out=["pair-plus"]))
    assert "Pair Plus" not in closed.events[-1].text


def test_3_3_each_seat_in_play_and_the_dealer_get_three_cards() -> None:
    dealt = play(KEY, "bet 2 ante 500; bet 6 pair-plus 500; no-more-bets; deal; deal; deal", shoe=stacked(""))
    assert [len(dealt.seats[seat].hand) for seat in (2, 6)] == [3, 3]
    assert len(dealt.dealer) == 3
    assert refused("bet 1 ante 500; no-more-bets; deal 2c 3d 4h; deal 7c 8d 9h; deal Tc Jd Qh") == "out-of-turn"


def test_3_4_packets_go_out_from_seat_1_up() -> None:
    dealt = play(KEY, "bet 7 ante 500; bet 1 ante 500; bet 3 ante 500; no-more-bets")
    assert dealt.dealing_order[:3] == (1, 3, 7)
    dealt = go_on(dealt, "deal 2c 3d 4h; deal 7c 8d 9h; deal Tc Jd Qh")
    assert [dealt.seats[seat].hand[0] for seat in (1, 3, 7)] == list(parse_cards("2c 7c Tc"))


def test_3_5_the_dealer_is_dealt_last() -> None:
    dealt = play(KEY, "bet 1 ante 500; bet 3 ante 500; no-more-bets; deal 2c 3d 4h; deal 7c 8d 9h; deal Tc Jd Qh")
    assert dealt.dealer == parse_cards("Tc Jd Qh")


# 4. Decision

DEALT = "bet 1 ante 500; bet 1 pair-plus 300; bet 1 6-card-bonus 200; bet 2 pair-plus 300; no-more-bets; "
DEALT += "deal 7c 7d 4h; deal 8c 8d 2h; deal 9h Td 2s"


@pytest.mark.parametrize("decision", ["play", "fold"])
def test_4_1_a_player_plays_or_folds(decision: str) -> None:
    assert play(KEY, f"{DEALT}; decide 1 {decision}").seats[1].choice == decision


def test_4_1_any_other_decision_is_refused() -> None:
    assert refused(f"{DEALT}; decide 1 double") == "unknown-decision"


def test_4_2_to_play_is_to_match_the_ante() -> None:
    assert play(KEY, f"{DEALT}; decide 1 play").seats[1].wagers["play"] == 500


def test_4_3_to_fold_makes_no_play_and_gives_up_the_ante() -> None:
    folded = play(KEY, f"{DEALT}; decide 1 fold; reveal; settle")
    assert "play" not in folded.seats[1].wagers
    assert net(folded)["ante"] == -500


def test_4_3_no_money_goes_with_a_fold() -> None:
    assert refused(f"{DEALT}; decide 1 fold with 500") == "no-wager-here"


def test_4_4_a_fold_does_not_touch_the_bonus_wagers() -> None:
    # 7-7-4 is a pair (1 to 1); with 9-T-2 the six cards hold no three of a kind.
    folded = play(KEY, f"{DEALT}; decide 1 fold; reveal; settle")
    assert net(folded) == {"ante": -500, "pair-plus": 300, "6-card-bonus": -200}


def test_4_5_a_seat_without_an_ante_decides_nothing() -> None:
    assert refused(f"{DEALT}; decide 2 play") == "nothing-to-decide"
    assert play(KEY, f"{DEALT}; decide 1 play").phase is Phase.REVEALING


# 5. Against the dealer


def test_5_1_dealer_with_20_qualifies() -> None:
    assert result("Kc Qd 4h", DEALER_20) == {"play": -500, "ante": -500}


def test_5_1_dealer_with_21_does_not_qualify() -> None:
    assert result("Kc Qd Th", DEALER_21) == {"play": 0, "ante": 500}


@pytest.mark.parametrize("player", ["4c 5c 6c", "Kc Qd Ah", "Kc Qd Th"])
def test_5_2_dealer_not_qualified_pays_the_ante_and_pushes_the_play(player: str) -> None:
    # 0, 21 and 30 points: better, the same and worse than the dealer's 21.
    assert result(player, DEALER_21) == {"play": 0, "ante": 500}


def test_5_3_fewer_points_win_ante_and_play() -> None:
    assert result("8c 9d 2h", DEALER_20) == {"play": 500, "ante": 500}


def test_5_4_more_points_lose_ante_and_play() -> None:
    assert result("Kc Qd Ah", DEALER_20) == {"play": -500, "ante": -500}


def test_5_5_equal_points_push_ante_and_play() -> None:
    assert result("9c 8h 3d", DEALER_20) == {"play": 0, "ante": 0}


@pytest.mark.parametrize(
    ("player", "odds"),
    [
        ("4c 5c 6c", 4),  # 0
        ("Ac 7s 7h", 2),  # 1
        ("5c 7s 7h", 2),  # 5
        ("6c Ts Th", 1),  # 6
        ("8c 9d 2h", 1),  # 19
    ],
)
def test_5_6_a_winning_play_pays_by_the_players_points(player: str, odds: int) -> None:
    assert result(player, DEALER_20) == {"play": 500 * odds, "ante": 500}


def test_5_7_the_play_table_ends_at_19() -> None:
    won = [outcome.score for outcome in GAME.wager("ante-play").outcomes if outcome.score is not None]
    assert sorted(won) == list(range(20))


@pytest.mark.parametrize("dealer", [DEALER_20, DEALER_21])
def test_5_8_a_folded_ante_loses_whatever_the_dealer_holds(dealer: str) -> None:
    assert result("4c 5c 6c", dealer, "fold") == {"ante": -500}


# 6. Pair Plus


@pytest.mark.parametrize(
    ("player", "won"),
    [
        ("Ac Kc Qc", 40),
        ("5s 6s 7s", 40),
        ("8c 8d 8h", 30),
        ("5s 6d 7s", 6),
        ("2s 9s Ks", 4),
        ("8c 8d Ah", 1),
        ("As Kd 9h", -1),
    ],
)
def test_6_1_pair_plus_wins_with_a_pair_or_better(player: str, won: int) -> None:
    assert pair_plus(player) == won * 100


@pytest.mark.parametrize("dealer", ["8s 9c Td", "2c 2d 2h", "9h 8d 4s"])
@pytest.mark.parametrize("decision", ["play", "fold"])
def test_6_2_neither_the_dealer_nor_the_decision_matters(dealer: str, decision: str) -> None:
    end = finished("Ks Kd 5h", dealer, decision, "bet 1 ante 500; bet 1 pair-plus 100")
    assert net(end)["pair-plus"] == 100


def test_6_3_a_hand_pays_only_for_its_highest_line() -> None:
    # A straight flush is a straight and a flush too: 40, not 40 + 6 + 4, and not 6.
    assert pair_plus("5s 6s 7s") == 4000


@pytest.mark.parametrize("straight", ["As 2d 3h", "Qs Kd Ah", "9s Td Jh", "Ts Jd Qs"])
def test_6_4_straights_have_the_ace_low_or_high(straight: str) -> None:
    assert pair_plus(straight) == 600


@pytest.mark.parametrize("nothing", ["Ks Ad 2h", "2s 3d 5h", "As 2d 4h"])
def test_6_4_a_straight_does_not_go_round_the_ace(nothing: str) -> None:
    assert pair_plus(nothing) == -100


@pytest.mark.parametrize(("player", "won"), [("As Ks Qs", 5000), ("Ks Qs Js", 4000), ("As 2s 3s", 4000)])
def test_6_5_a_royal_flush_is_suited_ace_king_queen(player: str, won: int) -> None:
    assert pair_plus(player, "4") == won


@pytest.mark.parametrize("table", ["1", "2", "3"])
def test_6_6_in_tables_1_to_3_a_royal_flush_pays_as_a_straight_flush(table: str) -> None:
    assert pair_plus("As Ks Qs", table) == 4000


@pytest.mark.parametrize(
    ("table", "odds"),
    [
        ("1", (40, 40, 30, 6, 4, 1)),
        ("2", (40, 40, 30, 5, 4, 1)),
        ("3", (40, 40, 30, 6, 3, 1)),
        ("4", (50, 40, 30, 6, 4, 1)),
        ("5", (50, 40, 30, 5, 4, 1)),
        ("6", (50, 40, 30, 6, 3, 1)),
    ],
)
def test_6_7_the_six_tables(table: str, odds: tuple[int, ...]) -> None:
    hands = ("As Ks Qs", "5s 6s 7s", "8c 8d 8h", "5s 6d 7s", "2s 9s Ks", "8c 8d Ah")
    assert tuple(pair_plus(hand, table) // 100 for hand in hands) == odds


def test_6_9_any_other_hand_loses() -> None:
    assert pair_plus("As Kd Jh") == -100


# 7. 6 Card Bonus


@pytest.mark.parametrize(
    ("player", "dealer", "won"),
    [
        ("As Ks Qs", "Js Ts 2d", 1000),
        ("9s Ks Qs", "Js Ts 2d", 200),
        ("8c 8d 8h", "8s Ts 2d", 50),
        ("8c 8d 8h", "2s Ts 2d", 25),
        ("2s 9s Ks", "Js 4s 5d", 20),
        ("5s 6d 7s", "8h 9c 2d", 10),
        ("8c 8d 2s", "8h Js Kd", 5),
        ("8c 8d 2s", "2h Js Jd", -1),
    ],
)
def test_7_1_the_bonus_wins_with_three_of_a_kind_or_better(player: str, dealer: str, won: int) -> None:
    assert six_cards(player, dealer) == won * 100


@pytest.mark.parametrize(
    ("player", "dealer", "won"),
    [
        ("As Ks Qs", "Js Ts 9s", 1000),  # six suited in a row: the best five are royal
        ("8c 8d 8h", "2s 2h 2d", 25),  # two triples are a full house
        ("8c 8d 8h", "8s 2h 2d", 50),  # four and a pair
        ("4s 5s 6s", "7s 8s 8d", 200),
        ("4s 5s 6d", "7s 8s 9s", 20),  # five spades, which are no run, beat the straight
        ("As 2d 3h", "4c 5s 9d", 10),  # the ace is low
        ("As Kd Qh", "Jc Ts 9d", 10),  # and high
        ("As Kd Qh", "2c 3s 4d", -1),  # and never both
        ("As 2s 3s", "4s 5s 6d", 200),
        ("2c 9d Jh", "As Ac Ad", 5),  # all from the dealer
    ],
)
def test_7_2_the_best_five_of_the_six_count(player: str, dealer: str, won: int) -> None:
    assert six_cards(player, dealer) == won * 100
    assert six_cards(dealer, player) == won * 100


@pytest.mark.parametrize("decision", ["play", "fold"])
@pytest.mark.parametrize("dealer", ["9h 7d 2s", "9h Td Qs"])
def test_7_3_neither_a_fold_nor_the_dealers_qualifying_matters(decision: str, dealer: str) -> None:
    end = finished("9c 9s Kd", dealer, decision, "bet 1 ante 500; bet 1 6-card-bonus 100")
    assert net(end)["6-card-bonus"] == 500


def test_7_4_a_hand_pays_only_for_its_highest_line() -> None:
    # Four of a kind holds three of a kind and, with the pair, a full house.
    assert six_cards("8c 8d 8h", "8s 2h 2d") == 5000


@pytest.mark.parametrize(
    ("table", "odds"),
    [
        ("1", (1000, 200, 50, 25, 20, 10, 5)),
        ("2", (1000, 200, 50, 25, 15, 10, 5)),
        ("3", (1000, 200, 100, 20, 15, 9, 8)),
        ("4", (1000, 200, 100, 20, 15, 10, 7)),
    ],
)
def test_7_5_the_four_tables(table: str, odds: tuple[int, ...]) -> None:
    hands = (
        ("As Ks Qs", "Js Ts 2d"),
        ("9s Ks Qs", "Js Ts 2d"),
        ("8c 8d 8h", "8s Ts 2d"),
        ("8c 8d 8h", "2s Ts 2d"),
        ("2s 9s Ks", "Js 4s 5d"),
        ("5s 6d 7s", "8h 9c 2d"),
        ("8c 8d 2s", "8h Js Kd"),
    )
    assert tuple(six_cards(*hand, table) // 100 for hand in hands) == odds


def test_7_7_any_other_hand_loses() -> None:
    assert six_cards("8c 8d 2s", "2h Js Jd") == -100


# 8. Settlement

FULL_TABLE = "bet 1 ante 500; bet 1 pair-plus 500; bet 2 ante 500; bet 2 6-card-bonus 500; bet 3 pair-plus 500; "
FULL_TABLE += "bet 4 ante 500; bet 4 pair-plus 500; bet 4 6-card-bonus 500; bet 5 ante 500; no-more-bets; "
FULL_TABLE += "deal; deal; deal; deal; deal; deal; decide 1 fold; decide 2 fold; decide 4 play; decide 5 play; "
FULL_TABLE += "reveal; settle"


def settled_order() -> list[tuple[int, str]]:
    end = play(KEY, FULL_TABLE, shoe=stacked(""))
    return [(s.seat, s.spot) for s in end.settlements]


def test_8_1_forfeited_antes_are_collected_first() -> None:
    assert settled_order()[:2] == [(2, "ante"), (1, "ante")]


def test_8_1_nothing_is_settled_before_every_ante_has_decided() -> None:
    waiting = play(KEY, FULL_TABLE.split("decide 5")[0], shoe=stacked(""))
    assert waiting.undecided == (5,)
    with pytest.raises(Refusal) as refusal:
        go_on(waiting, "reveal")
    assert refusal.value.code == "out-of-turn"


def test_8_2_seats_are_settled_from_the_highest_down() -> None:
    seats = [seat for seat, _ in settled_order()[2:]]
    assert seats == sorted(seats, reverse=True)


def test_8_3_the_play_is_settled_before_the_ante() -> None:
    assert [spot for seat, spot in settled_order() if seat == 5] == ["play", "ante"]


def test_8_4_pair_plus_and_then_the_6_card_bonus_follow_the_ante() -> None:
    assert [spot for seat, spot in settled_order() if seat == 4] == ["play", "ante", "pair-plus", "6-card-bonus"]


def test_8_5_bonus_wagers_of_folded_seats_are_settled_in_their_turn() -> None:
    assert settled_order()[-3:] == [(3, "pair-plus"), (2, "6-card-bonus"), (1, "pair-plus")]


# 9. Irregularities


@pytest.mark.parametrize("packets", ["deal Qh 6c", "deal Qh 6c 4d 2s", "deal Qh 6c 4d; deal 9h", "deal Qh"])
def test_9_1_a_wrong_number_of_cards_voids_the_round(packets: str) -> None:
    assert play(KEY, f"bet 1 ante 500; no-more-bets; {packets}").phase is Phase.VOID


def test_9_2_a_void_round_returns_every_wager() -> None:
    void = play(KEY, "bet 1 ante 500; bet 1 pair-plus 300; bet 2 6-card-bonus 200; no-more-bets; deal Qh 6c")
    assert net(void, 1) == {"ante": 0, "pair-plus": 0}
    assert net(void, 2) == {"6-card-bonus": 0}
    assert void.returned_cents == void.staked_cents == 1000


def test_9_2_a_play_wager_is_returned_too() -> None:
    void = play(KEY, f"{DEALT}; decide 1 play; void a card was exposed")
    assert settlement(void, "play").returned_cents == 500


def test_9_2_a_collected_ante_comes_back_by_an_entry_of_its_own() -> None:
    folded = play(KEY, f"{DEALT}; decide 1 fold")
    void = play(KEY, f"{DEALT}; decide 1 fold; void a card was exposed")
    assert folded.settlements
    assert void.settlements[: len(folded.settlements)] == folded.settlements
    assert net(void, 1)["ante"] == 0
    assert void.returned_cents == void.staked_cents


# 11. House options


def test_11_1_the_ante_is_not_mandatory_by_default() -> None:
    assert Offering(GAME).options == frozenset()


def test_11_2_one_position_by_default() -> None:
    assert refused("bet 3 ante 500 by ann; bet 4 ante 500 by ann") == "one-position"


def test_11_3_pair_plus_table_1_by_default_or_left_out() -> None:
    assert list(GAME.wager("pair-plus").paytables) == ["1", "2", "3", "4", "5", "6"]
    assert Offering(GAME).paytable("pair-plus") is GAME.wager("pair-plus").paytables["1"]
    assert refused("bet 1 pair-plus 500", offer(KEY, left_out=["pair-plus"])) == "no-such-spot"


def test_11_4_6_card_bonus_table_1_by_default_or_left_out() -> None:
    assert list(GAME.wager("6-card-bonus").paytables) == ["1", "2", "3", "4"]
    assert Offering(GAME).paytable("6-card-bonus") is GAME.wager("6-card-bonus").paytables["1"]
    assert refused("bet 1 6-card-bonus 500", offer(KEY, left_out=["6-card-bonus"])) == "no-such-spot"


def test_11_5_limits_are_5_to_100_dollars_by_default() -> None:
    assert Offering(GAME).limits == Limits(500, 10_000)


def test_11_5_a_wager_may_have_limits_of_its_own() -> None:
    house = offer(KEY, limits=(500, 30_000), spot_limits={"pair-plus": (100, 5_000)})
    assert play(KEY, "bet 1 pair-plus 100", offering=house).staked_cents == 100
    assert refused("bet 1 pair-plus 5001", house) == "above-maximum"
    assert refused("bet 1 ante 100", house) == "below-minimum"


def test_11_6_rounding_is_in_the_houses_favor_to_the_cent_by_default() -> None:
    rounding = Offering(GAME).rounding
    assert (rounding.chip_cents, rounding.in_favour_of) == (1, InFavourOf.HOUSE)


def test_11_6_wagers_are_whole_chips() -> None:
    assert refused("bet 1 ante 510", offer(KEY, chip_cents=25)) == "not-whole-chips"
    assert play(KEY, "bet 1 ante 525", offering=offer(KEY, chip_cents=25)).staked_cents == 525


def test_11_7_seven_seats_by_default() -> None:
    assert GAME.seats == 7
    assert len(DECK) >= GAME.packet_cards * (GAME.seats + 1)
