"""Three Card Poker, paragraph by paragraph."""

from __future__ import annotations

from tests.games.script.support import cited, game, go_on, opened, paid, say, wagered

NAME = "three_card_poker"
BETTER, WORSE = "Ah Ac 2d", "Kh Kc 3d"


def test_3_1_betting_is_closed_before_the_deal() -> None:
    assert cited(opened(NAME), "no-more-bets") == ["3.1"]


def test_3_2_each_seat_gets_three_cards_from_the_left() -> None:
    round_ = go_on(opened(NAME, "2h 3h 4h 5h 6h 7h", seats=2))
    assert [[str(card) for card in round_.hands(seat)[0].cards] for seat in (1, 2)] == [
        ["2h", "3h", "4h"],
        ["5h", "6h", "7h"],
    ]


def test_3_3_the_dealers_three_cards_lie_face_down() -> None:
    round_ = go_on(opened(NAME))
    assert (round_.dealers_hand.cards, round_.dealers_hand.face_down) == ((), 3)
    assert cited(round_, "deal") == ["3.2", "3.3"]


def test_4_1_a_seat_with_an_ante_plays_or_folds() -> None:
    round_ = go_on(opened(NAME))
    assert round_.waits_for == (1,)
    assert [each.label for each in round_.in_play() if each.seat] == ["Play", "Fold"]
    assert wagered(NAME, "", "pair-plus").is_over


def test_4_2_to_play_is_to_match_the_ante() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 play")
    assert round_.seats[1].wagers["play"] == 600
    assert cited(round_, "decide") == ["4.2"]


def test_4_3_a_fold_gives_up_the_ante_and_no_bonus_is_paid() -> None:
    assert paid(say(go_on(opened(NAME, "4h 5h 6h")), "decide 1 fold")) == {(1, "ante"): (-600, "4.3")}


def test_5_1_the_dealer_qualifies_with_a_queen() -> None:
    words = [say(go_on(opened(NAME, f"2h 3c 9d {cards}")), "decide 1 play").dealers_hand.words for cards in QUEENS]
    assert words == ["Q-3-2 high, qualifies", "J-T-8 high, does not qualify"]


QUEENS = ("Qh 3d 2c", "Jh Td 8c")


def test_5_2_without_a_queen_the_ante_is_paid_and_the_play_comes_back() -> None:
    assert paid(say(go_on(opened(NAME, f"2h 3c 9d {QUEENS[1]}")), "decide 1 play")) == {
        (1, "ante"): (600, "5.2"),
        (1, "play"): (0, "5.2"),
    }


def test_5_3_the_better_hand_of_the_player_wins_both() -> None:
    assert paid(say(go_on(opened(NAME, f"{BETTER} {WORSE}")), "decide 1 play")) == {
        (1, "ante"): (600, "5.3"),
        (1, "play"): (600, "5.3"),
    }


def test_5_4_the_better_hand_of_the_dealer_takes_both() -> None:
    assert paid(say(go_on(opened(NAME, f"{WORSE} {BETTER}")), "decide 1 play")) == {
        (1, "ante"): (-600, "5.4"),
        (1, "play"): (-600, "5.4"),
    }


def test_5_5_equal_hands_push() -> None:
    assert paid(say(go_on(opened(NAME, "Ah Kc 9d As Kd 9h")), "decide 1 play")) == {
        (1, "ante"): (0, "5.5"),
        (1, "play"): (0, "5.5"),
    }


def test_6_2_the_bonus_pays_by_its_table_even_where_the_hand_loses() -> None:
    round_ = say(go_on(opened(NAME, "4h 5c 6d Qh Qc Qd")), "decide 1 play")
    assert paid(round_)[1, "ante-bonus"] == (600, "6.2")
    round_ = say(go_on(opened(NAME, "4h 4c 4d Qh Qc Qd")), "decide 1 play")
    assert paid(round_)[1, "ante-bonus"] == (4 * 600, "6.2")
    round_ = say(go_on(opened(NAME, "4h 5h 6h Qh Qc Qd")), "decide 1 play")
    assert paid(round_)[1, "ante-bonus"] == (5 * 600, "6.2")


def test_7_3_pair_plus_pays_by_the_players_cards_alone() -> None:
    won = {cards: paid(wagered(NAME, cards, "pair-plus")) for cards in ("4h 4c 9d", "Qh Kh Ah", "2h 5c 9d")}
    assert list(won.values()) == [
        {(1, "pair-plus"): (600, "7.3")},
        {(1, "pair-plus"): (40 * 600, "7.3")},
        {(1, "pair-plus"): (-600, "7.3")},
    ]


def test_8_3_six_card_bonus_pays_for_the_best_five_of_six() -> None:
    assert paid(wagered(NAME, "4h 4c 9d 4s 4d 2c", "6-card-bonus")) == {(1, "6-card-bonus"): (50 * 600, "8.3")}
    assert paid(wagered(NAME, "4h 8c 9d Ks 4d 2c", "6-card-bonus")) == {(1, "6-card-bonus"): (-600, "8.3")}


def test_9_1_seats_are_settled_from_the_right() -> None:
    round_ = say(go_on(opened(NAME, seats=3)), "decide 1 play", "decide 2 play", "decide 3 play")
    assert [each.seat for each in round_.settlements if each.spot == "ante"] == [3, 2, 1]
    assert game(NAME).cites["from-the-right"] == "9.1"


def test_9_2_ante_play_bonus_pair_plus_and_six_cards_in_this_order() -> None:
    round_ = say(wagered(NAME, "4h 5h 6h Qh Qc Qd", "ante", "pair-plus", "6-card-bonus"), "decide 1 play")
    assert [each.spot for each in round_.settlements] == ["ante", "play", "ante-bonus", "pair-plus", "6-card-bonus"]


def test_10_2_a_void_round_returns_every_wager() -> None:
    round_ = go_on(opened(NAME))
    round_ = round_.do(round_.parse("void a misdeal"))
    assert paid(round_) == {(1, "ante"): (0, "10.2")}
