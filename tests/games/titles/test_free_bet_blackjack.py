"""The paragraphs of Free Bet Blackjack, each by its number, at the live table."""

from __future__ import annotations

import pytest

from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.game import of_the_family
from croupier.games.blackjack.round import BlackjackRound, open_round
from croupier.games.catalogue import find_any_game
from croupier.games.table.bets import Void
from croupier.games.table.record import read_any_record, write_record

GAME = of_the_family(find_any_game("free-bet-blackjack"))


def play(cards: str, *acts: str, words: str = "", up: str = "6h") -> BlackjackRound:
    """Seat 1 with these two cards against an up card, beside real cards, and what follows."""
    round_ = open_round(GAME.under(words).offer())
    one, two = cards.split()
    for act in ("bet 1 bet 500", "no-more-bets", f"deal {one} {up} {two}", *acts):
        round_ = round_.do(round_.parse(act))
    return round_


def ends(round_: BlackjackRound) -> list[tuple[int, int, int]]:
    """Money staked, free chips, and money returned of every settlement."""
    return [(each.staked_cents, each.free_cents, each.returned_cents) for each in round_.settlements]


DEALER_18, DEALER_22 = ("reveal", "deal 5c", "deal 7d", "settle"), ("reveal", "deal 9c", "deal 7d", "settle")


@pytest.mark.parametrize("cards", ["5c 4d", "6c 4d", "6c 5d"])
def test_6_7_a_double_adds_as_much_as_lies_there_in_chips_of_the_house(cards: str) -> None:
    [hand] = play(cards, "double 1").seats[1].hands
    assert (hand.cents, hand.free_cents, hand.doubled) == (1000, 500, True)


@pytest.mark.parametrize("cards", ["4c 4d", "6c 6d", "Ac 8d", "Ac 9d"])
def test_6_8_other_totals_and_soft_hands_are_doubled_with_money(cards: str) -> None:
    [hand] = play(cards, "double 1").seats[1].hands
    assert (hand.cents, hand.free_cents) == (1000, 0)


def test_6_10_the_second_hand_of_a_free_split_has_the_free_chip() -> None:
    round_ = play("8c 8d", "split 1")
    assert [(each.cents, each.free_cents) for each in round_.seats[1].hands] == [(500, 0), (500, 500)]
    assert dict(round_.seats[1].wagers) == {"bet": 500}


def test_8_3_a_hand_wins_on_all_its_chips() -> None:
    assert ends(play("6c 5d", "double 1", "deal Tc", *DEALER_18)) == [(500, 500, 1500)]


def test_8_5_a_hand_that_loses_costs_its_money_alone() -> None:
    assert ends(play("6c 5d", "double 1", "deal 2c", *DEALER_18)) == [(500, 500, 0)]
    assert ends(play("8c 8d", "split 1", "deal 2c", "stand 1", "deal 2d", "stand 1", *DEALER_18)) == [
        (500, 0, 0),
        (0, 500, 0),
    ]


def test_8_13_a_dealers_22_pushes_free_chips_too() -> None:
    assert ends(play("6c 5d", "double 1", "deal Tc", *DEALER_22)) == [(500, 500, 500)]


def test_15_5_a_pair_may_become_four_hands() -> None:
    acts = ("split 1", "deal 8h", "split 1", "deal 8s", "split 1", "deal 8c")
    round_ = play("8c 8d", *acts)
    assert len(round_.seats[1].hands) == 4
    with pytest.raises(Refusal, match="at most 4 hands"):
        round_.do(round_.parse("split 1"))


def test_15_6_aces_are_split_again_by_default() -> None:
    assert len(play("Ac Ad", "split 1", "deal Ah", "split 1").seats[1].hands) == 3


def test_15_13_the_words_of_the_usual_placard() -> None:
    assert GAME.placard == "6D H17 DA DAS SP4 RSA NHSA NS 3:2 PEEK INS CUT75 P22 FD FS"


