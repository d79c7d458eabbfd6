"""Three Card Baccarat, paragraph by paragraph of docs/rulebook/three-card-baccarat.md."""

from __future__ import annotations

import itertools

import pytest

from croupier.cards.card import DECK, format_cards, parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import CroupierError, Refusal, UnknownName
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.money import InFavourOf
from croupier.games.table.offering import Limits
from croupier.games.table.record import read_any_record, write_record
from croupier.games.titles.three_card_baccarat import GAME, faces, points, rank, value
from tests.games.support import net, offer, other_cards, play, settlement, stacked

KEY = "three-card-baccarat"
DIGEST = "54181b0470df76e9f05ffa0fcbf87c29d89be3b290a94b9c001310de74170762"
"""Of the game as it was before the house could choose how three face cards count."""
ALL_FOUR = "bet 1 bet 1000; bet 1 kings-bonus 100; bet 1 tie 100; bet 1 dragon-bonus 100"


def finished(player: str, dealer: str, bets: str = ALL_FOUR, offering: Offering | None = None) -> Round:
    return play(KEY, f"{bets}; no-more-bets; deal {player}; deal {dealer}; reveal; settle", offering=offering)


def result(spot: str, player: str, dealer: str, offering: Offering | None = None) -> int:
    """What $10 on the Bet, or $1 on a bonus wager, comes to."""
    return net(finished(player, dealer, offering=offering))[spot]


def kings_bonus(player: str) -> int:
    return result("kings-bonus", player, format_cards(other_cards(player, 3)))


def refused(script: str, offering: Offering | None = None) -> str:
    with pytest.raises(Refusal) as refusal:
        play(KEY, script, offering=offering)
    return refusal.value.code


# 1. Deck, seats and wagers


def test_1_1_one_deck_has_no_card_twice() -> None:
    assert refused("bet 1 bet 500; no-more-bets; deal Qh 6c 4d; deal Qh 7c 8d") == "repeated-card"


def test_1_1_a_shoe_of_two_decks_is_refused() -> None:
    with pytest.raises(CroupierError):
        open_round(offer(KEY), Shoe.fresh(2, "two decks"))


def test_1_2_seats_go_from_1_to_7() -> None:
    assert len(play(KEY, "; ".join(f"bet {seat} bet 500" for seat in range(1, 8))).seats) == 7
    assert refused("bet 8 bet 500") == "no-such-seat"


def test_1_3_all_four_wagers_are_placed_before_the_deal() -> None:
    assert set(play(KEY, ALL_FOUR).seats[1].wagers) == {"bet", "kings-bonus", "tie", "dragon-bonus"}
    assert refused("bet 1 bet 500; no-more-bets; bet 1 tie 500") == "out-of-turn"


@pytest.mark.parametrize("spot", ["kings-bonus", "tie", "dragon-bonus"])
def test_1_4_a_seat_must_make_the_bet(spot: str) -> None:
    assert refused(f"bet 1 {spot} 500; no-more-bets") == "mandatory-wager"


@pytest.mark.parametrize("bonuses", [[], ["tie"], ["kings-bonus", "dragon-bonus"], ["kings-bonus", "tie"]])
def test_1_5_a_seat_with_a_bet_may_make_any_bonus_wager(bonuses: list[str]) -> None:
    bets = "; ".join(["bet 1 bet 500", *(f"bet 1 {spot} 500" for spot in bonuses)])
    assert set(net(finished("9c 2d 3h", "4c 5d 6h", bets))) == {"bet", *bonuses}


@pytest.mark.parametrize("spot", ["bet", "kings-bonus", "tie", "dragon-bonus"])
def test_1_6_each_wager_goes_from_the_minimum_to_the_maximum(spot: str) -> None:
    house = offer(KEY, limits=(500, 30_000))
    assert play(KEY, f"bet 1 {spot} 500", offering=house).staked_cents == 500
    assert play(KEY, f"bet 1 {spot} 30000", offering=house).staked_cents == 30_000
    assert refused(f"bet 1 {spot} 499", house) == "below-minimum"
    assert refused(f"bet 1 {spot} 30001", house) == "above-maximum"


