"""Wagers, hands and the deal in docs/rulebook/blackjack.md, paragraph by paragraph."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.acts import parse_act
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.hand import Ending, describe_cards, describe_dealer, first_hand, split_hand
from croupier.games.blackjack.round import Phase, next_shoe, open_round
from croupier.games.blackjack.rules import DECKS, Rules, cards_for, cut_place, needs_shuffle
from croupier.games.paytable import Kind
from tests.games.blackjack.support import can, go_on, net, offer, one, order, play, refused, settlement, stacked

# 1. Decks, seats and wagers


def test_1_1_the_shoe_has_the_posted_number_of_decks() -> None:
    for decks in range(1, 9):
        assert open_round(offer(f"{decks}D"), Shoe.fresh(decks, 1)).phase is Phase.BETTING
    with pytest.raises(Refusal, match="for 6 decks, and the shoe has 8"):
        open_round(offer("6D"), Shoe.fresh(8, 1))
    with pytest.raises(NotationError):
        offer("9D")


def test_1_2_there_are_seven_seats() -> None:
    assert blackjack().seats == 7
    seven = play("; ".join(f"bet {seat} bet 500" for seat in range(1, 8)))
    assert list(seven.seats) == [1, 2, 3, 4, 5, 6, 7]
    assert refused(seven, "bet 8 bet 500") == "no-such-seat"


def test_1_3_these_are_the_wagers() -> None:
    keys = [wager.key for wager in blackjack().wagers]
    assert keys == [
        *("bet", "insurance", "kings-bounty", "bet-the-bust", "bet-the-set", "royal-match", "trilux-bonus"),
        "house-money",
        *("blazing-7s-dealer", "blazing-7s-player", "trilux"),
    ]
    # Insurance and Bet the Bust are placed later; Blazing 7's comes in two versions.
    assert set(keys) - set(blackjack().betting_spots) == {"insurance", "bet-the-bust"}


def test_1_4_no_wager_goes_without_a_bet() -> None:
    round_ = play("bet 2 kings-bounty 500", side_wagers=["kings-bounty"])
    assert refused(round_, "no-more-bets") == "mandatory-wager"
    assert round_.do(parse_act("bet 2 bet 500")).can(parse_act("no-more-bets"))
    with_bet = play("bet 1 bet 500; bet 1 kings-bounty 500; take-back 1 bet", side_wagers=["kings-bounty"])
    assert refused(with_bet, "no-more-bets") == "mandatory-wager"


def test_1_5_a_seat_makes_the_optional_wagers_that_are_offered() -> None:
    assert refused(play("bet 1 bet 500"), "bet 1 kings-bounty 500") == "no-such-spot"
    offered = play("bet 1 bet 500; bet 1 kings-bounty 500; bet 2 bet 500", side_wagers=["kings-bounty"])
    assert offered.can(parse_act("no-more-bets"))


def test_1_6_one_version_of_blazing_7s_at_most() -> None:
    for version in ("blazing-7s-dealer", "blazing-7s-player"):
        assert offer("6D", [version]).offers(version)
    with pytest.raises(NotationError, match="one progressive wager"):
        offer("6D", ["blazing-7s-dealer", "blazing-7s-player"])


@pytest.mark.parametrize(
    ("wager", "decks"),
    [
        ("kings-bounty", {1, 2, 4, 6, 8}),
        ("bet-the-bust", {1, 2, 6, 8}),
        ("blazing-7s-dealer", {6, 8}),
        ("blazing-7s-player", {6, 8}),
        ("trilux", {6, 8}),
    ],
)
def test_1_7_a_wager_is_offered_with_its_numbers_of_decks(wager: str, decks: set[int]) -> None:
    for number in range(1, 9):
        if number in decks:
            assert offer(f"{number}D", [wager]).offers(wager)
        else:
            with pytest.raises(NotationError, match=f"not offered with {number} deck"):
                offer(f"{number}D", [wager])


def test_1_8_blazing_7s_or_trilux_but_not_both() -> None:
    with pytest.raises(NotationError, match="not both Blazing 7's Progressive, dealer's up card and TriLux"):
        offer("6D", ["kings-bounty", "blazing-7s-dealer", "trilux"])
    with pytest.raises(NotationError):
        offer("8D", ["blazing-7s-player", "trilux"])
    assert offer("6D", ["kings-bounty", "trilux"]).offers("trilux")


def test_1_9_amounts_are_free_within_their_limits() -> None:
    house = offer("6D", ["kings-bounty"], limits=(500, 10_000), spot_limits={"kings-bounty": (100, 2_500)})
    round_ = play("bet 1 bet 10000; bet 1 kings-bounty 100", offering=house)
    assert round_.seats[1].wagers == {"bet": 10_000, "kings-bounty": 100}
    assert refused(round_, "bet 2 bet 499") == "below-minimum"
    assert refused(round_, "bet 2 bet 10001") == "above-maximum"
    assert refused(round_, "bet 2 kings-bounty 2501") == "above-maximum"


def test_1_10_insurance_doubles_and_splits_are_not_held_to_the_limits() -> None:
    house = offer("6D", limits=(1000, 1000))
    insured = one("Ts 9h", "Ac", "insure 1", offering=house)
    assert insured.seats[1].wagers == {"bet": 1000, "insurance": 500}
    doubled = one("6s 5h", "6c", "double 1", offering=house)
    assert doubled.seats[1].wagers == {"bet": 2000}
    split = one("8s 8h", "6c", "split 1; deal 3c; double 1; deal 2c", offering=house)
    assert split.seats[1].wagers == {"bet": 3000}


def test_1_11_a_progressive_wager_is_one_fixed_amount() -> None:
    house = offer("6D", ["trilux"], spot_limits={"trilux": (200, 200)})
    assert refused(play("bet 1 bet 500", offering=house), "bet 1 trilux 199") == "below-minimum"
    assert refused(play("bet 1 bet 500", offering=house), "bet 1 trilux 201") == "above-maximum"
    assert play("bet 1 bet 500; bet 1 trilux 200", offering=house).seats[1].wagers["trilux"] == 200
    with pytest.raises(NotationError, match="one fixed amount"):
        offer("6D", ["trilux"], spot_limits={"trilux": (100, 200)})


def test_1_12_progressive_wagers_are_fixed_when_the_game_starts() -> None:
    round_ = one("7s 9h", "6c", side_wagers=["blazing-7s-player"], bets="bet 1 blazing-7s-player 500")
    assert refused(round_, "take-back 1 blazing-7s-player") == "out-of-turn"
    assert refused(round_, "bet 1 blazing-7s-player 500") == "out-of-turn"


def test_1_13_progressive_wagers_count_for_the_round() -> None:
    for wager in ("blazing-7s-dealer", "blazing-7s-player", "trilux"):
        end = one("9s 9h", "6c", "stand 1; reveal; deal Tc Kc; settle", side_wagers=[wager], bets=f"bet 1 {wager} 500")
        assert net(end) == {wager: -500, "bet": 1000}
        assert end.staked_cents == 1500


def test_1_14_a_percentage_is_a_share_of_the_meter() -> None:
    house = offer("6D", ["blazing-7s-dealer"], paytables={"blazing-7s-dealer": "ML03"})
    round_ = one("7d 7d", "7d", offering=house, bets="bet 1 blazing-7s-dealer 500")
    settled = settlement(round_, "blazing-7s-dealer")
    assert (settled.pay.kind, settled.pay.share, settled.pay.meter) == (Kind.SHARE, Fraction(1), "Mega")
    assert settled.returned_cents == 0
    [event] = [event for event in round_.events if event.kind == "award"]
    assert event.text == "Seat 1, Blazing 7's: Three 7's - Diamonds; $5.00 wins 100% of the Mega meter."


def test_1_15_a_fixed_pay_comes_from_the_tray() -> None:
    round_ = one("7d 9s", "7d", side_wagers=["blazing-7s-dealer"], bets="bet 1 blazing-7s-dealer 500")
    settled = settlement(round_, "blazing-7s-dealer")
    assert (str(settled.pay), settled.returned_cents) == ("2 for 1", 1000)
    assert not [event for event in round_.events if event.kind == "award"]


def test_1_16_a_winning_progressive_wager_is_not_returned() -> None:
    round_ = one("7d 9s", "7d", side_wagers=["blazing-7s-dealer"], bets="bet 1 blazing-7s-dealer 500")
    assert net(round_) == {"blazing-7s-dealer": 500}


# 2. Values and hands


@pytest.mark.parametrize(
    ("cards", "total"), [("2c 9d", 11), ("3c Td", 13), ("4c Jd", 14), ("5c Qd", 15), ("6c Kd", 16)]
)
def test_2_1_cards_count_their_number_and_faces_ten(cards: str, total: int) -> None:
    assert first_hand(parse_cards(cards)) == total


@pytest.mark.parametrize(("cards", "total"), [("Ac 6d", 17), ("Ac 6d 4h", 21), ("Ac 6d 5h", 12), ("Ac 6d Th", 17)])
def test_2_2_an_ace_counts_eleven_while_it_can(cards: str, total: int) -> None:
    assert first_hand(parse_cards(cards)) == total


def test_2_3_one_ace_counts_eleven_at_most() -> None:
    assert first_hand(parse_cards("Ac Ad")) == 12
    assert first_hand(parse_cards("Ac Ad Ah 8s")) == 21


def test_2_4_a_hand_is_soft_while_an_ace_counts_eleven() -> None:
    assert describe_cards(parse_cards("Ac 6d")) == "soft 17"
    assert describe_cards(parse_cards("Ac 6d Th")) == "17"


def test_2_5_a_hand_above_21_is_bust() -> None:
    assert first_hand(parse_cards("Tc 9d 3h")) == first_hand(parse_cards("Tc Td Th")) == 22
    assert describe_cards(parse_cards("Tc 9d 3h")) == "bust with 22"
    assert describe_dealer(parse_cards("Tc 9d 3h"), pushes_22=False) == "bust with 22"
    assert describe_dealer(parse_cards("Tc 9d 3h"), pushes_22=True) == "22, which pushes"
    assert describe_dealer(parse_cards("Tc 9d 4h"), pushes_22=True) == "bust with 23"


def test_2_6_an_ace_and_a_ten_value_are_a_blackjack() -> None:
    for ten in ("Tc", "Jc", "Qc", "Kc"):
        assert first_hand(parse_cards(f"Ad {ten}")) == "blackjack"
        assert one(f"{ten} Ad", "6c").seats[1].hands[0].ending is Ending.BLACKJACK


def test_2_7_other_21s_are_no_blackjack() -> None:
    assert first_hand(parse_cards("7c 7d 7h")) == 21
    assert split_hand(parse_cards("Ac Kd")) == 21
    split = one("Ts Th", "6c", "split 1; deal Ac; deal 5c")
    assert split.seats[1].hands[0].ending is Ending.STANDS


def test_2_8_all_ten_values_are_alike_for_splitting() -> None:
    assert "split" in can(one("Ts Kh", "6c"))
    assert "split" in can(one("Js Qh", "6c"))
    assert "split" not in can(one("9s Kh", "6c"))


def test_2_9_suits_mean_nothing_to_the_bet() -> None:
    results = {
        net(one(f"T{a} 9{b}", f"6{c}", f"stand 1; reveal; deal T{a} 5{a}; settle"))["bet"] for a, b, c in ("csd", "hhh")
    }
    assert results == {-1000}


# 3. Dealing


def test_3_1_a_round_goes_in_its_steps() -> None:
    sides = ["kings-bounty", "bet-the-bust", "blazing-7s-dealer"]
    before = "bet 1 bet 1000; bet 1 kings-bounty 500; bet 1 blazing-7s-dealer 500"
    acts = [
        ("no-more-bets", Phase.DEALING),
        ("deal Ts Ac Th", Phase.INSURANCE),
        ("insure 1", Phase.CHECKING),
        ("peek no", Phase.BUST_WAGERS),
        ("bust-bet 1 500", Phase.PLAYING),
        ("stand 1", Phase.DEALER),
        ("reveal", Phase.DEALER),
        ("deal 7c", Phase.SETTLING),
        ("settle", Phase.OVER),
    ]
    round_ = play(before, side_wagers=sides)
    for act, phase in acts:
        round_ = round_.do(parse_act(act))
        assert round_.phase is phase, act
    assert order(round_) == ["1 kings-bounty", "1 blazing-7s-dealer", "1 insurance", "1 bet", "1 bet-the-bust"]


def test_3_2_the_first_card_of_a_fresh_shoe_is_burned() -> None:
    shoe = Shoe.fresh(6, 5)
    round_ = play("bet 1 bet 500; no-more-bets", shoe=shoe)
    assert round_.burned == shoe.order[:1]
    assert round_.seats[1].dealt[0] == shoe.order[1]
    used = shoe.draw(20)[1]
    later = play("bet 1 bet 500; no-more-bets", shoe=used)
    assert later.burned == ()
    assert later.seats[1].dealt[0] == shoe.order[20]


def test_3_3_each_seat_gets_a_card_and_the_dealer_the_up_card() -> None:
    round_ = play("bet 5 bet 500; bet 2 bet 500; no-more-bets; deal 2c 3c 4c")
    assert [format(card) for card in (*round_.seats[2].dealt, *round_.seats[5].dealt, round_.up_card)] == [
        *("2c", "3c", "4c")
    ]
    assert "the next card goes to seat 2" in round_.what_is_next


def test_3_4_then_each_seat_gets_a_second_card() -> None:
    round_ = play("bet 5 bet 500; bet 2 bet 500; no-more-bets; deal 2c 3c 4c 5c 6c")
    assert round_.seats[2].dealt == parse_cards("2c 5c")
    assert round_.seats[5].dealt == parse_cards("3c 6c")


def test_3_5_the_hole_card_is_dealt_last_and_face_down() -> None:
    round_ = play("bet 1 bet 500; no-more-bets", shoe=stacked("Ts 6h 9s Kh"))
    assert round_.dealer == parse_cards("6h")
    assert round_.hole == parse_cards("Kh")[0]
    assert all("Kh" not in event.text and round_.hole not in event.cards for event in round_.events)


def test_3_6_without_a_hole_card_the_dealer_has_one_card() -> None:
    round_ = play("bet 1 bet 500; no-more-bets", "6D ENHC", shoe=stacked("Ts 6h 9s Kh"))
    assert (round_.dealer, round_.hole) == (parse_cards("6h"), None)
    assert round_.shoe is not None
    assert round_.shoe.dealt == 4


def test_3_7_cards_lie_face_up() -> None:
    round_ = one("Ts 9h", "6c")
    shown = {card for event in round_.events for card in event.cards}
    assert shown == set(parse_cards("Ts 9h 6c"))


@pytest.mark.parametrize(("rules", "place"), [("6D", 234), ("1D CUT75", 39), ("2D CUT2/3", 69), ("8D CUT10", 41)])
def test_3_8_the_cut_card_lies_behind_its_share_of_the_shoe(rules: str, place: int) -> None:
    assert cut_place(Rules.parse(rules)) == place


def test_3_9_the_cut_card_comes_with_the_last_card_before_it() -> None:
    rules = Rules.parse("6D")
    assert not needs_shuffle(rules, dealt=233, seats=7)
    assert needs_shuffle(rules, dealt=234, seats=1)


def test_3_10_the_round_of_the_cut_card_is_played_to_its_end() -> None:
    shoe = Shoe.fresh(6, "cut").draw(232)[1]
    end = play("bet 1 bet 500; no-more-bets; stand 1; reveal; settle", shoe=shoe)
    assert end.phase is Phase.OVER
    assert end.shoe is not None
    assert needs_shuffle(end.rules, dealt=end.shoe.dealt, seats=1)
    with pytest.raises(Refusal, match=r"The cut card has come after .* shuffle before the next round"):
        open_round(end.offering, end.shoe)
    assert next_shoe(end, 9) == Shoe.fresh(6, 9)
    early = play("bet 1 bet 500; no-more-bets; stand 1; reveal; settle", shoe=stacked("Ts 9s 9h 9c"))
    assert next_shoe(early, 9) is early.shoe


@pytest.mark.parametrize(("seats", "cards"), [(1, 13), (2, 18), (5, 33), (7, 43)])
def test_3_13_a_shoe_in_use_holds_five_cards_for_each_seat_and_eight_more(seats: int, cards: int) -> None:
    assert cards_for(seats) == cards
    for decks in DECKS:
        rules = Rules.parse(f"{decks}D CUT95")
        last = min(52 * decks - cards, cut_place(rules) - 1)
        assert not needs_shuffle(rules, dealt=last, seats=seats)
        assert needs_shuffle(rules, dealt=last + 1, seats=seats)


def test_3_13_the_next_round_has_a_fresh_shoe_where_too_few_cards_are_left() -> None:
    shoe = Shoe.fresh(1, "one deck").draw(30)[1]
    script = "bet 1 bet 500; no-more-bets; stand 1; reveal; settle"
    end = play(script, "1D CUT95", shoe=Shoe.stacked(parse_cards("2c Ts 9s 9h 9c"), decks=1, chance="the rest"))
    assert next_shoe(end, 9) is end.shoe
    assert next_shoe(end, 9, seats=7) is end.shoe
    later = play("bet 1 bet 500; no-more-bets; void rain", "1D CUT95", shoe=shoe)
    assert next_shoe(later, 9) == Shoe.fresh(1, 9)
    with pytest.raises(Refusal, match="Too few cards are left after 40 cards: shuffle before the next round"):
        open_round(end.offering, Shoe.fresh(1, "one deck").draw(40)[1])


def test_3_13_a_round_does_not_run_out_of_cards() -> None:
    house, shoe = offer("1D CUT95"), Shoe.fresh(1, "five seats")
    for number in range(150):
        round_ = play(
            "; ".join([*(f"bet {seat} bet 500" for seat in range(1, 6)), "no-more-bets"]), shoe=shoe, offering=house
        )
        while not round_.is_over:
            if round_.turn:
                seat, hand = round_.turn
                round_ = go_on(round_, f"{'hit' if round_.seats[seat].hands[hand].total < 17 else 'stand'} {seat}")
            else:
                round_ = go_on(
                    round_, {Phase.INSURANCE: "no-insurance", Phase.DEALER: "reveal"}.get(round_.phase, "settle")
                )
        assert round_.phase is Phase.OVER
        shoe = next_shoe(round_, number)


def test_3_14_a_fresh_shoe_may_always_be_dealt_from() -> None:
    for decks in DECKS:
        assert not needs_shuffle(Rules.parse(f"{decks}D CUT10"), dealt=0, seats=7)
    assert cards_for(7) < 52, "the burn card too"
    full = play("; ".join(f"bet {seat} bet 500" for seat in range(1, 8)), "1D", shoe=Shoe.fresh(1, 1))
    assert full.can(parse_act("no-more-bets"))


def test_3_14_betting_is_not_closed_where_the_shoe_is_too_short_for_the_seats() -> None:
    shoe = Shoe.fresh(1, "one deck").draw(35)[1]
    one_seat = play("bet 1 bet 500", "1D CUT95", shoe=shoe)
    assert one_seat.can(parse_act("no-more-bets"))
    two_seats = go_on(one_seat, "bet 2 bet 500")
    assert refused(two_seats, "no-more-bets") == "shoe-too-short"
    assert go_on(two_seats, "take-back 2 bet").can(parse_act("no-more-bets"))