@pytest.mark.parametrize("words", ["NP22", "NFD", "NFS", "D10", "D9"])
def test_15_22_what_makes_the_game_is_not_left_out(words: str) -> None:
    with pytest.raises(NotationError, match=r"^(Free Bet Blackjack is not dealt with|FD needs) "):
        GAME.under(words)


def test_20_1_all_that_was_lent_comes_back() -> None:
    round_ = play("5c 5d", "split 1", "deal 5h", "split 1", "deal 4c")
    assert round_.lent_cents == 1000
    end = play("8c 8d", "split 1", "deal 3c", "double 1", "deal Tc", "deal 2d", "double 1", "deal 9s", *DEALER_18)
    assert sum(each.free_cents for each in end.settlements) == end.lent_cents == 1500
    assert end.staked_cents == end.returned_cents + end.kept_cents == 500
    void = play("8c 8d", "split 1", "deal 3c", "double 1").do(Void("a drill"))
    assert (void.returned_cents, void.kept_cents) == (500, 0)


def test_20_2_a_free_hand_is_doubled_free_and_with_money_as_any_other() -> None:
    round_ = play("8c 8d", "split 1", "deal Tc", "stand 1", "deal 3c", "double 1")
    assert (round_.seats[1].hands[1].cents, round_.seats[1].hands[1].free_cents) == (1000, 1000)
    round_ = play("8c 8d", "split 1", "deal Tc", "stand 1", "deal 4c", "double 1")
    assert (round_.seats[1].hands[1].cents, round_.seats[1].hands[1].free_cents) == (1000, 500)
    assert dict(round_.seats[1].wagers) == {"bet": 1000}


def test_20_2_three_cards_are_not_doubled() -> None:
    round_ = play("2c 3d", "hit 1", "deal 4c")
    with pytest.raises(Refusal, match="Only two cards may be doubled"):
        round_.do(round_.parse("double 1"))


def test_20_3_tens_are_split_with_money() -> None:
    round_ = play("Kc Td", "split 1")
    assert [(each.cents, each.free_cents) for each in round_.seats[1].hands] == [(500, 0), (500, 0)]
    assert dict(round_.seats[1].wagers) == {"bet": 1000}


def test_20_4_the_first_hand_keeps_the_money() -> None:
    round_ = play("8c 8d", "split 1", "deal 8h", "split 1", "deal Tc", "stand 1", "deal 8s", "split 1")
    assert [each.free_cents for each in round_.seats[1].hands] == [0, 500, 500, 500]


def test_20_5_a_free_hand_wins_as_much_as_money() -> None:
    acts = ("split 1", "deal Tc", "stand 1", "deal Td", "stand 1", "reveal", "deal Tc", "deal Td", "settle")
    assert ends(play("9c 9d", *acts)) == [(500, 0, 1000), (0, 500, 500)]


def test_20_6_a_free_chip_is_told_apart_in_what_is_said() -> None:
    end = play("6c 5d", "double 1", "deal Tc", *DEALER_18)
    assert "$5.00 and $5.00 free pays 1 to 1, $10.00" in end.events[-1].text
    assert any("doubles with $5.00 free" in event.text for event in end.events)


@pytest.mark.parametrize("act", ["double 2", "double 1 2", "split 1"])
def test_20_7_a_free_double_out_of_turn_changes_nothing(act: str) -> None:
    round_ = play("6c 5d")
    with pytest.raises(Refusal):
        round_.do(round_.parse(act))


def test_20_8_a_record_names_free_chips_and_is_replayed() -> None:
    end = play("6c 5d", "double 1", "deal Tc", *DEALER_18)
    record = write_record(end)
    assert "\nresult 1 bet 500 1500 free 500\n" in record
    assert read_any_record(record).settlements == end.settlements


# Push 22