def test_1_6_the_wagers_of_a_seat_need_not_be_equal() -> None:
    assert play(KEY, "bet 1 bet 500; bet 1 tie 700").seats[1].wagers == {"bet": 500, "tie": 700}


# 2. Points and ranking


@pytest.mark.parametrize(
    ("card", "worth"), [("Ac", 1), *((f"{n}c", n) for n in range(2, 10)), ("Tc", 0), ("Jc", 0), ("Qc", 0), ("Kc", 0)]
)
def test_2_1_an_ace_counts_one_and_tens_and_faces_zero(card: str, worth: int) -> None:
    assert value(parse_cards(card)[0]) == worth


@pytest.mark.parametrize(("hand", "total"), [("Tc 4d 8h", 2), ("9c 9d 9h", 7), ("Ac 2d 3h", 6), ("Kc Qd Jh", 0)])
def test_2_2_points_are_the_last_digit_of_the_sum(hand: str, total: int) -> None:
    assert points(parse_cards(hand)) == total


@pytest.mark.parametrize(("hand", "count"), [("Tc Td Th", 0), ("Jc Td 2h", 1), ("Jc Qd Th", 2), ("Jc Qd Kh", 3)])
def test_2_3_a_ten_is_no_face_card(hand: str, count: int) -> None:
    assert faces(parse_cards(hand)) == count


def test_2_4_there_are_32_ranks() -> None:
    assert len({rank(hand) for hand in itertools.combinations(DECK, 3)}) == 32


def test_2_5_three_kings_are_the_highest_rank() -> None:
    assert rank(parse_cards("Kc Kd Kh")) == max(rank(hand) for hand in itertools.combinations(DECK, 3))
    assert result("bet", "Kc Kd Kh", "Qc Qd Qh") == 950


@pytest.mark.parametrize("other", ["Qc Qd Qh", "Jc Qd Kh", "Kc Kd Jh", "Jc Jd Jh"])
def test_2_6_any_other_three_face_cards_are_the_second_rank(other: str) -> None:
    assert rank(parse_cards(other)) == rank(parse_cards("Js Qs Ks"))
    assert result("bet", other, "9s Ks Js") == 950


def test_2_7_more_points_make_the_higher_rank() -> None:
    assert result("bet", "9c Td Th", "8c Kd Jh") == 950
    assert result("bet", "Ac Td Th", "Tc Kd Jh") == 950


def test_2_8_with_equal_points_more_face_cards_win() -> None:
    assert result("bet", "8c Kd Jh", "2c 5d Ah") == 950
    assert result("bet", "2c 5d Ah", "8c Kd Th") == -1000


def test_2_9_the_ranks_of_the_table_in_order() -> None:
    # Points p with f face cards: two faces and a p, one face, a ten and a p, or two tens and a p.
    by_rank = [
        f"{low} {others}"
        for low in ["9c", "8c", "7c", "6c", "5c", "4c", "3c", "2c", "Ac", "Tc"]
        for others in ["Kd Jh", "Kd Th", "Td Th"]
    ]
    ranks = [rank(parse_cards(hand)) for hand in by_rank]
    assert len(set(ranks)) == 30
    assert ranks == sorted(ranks, reverse=True)


def test_2_10_three_kings_and_three_face_cards_stand_above_the_table() -> None:
    assert rank(parse_cards("Kc Kd Kh")) > rank(parse_cards("Kc Kd Qh")) > rank(parse_cards("9c Kd Jh"))


# 3. Dealing


