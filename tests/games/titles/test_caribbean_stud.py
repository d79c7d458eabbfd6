"""Caribbean Stud, paragraph by paragraph."""

from __future__ import annotations

import pytest

from tests.games.script.support import cited, game, go_on, opened, paid, say

NAME = "caribbean_stud"
PAIR, NOTHING = "9h 9c 4d 7s 2h", "Qh Kc 4d 7s 2h"


def raised(own: str, dealer: str) -> dict[tuple[int, str], tuple[int, str]]:
    return paid(say(go_on(opened(NAME, f"{own} {dealer}")), "decide 1 raise"))


def test_3_1_betting_is_closed_before_the_deal() -> None:
    assert cited(opened(NAME), "no-more-bets") == ["3.1"]


def test_3_2_each_seat_gets_five_cards_from_the_left() -> None:
    round_ = go_on(opened(NAME, f"{PAIR} Ad Kd 3d 6s 5c", seats=2))
    assert [[len(hand.cards) for hand in round_.hands(seat)] for seat in (1, 2)] == [[5], [5]]
    assert str(round_.hands(1)[0].cards[0]) == "9h"


def test_3_3_one_of_the_dealers_five_cards_lies_up() -> None:
    round_ = go_on(opened(NAME, f"{PAIR} As Kd"))
    assert [str(card) for card in round_.dealers_hand.cards] == ["As"]
    assert round_.dealers_hand.face_down == 4
    assert cited(round_, "deal") == ["3.2", "3.3", "3.3"]


def test_4_1_the_raise_is_twice_the_ante() -> None:
    round_ = go_on(opened(NAME, PAIR))
    after = round_.do(round_.parse("decide 1 raise"))
    assert after.seats[1].wagers == {"ante": 600, "raise": 1200}
    assert cited(after, "decide") == ["4.1"]


def test_4_2_a_fold_loses_the_ante() -> None:
    assert paid(say(go_on(opened(NAME, PAIR)), "decide 1 fold")) == {(1, "ante"): (-600, "4.2")}


def test_5_1_the_dealer_turns_four_cards_and_qualifies_with_ace_king() -> None:
    round_ = say(go_on(opened(NAME, f"{PAIR} As Kd 3c 5c 8s")), "decide 1 raise")
    assert len(round_.dealers_hand.cards) == 5
    assert round_.dealers_hand.words == "ace-king, the dealer qualifies"
    assert cited(round_, "reveal") == ["5.1"]


def test_5_2_without_ace_king_the_ante_alone_is_paid() -> None:
    expected = {(1, "ante"): (600, "5.2"), (1, "raise"): (0, "5.2")}
    assert raised(PAIR, "As Qd 3c 5c 8s") == expected
    assert raised(NOTHING, "As Qd 3c 5c 8s") == expected


@pytest.mark.parametrize(
    ("hand", "pays"),
    [
        ("Th Jh Qh Kh Ah", 100),
        ("9h Th Jh Qh Kh", 50),
        ("9h 9c 9d 9s 2h", 20),
        ("9h 9c 9d 2s 2h", 7),
        ("2h 5h 9h Jh Kh", 5),
        ("Ah 2c 3d 4s 5h", 4),
        ("9h 9c 9d 4s 2h", 3),
        ("9h 9c 4d 4s 2h", 2),
        ("9h 9c 4d 7s 2h", 1),
    ],
)
def test_5_3_a_better_hand_is_paid_by_its_line(hand: str, pays: int) -> None:
    found = raised(hand, "As Kd 3c 6c 8s")
    assert found == {(1, "ante"): (600, "5.3"), (1, "raise"): (1200 * pays, "5.3")}


def test_5_4_equal_hands_push() -> None:
    assert raised("Ah Kc 4d 7s 2h", "As Kd 4c 7c 2s") == {(1, "ante"): (0, "5.4"), (1, "raise"): (0, "5.4")}


def test_5_5_a_better_dealers_hand_takes_both() -> None:
    assert raised("Ah Kc 4d 7s 2h", "As Kd 5c 7c 2s") == {(1, "ante"): (-600, "5.5"), (1, "raise"): (-1200, "5.5")}


def test_6_1_seats_are_settled_from_the_right() -> None:
    round_ = go_on(opened(NAME, "9h 9c 4d 7s 2h Th Tc 3d 6s 2c As Qd 3c 5c 8s", seats=2))
    round_ = say(round_, "decide 1 raise", "decide 2 raise")
    assert [(each.seat, each.spot) for each in round_.settlements] == [
        (2, "ante"),
        (2, "raise"),
        (1, "ante"),
        (1, "raise"),
    ]
    assert game(NAME).cites["from-the-right"] == "6.1"


def test_7_1_a_wrong_number_of_cards_makes_the_round_void() -> None:
    round_ = game(NAME).offer().open()
    round_ = round_.do(round_.parse("bet 1 ante 600"))
    round_ = round_.do(round_.no_more_bets)
    assert round_.do(round_.parse("deal 9h 9c 4d 7s")).is_over


def test_7_2_a_void_round_returns_every_wager() -> None:
    round_ = go_on(opened(NAME, PAIR))
    assert paid(round_.do(round_.parse("void a misdeal"))) == {(1, "ante"): (0, "7.2")}
