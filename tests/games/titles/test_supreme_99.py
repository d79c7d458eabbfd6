"""Supreme 99, paragraph by paragraph of docs/rulebook/supreme-99.md."""

from __future__ import annotations

import itertools

import pytest

from croupier.cards.card import DECK, format_cards, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import CroupierError, Refusal
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.money import InFavourOf
from croupier.games.table.history import DEALER
from croupier.games.table.offering import Limits
from croupier.games.titles.supreme_99 import GAME, house_way, set_by, strength, value
from tests.games.support import go_on, net, offer, other_cards, play, stacked

KEY = "supreme-99"
SEVEN_PACKETS = "; ".join(["deal"] * 7)


def dealt(player: str, dealer: str, bets: str = "bet 1 bet 500") -> Round:
    """The number 1 gives the dealer the first packet and seat 1 the second."""
    script = f"{bets}; no-more-bets; rotation number 1; {SEVEN_PACKETS}"
    return play(KEY, script, shoe=stacked(f"{dealer} {player}"))


def result(player: str, dealer: str) -> int:
    """What $5 on the Bet comes to; the player's High hand stands before the Low hand."""
    return net(go_on(dealt(player, dealer), f"decide 1 {player[:5]}; reveal; settle"))["bet"]


def pair_fortunes(player: str, setting: str = "house way", dealer: str = "") -> int:
    """What $1 on Pair Fortunes comes to."""
    dealer = dealer or format_cards(other_cards(player, 4))
    bets = "bet 1 bet 500; bet 1 pair-fortunes 100"
    return net(go_on(dealt(player, dealer, bets), f"decide 1 {setting}; reveal; settle"))["pair-fortunes"]


def house_setting(hand: str) -> tuple[set[str], set[str]]:
    """The dealer's High and Low hand."""
    cards = parse_cards(hand)
    setting = set_by(house_way(cards), cards)
    return set(map(str, setting.high)), set(map(str, setting.low))


def two(text: str) -> int:
    return strength(parse_cards(text))


def refused(script: str, *, shoe: Shoe | None = None, offering: Offering | None = None) -> str:
    with pytest.raises(Refusal) as refusal:
        play(KEY, script, shoe=shoe, offering=offering)
    return refusal.value.code


def setting_refused(player: str, setting: str) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        go_on(dealt(player, format_cards(other_cards(player, 4))), f"decide 1 {setting}")
    return refusal.value


# 1. Deck, seats and wagers


def test_1_1_one_deck_has_no_card_twice() -> None:
    script = "bet 1 bet 500; no-more-bets; rotation number 1; deal 2c 3c 4c 5c; deal 5c 6c 7c 8c"
    assert refused(script) == "repeated-card"


def test_1_1_a_shoe_of_two_decks_is_refused() -> None:
    with pytest.raises(CroupierError):
        open_round(offer(KEY), Shoe.fresh(2, "two decks"))


def test_1_2_seven_packets_of_four_for_six_seats_and_the_dealer() -> None:
    out = dealt("Kc Kd 4c 5c", "Ac Ad 2c 3c")
    assert out.packets == 7
    assert len(list(out.cards_out())) == 28
    assert refused("bet 7 bet 500") == "no-such-seat"


def test_1_3_both_wagers_are_placed_before_the_deal() -> None:
    assert set(play(KEY, "bet 1 bet 500; bet 1 pair-fortunes 500").seats[1].wagers) == {"bet", "pair-fortunes"}
    assert refused("bet 1 bet 500; no-more-bets; bet 1 pair-fortunes 500") == "out-of-turn"


def test_1_4_a_seat_must_make_the_bet() -> None:
    assert refused("bet 1 bet 500; bet 2 pair-fortunes 500; no-more-bets") == "mandatory-wager"


def test_1_5_pair_fortunes_is_optional() -> None:
    assert play(KEY, "bet 1 bet 500; no-more-bets").phase is Phase.ROTATION
    assert play(KEY, "bet 1 bet 500; bet 1 pair-fortunes 500; no-more-bets").phase is Phase.ROTATION


@pytest.mark.parametrize("spot", ["bet", "pair-fortunes"])
def test_1_6_each_wager_goes_from_the_minimum_to_the_maximum(spot: str) -> None:
    house = offer(KEY, limits=(500, 30_000))
    assert play(KEY, f"bet 1 {spot} 500", offering=house).staked_cents == 500
    assert play(KEY, f"bet 1 {spot} 30000", offering=house).staked_cents == 30_000
    assert refused(f"bet 1 {spot} 499", offering=house) == "below-minimum"
    assert refused(f"bet 1 {spot} 30001", offering=house) == "above-maximum"