def test_3_1_wagers_are_closed_before_the_first_packet() -> None:
    assert refused("bet 1 bet 500; deal Qh 6c 4d") == "out-of-turn"
    assert refused("bet 1 bet 500; no-more-bets; deal Qh 6c 4d; bet 2 bet 500") == "out-of-turn"


def test_3_2_everybody_gets_three_cards_and_no_more() -> None:
    dealt = play(KEY, "bet 2 bet 500; bet 6 bet 500; no-more-bets; deal; deal; deal", shoe=stacked(""))
    assert [len(hand) for hand in (dealt.seats[2].hand, dealt.seats[6].hand, dealt.dealer)] == [3, 3, 3]
    assert refused("bet 1 bet 500; no-more-bets; deal 2c 3d 4h; deal 7c 8d 9h; deal Tc") == "out-of-turn"


def test_3_3_packets_go_out_from_seat_1_up() -> None:
    dealt = play(KEY, "bet 7 bet 500; bet 1 bet 500; no-more-bets; deal 2c 3d 4h; deal 7c 8d 9h")
    assert [dealt.seats[seat].hand for seat in (1, 7)] == [parse_cards("2c 3d 4h"), parse_cards("7c 8d 9h")]


def test_3_4_the_dealer_is_dealt_last() -> None:
    dealt = play(KEY, "bet 7 bet 500; no-more-bets; deal 2c 3d 4h; deal 7c 8d 9h")
    assert dealt.dealer == parse_cards("7c 8d 9h")


def test_3_5_the_dealer_turns_the_hand_up_when_all_packets_are_out() -> None:
    assert refused("bet 1 bet 500; no-more-bets; deal 2c 3d 4h; reveal") == "out-of-turn"
    shown = play(KEY, "bet 1 bet 500; no-more-bets; deal 2c 3d 4h; deal 7c 8d 9h; reveal")
    assert "7c 8d 9h" in shown.events[-1].text


# 4. Against the dealer


def test_4_1_the_player_has_nothing_to_decide() -> None:
    dealt = "bet 1 bet 500; no-more-bets; deal 2c 3d 4h; deal 7c 8d 9h"
    assert play(KEY, dealt).phase is Phase.REVEALING
    assert refused(f"{dealt}; decide 1 play") == "out-of-turn"


def test_4_2_the_higher_rank_wins() -> None:
    assert result("bet", "9c Kd Jh", "9d Kc Th") == 950


def test_4_3_a_win_pays_even_money_less_5_percent() -> None:
    won = settlement(finished("9c Kd Jh", "2c 3d 2h"), "bet")
    assert (won.returned_cents, won.commission_cents) == (1950, 50)


def test_4_4_the_lower_rank_loses() -> None:
    assert result("bet", "9d Kc Th", "9c Kd Jh") == -1000


def test_4_5_equal_ranks_push() -> None:
    assert result("bet", "9c Kd Jh", "9d Kc Qh") == 0
    assert result("bet", "Jc Jd Jh", "Qc Kd Js") == 0


def test_4_5_equal_points_alone_do_not_push() -> None:
    assert result("bet", "9c Kd Jh", "9d Td Th") == 950


@pytest.mark.parametrize(
    ("player", "dealer"), [("9d Td Th", "9c Kd Jh"), ("9c Kd Jh", "9d Kc Qh"), ("Kc Kd Kh", "Tc 2d 8h")]
)
def test_4_6_commission_is_charged_on_nothing_but_a_winning_bet(player: str, dealer: str) -> None:
    for end in finished(player, dealer).settlements:
        assert end.commission_cents == (50 if end.spot == "bet" and end.net_cents > 0 else 0)


# 5. King's Bonus


@pytest.mark.parametrize(
    ("player", "won"), [("8c Td Th", 200), ("7c Td Th", -100), ("Ac 2d 5h", 200), ("Ac Td Th", -100)]
)
def test_5_1_kings_bonus_wins_with_eight_points_or_better(player: str, won: int) -> None:
    assert kings_bonus(player) == won


