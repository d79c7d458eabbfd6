"""The base game of docs/rulebook/blackjack.md at a live table, paragraph by paragraph; cards are entered as dealt."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

import pytest

from croupier.cards.card import DECK, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.acts import decisions, parse_act
from croupier.games.blackjack.game import BlackjackOffering, blackjack
from croupier.games.blackjack.hand import BET, Ending, PlayerHand, describe_cards, first_hand, split_hand
from croupier.games.blackjack.round import BlackjackRound, Phase, cut_place, needs_shuffle, next_shoe, open_round
from croupier.games.blackjack.rules import Rules
from croupier.games.money import InFavourOf, Rounding
from croupier.games.offering import Limits
from croupier.games.paytable import Kind
from tests.games.blackjack.support import go_on, net, offer, order, play, settlement, stacked, totals


def one(
    cards: str,
    up: str,
    then: str = "",
    rules: str = "6D",
    side_wagers: Collection[str] = (),
    *,
    bets: str = "",
    offering: BlackjackOffering | None = None,
) -> BlackjackRound:
    """One seat with a Bet of $10 and these first two cards, against this up card, and what is done then."""
    first, second = cards.split()
    script = f"bet 1 bet 1000; {bets}; no-more-bets; deal {first} {up} {second}; {then}"
    return play(script, rules, side_wagers, offering=offering)


def two(first: str, second: str, up: str, then: str = "", rules: str = "6D") -> BlackjackRound:
    """Seats 1 and 2 with a Bet of $10 each."""
    (a, b), (c, d) = first.split(), second.split()
    return play(f"bet 1 bet 1000; bet 2 bet 1000; no-more-bets; deal {a} {c} {up} {b} {d}; {then}", rules)


def refused(round_: BlackjackRound, act: str) -> str:
    """The code of the refusal of an act."""
    refusal = round_.why_not(parse_act(act))
    assert refusal is not None
    return refusal.code


def can(round_: BlackjackRound) -> set[str]:
    """What the player whose turn it is may do."""
    return {act.name for act in decisions(round_)}


# 1. Decks, seats and wagers


def test_1_1_the_shoe_has_the_posted_number_of_decks() -> None:
    for decks in (1, 2, 4, 6, 8):
        assert open_round(offer(f"{decks}D"), Shoe.fresh(decks, 1)).phase is Phase.BETTING
    with pytest.raises(Refusal, match="for 6 decks, and the shoe has 8"):
        open_round(offer("6D"), Shoe.fresh(8, 1))
    with pytest.raises(NotationError):
        offer("3D")


def test_1_2_there_are_seven_seats() -> None:
    assert blackjack().seats == 7
    seven = play("; ".join(f"bet {seat} bet 500" for seat in range(1, 8)))
    assert list(seven.seats) == [1, 2, 3, 4, 5, 6, 7]
    assert refused(seven, "bet 8 bet 500") == "no-such-seat"


def test_1_3_there_are_six_wagers() -> None:
    keys = [wager.key for wager in blackjack().wagers]
    assert keys == [
        *("bet", "insurance", "kings-bounty", "bet-the-bust", "blazing-7s-dealer", "blazing-7s-player", "trilux")
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
    for number in (1, 2, 4, 6, 8):
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
    shoe, rules = Shoe.fresh(6, 1), Rules.parse("6D")
    assert not needs_shuffle(shoe.draw(233)[1], rules)
    assert needs_shuffle(shoe.draw(234)[1], rules)


def test_3_10_the_round_of_the_cut_card_is_played_to_its_end() -> None:
    shoe = Shoe.fresh(6, "cut").draw(232)[1]
    end = play("bet 1 bet 500; no-more-bets; stand 1; reveal; settle", shoe=shoe)
    assert end.phase is Phase.OVER
    assert end.shoe is not None
    assert needs_shuffle(end.shoe, end.rules)
    with pytest.raises(Refusal, match="shuffle before the next round"):
        open_round(end.offering, end.shoe)
    assert next_shoe(end, 9) == Shoe.fresh(6, 9)
    early = play("bet 1 bet 500; no-more-bets; stand 1; reveal; settle", shoe=stacked("Ts 9s 9h 9c"))
    assert next_shoe(early, 9) is early.shoe


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


# 8. Settlement


def test_8_1_seats_are_settled_from_the_highest_to_the_first() -> None:
    script = "bet 3 bet 500; bet 1 bet 500; bet 6 bet 500; no-more-bets; deal Ts Th Tc 6c 9s 9h 9c; "
    end = play(f"{script} stand 1; stand 3; stand 6; reveal; deal Kc Ks; settle")
    assert order(end) == ["6 bet", "3 bet", "1 bet"]


def test_8_2_hands_of_a_seat_are_settled_in_their_order() -> None:
    end = one("8s 8h", "6c", "split 1; deal 2c; stand 1; deal 3c; stand 1; reveal; deal Tc Td; settle")
    assert [s.line for s in end.settlements] == ["Win on hand 1", "Win on hand 2"]


@pytest.mark.parametrize("rest", ["Td 4d", "Td Td"], ids=["20", "bust"])
def test_8_3_a_higher_total_and_a_bust_dealer_pay_1_to_1(rest: str) -> None:
    end = one("5s 5h", "6c", f"double 1; deal Ac; reveal; deal {rest}; settle")
    assert (totals(end), net(end)) == ([21], {"bet": 2000})


def test_8_4_the_same_total_pushes() -> None:
    assert net(one("Ts 9h", "9c", "stand 1; reveal; deal Tc; settle")) == {"bet": 0}


def test_8_5_a_lower_total_loses() -> None:
    assert net(one("Ts 8h", "9c", "stand 1; reveal; deal Tc; settle")) == {"bet": -1000}


def test_8_6_a_bust_hand_has_lost_even_where_the_dealer_busts() -> None:
    end = two("Ts 6h", "Ts 7h", "6c", "hit 1; deal Kc; stand 2; reveal; deal Tc Td; settle")
    assert (net(end, 1), net(end, 2)) == ({"bet": -1000}, {"bet": 1000})


def test_8_7_a_blackjack_pays_the_posted_odds() -> None:
    for word, won in (("3:2", 1500), ("6:5", 1200), ("1:1", 1000), ("2:1", 2000)):
        assert net(one("As Kh", "6c", rules=f"6D {word}")) == {"bet": won}
    assert net(one("As Kh", "Tc", "reveal; deal 5c; settle", "6D ENHC")) == {"bet": 1500}


def test_8_8_a_dealers_blackjack_beats_21() -> None:
    assert net(one("6s 5h", "Tc", "double 1; deal Tc; reveal; deal Ac; settle", "6D ENHC")) == {"bet": -2000}


def test_8_9_two_blackjacks_push() -> None:
    assert net(one("As Kh", "Ac", "no-insurance; peek yes; deal Tc; settle")) == {"bet": 0}


def test_8_10_a_surrendered_bet_loses_half() -> None:
    assert net(one("Ts 6h", "Tc", "surrender 1; reveal; deal 2c; settle", "6D ENHC LS")) == {"bet": -500}
    odd = play("bet 1 bet 501; no-more-bets; deal Ts 9c 6h; surrender 1", "6D LS")
    assert net(odd) == {"bet": -251}


def test_8_11_after_the_hands_of_a_seat_come_its_other_wagers() -> None:
    sides = ["kings-bounty", "bet-the-bust", "blazing-7s-player"]
    bets = "bet 1 kings-bounty 500; bet 1 blazing-7s-player 500"
    then = "peek no; bust-bet 1 500; split 1; deal 2c; stand 1; deal 3c; stand 1; reveal; deal 6d Td; settle"
    end = one("Ks Ks", "Tc", then, side_wagers=sides, bets=bets)
    assert order(end) == ["1 bet", "1 bet", "1 bet-the-bust", "1 kings-bounty", "1 blazing-7s-player"]


def test_8_12_awards_of_one_meter_follow_the_order_of_the_seats() -> None:
    bets = "; ".join(f"bet {seat} bet 500; bet {seat} trilux 500" for seat in (1, 2, 3))
    round_ = play(f"{bets}; no-more-bets; deal As 2s As As As 2h As", side_wagers=["trilux"])
    assert [(event.position, event.kind) for event in round_.events if event.kind == "award"] == [
        (3, "award"),
        (1, "award"),
    ]


# 13. Irregularities


def test_13_1_a_wrong_number_of_initial_cards_voids_the_round() -> None:
    round_ = play("bet 1 bet 500; no-more-bets; deal Ts 6c")
    assert refused(round_, "deal 9h 9c") == "too-many-cards"
    void = go_on(round_, "void seat 1 has three cards")
    assert (void.phase, net(void)) == (Phase.VOID, {"bet": 0})


def test_13_2_a_shoe_that_runs_out_voids_the_round() -> None:
    low = parse_cards(" ".join(["2c 2d 2h 2s 3c"] * 2), decks=2)
    others = [card for card in DECK * 2 if card not in low]
    at_the_end = Shoe.of_cards([*others, *low]).draw(len(others))[1]
    round_ = play("bet 1 bet 500; no-more-bets", offering=offer("2D CUT95"), shoe=at_the_end)
    while not round_.is_over:
        round_ = go_on(round_, "hit 1")
    assert (round_.phase, net(round_)) == (Phase.VOID, {"bet": 0})
    assert round_.events[-1].text == "The round is void: the shoe has run out of cards. Every wager is returned."


def test_13_3_in_a_void_round_everything_goes_back() -> None:
    house = offer("6D LS", ["kings-bounty"])
    bets = "bet 1 bet 1000; bet 2 bet 1000; bet 1 kings-bounty 500"
    round_ = play(f"{bets}; no-more-bets", offering=house, shoe=stacked("Ts Ts 6h Kh 6s Th"))
    round_ = go_on(round_, "stand 1; hit 2; void a fire alarm")
    assert (net(round_, 1), net(round_, 2)) == ({"bet": 0, "kings-bounty": 0}, {"bet": 0})
    assert round_.returned_cents == round_.staked_cents == 2500
    assert next_shoe(round_, 3) == Shoe.fresh(6, 3)


def test_13_4_what_is_not_allowed_is_refused_and_changes_nothing() -> None:
    round_ = one("Ts 6h", "6c")
    with pytest.raises(Refusal, match="do not count the same"):
        round_.do(parse_act("split 1"))
    assert (round_.acts, round_.turn) == (one("Ts 6h", "6c").acts, (1, 0))


def test_13_5_the_dealers_hand_is_put_right() -> None:
    # A card drawn too many is refused, and one too few is still owed, before anything is settled.
    stopped = one("Ts 9h", "6c", "stand 1; reveal; deal Td")
    assert stopped.owed
    assert stopped.settlements == ()
    assert refused(stopped, "deal 4c 5c") == "too-many-cards"


# 15. House options


def test_15_1_to_15_13_the_usual_words() -> None:
    assert blackjack().rules.full == "6D S17 DA DAS SP4 NRSA NHSA NS 3:2 PEEK INS CUT75"


def test_15_8_surrender_by_its_word() -> None:
    assert "surrender" not in can(one("Ts 6h", "9c", rules="6D NS"))
    assert "surrender" in can(one("Ts 6h", "9c", rules="6D LS"))


def test_15_9_the_odds_of_a_blackjack_are_on_the_sign() -> None:
    assert str(offer("6D 6:5").paytable("bet").rows[0].pay) == "6 to 5"
    assert str(blackjack().wagers[0].paytables["3:2"].rows[0].pay) == "3 to 2"
    with pytest.raises(NotationError, match="as the rules say"):
        offer("6D", paytables={"bet": BET.paytables["3:2"]})


def test_15_11_without_insurance_there_is_no_even_money_either() -> None:
    round_ = one("As Kh", "Ac", rules="6D NOINS")
    assert refused(round_, "insure 1") == refused(round_, "even-money 1") == "out-of-turn"
    with pytest.raises(NotationError, match="NOINS"):
        BlackjackOffering(blackjack(), left_out=frozenset({"insurance"}))


def test_15_14_kings_bounty_is_offered_by_name() -> None:
    assert not offer().offers("kings-bounty")
    assert offer("6D", ["kings-bounty"]).paytable("kings-bounty").name == "King's Bounty KB01"


def test_15_15_bet_the_bust_goes_with_the_rule_on_a_soft_17() -> None:
    assert not offer().offers("bet-the-bust")
    assert offer("6D H17", ["bet-the-bust"]).paytable("bet-the-bust").name == "Bet the Bust 1"
    assert offer("6D S17", ["bet-the-bust"]).paytable("bet-the-bust").name == "Bet the Bust 2"


def test_15_16_no_progressive_by_default() -> None:
    assert not any(offer().offers(wager) for wager in ("blazing-7s-dealer", "blazing-7s-player", "trilux"))
    for table in ("1", "2", "ML03", "ML04"):
        house = offer("6D", ["blazing-7s-player"], paytables={"blazing-7s-player": table})
        assert house.paytable("blazing-7s-player").name == f"Blazing 7's {table}"


def test_15_17_a_progressive_wager_is_5_dollars_by_default() -> None:
    for wager in ("blazing-7s-dealer", "blazing-7s-player", "trilux"):
        assert BlackjackOffering(blackjack()).limits_of(wager) == Limits(500, 500)


def test_15_18_limits_are_5_to_100_dollars_by_default() -> None:
    for wager in ("bet", "kings-bounty", "bet-the-bust"):
        assert BlackjackOffering(blackjack()).limits_of(wager) == Limits(500, 10_000)


def test_15_19_rounding_favors_the_house_by_default() -> None:
    assert BlackjackOffering(blackjack()).rounding == Rounding(1, InFavourOf.HOUSE)
    odd = play("bet 1 bet 501; no-more-bets; deal As 6c Kh")
    assert net(odd) == {"bet": 751}
    for_player = play("bet 1 bet 501; no-more-bets; deal As 6c Kh", offering=offer(in_favour_of=InFavourOf.PLAYER))
    assert net(for_player) == {"bet": 752}


def test_15_20_a_house_may_open_fewer_seats() -> None:
    assert refused(play("", offering=offer(seats=5)), "bet 6 bet 500") == "no-such-seat"
