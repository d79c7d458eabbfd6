"""Sections 16 to 19 of docs/rulebook/blackjack.md at a live table, paragraph by paragraph."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.errors import NotationError
from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.blackjack.side_wagers import BET_THE_SET, HOUSE_MONEY, ROYAL_MATCH, TRILUX_BONUS
from croupier.games.wager import Wager
from tests.games.blackjack.support import go_on, net, offer, order, play, refused, settlement

SET, ROYAL, BONUS, MONEY = BET_THE_SET.key, ROYAL_MATCH.key, TRILUX_BONUS.key, HOUSE_MONEY.key


def one(
    wager: str, cards: str, up: str, then: str = "", rules: str = "6D", *, table: str | None = None
) -> BlackjackRound:
    """One seat with a Bet of $10 and $5 on a side wager, these first two cards, and this up card."""
    first, second = cards.split()
    offering = offer(rules, [wager], paytables={wager: table} if table else None)
    script = f"bet 1 bet 1000; bet 1 {wager} 500; no-more-bets; deal {first} {up} {second}; {then}"
    return play(script, offering=offering)


def pays(wager: Wager, table: str) -> dict[str, Fraction]:
    return {outcome.label: price.net for outcome, price in wager.prices(wager.paytables[table]).items()}


# Bet the Set 21


def test_16_1_a_pair_wins() -> None:
    assert settlement(one(SET, "8c 8d", "6h"), SET).line == "Pair"


def test_16_2_ten_value_cards_of_different_ranks_are_no_pair() -> None:
    assert settlement(one(SET, "Tc Kd", "6h"), SET).line == "No pair"
    assert settlement(one(SET, "Kc Kd", "6h"), SET).line == "Pair"


def test_16_3_a_pair_of_one_suit_is_a_suited_pair() -> None:
    assert settlement(one(SET, "8c 8c", "6h"), SET).line == "Suited Pair"


def test_16_4_any_other_two_cards_lose() -> None:
    assert net(one(SET, "8c 9c", "6h")) == {SET: -500}


@pytest.mark.parametrize(("table", "suited", "other"), [("15-10", 15, 10), ("20-10", 20, 10), ("15", 15, 15)])
def test_16_5_a_hand_pays_its_highest_line(table: str, suited: int, other: int) -> None:
    assert net(one(SET, "8c 8c", "6h", table=table)) == {SET: 500 * suited}
    assert net(one(SET, "8c 8d", "6h", table=table)) == {SET: 500 * other}


def test_16_6_it_is_settled_before_insurance() -> None:
    round_ = one(SET, "8c 8d", "Ah")
    assert (round_.phase, order(round_)) == (Phase.INSURANCE, ["1 bet-the-set"])


def test_16_7_later_cards_have_no_effect() -> None:
    end = one(SET, "8c 9d", "6h", "hit 1; deal 8d; settle")
    assert net(end) == {SET: -500, "bet": -1000}


# Royal Match 21


def test_17_1_two_cards_of_one_suit_win() -> None:
    assert net(one(ROYAL, "2h 9h", "6c")) == {ROYAL: 1250}


def test_17_2_a_king_and_a_queen_of_one_suit_are_a_royal_match() -> None:
    assert net(one(ROYAL, "Kh Qh", "6c")) == {ROYAL: 12_500}
    assert settlement(one(ROYAL, "Kh Jh", "6c"), ROYAL).line == "Easy Match"
    assert settlement(one(ROYAL, "Kh Qd", "6c"), ROYAL).line == "No match"


@pytest.mark.parametrize("rules", ["6D", "6D ENHC"])
def test_17_3_the_dealers_royal_match_may_be_of_another_suit(rules: str) -> None:
    check = "peek no; " if rules == "6D" else ""
    end = one(ROYAL, "Kh Qh", "Qs", f"{check}stand 1; reveal; deal Ks; settle", rules, table="1000")
    assert net(end) == {"bet": 0, ROYAL: 500_000}
    end = one(ROYAL, "Kh Qh", "Qs", f"{check}stand 1; reveal; deal Kd; settle", rules, table="1000")
    assert net(end) == {"bet": 0, ROYAL: 12_500}


def test_17_4_a_suited_blackjack_pays_apart_on_some_tables() -> None:
    assert net(one(ROYAL, "Ah Qh", "6c", table="25-5"))[ROYAL] == 2500
    assert net(one(ROYAL, "Ah Qh", "6c"))[ROYAL] == 1250


def test_17_5_two_suits_lose() -> None:
    assert net(one(ROYAL, "2h 9d", "6c")) == {ROYAL: -500}


def test_17_6_what_a_table_does_not_print_pays_as_the_line_below() -> None:
    assert pays(ROYAL_MATCH, "25") == {
        "Crown Treasure": 25,
        "Royal Match": 25,
        "Suited Blackjack": Fraction(5, 2),
        "Easy Match": Fraction(5, 2),
        "No match": -1,
    }
    assert pays(ROYAL_MATCH, "1000")["Crown Treasure"] == 1000
    assert pays(ROYAL_MATCH, "10") == {
        **{"Crown Treasure": 10, "Royal Match": 10, "Suited Blackjack": 3, "Easy Match": 3},
        "No match": -1,
    }
    assert pays(ROYAL_MATCH, "25-5")["Suited Blackjack"] == 5


def test_17_7_it_is_settled_before_insurance() -> None:
    round_ = one(ROYAL, "Kh Qh", "Ah", table="1000")
    assert (round_.phase, order(round_)) == (Phase.INSURANCE, ["1 royal-match"])


def test_17_8_a_royal_match_waits_for_the_dealers_second_card() -> None:
    waits = one(ROYAL, "Kh Qh", "Qs", table="1000")
    assert order(waits) == []
    assert order(one(ROYAL, "Kh Qh", "Qs", table="25")) == ["1 royal-match"]
    assert order(one(ROYAL, "Kh 9h", "Qs", table="1000")) == ["1 royal-match"]
    # The hand is bust, and still the dealer shows the second card.
    out = one(ROYAL, "Kh Qh", "Qs", "peek no; hit 1; deal 5c", table="1000")
    assert (out.phase, order(out)) == (Phase.DEALER, ["1 bet"])
    end = go_on(out, "reveal; deal Ks; settle")
    assert net(end) == {"bet": -1000, ROYAL: 500_000}
    assert len(end.dealer) == 2


def test_17_9_later_cards_have_no_effect() -> None:
    end = one(ROYAL, "2h 9d", "6c", "hit 1; deal 5h; stand 1; reveal; deal Td Tc; settle")
    assert net(end) == {ROYAL: -500, "bet": 1000}


# TriLux Bonus


@pytest.mark.parametrize(
    ("cards", "up", "line"),
    [
        ("4c 6c", "5c", "Straight Flush"),
        ("6c 6c", "6c", "Three of a Kind"),
        ("6c 6d", "6h", "Three of a Kind"),
        ("Kc Ad", "Qh", "Straight"),
        ("Ac 2d", "3h", "Straight"),
        ("2c 9c", "Kc", "Flush"),
        ("Kc Ad", "2h", "No bonus"),
    ],
)
def test_18_1_two_cards_and_the_up_card_are_a_hand(cards: str, up: str, line: str) -> None:
    assert settlement(one(BONUS, cards, up), BONUS).line == line


def test_18_2_it_wins_with_four_kinds_of_hand() -> None:
    paid = {label for label, net in pays(TRILUX_BONUS, "8").items() if net > 0}
    assert paid == {"Flush", "Straight", "Three of a Kind", "Suited Three of a Kind", "Straight Flush"}


def test_18_3_any_other_hand_loses() -> None:
    assert net(one(BONUS, "6c 6d", "7h")) == {BONUS: -500}


def test_18_4_one_pay_for_all_or_a_graded_table() -> None:
    lines = ("Straight Flush", "Three of a Kind", "Straight", "Flush")
    assert [[pays(TRILUX_BONUS, table)[line] for line in lines] for table in TRILUX_BONUS.paytables] == [
        [8, 8, 8, 8],
        [9, 9, 9, 9],
        [25, 15, 8, 5],
        [25, 15, 10, 5],
    ]


def test_18_5_it_is_settled_before_insurance() -> None:
    round_ = one(BONUS, "Kc Qd", "Ah")
    assert (round_.phase, order(round_)) == (Phase.INSURANCE, ["1 trilux-bonus"])


def test_18_6_it_goes_beside_the_progressive() -> None:
    script = "bet 1 bet 1000; bet 1 trilux-bonus 500; bet 1 trilux 500; no-more-bets; deal Kc Qd Ah"
    round_ = play(script, side_wagers=["trilux", "trilux-bonus"])
    assert order(round_) == ["1 trilux-bonus", "1 trilux"]
    assert net(round_) == {BONUS: 4000, "trilux": 3000}


# House Money


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("8c 8d", "Pair"),
        ("8c 8c", "Pair"),
        ("Tc Jd", "Straight"),
        ("Ac 2d", "Straight"),
        ("Ac Kd", "Straight"),
        ("Tc Qd", "Nothing"),
        ("Kc 2d", "Nothing"),
    ],
)
def test_19_1_a_pair_or_two_neighbors_win(cards: str, line: str) -> None:
    assert settlement(one(MONEY, cards, "6h"), MONEY).line == line


def test_19_2_suited_neighbors_are_a_straight_flush() -> None:
    assert settlement(one(MONEY, "Ac 2c", "6h"), MONEY).line == "Straight Flush"
    assert settlement(one(MONEY, "Ac Kc", "6h"), MONEY).line == "Suited A-K"


def test_19_3_any_other_two_cards_lose() -> None:
    assert net(one(MONEY, "8c Tc", "6h")) == {MONEY: -500}


def test_19_4_there_is_one_table() -> None:
    paid = {"Suited A-K": 9, "Straight Flush": 4, "Pair": 3, "Straight": 1, "Nothing": -1}
    assert pays(HOUSE_MONEY, "9-4-3-1") == paid


def test_19_5_it_is_settled_before_insurance() -> None:
    round_ = one(MONEY, "8c 8d", "Ah")
    assert (round_.phase, order(round_)) == (Phase.INSURANCE, ["1 house-money"])


def test_19_6_the_proceeds_may_be_put_on_the_bet() -> None:
    asked = one(MONEY, "Tc Td", "6h")
    assert (asked.phase, asked.asked) == (Phase.CAPPING, (1,))
    end = go_on(asked, "cap 1; stand 1; reveal; deal Th 5c; settle")
    assert net(end) == {MONEY: 1500, "bet": -3000}  # $20 of House Money beside the $10
    part = go_on(asked, "cap 1 700; stand 1; reveal; deal Th 4c; settle")
    assert net(part) == {MONEY: 1500, "bet": 0}
    assert part.seats[1].wagers["bet"] == 1700
    assert part.staked_cents == part.returned_cents + part.kept_cents
    assert "Seat 1 puts $7.00 from House Money on the Bet." in [event.text for event in part.events]


def test_19_7_not_more_than_the_proceeds() -> None:
    asked = one(MONEY, "Tc Td", "6h")
    assert refused(asked, "cap 1 2001") == "above-proceeds"
    assert refused(asked, "cap 1 0") == "not-whole-chips"
    assert refused(asked, "cap 2") == "no-such-seat"
    assert refused(asked, "stand 1") == "out-of-turn"
    assert refused(go_on(asked, "cap 1"), "cap 1") == "out-of-turn"
    offering = offer("6D", [MONEY], limits=(1000, 1000), spot_limits={MONEY: (500, 500)})
    full = play("bet 1 bet 1000; bet 1 house-money 500; no-more-bets; deal Tc 6h Td; cap 1", offering=offering)
    assert full.seats[1].wagers["bet"] == 3000


def test_19_8_where_the_dealer_has_a_blackjack_the_proceeds_are_kept() -> None:
    end = one(MONEY, "Tc Td", "Ah", "no-insurance; peek yes; deal Kd; settle")
    assert net(end) == {MONEY: 1500, "bet": -1000}
    paid = one(MONEY, "Kc Ac", "Ah", "even-money 1; peek no")
    assert paid.phase is Phase.SETTLING
    given_up = one(MONEY, "Tc Td", "Ah", "early-surrender 1; peek no", rules="6D ES")
    assert (given_up.phase, net(given_up)) == (Phase.SETTLING, {MONEY: 1500, "bet": -500})
    # A blackjack that wins against the dealer's is paid on the Bet alone.
    always = one(MONEY, "Kd Ad", "Ah", "no-insurance; peek yes; deal Kh; settle", rules="6D BJW DBJ 1:1")
    assert net(always) == {MONEY: 4500, "bet": 2000}


def test_19_9_the_whole_bet_is_one_wager() -> None:
    natural = one(MONEY, "Ac Kc", "6h", "cap 1")
    assert net(natural) == {MONEY: 4500, "bet": 9000}  # 3 to 2 on $60
    assert net(one(MONEY, "Ad Kd", "6h", "cap 1", rules="6D DBJ 1:1"))["bet"] == 12000
    late = one(MONEY, "8c 8d", "6h", "cap 1; hit 1; deal 2c; surrender 1", rules="6D LS SAT")
    assert net(late)["bet"] == -1500  # half of $30
    doubled = one(MONEY, "5c 5d", "6h", "cap 1; double 1; deal Tc; reveal; deal Th 5c; settle")
    assert net(doubled)["bet"] == -6000
    split = one(MONEY, "8c 8d", "6h", "cap 1; split 1; deal Tc; stand 1; deal Td; stand 1; reveal; deal Th Tc; settle")
    assert net(split)["bet"] == 6000
    # What was added for the second hand is the player's own money, and programs are told so.
    assert [hand.facts.get("capped_cents", 0) for hand in split.seats[1].hands] == [2000, 0]


def test_19_10_silence_keeps_the_proceeds() -> None:
    assert go_on(one(MONEY, "8c 8d", "6h"), "no-cap").phase is Phase.PLAYING


def test_19_11_it_is_not_offered_without_a_hole_card() -> None:
    with pytest.raises(NotationError, match="House Money is not offered without a hole card"):
        offer("6D ENHC", [MONEY])