@pytest.mark.parametrize("dealer", ["Kc Kd Kh", "9c 9d Ah", "Tc Td Th"])
def test_5_2_the_dealers_hand_has_no_effect(dealer: str) -> None:
    assert result("kings-bonus", "9s Ts 2s", dealer) == -100
    assert result("kings-bonus", "8s Ts Js", dealer) == 200


@pytest.mark.parametrize(
    ("player", "won"), [("Kc Kd Kh", 50), ("Kc Kd Qh", 25), ("Jc Jd Jh", 25), ("9c Td Th", 3), ("8c Td Th", 2)]
)
def test_5_3_a_hand_pays_only_for_its_highest_line(player: str, won: int) -> None:
    assert kings_bonus(player) == won * 100


@pytest.mark.parametrize(("player", "won"), [("9c Kd Jh", 3), ("4c 5d Jh", 3), ("8c Kd Jh", 2), ("9c 9d Kh", 2)])
def test_5_4_any_9_and_any_8_with_or_without_face_cards(player: str, won: int) -> None:
    assert kings_bonus(player) == won * 100


def test_5_5_any_other_hand_loses() -> None:
    assert kings_bonus("Kc Kd Th") == -100


# 6. Tie


def test_6_1_the_same_points_win() -> None:
    assert result("tie", "5c Td Th", "2c 3d Kh") == 700
    assert result("tie", "5c Td Th", "2c 4d Kh") == -100


@pytest.mark.parametrize(("player", "dealer"), [("2c 4d Kh", "Ks 2s 4s"), ("5c 5d 9h", "5s 9s 5h")])
def test_6_2_a_copy_is_the_same_ranks_in_any_suits(player: str, dealer: str) -> None:
    assert result("tie", player, dealer) == 5000


def test_6_3_a_true_tie_has_equal_points_and_equally_many_face_cards() -> None:
    assert result("tie", "2c 4d Kh", "3c 3d Jh") == 1000
    assert result("tie", "2c 4d Th", "3c 3d Ts") == 1000


def test_6_4_a_point_tie_has_different_numbers_of_face_cards() -> None:
    assert result("tie", "2c 4d Kh", "3c 3d Ts") == 700


@pytest.mark.parametrize("zero", ["Tc Td Th", "Tc Td Ks", "Tc Ks Js", "2c 3d 5h", "4c 6d Js"])
def test_6_5_three_face_cards_do_not_tie_an_ordinary_zero(zero: str) -> None:
    assert result("tie", "Kc Qd Jh", zero) == -100
    assert result("tie", zero, "Kc Qd Jh") == -100


def test_6_6_three_face_cards_tie_their_like() -> None:
    assert result("tie", "Kc Qd Jh", "Ks Qs Js") == 5000
    assert result("tie", "Kc Qd Jh", "Qc Qh Js") == 1000
    assert result("tie", "Kc Kd Kh", "Qc Qd Js") == 1000
    assert result("tie", "Qc Qd Js", "Kc Kd Kh") == 1000


@pytest.mark.parametrize(("dealer", "won"), [("9s Ks Js", 50), ("9s Qs Qd", 10), ("9s Ks Ts", 7), ("8s Ks Js", -1)])
def test_6_7_hands_pay_only_for_their_highest_line(dealer: str, won: int) -> None:
    assert result("tie", "9c Kd Jh", dealer) == won * 100


def test_6_8_no_tie_loses() -> None:
    assert result("tie", "9c Kd Jh", "7c Td Th") == -100


# 7. Dragon Bonus


def test_7_1_dragon_bonus_wins_by_five_or_more() -> None:
    assert result("dragon-bonus", "7c Td Th", "2c Kd Jh") == 100
    assert result("dragon-bonus", "6c Td Th", "2c Kd Jh") == -100


