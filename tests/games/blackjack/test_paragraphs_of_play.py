"""Insurance, decisions and the dealer's hand in docs/rulebook/blackjack.md, paragraph by paragraph."""

from __future__ import annotations

import pytest

from croupier.cards.card import parse_cards
from croupier.games.blackjack.acts import parse_act
from croupier.games.blackjack.hand import Ending, PlayerHand
from croupier.games.blackjack.round import Phase
from croupier.games.paytable import Paytable
from tests.games.blackjack.support import can, go_on, net, offer, one, order, play, refused, stacked, totals, two

# 4. Insurance and even money


def test_4_1_insurance_is_offered_against_an_ace_only() -> None:
    for up in ("2c", "6c", "9c", "Tc", "Kc"):
        assert one("Ts 9h", up).phase is not Phase.INSURANCE
    assert one("Ts 9h", "Ac").phase is Phase.INSURANCE


def test_4_2_insurance_is_at_most_half_of_the_bet() -> None:
    round_ = one("Ts 9h", "Ac")
    assert refused(round_, "insure 1 501") == "above-half"
    assert refused(round_, "insure 1 0") == "not-whole-chips"
    assert round_.do(parse_act("insure 1 1")).seats[1].wagers["insurance"] == 1
    chips = one("Ts 9h", "Ac", "insure 1", offering=offer(chip_cents=200))
    assert chips.seats[1].wagers["insurance"] == 400
    one_chip = one("Ts 9h", "Ac", offering=offer(chip_cents=1000))
    assert one_chip.phase is Phase.CHECKING, "half of one chip is no chip, so nobody is asked"


def test_4_3_every_seat_decides_before_the_check() -> None:
    round_ = two("Ts 9h", "Ts 8h", "Ac", "insure 2")
    assert round_.phase is Phase.INSURANCE
    assert refused(round_, "peek no") == "out-of-turn"
    assert refused(round_, "no-insurance 2") == "not-asked"
    assert go_on(round_, "no-insurance 1").phase is Phase.CHECKING
    assert go_on(round_, "no-insurance").phase is Phase.CHECKING


def test_4_4_insurance_pays_2_to_1_against_a_blackjack() -> None:
    won = one("Ts 9h", "Ac", "insure 1; peek yes; deal Kc; settle")
    assert net(won) == {"insurance": 1000, "bet": -1000}
    lost = one("Ts 9h", "Ac", "insure 1; peek no")
    assert net(lost) == {"insurance": -500}


def test_4_5_insurance_is_settled_as_soon_as_the_blackjack_is_known() -> None:
    lost = two("Ts 9h", "Ts 8h", "Ac", "insure 1; insure 2; peek no")
    assert (lost.phase, order(lost)) == (Phase.PLAYING, ["2 insurance", "1 insurance"])
    won = two("Ts 9h", "Ts 8h", "Ac", "insure 1; insure 2; peek yes; deal Jd")
    assert (won.phase, order(won)) == (Phase.SETTLING, ["2 insurance", "1 insurance"])


def test_4_6_even_money_pays_a_blackjack_at_once() -> None:
    round_ = one("As Kh", "Ac", "even-money 1")
    assert net(round_) == {"bet": 1000}
    assert round_.seats[1].hands[0].ending is Ending.EVEN_MONEY
    assert refused(one("Ts 9h", "Ac"), "even-money 1") == "no-even-money"


def test_4_7_even_money_goes_with_3_to_2() -> None:
    assert one("As Kh", "Ac").can(parse_act("even-money 1"))
    assert refused(one("As Kh", "Ac", rules="6D 6:5"), "even-money 1") == "no-even-money"
    assert one("As Kh", "Ac", rules="6D NOINS").phase is Phase.CHECKING
    better = offer("6D", paytables={"insurance": Paytable.parse("ours", "Dealer has blackjack  3 to 1")})
    assert refused(one("As Kh", "Ac", offering=better), "even-money 1") == "no-even-money"


def test_4_8_even_money_stands_whatever_the_hole_card() -> None:
    for rest in ("peek yes; deal Kc; settle", "peek no; settle"):
        assert net(one("As Kh", "Ac", f"even-money 1; {rest}")) == {"bet": 1000}