def test_1_6_the_two_wagers_need_not_be_equal() -> None:
    betting = play(KEY, "bet 1 bet 500; bet 1 pair-fortunes 700")
    assert betting.seats[1].wagers == {"bet": 500, "pair-fortunes": 700}


# 2. Ranking of two-card hands


def test_2_1_any_pair_ranks_above_any_hand_without_one() -> None:
    assert two("2c 2d") > two("4c 5c")


def test_2_2_pairs_rank_from_aces_down_to_twos() -> None:
    pairs = [two(f"{rank}c {rank}d") for rank in "AKQJT98765432"]
    assert pairs == sorted(pairs, reverse=True)
    assert len(set(pairs)) == 13


@pytest.mark.parametrize(("half", "points"), [("4c 5c", 9), ("8c 9c", 7), ("Ac 9c", 0), ("Kc Qc", 0), ("Tc 9c", 9)])
def test_2_3_points_are_the_last_digit_of_the_sum(half: str, points: int) -> None:
    assert two(half) == points


@pytest.mark.parametrize(
    ("card", "worth"), [("Ac", 1), *((f"{n}c", n) for n in range(2, 10)), ("Tc", 0), ("Jc", 0), ("Qc", 0), ("Kc", 0)]
)
def test_2_4_an_ace_counts_one_and_tens_and_faces_zero(card: str, worth: int) -> None:
    assert value(parse_cards(card)[0]) == worth


def test_2_5_the_same_pair_or_the_same_points_are_equal() -> None:
    assert two("5c 5d") == two("5h 5s")
    assert two("3c 4d") == two("Kh 7s") == two("8c 9s")


# 3. Dealing

CLOSED = "bet 1 bet 500; bet 4 bet 500; no-more-bets"


def test_3_1_the_rotation_is_drawn_before_the_deal() -> None:
    assert refused(f"{CLOSED}; deal", shoe=stacked("")) == "out-of-turn"
    assert play(KEY, f"{CLOSED}; rotation number 4").phase is Phase.DEALING
    assert play(KEY, f"{CLOSED}; rotation dice 2 5 1").phase is Phase.DEALING


def test_3_2_the_total_of_three_dice_is_the_number() -> None:
    assert play(KEY, f"{CLOSED}; rotation dice 2 5 1").first_position == DEALER  # 8


@pytest.mark.parametrize("dice", ["1 2", "1 2 3 4", "0 1 2", "1 2 7"])
def test_3_2_other_dice_are_refused(dice: str) -> None:
    assert refused(f"{CLOSED}; rotation dice {dice}") == "wrong-dice"


@pytest.mark.parametrize("number", range(1, 8))
def test_3_3_the_number_is_one_of_1_to_7(number: int) -> None:
    assert play(KEY, f"{CLOSED}; rotation number {number}").phase is Phase.DEALING


@pytest.mark.parametrize("number", [0, 8, 18])
def test_3_3_another_number_is_refused(number: int) -> None:
    assert refused(f"{CLOSED}; rotation number {number}") == "wrong-number"


@pytest.mark.parametrize(
    ("numbers", "first"),
    [((1, 8, 15), 0), ((2, 9, 16), 1), ((3, 10, 17), 2), ((4, 11, 18), 3), ((5, 12), 4), ((6, 13), 5), ((7, 14), 6)],
)
def test_3_4_counting_starts_with_the_dealer(numbers: tuple[int, ...], first: int) -> None:
    for number in numbers:
        dice = next(dice for dice in itertools.product(range(1, 7), repeat=3) if sum(dice) == max(number, 3))
        word = f"number {number}" if number <= 7 else f"dice {' '.join(map(str, dice))}"
        assert play(KEY, f"{CLOSED}; rotation {word}").first_position == first


def test_3_5_the_deal_goes_on_from_the_position_reached() -> None:
    assert play(KEY, f"{CLOSED}; rotation number 3").dealing_order == (2, 3, 4, 5, 6, 0, 1)
    end = play(KEY, f"{CLOSED}; rotation number 3; {SEVEN_PACKETS}", shoe=Shoe.of_cards(DECK))
    assert end.seats[4].hand == DECK[8:12]
    assert end.dealer == DECK[20:24]
    assert end.seats[1].hand == DECK[24:28]


def test_3_6_all_seven_packets_are_dealt() -> None:
    six = f"{CLOSED}; rotation number 3; {'; '.join(['deal'] * 6)}"
    assert play(KEY, six, shoe=stacked("")).phase is Phase.DEALING
    assert play(KEY, f"{six}; deal", shoe=stacked("")).phase is Phase.DECIDING


