"""Casino War, paragraph by paragraph."""

from __future__ import annotations

from tests.games.script.support import cited, game, go_on, opened, paid, say, wagered

NAME = "casino_war"


def test_3_1_betting_is_closed_before_the_deal() -> None:
    assert cited(opened(NAME), "no-more-bets") == ["3.1"]


def test_3_2_each_seat_gets_one_card_from_the_left() -> None:
    round_ = go_on(opened(NAME, "9h Th Kd", seats=2))
    assert [str(round_.hands(seat)[0].cards[0]) for seat in (1, 2)] == ["9h", "Th"]


def test_3_3_the_dealers_card_comes_last_and_face_up() -> None:
    round_ = go_on(opened(NAME, "9h Kd"))
    assert [str(card) for card in round_.dealers_hand.cards] == ["Kd"]
    assert cited(round_, "deal") == ["3.2", "3.3"]


def test_4_2_the_higher_card_wins_even_money() -> None:
    assert paid(go_on(opened(NAME, "Ah Kd"))) == {(1, "bet"): (600, "4.2")}


def test_4_3_the_lower_card_loses() -> None:
    assert paid(go_on(opened(NAME, "2h 3d"))) == {(1, "bet"): (-600, "4.3")}


def test_5_1_after_a_tie_the_player_is_asked() -> None:
    assert go_on(opened(NAME, "Kh Kd")).waits_for == (1,)
    assert go_on(opened(NAME, "Kh Qd")).waits_for == ()


def test_5_2_surrender_gives_up_one_half() -> None:
    assert paid(say(go_on(opened(NAME, "Kh Kd")), "decide 1 surrender")) == {(1, "bet"): (-300, "5.2")}


def test_5_3_war_takes_a_raise_of_the_bets_amount() -> None:
    round_ = go_on(opened(NAME, "Kh Kd"))
    after = round_.do(round_.parse("decide 1 war"))
    assert after.seats[1].wagers == {"bet": 600, "raise": 600}
    assert cited(after, "decide") == ["5.3"]


def test_6_1_three_cards_are_burned_before_the_second_ones() -> None:
    round_ = say(go_on(opened(NAME, "Kh Kd 2c 3c 4c 9h 8d")), "decide 1 war")
    assert [str(card) for card in (*round_.hands(1)[0].cards, *round_.dealers_hand.cards)] == ["Kh", "9h", "Kd", "8d"]
    assert cited(round_, "deal")[2:] == ["6.1", "6.1", "6.1"]


def test_6_2_a_war_that_is_won_or_tied_pays_the_raise_and_returns_the_bet() -> None:
    for second in ("9h 8d", "9h 9d"):
        round_ = say(go_on(opened(NAME, f"Kh Kd 2c 3c 4c {second}")), "decide 1 war")
        assert paid(round_) == {(1, "bet"): (0, "6.2"), (1, "raise"): (600, "6.2")}


def test_6_4_a_war_that_is_lost_takes_both() -> None:
    round_ = say(go_on(opened(NAME, "Kh Kd 2c 3c 4c 8h 9d")), "decide 1 war")
    assert paid(round_) == {(1, "bet"): (-600, "6.4"), (1, "raise"): (-600, "6.4")}


def test_7_2_the_tie_wager_pays_ten_to_one() -> None:
    round_ = say(wagered(NAME, "Kh Kd", "bet", "tie"), "decide 1 surrender")
    assert paid(round_)[1, "tie"] == (10 * 600, "7.2")
    assert paid(wagered(NAME, "Kh 2d", "bet", "tie"))[1, "tie"] == (-600, "7.2")


def test_8_2_seats_are_settled_from_the_right() -> None:
    round_ = go_on(opened(NAME, "2h 3h 4h Ad", seats=3))
    assert [each.seat for each in round_.settlements] == [3, 2, 1]
    assert game(NAME).cites["from-the-right"] == "8.2"


def test_8_1_a_surrendered_bet_is_settled_before_the_others() -> None:
    round_ = go_on(opened(NAME, "2h Kh Kd", seats=2))
    assert [each.seat for each in say(round_, "decide 2 surrender").settlements] == [2, 1]


def test_9_2_a_void_round_returns_every_wager() -> None:
    round_ = go_on(opened(NAME, "Kh Kd"))
    assert paid(round_.do(round_.parse("void a misdeal"))) == {(1, "bet"): (0, "9.2")}