# 5. The dealer's blackjack


def test_5_1_the_dealer_checks_under_an_ace_and_a_ten_value() -> None:
    for up in ("Tc", "Jc", "Qc", "Kc"):
        assert one("Ts 9h", up).phase is Phase.CHECKING
    assert one("Ts 9h", "Ac", "no-insurance").phase is Phase.CHECKING
    from_shoe = play("bet 1 bet 500; no-more-bets", shoe=stacked("Ts Kc 9s Ah"))
    assert from_shoe.phase is Phase.SETTLING


def test_5_2_a_blackjack_ends_the_round_without_a_draw() -> None:
    round_ = two("Ts 9h", "5s 6h", "Kc", "peek yes")
    assert refused(round_, "hit 1") == "out-of-turn"
    assert refused(round_, "deal 9c") == "not-as-checked"
    end = go_on(round_, "deal Ac; settle")
    assert end.dealer == parse_cards("Kc Ac")
    assert (net(end, 1), net(end, 2)) == ({"bet": -1000}, {"bet": -1000})


def test_5_3_without_a_blackjack_play_goes_on() -> None:
    round_ = one("Ts 9h", "Ac", "insure 1; peek no")
    assert (round_.phase, net(round_)) == (Phase.PLAYING, {"insurance": -500})
    assert refused(go_on(round_, "stand 1; reveal"), "deal Kd") == "not-as-checked"


def test_5_4_under_other_cards_there_is_nothing_to_check() -> None:
    for up in ("2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c"):
        assert one("Ts 9h", up).phase is Phase.PLAYING


def test_5_5_blackjacks_are_paid_after_the_check() -> None:
    round_ = two("As Kh", "As Qh", "Tc")
    assert order(round_) == []
    paid = go_on(round_, "peek no")
    assert order(paid) == ["2 bet", "1 bet"]
    assert net(paid, 1) == net(paid, 2) == {"bet": 1500}
    assert order(two("As Kh", "Ts 9h", "6c")) == ["1 bet"]


def test_5_6_without_a_hole_card_the_blackjack_shows_after_all_decisions() -> None:
    round_ = one("Ts 6h", "Kc", rules="6D ENHC")
    assert round_.phase is Phase.PLAYING
    end = go_on(round_, "hit 1; deal 5c; reveal; deal Ac; settle")
    assert (end.dealer_blackjack, net(end)) == (True, {"bet": -1000})


def test_5_7_a_late_blackjack_takes_all_money() -> None:
    rules = "6D ENHC LS"
    doubled = one("5s 6h", "Kc", "double 1; deal Tc; reveal; deal Ac; settle", rules)
    assert net(doubled) == {"bet": -2000}
    split = one("8s 8h", "Kc", "split 1; deal Tc; stand 1; deal Td; stand 1; reveal; deal Ac; settle", rules)
    assert net(split) == {"bet": -2000}
    surrendered = one("Ts 6h", "Kc", "surrender 1; reveal; deal Ac; settle", rules)
    assert net(surrendered) == {"bet": -1000}


def test_5_8_two_blackjacks_push_with_and_without_a_hole_card() -> None:
    assert net(one("As Kh", "Kc", "peek yes; deal Ac; settle")) == {"bet": 0}
    assert net(one("As Kh", "Kc", "reveal; deal Ac; settle", "6D ENHC")) == {"bet": 0}


def test_5_9_without_a_hole_card_some_wagers_wait_for_the_second_card() -> None:
    rules = "6D ENHC LS"
    script = "bet 1 bet 1000; bet 2 bet 1000; bet 3 bet 1000; no-more-bets; deal As Ts Ts Ac Kh 6h 9h; insure 3; "
    round_ = play(f"{script} no-insurance; surrender 2; stand 3", rules)
    assert (order(round_), round_.phase) == ([], Phase.DEALER)
    second = go_on(round_, "reveal; deal 8c")
    assert order(second) == ["3 insurance"]
    end = go_on(second, "settle")
    assert order(end) == ["3 insurance", "3 bet", "2 bet", "1 bet"]
    assert (net(end, 1), net(end, 2), net(end, 3)) == ({"bet": 1500}, {"bet": -500}, {"insurance": -500, "bet": 0})
    assert order(one("Ts 6h", "9c", "surrender 1", rules)) == ["1 bet"], "against a nine nothing waits"