def test_3_7_packets_of_empty_positions_are_discarded_unseen() -> None:
    end = play(KEY, f"{CLOSED}; rotation number 3; {SEVEN_PACKETS}", shoe=stacked(""))
    assert len(end.unoccupied) == 16
    assert sorted(end.seats) == [1, 4]
    shown = {card for event in end.events for card in event.cards}
    assert not shown & set(end.unoccupied)


# 4. Setting


def test_4_1_the_player_says_which_two_cards_are_high() -> None:
    out = go_on(dealt("Kc Kd 4c 5c", "Ac Ad 2c 3c"), "decide 1 high Kc Kd")
    assert out.events[-1].text == "Seat 1: high Kc Kd."


@pytest.mark.parametrize("cards", ["Kc", "Kc Kd 4c", "Kc As"])
def test_4_1_other_than_two_of_the_players_cards_are_refused(cards: str) -> None:
    assert setting_refused("Kc Kd 4c 5c", cards).code == "wrong-cards"


@pytest.mark.parametrize("foul", ["4c 5c", "4c Kd"])
def test_4_2_high_must_rank_at_least_as_high_as_low(foul: str) -> None:
    assert setting_refused("Kc Kd 4c 5c", foul).code == "foul"


@pytest.mark.parametrize("high", ["4c 5d", "2h 7s"])
def test_4_3_halves_of_equal_rank_are_allowed(high: str) -> None:
    assert go_on(dealt("4c 5d 2h 7s", "Ac Ad 2c 3c"), f"decide 1 {high}").phase is Phase.REVEALING


def test_4_4_a_foul_is_refused_with_the_reason_and_set_again() -> None:
    out = dealt("Kc Kd 4c 5c", "Ac Ad 2c 3c")
    reason = str(setting_refused("Kc Kd 4c 5c", "4c 5c"))
    assert "9 points is weaker than a pair of kings" in reason
    assert go_on(out, "decide 1 Kc Kd").phase is Phase.REVEALING


@pytest.mark.parametrize("high", ["4c 5d", "2h 7s", "2h 4c", "2h 5d"])
def test_4_5_the_player_may_choose_any_setting(high: str) -> None:
    # Nine and nine, either way round; six and two; seven and one.
    assert go_on(dealt("4c 5d 2h 7s", "Ac Ad 2c 3c"), f"decide 1 {high}").phase is Phase.REVEALING


# 5. Dealer's house way


def test_5_1_the_dealer_turns_up_the_cards_and_sets_them() -> None:
    shown = go_on(dealt("Kc Kd 4c 5c", "2h 2s 9h Ks"), "decide 1 Kc Kd; reveal")
    assert "2h 2s" in shown.events[-1].text
    assert "Low 9h Ks" in shown.events[-1].text


def test_5_2_two_pair_has_the_higher_pair_high() -> None:
    assert house_setting("3c 9h 3d 9s") == ({"9h", "9s"}, {"3c", "3d"})
    assert house_setting("Ac Kh Ad Ks") == ({"Ac", "Ad"}, {"Kh", "Ks"})


@pytest.mark.parametrize("hand", ["2c 2d 9h Ks", "2c 2d 4h 5s", "2c 2d 7h 8s"])
def test_5_3_one_pair_goes_high(hand: str) -> None:
    high, low = set(hand.split()[:2]), set(hand.split()[2:])
    assert house_setting(hand) == (high, low)


@pytest.mark.parametrize(
    "hand",
    [
        "4c 5d 8h Ks",  # 9 and 8; the others are 5 and 2, 4 and 3
        "Ac 2d 3h 9s",  # 3 and 2; the others are 4 and 1, 5 and 0
        "Ac 8d 2h 6s",  # 9 and 8; the others are 3 and 4, 7 and 0
    ],
)
def test_5_4_without_a_pair_low_is_as_strong_as_can_be(hand: str) -> None:
    high, low = set(hand.split()[:2]), set(hand.split()[2:])
    assert house_setting(hand) == (high, low)


def test_5_4_holds_for_every_hand_without_a_pair() -> None:
    worth = dict(zip("A23456789TJQK", [*range(1, 10), 0, 0, 0, 0], strict=True))
    for a, b, c, d in itertools.combinations(worth, 4):
        splits = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
        best = max(min(sum(worth[rank] for rank in half) % 10 for half in split) for split in splits)
        _, low = house_setting(f"{a}c {b}d {c}h {d}s")
        assert sum(worth[card[0]] for card in low) % 10 == best