def with_push_22(cards: str, *acts: str, words: str = "", up: str = "6h", paytable: str = "35-17-10") -> BlackjackRound:
    game = GAME.under(words)
    offering = game.offer({"push-22": game.wager("push-22").paytables[paytable]}, side_wagers=["push-22"])
    round_, (one, two) = open_round(offering), cards.split()
    for act in ("bet 1 bet 500", "bet 1 push-22 500", "no-more-bets", f"deal {one} {up} {two}", *acts):
        round_ = round_.do(round_.parse(act))
    return round_


def push_22_of(round_: BlackjackRound) -> tuple[str, int]:
    [settled] = [each for each in round_.settlements if each.spot == "push-22"]
    return settled.line, settled.returned_cents


def test_21_1_push_22_takes_a_bet_and_a_house_that_offers_it() -> None:
    with pytest.raises(Refusal, match="No wager goes on 'push-22'"):
        open_round(GAME.offer()).do(open_round(GAME.offer()).parse("bet 1 push-22 500"))
    round_ = open_round(GAME.offer(side_wagers=["push-22"]))
    alone = round_.do(round_.parse("bet 1 push-22 500"))
    with pytest.raises(Refusal, match="Seat 1 has no Bet"):
        alone.do(alone.parse("no-more-bets"))


@pytest.mark.parametrize(
    ("drawn", "line", "returned"),
    [
        (("9h", "7h"), "Suited 22", 18000),
        (("9h", "7d"), "Same Color 22", 9000),
        (("9c", "7h"), "Any 22", 5500),
        (("9c", "8h"), "No 22", 0),
        (("Tc", "5h"), "No 22", 0),
    ],
)
def test_21_3_how_the_dealers_cards_agree(drawn: tuple[str, ...], line: str, returned: int) -> None:
    end = with_push_22("Tc Td", "stand 1", "reveal", *(f"deal {card}" for card in drawn), "settle")
    assert push_22_of(end) == (line, returned)


def test_21_4_the_dealer_plays_on_where_every_hand_is_bust() -> None:
    bust = with_push_22("Tc 6d", "hit 1", "deal Kd")
    assert [each.spot for each in bust.settlements] == ["bet"]
    end = bust
    for act in ("reveal", "deal 9c", "deal 7d", "settle"):
        end = end.do(end.parse(act))
    assert push_22_of(end) == ("Any 22", 5500)
    assert (end.staked_cents, end.returned_cents) == (1000, 5500)
    without = play("Tc 6d", "hit 1", "deal Kd")
    with pytest.raises(Refusal):
        without.do(without.parse("reveal"))


def test_21_4_the_dealer_plays_on_where_a_blackjack_was_paid() -> None:
    assert push_22_of(with_push_22("Ac Td", "reveal", "deal 9h", "deal 7h", "settle")) == ("Suited 22", 18000)


def test_21_5_a_dealers_blackjack_loses() -> None:
    end = with_push_22("Tc Td", "no-insurance", "peek yes", "deal Ks", "settle", up="Ah")
    assert push_22_of(end) == ("No 22", 0)


def test_21_6_one_pay_for_all() -> None:
    end = with_push_22("Tc Td", "stand 1", "reveal", "deal 9h", "deal 7h", "settle", paytable="11")
    assert push_22_of(end) == ("Any 22", 6000)


def test_21_7_it_is_settled_after_the_hands_and_its_record_replays() -> None:
    end = with_push_22("6c 5d", "double 1", "deal Tc", *DEALER_22)
    assert [each.spot for each in end.settlements] == ["bet", "push-22"]
    assert read_any_record(write_record(end)).settlements == end.settlements


def test_21_2_as_many_cards_as_the_dealer_draws() -> None:
    drawn = ("deal 2c", "deal 2d", "deal 3s", "deal 9h")
    assert push_22_of(with_push_22("Tc Td", "stand 1", "reveal", *drawn, "settle")) == ("Any 22", 5500)
