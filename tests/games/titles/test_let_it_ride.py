"""Let It Ride, paragraph by paragraph."""

from __future__ import annotations

import pytest

from croupier.games.table.history import History
from tests.games.script.support import cited, game, go_on, opened, paid, say, wagered

NAME = "let_it_ride"


def test_3_1_betting_is_closed_before_the_deal() -> None:
    assert cited(opened(NAME), "no-more-bets") == ["3.1"]


def test_1_4_three_equal_bets_are_made_together() -> None:
    assert dict(opened(NAME).seats[1].wagers) == {"bet-3": 600, "bet-1": 600, "bet-2": 600}


def test_3_2_each_seat_gets_three_cards() -> None:
    assert [str(card) for card in go_on(opened(NAME, "2h 3h 4h")).hands(1)[0].cards] == ["2h", "3h", "4h"]


def test_3_3_two_common_cards_lie_face_down() -> None:
    round_ = go_on(opened(NAME))
    assert round_.board is not None
    assert (round_.board.cards, round_.board.face_down) == ((), 2)
    assert cited(round_, "deal") == ["3.2", "3.3"]


def test_4_1_bet_1_is_taken_back_or_rides() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 take back")
    assert dict(round_.seats[1].wagers) == {"bet-3": 600, "bet-2": 600}
    assert cited(round_, "decide") == ["4.1"]


def test_4_2_then_the_first_common_card_is_turned() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 let it ride")
    assert round_.board is not None
    assert (len(round_.board.cards), round_.board.face_down) == (1, 1)
    assert cited(round_, "reveal") == ["4.2"]


def test_4_3_to_let_it_ride_leaves_the_bet() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 let it ride")
    assert round_.staked_cents == 1800
    assert cited(round_, "decide") == ["4.3"]


def test_4_4_bet_2_is_taken_back_whatever_was_done_with_bet_1() -> None:
    for first in ("take back", "let it ride"):
        round_ = say(go_on(opened(NAME)), f"decide 1 {first}", "decide 1 take back")
        assert "bet-2" not in round_.seats[1].wagers
        assert ("bet-1" in round_.seats[1].wagers) == (first == "let it ride")
        assert cited(round_, "decide")[-1] == "4.4"


def test_5_1_three_cards_and_two_common_ones_make_the_hand() -> None:
    assert played("Ah Kh Qh Jh Th").hands(1)[0].words == "royal flush"
    assert cited(played("Ah Kh Qh Jh Th"), "reveal") == ["4.2", "5.1"]


HANDS = (
    ("Ah Kh Qh Jh Th", 1000),
    ("9h Kh Qh Jh Th", 200),
    ("9h 9c 9d 9s Th", 50),
    ("9h 9c 9d Ts Th", 11),
    ("2h 9h 4h 7h Th", 8),
    ("Ah 2c 3d 4s 5h", 5),
    ("9h 9c 9d 2s Th", 3),
    ("9h 9c 2d 2s Th", 2),
    ("Th Tc 2d 3s 5h", 1),
    ("9h 9c 2d 3s 5h", -1),
)


@pytest.mark.parametrize(("cards", "pays"), HANDS)
def test_5_2_every_bet_that_is_left_pays_by_the_table(cards: str, pays: int) -> None:
    assert paid(played(cards)) == {(1, f"bet-{n}"): (pays * 600, "5.2") for n in (3, 1, 2)}


def test_6_2_the_bonus_pays_by_the_players_three_cards() -> None:
    for cards, pays in (("Ah Kh Qh", 50), ("9h 9c 2d", 1), ("9h 8c 2d", -1)):
        round_ = say(wagered(NAME, cards, "bet-3", "3-card-bonus"), "decide 1 take back", "decide 1 take back")
        assert paid(round_)[1, "3-card-bonus"] == (pays * 600, "6.2")


def test_7_1_seats_are_settled_from_the_right() -> None:
    round_ = go_on(opened(NAME, seats=2))
    for _ in range(2):
        round_ = say(round_, "decide 1 let it ride", "decide 2 let it ride")
    order = [(each.seat, each.spot) for each in round_.settlements]
    assert order == [(seat, f"bet-{n}") for seat in (2, 1) for n in (3, 1, 2)]
    assert game(NAME).cites["from-the-right"] == "7.1"


def test_8_2_a_void_round_returns_every_wager() -> None:
    round_ = say(go_on(opened(NAME)), "decide 1 take back")
    assert set(paid(round_.do(round_.parse("void a misdeal"))).values()) == {(0, "8.2")}


def played(cards: str) -> History:
    return say(go_on(opened(NAME, cards)), "decide 1 let it ride", "decide 1 let it ride")