def test_7_2_points_are_plain_and_face_cards_break_no_ties() -> None:
    assert result("dragon-bonus", "9c Td Th", "Kc Qd Jh") == 2000
    assert result("dragon-bonus", "9c Kd Jh", "9d Tc Th") == -100
    assert result("dragon-bonus", "Kc Qd Jh", "5c Td Th") == -100


@pytest.mark.parametrize("dealer", ["Tc Td Th", "Tc Ks Js", "2c 3c 5c"])
@pytest.mark.parametrize("player", ["Kc Qd Jh", "Kc Kd Kh"])
def test_7_3_three_face_cards_win_by_ten_against_an_ordinary_zero(player: str, dealer: str) -> None:
    assert result("dragon-bonus", player, dealer) == 5000


@pytest.mark.parametrize("dealer", ["Qc Qh Js", "Ac Td Th"])
def test_7_3_three_face_cards_do_not_win_otherwise(dealer: str) -> None:
    assert result("dragon-bonus", "Kc Kd Kh", dealer) == -100


@pytest.mark.parametrize(
    ("player", "dealer", "won"),
    [
        ("Kc Qd Jh", "Tc Td Th", 50),
        ("9c Td Th", "Tc Kd Jh", 20),
        ("8c Td Th", "Tc Kd Jh", 10),
        ("7c Td Th", "Tc Kd Jh", 5),
        ("6c Td Th", "Tc Kd Jh", 3),
        ("5c Td Th", "Tc Kd Jh", 1),
        ("9c Td Th", "Ac Kd Jh", 10),
        ("9c Td Th", "4c Kd Jh", 1),
    ],
)
def test_7_4_the_winning_difference_sets_the_pay(player: str, dealer: str, won: int) -> None:
    assert result("dragon-bonus", player, dealer) == won * 100


@pytest.mark.parametrize("dealer", ["3c Kd Jh", "7d Kd Jh", "9c Kd Jh"])
def test_7_5_a_smaller_difference_equal_or_fewer_points_lose(dealer: str) -> None:
    assert result("dragon-bonus", "7c Td Th", dealer) == -100


TEN = offer(KEY, options=["faces-count-ten"])


@pytest.mark.parametrize(
    ("player", "dealer", "plain", "ten"),
    [
        ("9c Td Th", "Jc Qd Qh", 2000, -100),  # a nine against the dealer's three face cards
        ("5c Td Th", "Kc Kd Kh", 100, -100),
        ("Jc Qd Qh", "Ac Td Th", -100, 2000),  # ten against one
        ("Jc Qd Qh", "5c Td Th", -100, 100),
        ("Jc Qd Qh", "6c Td Th", -100, -100),
        ("Jc Qd Qh", "Tc Td Kh", 5000, 5000),  # the footnote, under both
        ("Jc Qd Qh", "Kc Kd Kh", -100, -100),
        ("9c Td Th", "4c Tc Kh", 100, 100),
    ],
)
def test_7_7_three_face_cards_count_ten_where_the_house_plays_it_so(
    player: str, dealer: str, plain: int, ten: int
) -> None:
    assert result("dragon-bonus", player, dealer) == plain
    assert result("dragon-bonus", player, dealer, offering=TEN) == ten


# 8. Settlement


def settled_order() -> list[tuple[int, str]]:
    bets = "; ".join(
        [f"bet {seat} {spot} 500" for seat in (1, 4, 6) for spot in ("dragon-bonus", "tie", "kings-bonus", "bet")]
    )
    end = play(KEY, f"{bets}; no-more-bets; deal; deal; deal; deal; reveal; settle", shoe=stacked(""))
    return [(s.seat, s.spot) for s in end.settlements]


def test_8_1_seats_are_settled_from_the_highest_down() -> None:
    assert [seat for seat, _ in settled_order()] == [6] * 4 + [4] * 4 + [1] * 4


def test_8_2_the_bet_is_settled_first_and_then_the_bonus_wagers() -> None:
    assert [spot for _, spot in settled_order()[:4]] == ["bet", "kings-bonus", "tie", "dragon-bonus"]