# 6. Decisions


def test_6_1_seats_decide_from_first_base() -> None:
    round_ = two("Ts 6h", "Ts 5h", "6c")
    assert refused(round_, "stand 2") == "out-of-turn"
    assert go_on(round_, "stand 1; stand 2").phase is Phase.DEALER


def test_6_2_hands_of_a_seat_are_played_from_the_first_to_the_last() -> None:
    round_ = one("8s 8h", "6c", "split 1; deal 2c")
    assert refused(round_, "stand 1 2") == "out-of-turn"
    assert go_on(round_, "stand 1 1; deal 3c; stand 1 2").phase is Phase.DEALER


def test_6_3_a_seat_with_a_blackjack_has_nothing_to_decide() -> None:
    round_ = two("As Kh", "Ts 5h", "6c")
    assert round_.turn == (2, 0)
    assert refused(round_, "hit 1") == "out-of-turn"


def test_6_4_each_decision_is_allowed_at_its_time() -> None:
    assert can(one("8s 8h", "6c", rules="6D LS")) == {"stand", "hit", "double", "split", "surrender"}
    assert can(one("8s 7h", "6c", rules="6D LS")) == {"stand", "hit", "double", "surrender"}
    assert can(one("8s 7h", "6c", "hit 1; deal 2c", rules="6D LS")) == {"stand", "hit"}
    assert can(one("8s 7h", "6c", "stand 1")) == set()


def test_6_5_to_stand_ends_the_hand() -> None:
    round_ = one("8s 4h", "6c", "stand 1")
    assert (totals(round_), round_.phase) == ([12], Phase.DEALER)


def test_6_6_to_hit_takes_one_card() -> None:
    round_ = one("2s 4h", "6c", "hit 1; deal 3c; hit 1; deal 4c")
    assert (totals(round_), round_.turn) == ([13], (1, 0))


def test_6_7_to_double_adds_the_wager_and_takes_one_card() -> None:
    round_ = one("6s 5h", "6c", "double 1; deal 2c")
    assert (totals(round_), round_.phase, round_.staked_cents) == ([13], Phase.DEALER, 2000)
    assert net(go_on(round_, "reveal; deal Tc Td; settle")) == {"bet": 2000}


@pytest.mark.parametrize(
    ("word", "able", "unable"),
    [
        ("DA", ["5s 4h", "As 7h", "Ts 8h"], []),
        ("D9", ["5s 4h", "6s 4h", "6s 5h"], ["4s 4h", "6s 6h", "As 8h", "As 9h"]),
        ("D10", ["6s 4h", "6s 5h"], ["5s 4h", "6s 6h", "As 9h"]),
    ],
)
def test_6_8_the_word_says_which_hands_may_be_doubled(word: str, able: list[str], unable: list[str]) -> None:
    for cards in able:
        assert "double" in can(one(cards, "6c", rules=f"6D {word}"))
    for cards in unable:
        assert refused(one(cards, "6c", rules=f"6D {word}"), "double 1") == "no-double-on-this"
    assert refused(one("2s 3h", "6c", "hit 1; deal 4c", rules=f"6D {word}"), "double 1") == "not-two-cards"


def test_6_9_split_hands_are_doubled_under_das_only() -> None:
    split = "split 1; deal 3c"
    assert "double" in can(one("8s 8h", "6c", split, "6D DAS"))
    assert refused(one("8s 8h", "6c", split, "6D NDAS"), "double 1") == "no-double-after-split"
    assert refused(one("8s 8h", "6c", "split 1; deal 4c", "6D DAS D10"), "double 1") == "no-double-on-this"


def test_6_10_to_split_adds_the_wager() -> None:
    round_ = one("8s 8h", "6c", "split 1")
    assert [(hand.cards, hand.cents) for hand in round_.seats[1].hands] == [
        (parse_cards("8s"), 1000),
        (parse_cards("8h"), 1000),
    ]
    assert round_.staked_cents == 2000


