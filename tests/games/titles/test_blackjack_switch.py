"""The paragraphs of Blackjack Switch, each by its number, at the live table; and what is refused."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from croupier.analysis.analyst import analyst_of, hints_for
from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.switch import both_ways
from croupier.analysis.par.base_wager import BetSheet
from croupier.analysis.shapes import blackjack as shape
from croupier.errors import CroupierError, NotationError
from croupier.games.blackjack.game import blackjack, of_the_family
from croupier.games.blackjack.hand import Ending
from croupier.games.blackjack.round import BlackjackRound, Phase, open_round
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import find_any_game
from croupier.games.money import Rounding
from croupier.games.table.legal import least_cents, may_bet
from croupier.games.table.offering import Limits
from croupier.games.table.record import read_any_record, write_record
from croupier.games.wager import approved_paytable
from tests.games.blackjack.support import net, refused, stacked

GAME = of_the_family(find_any_game("blackjack-switch"))
TO_18, TO_22 = ("reveal", "deal 5c", "deal 7d", "settle"), ("reveal", "deal 9c", "deal 7d", "settle")


def play(first: str, second: str, *acts: str, words: str = "", up: str = "6h", side: int = 0) -> BlackjackRound:
    """Seat 1 with these two hands against an up card, beside real cards, and what follows."""
    round_ = open_round(GAME.under(words).offer(side_wagers=["super-match"]))
    (a, b), (c, d) = first.split(), second.split()
    bets = ("bet 1 bet 1000", *([f"bet 1 super-match {side}"] if side else []))
    for act in (*bets, "no-more-bets", f"deal {a} {c} {up} {b} {d}", *acts):
        round_ = round_.do(round_.parse(act))
    return round_


def totals(round_: BlackjackRound) -> list[int]:
    return [hand.total for hand in round_.seats[1].hands]


def test_20_1_each_of_two_hands_carries_half_of_the_bet() -> None:
    round_ = play("Tc 5d", "6h Ts")
    assert [hand.cents for hand in round_.seats[1].hands] == [500, 500]
    assert dict(round_.seats[1].wagers) == {"bet": 1000}


def test_1_9_each_bet_is_whole_chips() -> None:
    round_ = open_round(GAME.offer(rounding=Rounding(chip_cents=100)))
    assert least_cents(round_.offering, "bet") == 600
    assert may_bet(round_, 1, "bet")
    odd = round_.do(round_.parse("bet 1 bet 500"))
    refusal = odd.why_not(odd.parse("no-more-bets"))
    assert refusal is not None
    assert str(refusal) == (
        "$5.00 on the Bet of seat 1 are not two equal bets of whole chips: "
        "take them back and bet an even number of chips of $1.00."
    )
    acts = ("bet 1 bet 600", "no-more-bets", "deal Tc Th 6h Td Ts", "no-switch", "stand 1", "stand 1", *TO_18)
    for act in acts:
        round_ = round_.do(round_.parse(act))
    assert net(round_) == {"bet": 600}
    assert [each.rounded_cents for each in round_.settlements] == [0, 0]
    with pytest.raises(NotationError, match=r"No wager on Bet is an even number of chips of \$5"):
        GAME.offer(rounding=Rounding(chip_cents=500), limits=Limits(500, 500))


def test_5_5_a_blackjack_behind_a_hand_that_is_split_keeps_a_number_of_its_own() -> None:
    round_ = play("3c 3d", "As Kd", "no-switch")
    assert not round_.settlements
    for act in ("split 1", "deal Tc", "stand 1", "deal 9c", "stand 1", *TO_22):
        round_ = round_.do(round_.parse(act))
    assert [each.hand for each in round_.settlements] == [1, 2, 3]
    assert round_.settlements[2].why == "Blackjack on hand 3"
    assert net(round_) == {"bet": 500}
    assert [each.hand for each in play("Tc 9d", "As Kd", "no-switch", "stand 1", *TO_18).settlements] == [1, 2]
    assert [each.hand for each in play("As Kd", "3c 3d", "no-switch").settlements] == [1]


def test_3_3_and_3_4_first_cards_go_to_both_hands_before_second_ones() -> None:
    round_ = GAME.offer().open(stacked("2c 3c 4c 5c 6c 7c"))
    for act in ("bet 1 bet 1000", "no-more-bets"):
        round_ = round_.do(round_.parse(act))
    shown = [[str(card) for card in hand.cards] for hand in round_.seats[1].hands]
    assert shown == [["2c", "5c"], ["3c", "6c"]]
    assert str(round_.up_card) == "4c"


def test_20_2_a_dealer_s_blackjack_is_settled_before_anything_changes_places() -> None:
    round_ = play("Ac Td", "9h 9s", "no-insurance", "peek yes", "deal Kc", "settle", up="Ah")
    assert net(round_) == {"bet": -500}  # the blackjack pushes, the other hand loses
    assert not any(event.kind in ("switch", "no-switch") for event in round_.events)


def test_20_3_seats_are_asked_once_the_dealer_has_none() -> None:
    round_ = play("Tc 5d", "6h Ts")
    assert round_.phase is Phase.SWITCHING
    assert round_.waits_for == (1,)
    assert refused(round_, "hit 1") == "out-of-turn"
    after = round_.do(round_.parse("no-switch"))
    assert totals(after) == [15, 16]
    assert refused(after, "switch 1") == "out-of-turn"


def test_20_4_second_cards_change_places() -> None:
    assert totals(play("Tc 5d", "6h Ts", "switch 1")) == [20, 11]


def test_20_5_a_switched_ace_and_ten_are_21_or_a_blackjack() -> None:
    as_21 = play("Ac 5d", "6h Ts", "switch 1")
    assert [hand.ending for hand in as_21.seats[1].hands] == [Ending.STANDS, None]
    assert net(play("Ac 5d", "6h Ts", "switch 1", "stand 1", *TO_22)) == {"bet": 0}
    paid = play("Ac 5d", "6h Ts", "switch 1", words="SWBJ")
    assert net(paid) == {"bet": 500}


def test_20_6_blackjacks_are_paid_after_the_switch() -> None:
    held = play("Ac Td", "5h 6s")
    assert net(held) == {}
    assert net(held.do(held.parse("no-switch 1"))) == {"bet": 500}
    away = held.do(held.parse("switch 1"))
    assert totals(away) == [17, 15]
    assert net(away) == {}


def test_8_7_a_blackjack_pays_even_money_and_8_13_a_22_pushes() -> None:
    assert net(play("Ac Td", "9h 9s", "no-switch", "stand 1", *TO_22)) == {"bet": 500}
    assert net(play("Tc Td", "9h 9s", "no-switch", "stand 1", "stand 1", *TO_18)) == {"bet": 500}


def test_6_12_each_first_hand_may_become_as_many_hands() -> None:
    round_ = play("8c 8d", "7h 7s", "no-switch", "split 1", "deal 8h", "split 1", words="SP3")
    assert len(round_.seats[1].hands) == 4
    done = round_
    for act in ("deal Tc", "stand 1", "deal Th", "stand 1", "deal Ts", "stand 1", "split 1", "deal 7c", "split 1"):
        done = done.do(done.parse(act))
    assert len(done.seats[1].hands) == 6
    ended = done.do(done.parse("deal 7d"))
    assert refused(ended, "split 1") == "most-hands"
    assert sum(hand.cents for hand in ended.seats[1].hands) == ended.seats[1].wagers["bet"] == 3000


@pytest.mark.parametrize(
    ("first", "second", "won"),
    [
        ("9c 9d", "9h 9s", 20000),
        ("9c 9d", "8h 8s", 4000),
        ("9c 8d", "9h 9s", 2500),
        ("9c 8d", "7h 9s", 500),
        ("Tc Jd", "Qh Ks", -500),
    ],
)
def test_21_2_super_match_by_ranks(first: str, second: str, won: int) -> None:
    assert net(play(first, second, side=500))["super-match"] == won


def test_21_1_its_edge_is_a_fraction() -> None:
    found = analyst_of(GAME).odds(Asked(wager="super-match"), approved_paytable)
    assert Fraction(found[0]["house_edge"]["exact"]) == Fraction(126536, 4965115)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("SWBJ", "SWBJ needs SWITCH: with one hand no cards change places."),
        ("SWITCH LS", "SWITCH and LS do not go together: leave one of them out."),
        ("SWITCH ENHC", "SWITCH and ENHC do not go together: leave one of them out."),
    ],
)
def test_15_13_words_that_contradict_each_other(words: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        Rules.parse(words)
    assert str(error.value) == sentence


def test_20_3_bad_input_is_one_sentence_and_changes_nothing() -> None:
    plain = open_round(blackjack().offer())
    for act in ("bet 1 bet 500", "no-more-bets", "deal Tc 6h 5d"):
        plain = plain.do(plain.parse(act))
    refusal = plain.why_not(plain.parse("switch 1"))
    assert refusal is not None
    assert str(refusal) == "A seat has one hand in Blackjack: no cards change places."
    opened = open_round(GAME.offer(side_wagers=["super-match"]))
    odd = opened.do(opened.parse("bet 1 bet 501"))
    refusal = odd.why_not(odd.parse("no-more-bets"))
    assert refusal is not None
    assert str(refusal).startswith("$5.01 on the Bet of seat 1 are not two equal bets")
    alone = opened.do(opened.parse("bet 1 super-match 500"))
    refusal = alone.why_not(alone.parse("no-more-bets"))
    assert refusal is not None
    assert str(refusal) == "Seat 1 has no Bet, without which there is no other wager."
    with pytest.raises(NotationError, match=r"^Blackjack is not dealt with SWITCH: it is always NOSWITCH\.$"):
        blackjack().under("SWITCH")


def test_20_4_a_record_replays_with_its_switch() -> None:
    round_ = GAME.offer(side_wagers=["super-match"]).open(stacked("Tc 6h 6d 5c Th 5d 7s Kd"))
    for act in (
        "bet 1 bet 1000",
        "bet 1 super-match 500",
        "no-more-bets",
        "switch 1",
        "stand 1",
        "stand 1",
        "reveal",
        "settle",
    ):
        round_ = round_.do(round_.parse(act))
    again = read_any_record(write_record(round_))
    assert again.settlements == round_.settlements
    assert round_.staked_cents == round_.returned_cents + round_.kept_cents


def test_20_3_hints_know_the_switch() -> None:
    round_ = play("Tc 5d", "6h Ts")
    rated = hints_for(round_)["seats"][0]["decisions"]
    assert [each["act"] for each in rated] == ["switch 1", "no-switch 1"]
    kept, changed = both_ways(round_, 1)
    assert (rated[1]["value"], rated[0]["value"]) == (kept, changed)
    assert hints_for(round_.do(round_.parse("switch 1")))["seats"][0]["hand"] == 1


def test_20_1_what_a_round_was_worth_is_counted_on_the_whole_bet() -> None:
    acts = ("no-switch", "double 1", "deal 9c", "split 1", "deal Tc", "stand 1", "deal Th", "stand 1")
    round_ = play("6c 5d", "8h 8s", *acts)
    assert [hand.cents for hand in round_.seats[1].hands] == [1000, 500, 500]
    assert shape._first_bet(round_.seats[1]) == 1000


def test_4_1_hints_on_insurance_know_which_cards_are_one_hand() -> None:
    """An ace and a ten that lie in two hands are no blackjack, and the figure is from all that lies face up."""
    [seat] = hints_for(play("Ac 5c", "Td 6d", up="Ah"))["seats"]
    assert "blackjack_before_check" not in seat
    tens, left = 6 * 16 - 1, 6 * 52 - 5
    assert Fraction(seat["insurance"]["exact"]) == Fraction(3 * tens, left) - 1
    rated = {each["act"]: each["value"] for each in seat["decisions"]}
    assert rated == {"insure 1": pytest.approx(seat["insurance"]["value"] / 2), "no-insurance 1": 0.0}
    [seat] = hints_for(play("Ac Tc", "5d 6d", up="Ah"))["seats"]
    assert Fraction(seat["insurance"]["exact"]) == Fraction(3 * tens, left) - 1
    assert "blackjack_before_check" not in seat


def test_4_2_insurance_was_worth_what_the_cards_of_both_hands_leave() -> None:
    round_ = play("Tc Kc", "Td Kd", "insure 1 500", up="Ah")
    _, worth = analyst_of(GAME).worth(round_, 1, GAME.wager("insurance"), 500)
    assert worth.edge == pytest.approx(1 - 3 * (6 * 16 - 4) / (6 * 52 - 5))


@pytest.mark.parametrize(
    ("convention", "sentence"),
    [
        ("CDP1", "Two hands of a seat (SWITCH) are counted by the convention CDZ- alone, not by CDP1."),
        ("RUBBISH", "RUBBISH"),
    ],
)
def test_15_1_two_hands_have_one_convention(convention: str, sentence: str) -> None:
    asked = Asked(wager="bet", convention=convention)
    with pytest.raises(CroupierError, match=re.escape(sentence)):
        analyst_of(GAME).odds(asked, approved_paytable)
    with pytest.raises(CroupierError, match=re.escape(sentence)):
        BetSheet(GAME, Convention.parse(convention))
