"""The paragraphs that make Super Fun 21, each by its number, at the live table; what is refused; what it is worth."""

from __future__ import annotations

import pytest

from croupier.analysis.blackjack.solver import solve
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import blackjack, of_the_family
from croupier.games.blackjack.hand import Ending
from croupier.games.blackjack.round import BlackjackRound, open_round
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import find_any_game
from tests.games.blackjack.support import can, net, one, refused

GAME = of_the_family(find_any_game("super-fun-21"))


def play(cards: str, *acts: str, up: str = "6h", words: str = "", sides: tuple[str, ...] = ()) -> BlackjackRound:
    """Seat 1 with a Bet of $5 and these two cards against an up card, beside real cards, and what follows."""
    round_ = open_round(GAME.under(words).offer(side_wagers=sides))
    one, two = cards.split()
    bets = ("bet 1 bet 500", *(f"bet 1 {side} 500" for side in sides))
    for act in (*bets, "no-more-bets", f"deal {one} {up} {two}", *acts):
        round_ = round_.do(round_.parse(act))
    return round_


def hit(*cards: str, hand: int = 0) -> tuple[str, ...]:
    which = f" {hand}" if hand else ""
    return tuple(act for card in cards for act in (f"hit 1{which}", f"deal {card}"))


# Surrender


def test_6_26_a_hand_that_was_hit_may_be_surrendered() -> None:
    round_ = play("Tc 2d", *hit("4s"))
    assert "surrender" in can(round_)
    assert net(round_.do(round_.parse("surrender 1"))) == {"bet": -250}


def test_6_26_a_hand_from_a_split_gives_up_half_of_its_own_wager() -> None:
    round_ = play("8c 8d", "split 1", "deal 8s", "stand 1", "deal 5s", "surrender 1 2")
    assert [hand.ending for hand in round_.seats[1].hands] == [Ending.STANDS, Ending.SURRENDERED]
    [given_up] = round_.settlements
    assert (given_up.net_cents, given_up.cites) == (-250, "8.10")


def test_6_25_a_doubled_hand_gives_up_one_of_its_two_wagers() -> None:
    round_ = play("6c 5d", "double 1", "deal 2s")
    assert can(round_) == {"stand", "surrender"}
    assert net(round_.do(round_.parse("surrender 1"))) == {"bet": -500}


def test_6_26_not_where_the_house_does_not_post_it() -> None:
    plain = open_round(blackjack(Rules.parse("6D LS")).offer())
    for act in ("bet 1 bet 500", "no-more-bets", "deal Tc 6h 2d", "hit 1", "deal 4s"):
        plain = plain.do(plain.parse(act))
    assert refused(plain, "surrender 1") == "surrender-too-late"


# Many cards


def test_6_23_six_cards_of_20_or_less_win_at_once() -> None:
    round_ = play("2c 2d", *hit("3s", "3h", "2h", "4s"))
    assert net(round_) == {"bet": 500}
    assert round_.seats[1].hands[0].ending is Ending.CHARLIE


@pytest.mark.parametrize("drawn", [("3s", "3h", "Th"), ("3s", "3h", "2h", "9s")])
def test_6_27_a_21_of_five_cards_and_more_wins_2_to_1(drawn: tuple[str, ...]) -> None:
    cards = "3c 2d" if len(drawn) == 3 else "2c 2d"
    round_ = play(cards, *hit(*drawn))
    [settled] = round_.settlements
    assert (settled.net_cents, settled.cites, round_.seats[1].hands[0].ending) == (1000, "8.18", Ending.BONUS_21)


def test_6_27_four_cards_of_21_wait_for_the_dealer() -> None:
    round_ = play("3c 4d", *hit("4s", "Th"))
    assert round_.seats[1].hands[0].ending is Ending.STANDS
    assert not round_.settlements


@pytest.mark.parametrize(("last", "ending"), [("6s", Ending.STANDS), ("4s", None)])
def test_6_27_a_doubled_hand_wins_nothing_by_its_cards(last: str, ending: Ending | None) -> None:
    """A 21 of six cards stands, and 19 of six cards may still be given up."""
    round_ = play("2c 3d", *hit("3s", "4h", "3h"), "double 1", f"deal {last}")
    [hand] = round_.seats[1].hands
    assert (hand.doubled, hand.ending, len(hand.cards)) == (True, ending, 6)
    assert not round_.settlements


def test_6_24_any_number_of_cards_may_be_doubled_once() -> None:
    round_ = play("2c 3d", *hit("3s", "2h"))
    assert {"double", "hit", "stand", "surrender"} == can(round_)
    assert refused(round_.do(round_.parse("double 1")).do(round_.parse("deal 2s")), "double 1") == "doubled-already"


def test_6_27_a_hand_from_a_split_counts_its_cards_too() -> None:
    round_ = play("2c 2d", "split 1", "deal 3s", *hit("3h", "3c", "Th", hand=1))
    assert round_.seats[1].hands[0].ending is Ending.BONUS_21
    assert net(round_) == {"bet": 1000}


# Blackjacks


@pytest.mark.parametrize(("cards", "won"), [("Ac Kd", 500), ("Ad Kd", 1000), ("Td Ad", 1000), ("Ad Ks", 500)])
def test_8_17_a_blackjack_pays_even_money_and_in_diamonds_2_to_1(cards: str, won: int) -> None:
    assert net(play(cards)) == {"bet": won}


@pytest.mark.parametrize(("cards", "won", "cites"), [("Ac Kd", 500, "8.16"), ("Ad Kd", 1000, "8.17")])
def test_8_16_it_wins_against_a_dealers_blackjack_too(cards: str, won: int, cites: str) -> None:
    round_ = play(cards, "no-insurance", "peek yes", "deal Qs", "settle", up="As")
    [settled] = round_.settlements
    assert (settled.net_cents, settled.cites) == (won, cites)


def test_4_7_there_is_no_even_money() -> None:
    assert refused(play("Ac Kd", up="As"), "even-money 1") == "no-even-money"


@pytest.mark.parametrize("word", ["BJW", "DBJ"])
def test_4_7_nor_where_a_blackjack_pays_3_to_2_and_has_a_rule_of_its_own(word: str) -> None:
    loud = one("Ac Kd", "As", rules=f"6D 3:2 {word}")
    why = loud.why_not(loud.parse("even-money 1"))
    assert why is not None
    assert str(why) == f"There is no even money at this table ({word})."


def test_8_16_plain_blackjacks_push() -> None:
    assert solve(Rules.parse("6D BJW")).edge > solve(Rules.parse("6D")).edge


# Rules


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("3:2", "Super Fun 21 is not dealt with 3:2: it is always 1:1."),
        ("NS NSAT", "Super Fun 21 is not dealt with NS: it is always LS."),
        ("NS", "Super Fun 21 is not dealt with NS: it is always LS."),
        ("NB21", "Super Fun 21 is not dealt with NB21: it is always B21."),
        ("ENHC NSAD NSAT", "Super Fun 21 is not dealt with ENHC: it is always PEEK."),
    ],
)
def test_15_28_what_makes_the_title_is_not_posted_otherwise(words: str, said: str) -> None:
    with pytest.raises(NotationError) as refusal:
        GAME.under(words)
    assert str(refusal.value) == said


def test_1_3_wagers_that_follow_the_check_are_not_offered() -> None:
    for key in ("bet-the-bust", "house-money"):
        with pytest.raises(UnknownName, match="There is no side wager of Super Fun 21"):
            GAME.offer(side_wagers=[key])