def test_6_11_two_cards_that_count_the_same_may_be_split() -> None:
    for cards in ("As Ah", "2s 2h", "Ts Th", "Ks Jh"):
        assert "split" in can(one(cards, "6c"))
    assert refused(one("8s 7h", "6c"), "split 1") == "not-a-pair"
    assert refused(one("4s 2h", "6c", "hit 1; deal 2c"), "split 1") == "not-two-cards"


def test_6_12_a_pair_becomes_as_many_hands_as_its_word_allows() -> None:
    assert refused(one("8s 8h", "6c", rules="6D SP1"), "split 1") == "most-hands"
    assert refused(one("8s 8h", "6c", "split 1; deal 8c", "6D SP2"), "split 1") == "most-hands"
    assert refused(one("8s 8h", "6c", "split 1; deal 8c; split 1; deal 8d", "6D SP3"), "split 1") == "most-hands"
    four = one("8s 8h", "6c", "split 1; deal 8c; split 1; deal 8d; split 1; deal 8s", "6D SP4")
    assert len(four.seats[1].hands) == 4
    assert refused(four, "split 1") == "most-hands"


def test_6_13_each_split_hand_is_played_to_its_end_before_the_next() -> None:
    round_ = one("8s 8h", "6c", "split 1; deal 2c")
    assert [len(hand.cards) for hand in round_.seats[1].hands] == [2, 1]
    again = one("8s 8h", "6c", "split 1; deal 8c; split 1")
    assert [hand.cards for hand in again.seats[1].hands] == [parse_cards(card) for card in ("8s", "8c", "8h")]
    on = go_on(again, "deal 2c; stand 1; deal 3c; stand 1; deal 4c; stand 1")
    assert totals(on) == [10, 11, 12]


def test_6_14_split_aces_receive_one_card_under_nhsa() -> None:
    end = one("As Ah", "6c", "split 1; deal 5c 6c", "6D NHSA")
    assert (totals(end), end.phase) == ([16, 17], Phase.DEALER)
    hit = one("As Ah", "6c", "split 1; deal 5c", "6D HSA")
    assert can(hit) == {"stand", "hit", "double"}


def test_6_15_aces_are_split_again_under_rsa_only() -> None:
    once = one("As Ah", "6c", "split 1; deal Ac 5c", "6D NRSA")
    assert (totals(once), once.phase) == ([12, 16], Phase.DEALER)
    again = one("As Ah", "6c", "split 1; deal Ac", "6D RSA")
    assert can(again) == {"stand", "split"}
    assert refused(again, "hit 1") == refused(again, "double 1") == "one-card-only"
    assert totals(go_on(again, "split 1; deal 2c 3c 4c")) == [13, 14, 15]
    assert refused(one("As Ah", "6c", "split 1; deal Ac", "6D NRSA HSA"), "split 1") == "most-hands"


def test_6_16_an_ace_and_a_ten_after_a_split_are_21() -> None:
    end = one("As Ah", "6c", "split 1; deal Kc Qc; reveal; deal Tc 5c; settle")
    assert [s.line for s in end.settlements] == ["Push on hand 1", "Push on hand 2"]


def test_6_17_late_surrender_comes_first_and_after_the_check() -> None:
    assert refused(one("Ts 6h", "9c"), "surrender 1") == "no-surrender"
    assert refused(one("Ts 6h", "Tc", rules="6D LS"), "surrender 1") == "out-of-turn"
    assert "surrender" in can(one("Ts 6h", "Tc", "peek no", "6D LS"))
    assert refused(one("2s 6h", "9c", "hit 1; deal 4c", "6D LS"), "surrender 1") == "surrender-too-late"


def test_6_18_a_split_hand_may_not_be_surrendered() -> None:
    assert refused(one("8s 8h", "9c", "split 1; deal 7c", "6D LS"), "surrender 1") == "surrender-too-late"


def test_6_19_a_surrender_gives_up_half() -> None:
    round_ = one("Ts 6h", "9c", "surrender 1", "6D LS")
    assert (net(round_), round_.phase) == ({"bet": -500}, Phase.SETTLING)
    assert round_.events[-1].text == "Seat 1, Bet: Surrender, 16; $10.00 loses half, $5.00 is returned."


