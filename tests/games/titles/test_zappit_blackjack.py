"""The paragraphs of Zappit Blackjack, each by its number, at the live table; what is refused; what is published."""

from __future__ import annotations

import pytest

from croupier.analysis.analyst import hints_for
from croupier.analysis.blackjack.basic import basic_strategy
from croupier.analysis.blackjack.chart import Chart, Kind
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.shapes.blackjack import BASIC_STRATEGY, ZAPS
from croupier.errors import NotationError
from croupier.games.blackjack.game import blackjack, of_the_family
from croupier.games.blackjack.hand import Ending
from croupier.games.blackjack.round import BlackjackRound, open_round
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import find_any_game
from croupier.games.table.record import read_any_record, write_record
from tests.games.blackjack.support import can, net, refused, stacked

GAME = of_the_family(find_any_game("zappit-blackjack"))
WON_TO_18, WITH_22 = ("reveal", "deal 5c", "deal 7d", "settle"), ("reveal", "deal 9c", "deal 7d", "settle")
"""What the dealer draws to a six: 18, and 22."""


def play(cards: str, *acts: str, words: str = "", up: str = "6h", sides: tuple[str, ...] = ()) -> BlackjackRound:
    """Seat 1 with these two cards against an up card, beside real cards, and what follows."""
    round_ = open_round(GAME.under(words).offer(side_wagers=sides))
    one, two = cards.split()
    bets = ("bet 1 bet 500", *(f"bet 1 {side} 500" for side in sides))
    for act in (*bets, "no-more-bets", f"deal {one} {up} {two}", *acts):
        round_ = round_.do(round_.parse(act))
    return round_


@pytest.mark.parametrize("cards", ["Tc 5d", "9c 6d", "8c 7d", "8c 8d", "Kc 6d", "Tc 7d", "9c 8d"])
def test_20_1_a_hard_15_to_17_may_be_zapped_first(cards: str) -> None:
    assert "zap" in can(play(cards))


@pytest.mark.parametrize(
    ("cards", "words"), [("Tc 8d", ""), ("Ac 5d", ""), ("Ac 6d", ""), ("Tc 4d", ""), ("Tc 9d", "ZAP18")]
)
def test_20_1_other_hands_may_not(cards: str, words: str) -> None:
    round_ = play(cards, words=words)
    assert "zap" not in can(round_)
    assert refused(round_, "zap 1") == "no-zap-of-this"


def test_20_1_a_house_may_allow_18() -> None:
    assert "zap" in can(play("Tc 8d", words="ZAP18"))
    assert "zap" in can(play("9c 9d", words="ZAP18"))


def test_20_2_two_new_cards_come_and_the_wager_stays() -> None:
    round_ = play("Tc 5d", "zap 1", "deal 9h 9s")
    [hand] = round_.seats[1].hands
    assert (str(hand.cards[0]), str(hand.cards[1]), hand.cents) == ("9h", "9s", 500)
    assert [str(card) for card in hand.zapped] == ["Tc", "5d"]
    assert hand.facts["zapped"] == ["Tc", "5d"]
    assert dict(round_.seats[1].wagers) == {"bet": 500}
    assert net(round_.do(round_.parse("stand 1")), 1) == {}
    ended = play("Tc 5d", "zap 1", "deal 9h Ts", "stand 1", *WON_TO_18)
    assert net(ended) == {"bet": 500}


def test_20_2_from_a_shoe_the_next_two_cards_come() -> None:
    round_ = GAME.offer().open(stacked("Tc 6h 5d 5c 4h 7s"))
    for act in ("bet 1 bet 500", "no-more-bets", "zap 1"):
        round_ = round_.do(round_.parse(act))
    assert [str(card) for card in round_.seats[1].hands[0].cards] == ["4h", "7s"]
    assert round_.shoe is not None
    assert round_.shoe.dealt == 7


def test_20_3_once_whatever_the_new_cards_are() -> None:
    round_ = play("Tc 5d", "zap 1", "deal 9h 7s")
    assert "zap" not in can(round_)
    assert refused(round_, "zap 1") == "zap-too-late"


def test_20_4_not_after_a_split_and_not_after_a_hit() -> None:
    split = play("8c 8d", "split 1", "deal 8h")
    assert refused(split, "zap 1") == "zap-too-late"
    assert refused(play("8c 5d", "hit 1", "deal 3s"), "zap 1") == "zap-too-late"
    assert refused(play("Tc 5d", "stand 1"), "zap 1") == "out-of-turn"


def test_20_5_new_cards_are_played_as_first_cards() -> None:
    assert {"double", "split", "surrender"} <= can(play("Tc 5d", "zap 1", "deal 9h 9s"))
    doubled = play("Tc 5d", "zap 1", "deal 6c 5s", "double 1", "deal Th", *WON_TO_18)
    assert net(doubled) == {"bet": 1000}