def test_5_5_settings_with_the_same_low_have_the_same_high() -> None:
    # K-4 and Q-3, or K-3 and Q-4: four and three either way.
    high, low = house_setting("Kc 4d Qh 3s")
    assert (two(" ".join(sorted(high))), two(" ".join(sorted(low)))) == (4, 3)


def test_5_6_three_of_a_kind_has_two_high_and_the_third_low() -> None:
    high, low = house_setting("5c 5d 5h 4s")
    assert {card[0] for card in high} == {"5"}
    assert sorted(card[0] for card in low) == ["4", "5"]


def test_5_7_four_of_a_kind_has_a_pair_in_each_half() -> None:
    high, low = house_setting("6c 6d 6h 6s")
    assert (len(high), len(low)) == (2, 2)
    assert {card[0] for card in high | low} == {"6"}


# 6. Against the dealer

KINGS_AND_9 = "Kc Kd 4h 5h"
KINGS_AND_5 = "Kc Kd 2h 3h"


def test_6_1_high_meets_high_and_low_meets_low() -> None:
    # The dealer sets four and three. Five and four win both; crosswise, four would meet four.
    assert result("Jc 5c Td 4d", "Kc 4c Qc 3c") == 500


def test_6_2_the_better_hand_wins_its_half() -> None:
    # Nine and eight against eight and seven.
    assert result("Jc 9c Td 8d", "Kc 8c Qc 7c") == 500


def test_6_3_a_copy_is_an_equal_half() -> None:
    # Fives against fives, and three-four against king-seven.
    assert result("5c 5d 3c 4c", "5h 5s Kc 7d") == 2000


@pytest.mark.parametrize(
    ("player", "dealer", "won"),
    [
        ("Kh Ks 2c 2d", KINGS_AND_5, 0),  # the copied High is the dealer's, the Low is won
        ("Kh Ks Tc 2d", KINGS_AND_5, -500),  # the copied High is the dealer's, the Low is lost
    ],
)
def test_6_4_a_copied_half_goes_to_the_dealer(player: str, dealer: str, won: int) -> None:
    assert result(player, dealer) == won


def test_6_5_both_halves_won_pay_even_money() -> None:
    assert result("Ac Ad 4c 5c", KINGS_AND_5) == 500


@pytest.mark.parametrize(("player", "dealer"), [("Ac Ad 2c Th", KINGS_AND_9), ("Qc Qd 4c 5c", KINGS_AND_5)])
def test_6_6_one_won_and_one_lost_push(player: str, dealer: str) -> None:
    assert result(player, dealer) == 0


def test_6_7_both_halves_lost_lose() -> None:
    assert result("Qc Qd 2c Th", KINGS_AND_9) == -500


@pytest.mark.parametrize(("player", "dealer"), [("Ac Ad 4c 5c", KINGS_AND_9), ("Kh Ks 4c 5c", KINGS_AND_5)])
def test_6_8_one_won_and_one_copied_push(player: str, dealer: str) -> None:
    assert result(player, dealer) == 0


@pytest.mark.parametrize(("player", "dealer"), [("Qc Qd 4c 5c", KINGS_AND_9), ("Kh Ks 2c 3c", KINGS_AND_9)])
def test_6_9_one_lost_and_one_copied_lose(player: str, dealer: str) -> None:
    assert result(player, dealer) == -500


def test_6_10_both_copied_pay_4_to_1() -> None:
    assert result("Kh Ks 4c 5c", KINGS_AND_9) == 2000


# 7. Pair Fortunes


@pytest.mark.parametrize("setting", ["9c 9d", "9c Ts", "9d Ts"])
def test_7_1_the_setting_has_no_effect(setting: str) -> None:
    assert pair_fortunes("9c 9d Ah Ts", setting) == 100


@pytest.mark.parametrize("dealer", ["Ac Ad Kc Kd", "2c 3d 2h Tc"])
def test_7_1_the_dealers_hand_has_no_effect(dealer: str) -> None:
    assert pair_fortunes("9c 9d Ah Ts", dealer=dealer) == 100


@pytest.mark.parametrize(
    ("player", "won"),
    [("8c 8d 8h 8s", 300), ("8c 8d 3h 3s", 15), ("4c 5d 2h 7s", 6), ("8c 8d Kh 3s", 1), ("2c 3d 4h 9s", -1)],
)
def test_7_2_a_hand_pays_only_for_its_one_line(player: str, won: int) -> None:
    assert pair_fortunes(player) == won * 100