def test_6_20_a_hand_that_reaches_21_ends() -> None:
    round_ = one("5s 6h", "9c", "hit 1; deal Tc")
    assert (totals(round_), round_.phase) == ([21], Phase.DEALER)


def test_6_21_a_bust_hand_is_taken_at_once() -> None:
    round_ = two("Ts 6h", "Ts 7h", "9c", "hit 1; deal Kc")
    assert (order(round_), net(round_)) == (["1 bet"], {"bet": -1000})
    assert round_.turn == (2, 0)


# 7. The dealer's hand


def test_7_1_after_the_last_decision_the_second_card_is_turned_up() -> None:
    from_shoe = play("bet 1 bet 500; no-more-bets; stand 1; reveal", shoe=stacked("Ts 6h 9s Kh 5h"))
    assert (from_shoe.dealer, from_shoe.hole) == (parse_cards("6h Kh 5h"), None)
    no_hole = play("bet 1 bet 500; no-more-bets; stand 1; reveal", "6D ENHC", shoe=stacked("Ts 6h 9s Kh 5h"))
    assert no_hole.dealer == parse_cards("6h Kh 5h")


@pytest.mark.parametrize(
    ("up", "rest"),
    [("6c", "Tc 5c"), ("7c", "Tc"), ("2c", "2d 2h 2s 3c 3d 3h"), ("8c", "Ac"), ("5c", "5d 7c"), ("2d", "Tc 4c Td")],
)
def test_7_2_the_dealer_draws_to_16_and_stands_on_17(up: str, rest: str) -> None:
    settling = one("Ts 9h", up, f"stand 1; reveal; deal {rest}")
    assert settling.phase is Phase.SETTLING
    drawing = one("Ts 9h", up, f"stand 1; reveal; {f'deal {shorter}' if (shorter := rest[:-3]) else ''}")
    assert drawing.owed


def test_7_3_a_soft_17_is_stood_on_or_hit() -> None:
    soft = "stand 1; reveal; deal Ac"
    assert one("Ts 9h", "6c", soft, "6D S17").phase is Phase.SETTLING
    assert one("Ts 9h", "6c", soft, "6D H17").owed
    assert one("Ts 9h", "6c", f"{soft}; deal Tc", "6D H17").phase is Phase.SETTLING
    assert one("Ts 9h", "7c", soft, "6D H17").phase is Phase.SETTLING


def test_7_4_the_dealer_has_no_choice() -> None:
    round_ = one("Ts 9h", "6c", "stand 1; reveal; deal Tc")
    assert refused(round_, "settle") == "out-of-turn"
    assert refused(go_on(round_, "deal 2c"), "deal 2d") == "out-of-turn"


def test_7_5_the_dealer_draws_nothing_when_no_hand_is_left() -> None:
    end = one("Ts 6h", "6c", "hit 1; deal Kc; settle")
    assert (end.dealer, end.phase) == (parse_cards("6c"), Phase.OVER)


def test_7_6_bust_surrendered_blackjack_and_even_money_are_not_left() -> None:
    left = {ending: PlayerHand((), 1000, ending=ending).is_left for ending in Ending}
    assert [ending for ending in Ending if left[ending]] == [Ending.STANDS]
    assert PlayerHand((), 1000).is_left
    assert one("As Kh", "6c").phase is Phase.SETTLING
    assert one("As Kh", "Ac", "even-money 1; peek no").phase is Phase.SETTLING


def test_7_7_without_a_hole_card_the_second_card_is_taken_where_something_waits() -> None:
    rules = "6D ENHC LS"
    for cards, up, then in (
        ("As Kh", "Tc", ""),
        ("Ts 6h", "Tc", "surrender 1"),
        ("Ts 6h", "Ac", "insure 1; hit 1; deal Kc"),
    ):
        round_ = one(cards, up, then, rules)
        assert round_.phase is Phase.DEALER
        assert go_on(round_, "reveal; deal 2c").phase is Phase.SETTLING, "no more than the second card"
    assert one("Ts 6h", "Tc", "hit 1; deal Kc", rules).phase is Phase.SETTLING