def test_20_6_an_ace_and_a_ten_are_21() -> None:
    round_ = play("Tc 5d", "zap 1", "deal Ah Ks")
    assert round_.seats[1].hands[0].ending is Ending.STANDS
    won = play("Tc 5d", "zap 1", "deal Ah Ks", *WON_TO_18)
    assert net(won) == {"bet": 500}
    assert won.settlements[-1].why.startswith("Win, 21 against 18")
    assert net(play("Tc 5d", "zap 1", "deal Ah Ks", *WITH_22)) == {"bet": 0}


def test_8_13_a_22_pushes_what_is_left_and_a_blackjack_was_paid() -> None:
    assert net(play("Tc 9d", "stand 1", *WITH_22)) == {"bet": 0}
    assert net(play("Ac Kd")) == {"bet": 750}


def test_6_17_surrender_after_a_zap_is_the_house_s_choice() -> None:
    given = play("Tc 5d", "zap 1", "deal 9h 7s", "surrender 1")
    assert net(given) == {"bet": -250}
    kept = play("Tc 5d", "zap 1", "deal 9h 7s", words="NSAZ")
    assert refused(kept, "surrender 1") == "surrender-too-late"
    assert "surrender" in can(play("Tc 5d", words="NSAZ"))


def test_20_7_side_wagers_are_settled_by_the_first_cards() -> None:
    round_ = play("8c 8d", "zap 1", "deal 2c 3d", sides=("bet-the-set",))
    assert net(round_)["bet-the-set"] == 5000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("SAZ", "SAZ needs ZAP17 or ZAP18, as it is a surrender after a zap: say NSAZ where there is none."),
        ("NS SAZ ZAP17", "SAZ needs LS, as it is a surrender after a zap: say NSAZ where there is none."),
        ("ZAP17 ZAP18", "ZAP17 and ZAP18 both say which hands may be zapped: keep one of them."),
        ("ZAP17 SWITCH NS", "SWITCH and ZAP17 do not go together: leave one of them out."),
    ],
)
def test_15_13_words_that_contradict_each_other(words: str, sentence: str) -> None:
    with pytest.raises(NotationError) as error:
        Rules.parse(words)
    assert str(error.value) == sentence


def test_15_22_no_other_title_zaps_and_this_one_always_does() -> None:
    with pytest.raises(NotationError, match=r"^Blackjack is not dealt with ZAP17: it is always NOZAP\.$"):
        blackjack().under("ZAP17")
    with pytest.raises(NotationError, match=r"^Zappit Blackjack is not dealt with NP22: it is always P22\.$"):
        GAME.under("NP22")
    plain = open_round(blackjack().offer())
    for act in ("bet 1 bet 500", "no-more-bets", "deal Tc 6h 5d"):
        plain = plain.do(plain.parse(act))
    refusal = plain.why_not(plain.parse("zap 1"))
    assert refusal is not None
    assert str(refusal) == "There is no zap in Blackjack."


def test_20_2_a_record_replays_with_its_zap() -> None:
    round_ = GAME.offer(side_wagers=["bet-the-set"]).open(stacked("Tc 6h 5d 5c 9h 7s"))
    for act in ("bet 1 bet 500", "bet 1 bet-the-set 500", "no-more-bets", "zap 1", "surrender 1", "settle"):
        if not round_.is_over:
            round_ = round_.do(round_.parse(act))
    again = read_any_record(write_record(round_))
    assert again.settlements == round_.settlements
    assert "zap 1" in write_record(round_)


def test_20_1_hints_know_the_zap_and_what_follows_it() -> None:
    rated = hints_for(play("Tc 6d", up="Th", words=""))
    assert rated["seats"] == []  # the check comes first
    first = hints_for(play("Tc 6d"))["seats"][0]["decisions"]
    assert first[0]["act"] == "zap 1"
    exact = solve(GAME.rules).hand_values("T 6", "6")
    assert first[0]["value"] == pytest.approx(max(exact.values()), abs=1e-12)
    after = hints_for(play("Tc 6d", "zap 1", "deal Ah 7s"))["seats"][0]["decisions"]
    assert {each["act"].split()[0] for each in after} == {"stand", "hit", "double", "surrender"}


def test_20_1_the_chart_that_seats_play_by_zaps_as_counted() -> None:
    played = Chart.parse(BASIC_STRATEGY + ZAPS)
    for words in ("ZAP17", "ZAP18"):
        counted = basic_strategy(GAME.under(words).rules)
        rows = {row: cells for row, cells in counted.cells.items() if row.kind is Kind.ZAP}
        assert rows == {row: played.cells[row] for row in rows}