def test_8_3_the_commission_is_taken_out_of_the_pay() -> None:
    won = settlement(finished("9c Kd Jh", "2c 3d 2h"), "bet")
    assert won.returned_cents == 1000 + 1000 - 50
    assert won.kept_cents == -950


# 9. Irregularities


@pytest.mark.parametrize("packets", ["deal Qh 6c", "deal Qh 6c 4d 2s", "deal Qh 6c 4d; deal 9h"])
def test_9_1_a_wrong_number_of_cards_voids_the_round(packets: str) -> None:
    assert play(KEY, f"bet 1 bet 500; no-more-bets; {packets}").phase is Phase.VOID


def test_9_2_a_void_round_returns_every_wager() -> None:
    void = play(KEY, f"{ALL_FOUR}; no-more-bets; deal Qh 6c")
    assert net(void) == {"bet": 0, "kings-bonus": 0, "tie": 0, "dragon-bonus": 0}
    assert void.returned_cents == void.staked_cents == 1300


# 11. House options


@pytest.mark.parametrize("spot", ["kings-bonus", "tie", "dragon-bonus"])
def test_11_1_the_house_may_leave_out_a_bonus_wager(spot: str) -> None:
    assert Offering(GAME).left_out == frozenset()
    assert refused(f"bet 1 {spot} 500", offer(KEY, left_out=[spot])) == "no-such-spot"


def test_11_2_limits_are_5_to_100_dollars_by_default() -> None:
    assert Offering(GAME).limits == Limits(500, 10_000)


@pytest.mark.parametrize(
    ("rule", "commission", "returned"),
    [(InFavourOf.HOUSE, 50, 1350), (InFavourOf.NEAREST, 25, 1375), (InFavourOf.PLAYER, 25, 1375)],
)
def test_11_3_the_house_states_its_rounding(rule: InFavourOf, commission: int, returned: int) -> None:
    # 5 % of $7.00 is 35 cents: between one and two chips of 25 cents, nearer to one.
    house = offer(KEY, chip_cents=25, in_favour_of=rule)
    won = settlement(finished("9c Kd Jh", "2c 3d 2h", "bet 1 bet 700", house), "bet")
    assert (won.commission_cents, won.returned_cents) == (commission, returned)


def test_11_3_the_cent_and_the_houses_favor_by_default() -> None:
    rounding = Offering(GAME).rounding
    assert (rounding.chip_cents, rounding.in_favour_of) == (1, InFavourOf.HOUSE)
    # 5 % of $5.01 is 25.05 cents, and the house takes 26.
    assert settlement(finished("9c Kd Jh", "2c 3d 2h", "bet 1 bet 501"), "bet").commission_cents == 26


def test_11_4_seven_seats_by_default() -> None:
    assert GAME.seats == 7


# What the option leaves as it was, and what it changes


def test_11_6_without_the_option_nothing_has_changed() -> None:
    assert Offering(GAME).game is GAME
    assert Offering(GAME).first_digest == DIGEST
    assert GAME.with_options([]) is GAME
    assert GAME.with_options(["faces-count-ten"]).with_options([]).wagers == GAME.wagers


def test_11_6_the_option_has_a_digest_of_its_own_and_stays_with_the_record() -> None:
    played = finished("9c Td Th", "Jc Qd Qh", offering=TEN)
    again = read_any_record(write_record(played))
    assert TEN.digest != DIGEST
    assert (again.offering.digest, again.settlements) == (TEN.digest, played.settlements)
    assert [w.key for w in GAME.wagers if TEN.digest_of(TEN.game.wager(w.key)) != Offering(GAME).digest_of(w)] == [
        "dragon-bonus"
    ]


def test_11_6_an_option_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownName, match="faces-count-ten"):
        GAME.with_options(["faces-count-nine"])
