"""Mississippi Stud, paragraph by paragraph."""

from __future__ import annotations

import pytest

from croupier.games.table.history import History
from tests.games.script.support import cited, game, go_on, opened, paid, say

NAME = "mississippi_stud"


def test_3_1_betting_is_closed_before_the_deal() -> None:
    assert cited(opened(NAME), "no-more-bets") == ["3.1"]


def test_3_2_each_seat_gets_two_cards() -> None:
    round_ = go_on(opened(NAME, "2h 3h 4h 5h", seats=2))
    assert [[str(card) for card in round_.hands(seat)[0].cards] for seat in (1, 2)] == [["2h", "3h"], ["4h", "5h"]]


def test_3_3_three_common_cards_lie_face_down() -> None:
    round_ = go_on(opened(NAME))
    assert round_.board is not None
    assert (round_.board.cards, round_.board.face_down) == ((), 3)
    assert cited(round_, "deal") == ["3.2", "3.3"]


def test_4_1_third_street_is_one_to_three_times_the_ante() -> None:
    round_ = go_on(opened(NAME))
    costs = {each.label: each.cost_cents for each in round_.in_play() if each.seat}
    assert costs == {"Fold": 0, "1x": 600, "2x": 1200, "3x": 1800}
    assert say(round_, "decide 1 2x").seats[1].wagers["3rd-street"] == 1200


def test_4_2_the_next_common_card_is_turned_when_every_seat_has_chosen() -> None:
    round_ = go_on(opened(NAME, seats=2))
    one = say(round_, "decide 1 1x")
    assert shown(one) == 0
    assert shown(say(one, "decide 2 1x")) == 1


def test_4_3_fourth_street_is_one_to_three_times_the_ante() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 1x", "decide 1 3x")
    assert round_.seats[1].wagers["4th-street"] == 1800
    assert cited(round_, "decide") == ["4.1", "4.3"]


def test_4_4_fifth_street_is_one_to_three_times_the_ante() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 1x", "decide 1 1x", "decide 1 2x")
    assert round_.seats[1].wagers["5th-street"] == 1200
    assert cited(round_, "decide")[-1] == "4.4"


def test_4_5_a_fold_gives_up_all_that_lies_there() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 3x", "decide 1 fold")
    assert round_.is_over
    assert paid(round_) == {(1, "ante"): (-600, "4.5"), (1, "3rd-street"): (-1800, "4.5")}


def test_5_1_two_cards_and_three_common_ones_make_the_hand() -> None:
    round_ = played("Ah Kh Qh Jh Th")
    assert round_.hands(1)[0].words == "royal flush"
    assert cited(round_, "reveal") == ["4.2", "4.2", "5.1"]


HANDS = (
    ("Ah Kh Qh Jh Th", 500),
    ("9h Kh Qh Jh Th", 100),
    ("9h 9c 9d 9s Th", 40),
    ("9h 9c 9d Ts Th", 10),
    ("2h 9h 4h 7h Th", 6),
    ("Ah 2c 3d 4s 5h", 4),
    ("9h 9c 9d 2s Th", 3),
    ("9h 9c 2d 2s Th", 2),
    ("Jh Jc 2d 3s Th", 1),
    ("6h 6c 2d 3s Th", 0),
    ("5h 5c 2d 3s Th", -1),
    ("Ah 9c 2d 3s Th", -1),
)


@pytest.mark.parametrize(("cards", "pays"), HANDS)
def test_5_2_every_spot_pays_by_the_table(cards: str, pays: int) -> None:
    assert set(paid(played(cards)).values()) == {(pays * 600, "5.2")}


def test_6_1_seats_are_settled_from_the_right_and_the_ante_first() -> None:
    round_ = go_on(opened(NAME, seats=2))
    for _ in range(3):
        round_ = say(round_, "decide 1 1x", "decide 2 1x")
    order = [(each.seat, each.spot) for each in round_.settlements]
    spots = ["ante", "3rd-street", "4th-street", "5th-street"]
    assert order == [(seat, spot) for seat in (2, 1) for spot in spots]
    assert game(NAME).cites["from-the-right"] == "6.1"


def test_7_2_a_void_round_returns_every_wager() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 3x")
    assert set(paid(round_.do(round_.parse("void a misdeal"))).values()) == {(0, "7.2")}


def played(cards: str) -> History:
    return say(go_on(opened(NAME, cards)), "decide 1 1x", "decide 1 1x", "decide 1 1x")


def shown(round_: History) -> int:
    assert round_.board is not None
    return len(round_.board.cards)