def test_7_3_two_pair_are_of_different_ranks() -> None:
    assert pair_fortunes("6c 6d 6h 6s") == 30_000
    assert pair_fortunes("6c 6d Kh Ks") == 1500


@pytest.mark.parametrize("setting", ["4c 5d", "2h 7s", "2h 5d"])
def test_7_4_nine_nine_however_the_player_sets_it(setting: str) -> None:
    assert pair_fortunes("4c 5d 2h 7s", setting) == 600


@pytest.mark.parametrize("player", ["Kc 9d 4h 5s", "Ac 8d 3h 6s", "Tc 9d Ah 8s"])
def test_7_4_nine_nine_is_a_hand_without_a_pair(player: str) -> None:
    assert pair_fortunes(player) == 600


@pytest.mark.parametrize(("player", "won"), [("9c 9d Kh Ts", 1), ("4c 4d 5h 5s", 15), ("9c 9d Kh Ks", 15)])
def test_7_5_where_a_pair_could_be_nine_nine_the_pair_counts(player: str, won: int) -> None:
    assert pair_fortunes(player) == won * 100


def test_7_6_three_of_a_kind_pays_as_a_pair() -> None:
    assert pair_fortunes("9c 9d 9h Ks") == 100


@pytest.mark.parametrize("player", ["2c 3d 4h 9s", "Kc Qd Jh Ts", "Ac 2d 3h 4s"])
def test_7_7_any_other_hand_loses(player: str) -> None:
    assert pair_fortunes(player) == -100


# 8. Settlement


def settled_order() -> list[tuple[int, str]]:
    bets = "; ".join(f"bet {seat} {spot} 500" for seat in (1, 4, 6) for spot in ("pair-fortunes", "bet"))
    decisions = "; ".join(f"decide {seat} house way" for seat in (4, 1, 6))
    script = f"{bets}; no-more-bets; rotation number 5; {SEVEN_PACKETS}; {decisions}; reveal; settle"
    return [(s.seat, s.spot) for s in play(KEY, script, shoe=stacked("")).settlements]


def test_8_1_seats_are_settled_from_the_highest_down() -> None:
    assert [seat for seat, _ in settled_order()] == [6, 6, 4, 4, 1, 1]


def test_8_2_the_bet_is_settled_before_pair_fortunes() -> None:
    assert [spot for _, spot in settled_order()[:2]] == ["bet", "pair-fortunes"]


# 9. Irregularities


@pytest.mark.parametrize(
    "packets", ["deal 2c 3c 4c", "deal 2c 3c 4c 5c 6c", "deal 2c 3c 4c 5c; deal 6c", "deal 2c 3c 4c 5c; deal 6c 7c 8c"]
)
def test_9_1_a_wrong_number_of_cards_in_any_packet_voids_the_round(packets: str) -> None:
    # The number 2 gives seat 1 the first packet, and the second goes to seat 2, which is empty.
    script = f"bet 1 bet 500; no-more-bets; rotation number 2; {packets}"
    assert play(KEY, script).phase is Phase.VOID


def test_9_2_a_void_round_returns_every_wager() -> None:
    bets = "bet 1 bet 500; bet 1 pair-fortunes 300; bet 3 bet 400"
    void = play(KEY, f"{bets}; no-more-bets; rotation number 2; deal 2c 3c 4c")
    assert (net(void, 1), net(void, 3)) == ({"bet": 0, "pair-fortunes": 0}, {"bet": 0})
    assert void.returned_cents == void.staked_cents == 1200


# 11. House options


@pytest.mark.parametrize("rotation", ["dice 6 6 6", "number 7"])
def test_11_1_dice_or_a_number_draw_the_rotation(rotation: str) -> None:
    assert play(KEY, f"{CLOSED}; rotation {rotation}").phase is Phase.DEALING


def test_11_2_the_house_may_leave_out_pair_fortunes() -> None:
    assert Offering(GAME).left_out == frozenset()
    assert refused("bet 1 pair-fortunes 500", offering=offer(KEY, left_out=["pair-fortunes"])) == "no-such-spot"


def test_11_3_limits_are_5_to_100_dollars_by_default() -> None:
    assert Offering(GAME).limits == Limits(500, 10_000)


def test_11_4_rounding_is_in_the_houses_favor_to_the_cent_by_default() -> None:
    rounding = Offering(GAME).rounding
    assert (rounding.chip_cents, rounding.in_favour_of) == (1, InFavourOf.HOUSE)


def test_11_5_six_seats_by_default() -> None:
    assert GAME.seats == 6
