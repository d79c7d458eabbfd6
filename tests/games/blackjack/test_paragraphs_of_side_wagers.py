"""The side wagers of docs/rulebook/blackjack.md at a live table, paragraph by paragraph; cards are entered as dealt."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from croupier.cards.card import parse_cards
from croupier.errors import NotationError
from croupier.games.blackjack.acts import parse_act
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.paytable import Kind
from tests.games.blackjack.support import go_on, net, offer, order, play, settlement

KINGS, BUST, UP, OWN, TRILUX = "kings-bounty", "bet-the-bust", "blazing-7s-dealer", "blazing-7s-player", "trilux"


def one(
    wager: str,
    cards: str,
    up: str,
    then: str = "",
    rules: str = "6D",
    *,
    others: Collection[str] = (),
    offering: BlackjackOffering | None = None,
) -> BlackjackRound:
    """One seat with a Bet of $10 and $5 on a side wager, these first two cards, and this up card."""
    first, second = cards.split()
    side = "" if wager == BUST else f"bet 1 {wager} 500"
    script = f"bet 1 bet 1000; {side}; no-more-bets; deal {first} {up} {second}; {then}"
    return play(script, rules, [wager, *others], offering=offering)


def line(round_: BlackjackRound, wager: str) -> str:
    return settlement(round_, wager).line


# 9. King's Bounty


def test_9_1_kings_bounty_wins_with_20() -> None:
    assert net(one(KINGS, "Ts Qh", "6c"))[KINGS] == 2000
    assert net(one(KINGS, "Ts 9h", "6c"))[KINGS] == -500


def test_9_2_ace_nine_is_20() -> None:
    assert line(one(KINGS, "As 9h", "6c"), KINGS) == "Unsuited 20"
    assert line(one(KINGS, "As 9s", "6c"), KINGS) == "Suited 20"


@pytest.mark.parametrize(
    ("cards", "row", "pays"),
    [
        ("Ks Ks", "2 Kings of Spades", 100),
        ("Kh Kh", "2 Suited Kings", 30),
        ("Qh Qh", "2 Suited Queens, Jacks or 10s", 20),
        ("Jc Jc", "2 Suited Queens, Jacks or 10s", 20),
        ("Ts Ts", "2 Suited Queens, Jacks or 10s", 20),
        ("Kd Jd", "Suited 20", 9),
        ("Ks Kh", "2 Kings", 6),
        ("Qs Jh", "Unsuited 20", 4),
    ],
)
def test_9_3_a_hand_pays_its_highest_line(cards: str, row: str, pays: int) -> None:
    settled = settlement(one(KINGS, cards, "6c"), KINGS)
    assert (settled.line, settled.net_cents) == (row, 500 * pays)


def test_9_4_a_queen_and_a_jack_of_one_suit_are_a_suited_20() -> None:
    assert line(one(KINGS, "Qh Jh", "6c"), KINGS) == "Suited 20"


def test_9_5_with_one_deck_no_card_comes_twice() -> None:
    round_ = play("bet 1 bet 1000; bet 1 kings-bounty 500; no-more-bets; deal Ks 6c", "1D", [KINGS])
    refusal = round_.why_not(parse_act("deal Ks"))
    assert refusal is not None
    assert "Ks appears 2 times" in str(refusal)


def test_9_6_any_other_two_cards_lose() -> None:
    for cards in ("As Kh", "Ts 9h", "As 8h"):
        assert net(one(KINGS, cards, "6c"))[KINGS] == -500


def test_9_7_kings_bounty_is_settled_before_insurance() -> None:
    round_ = one(KINGS, "Ts Qh", "Ac")
    assert (round_.phase, order(round_)) == (Phase.INSURANCE, ["1 kings-bounty"])
    assert order(one(KINGS, "Ts Qh", "Ac", rules="6D ENHC")) == ["1 kings-bounty"]


def test_9_8_two_kings_of_spades_wait_where_a_blackjack_is_possible() -> None:
    assert order(one(KINGS, "Ks Ks", "6c")) == ["1 kings-bounty"]
    for up, hole in (("Ac", "Tc"), ("Tc", "Ac")):
        insurance = "no-insurance;" if up == "Ac" else ""
        waiting = one(KINGS, "Ks Ks", up, insurance)
        assert order(waiting) == []
        won = go_on(waiting, f"peek yes; deal {hole}; settle")
        assert (line(won, KINGS), net(won)) == ("2 Kings of Spades + Dealer BJ", {"bet": -1000, KINGS: 500_000})
        none = go_on(waiting, "peek no; stand 1")
        assert order(none) == [], "it waits for the end of the round"
        end = go_on(none, "reveal; deal 9d; settle")
        assert (line(end, KINGS), order(end)) == ("2 Kings of Spades", ["1 bet", "1 kings-bounty"])
    late = one(KINGS, "Ks Ks", "Tc", "hit 1; deal 5c; reveal; deal Ac; settle", "6D ENHC")
    assert net(late) == {"bet": -1000, KINGS: 500_000}


def test_9_9_later_cards_have_no_effect() -> None:
    end = one(KINGS, "Ts Qh", "6c", "hit 1; deal 5c; settle")
    assert net(end) == {KINGS: 2000, "bet": -1000}


# 10. Bet the Bust


def test_10_1_bet_the_bust_wins_when_the_dealer_busts() -> None:
    end = one(BUST, "Ts 9h", "6c", "bust-bet 1 500; stand 1; reveal; deal Tc Td; settle")
    assert net(end) == {"bet": 1000, BUST: 500}


def test_10_2_it_is_placed_after_the_deal_and_before_the_first_decision() -> None:
    before = play("bet 1 bet 1000", side_wagers=[BUST])
    refusal = before.why_not(parse_act("bet 1 bet-the-bust 500"))
    assert refusal is not None
    assert refusal.code == "no-such-spot"
    assert not before.can(parse_act("bust-bet 1 500"))
    round_ = one(BUST, "Ts 9h", "6c")
    assert round_.phase is Phase.BUST_WAGERS
    assert not round_.can(parse_act("stand 1"))
    assert not go_on(round_, "no-bust-bet").can(parse_act("bust-bet 1 500"))


def test_10_3_under_an_ace_or_ten_it_comes_after_the_check() -> None:
    checking = one(BUST, "Ts 9h", "Tc")
    assert not checking.can(parse_act("bust-bet 1 500"))
    assert go_on(checking, "peek no").can(parse_act("bust-bet 1 500"))
    assert not go_on(checking, "peek yes; deal Ac").can(parse_act("bust-bet 1 500"))


def test_10_4_it_is_not_offered_without_a_hole_card() -> None:
    with pytest.raises(NotationError, match="without a hole card"):
        offer("6D ENHC", [BUST])


def test_10_5_a_seat_paid_for_a_blackjack_may_place_it() -> None:
    bets = "bet 1 bet 1000; bet 2 bet 1000; no-more-bets; deal As Ts 6c Kh 9h"
    end = play(f"{bets}; bust-bet 1 500; no-bust-bet 2; stand 2; reveal; deal Tc Td; settle", side_wagers=[BUST])
    assert net(end, 1) == {"bet": 1500, BUST: 500}
    assert not play(bets, side_wagers=[BUST]).can(parse_act("bust-bet 3 500"))
    alone = one(BUST, "As Kh", "6c")  # no hand is left, and the wager could only push
    assert (alone.phase, alone.can(parse_act("bust-bet 1 500"))) == (Phase.SETTLING, False)


def test_10_6_it_does_not_depend_on_the_seats_own_result() -> None:
    end = one(BUST, "Ts 9h", "7c", "bust-bet 1 500; stand 1; reveal; deal Tc; settle")
    assert net(end) == {"bet": 1000, BUST: -500}


def test_10_7_it_stays_when_its_player_busts() -> None:
    bets = "bet 1 bet 1000; bet 2 bet 1000; no-more-bets; deal Ts Ts 6c 6h 9h; bust-bet 1 500; no-bust-bet"
    busted = play(f"{bets}; hit 1; deal Kc", side_wagers=[BUST])
    assert net(busted, 1) == {"bet": -1000}
    end = go_on(busted, "stand 2; reveal; deal Tc Td; settle")
    assert net(end, 1) == {"bet": -1000, BUST: 500}


def test_10_8_it_stays_when_its_player_surrenders() -> None:
    bets = "bet 1 bet 1000; bet 2 bet 1000; no-more-bets; deal Ts Ts 6c 6h 9h; bust-bet 1 500; no-bust-bet"
    end = play(f"{bets}; surrender 1; stand 2; reveal; deal Tc Td; settle", "6D LS", [BUST])
    assert net(end, 1) == {"bet": -500, BUST: 500}


@pytest.mark.parametrize(
    ("up", "rest", "row", "won"),
    [
        ("Ac", "2c 3c Tc Td", "Ace", 2250),
        ("2c", "Tc Td", "2", 750),
        ("3c", "Tc Td", "3", 750),
        ("4c", "Tc Td", "4", 500),
        ("5c", "Tc Td", "5", 500),
        ("6c", "Tc Td", "6", 500),
        ("7c", "9c Td", "7", 1250),
        ("8c", "8d Td", "8", 1500),
        ("9c", "7c Td", "9", 1500),
        ("Kc", "6c Td", "10 Value Cards", 1500),
    ],
)
def test_10_9_the_up_card_names_the_line(up: str, rest: str, row: str, won: int) -> None:
    check = "no-insurance; peek no; " if up == "Ac" else "peek no; " if up == "Kc" else ""
    end = one(BUST, "Ts 9h", up, f"{check} bust-bet 1 500; stand 1; reveal; deal {rest}; settle")
    assert (line(end, BUST), net(end)[BUST]) == (row, won)


def test_10_10_it_loses_when_the_dealer_makes_the_hand() -> None:
    for last in ("Ac", "2d", "3d", "4d", "5d"):
        end = one(BUST, "Ts 9h", "6c", f"bust-bet 1 500; stand 1; reveal; deal Tc {last}; settle")
        assert net(end)[BUST] == -500


def test_10_11_it_pushes_when_no_hand_is_left() -> None:
    for then in ("hit 1; deal Kc", "surrender 1"):
        end = one(BUST, "Ts 6h", "6c", f"bust-bet 1 500; {then}; settle", "6D LS")
        assert (line(end, BUST), net(end)[BUST]) == ("Nobody is left to play against", 0)
        assert end.dealer == parse_cards("6c")
    paid = one(BUST, "As Kh", "6c")
    assert paid.phase is Phase.SETTLING, "nobody is left to bet against, so nobody is asked"


def test_10_12_the_table_goes_with_the_rule_on_a_soft_17() -> None:
    then = "no-insurance; peek no; bust-bet 1 500; stand 1; reveal; deal 2c 3c Tc Td; settle"
    assert net(one(BUST, "Ts 9h", "Ac", then, "6D S17"))[BUST] == 2250
    assert net(one(BUST, "Ts 9h", "Ac", then, "6D H17"))[BUST] == 1750
    with pytest.raises(NotationError, match="not for a dealer who hits a soft 17: use Bet the Bust 1"):
        offer("6D H17", [BUST], paytables={BUST: "2"})
    with pytest.raises(NotationError, match="not for a dealer who stands on a soft 17: use Bet the Bust 2"):
        offer("6D S17", [BUST], paytables={BUST: "1"})


# 11. Blazing 7's Progressive


def test_11_1_blazing_7s_wins_with_a_seven() -> None:
    assert net(one(UP, "7s 9h", "6c")) == {UP: 500}
    assert net(one(UP, "9s 7h", "6c")) == {UP: 500}
    assert net(one(UP, "9s 8h", "7c")) == {UP: -500}


def test_11_2_a_third_card_counts_beside_two_sevens() -> None:
    assert line(one(UP, "7s 9h", "7c"), UP) == "Either of the First Two Cards - 7"
    assert line(one(UP, "7s 7h", "7c"), UP) == "Three 7's"


def test_11_3_the_dealers_up_card_is_the_third() -> None:
    settled = settlement(one(UP, "7s 7s", "7c"), UP)
    assert (settled.line, str(settled.pay), settled.returned_cents) == ("Three 7's - Same Color", "10%", 0)


def test_11_4_the_first_hit_card_or_the_card_of_a_double_is_the_third() -> None:
    for then in ("hit 1; deal 7d", "double 1; deal 7d"):
        end = one(OWN, "7s 7h", "6c", f"{then}; reveal; deal Tc Td; settle")
        assert line(end, OWN) == "Three 7's"
    second = one(OWN, "7s 7h", "6c", "hit 1; deal 2c; hit 1; deal 5c; reveal; deal Tc Td; settle")
    assert line(second, OWN) == "First Two Cards - 7"


def test_11_5_after_a_split_the_first_card_to_the_first_hand_is_the_third() -> None:
    rest = "stand 1; deal Tc; stand 1; reveal; deal Tc Td; settle"
    assert line(one(OWN, "7s 7h", "6c", f"split 1; deal 7d; {rest}"), OWN) == "Three 7's"
    later = one(OWN, "7s 7h", "6c", "split 1; deal 2c; stand 1; deal 7d; stand 1; reveal; deal Tc Td; settle")
    assert line(later, OWN) == "First Two Cards - 7"
    again = (
        "split 1; deal 7d; split 1; deal 2c; stand 1; deal 3c; stand 1; deal 4c; stand 1; reveal; deal Tc Td; settle"
    )
    assert line(one(OWN, "7d 7d", "6c", again), OWN) == "Three 7's - Same Suit"


def test_11_6_there_may_be_no_third_card() -> None:
    stood = one(OWN, "7s 7h", "7c", "stand 1; reveal; deal Tc; settle")
    surrendered = one(OWN, "7s 7h", "7c", "surrender 1; settle", "6D LS")
    checked = one(OWN, "7s 7h", "Tc", "peek yes; deal Ac; settle")
    assert [line(end, OWN) for end in (stood, surrendered, checked)] == ["First Two Cards - 7"] * 3
    late = one(OWN, "7s 7h", "Tc", "hit 1; deal 7c; reveal; deal Ac; settle", "6D ENHC")
    assert line(late, OWN) == "Three 7's", "without a hole card the third card came first"


def test_11_7_a_bust_card_does_not_count() -> None:
    end = one(OWN, "7s 7h", "6c", "hit 1; deal Tc; settle")
    assert end.seats[1].third_card is None
    assert net(end) == {"bet": -1000, OWN: 12_000}
    three = one(OWN, "7s 7h", "6c", "hit 1; deal 7c")
    assert three.seats[1].third_card == parse_cards("7c")[0]


def test_11_8_two_sevens_pay_as_such_without_a_third() -> None:
    settled = settlement(one(UP, "7s 7h", "6c"), UP)
    assert (settled.line, settled.net_cents) == ("First Two Cards - 7", 24 * 500)


def test_11_9_there_are_two_colors() -> None:
    assert line(one(UP, "7d 7h", "7h"), UP) == line(one(UP, "7c 7s", "7s"), UP) == "Three 7's - Same Color"
    assert line(one(UP, "7d 7s", "7h"), UP) == "Three 7's"


def test_11_10_a_hand_pays_its_highest_line_only() -> None:
    assert [s.line for s in one(UP, "7s 7h", "7c").settlements] == ["Three 7's"]


def test_11_11_the_result_of_the_bet_has_no_effect() -> None:
    assert net(one(OWN, "7s 9h", "Tc", "peek yes; deal Ac; settle"))[OWN] == 500
    assert net(one(OWN, "7s 9h", "6c", "hit 1; deal Tc; settle"))[OWN] == 500


@pytest.mark.parametrize(
    ("table", "suited", "colored"),
    [
        ("1", "100%", "10%"),
        ("2", "10%", "500 for 1"),
        ("ML03", "100% Major", "100% Minor"),
        ("ML04", "100% Minor", "500 for 1"),
    ],
)
def test_11_12_there_are_four_tables(table: str, suited: str, colored: str) -> None:
    for wager in (UP, OWN):
        house = offer("6D", [wager], paytables={wager: table})
        then = "hit 1; deal {}; reveal; deal Tc Td; settle"
        up = {UP: "7s", OWN: "6c"}[wager]
        clubs = "" if wager == UP else then.format("7s")
        assert str(settlement(one(wager, "7s 7s", up, clubs, offering=house), wager).pay) == suited
        up = {UP: "7c", OWN: "6c"}[wager]
        clubs = "" if wager == UP else then.format("7c")
        assert str(settlement(one(wager, "7s 7s", up, clubs, offering=house), wager).pay) == colored


def test_11_13_table_1_has_one_line_for_any_suit() -> None:
    lines = {line(one(UP, f"7{suit} 7{suit}", f"7{suit}"), UP) for suit in "cdhs"}
    assert lines == {"Three 7's - Same Suit"}


def test_11_14_the_meters_have_their_names() -> None:
    def meters(table: str) -> list[str]:
        rows = offer("6D", [UP], paytables={UP: table}).paytable(UP).rows
        return [row.pay.meter for row in rows if row.pay.kind is Kind.SHARE]

    assert [meters(table) for table in ("1", "2", "ML03", "ML04")] == [
        *(["", ""], ["", ""], ["Mega", "Major", "Minor"], ["Major", "Minor"])
    ]


def test_11_16_the_up_card_version_is_settled_after_the_deal() -> None:
    round_ = one(UP, "7s 7h", "Ac")
    assert (round_.phase, order(round_)) == (Phase.INSURANCE, ["1 blazing-7s-dealer"])


def test_11_17_the_player_version_is_settled_after_the_bet() -> None:
    stood = one(OWN, "7s 7h", "6c", "stand 1; reveal; deal Tc Td")
    assert order(stood) == []
    assert order(go_on(stood, "settle")) == ["1 bet", "1 blazing-7s-player"]
    surrendered = one(OWN, "7s 7h", "6c", "surrender 1", "6D LS")
    assert order(surrendered) == ["1 bet", "1 blazing-7s-player"]
    half_bust = one(OWN, "7s 7h", "6c", "split 1; deal Tc; hit 1; deal Td")
    assert order(half_bust) == ["1 bet"], "the seat still has a hand"
    assert order(go_on(half_bust, "deal Tc; hit 1; deal Td")) == ["1 bet", "1 bet", "1 blazing-7s-player"]
    waiting = one(OWN, "7s 7h", "Tc", "surrender 1", "6D LS ENHC")
    assert order(waiting) == [], "the Bet waits for the dealer's second card, and this comes after the Bet"


def test_11_18_after_a_bust_the_bet_is_taken_first() -> None:
    assert order(one(OWN, "7s 7h", "6c", "hit 1; deal Tc")) == ["1 bet", "1 blazing-7s-player"]


# 12. TriLux Blackjack Progressive


def test_12_1_trilux_reads_two_cards_and_the_up_card() -> None:
    assert line(one(TRILUX, "2s 3h", "4c"), TRILUX) == "Straight"
    assert line(one(TRILUX, "2s 3h", "9c"), TRILUX) == "Nothing"


@pytest.mark.parametrize(
    ("cards", "up", "row"),
    [("As 2h", "3c", "Straight"), ("Qs Kh", "Ac", "Straight"), ("Ks Ah", "2c", "Nothing"), ("3s Ah", "2c", "Straight")],
)
def test_12_2_the_ace_is_low_or_high_in_straights(cards: str, up: str, row: str) -> None:
    assert line(one(TRILUX, cards, up), TRILUX) == row


def test_12_3_a_flush_is_of_one_suit() -> None:
    assert line(one(TRILUX, "2s 9s", "Ks"), TRILUX) == "Flush"
    assert line(one(TRILUX, "2s 3s", "4s"), TRILUX) == "Straight Flush"


def test_12_4_three_of_a_kind_is_suited_or_not() -> None:
    assert line(one(TRILUX, "9s 9s", "9s"), TRILUX) == "Three of a Kind (Suited)"
    assert line(one(TRILUX, "9s 9s", "9h"), TRILUX) == "Three of a Kind (Offsuit)"


@pytest.mark.parametrize(
    ("cards", "up", "pays"),
    [
        ("As As", "As", "100%"),
        ("2s 2s", "2s", "125 for 1"),
        ("2s 3s", "4s", "25 for 1"),
        ("2s 2s", "2h", "20 for 1"),
        ("2s 3s", "4h", "7 for 1"),
        ("2s 3s", "9s", "5 for 1"),
    ],
)
def test_12_5_a_hand_pays_its_highest_line(cards: str, up: str, pays: str) -> None:
    assert str(settlement(one(TRILUX, cards, up), TRILUX).pay) == pays


def test_12_6_any_other_hand_loses() -> None:
    assert net(one(TRILUX, "2s 2h", "9c")) == {TRILUX: -500}


def test_12_7_the_bet_has_no_effect_on_it() -> None:
    end = one(TRILUX, "Ts Js", "Qs", "peek yes; deal Ac; settle")
    assert net(end) == {TRILUX: 12_000, "bet": -1000}


def test_12_8_trilux_is_settled_before_insurance() -> None:
    bets = "bet 1 bet 500; bet 1 trilux 500; bet 2 bet 500; bet 2 trilux 500; no-more-bets; deal 2s 3s As 9h 4s"
    round_ = play(bets, side_wagers=[TRILUX])
    assert (round_.phase, order(round_)) == (Phase.INSURANCE, ["2 trilux", "1 trilux"])


def test_10_13_it_is_not_offered_where_a_22_pushes() -> None:
    with pytest.raises(NotationError, match=r"Bet the Bust is not offered where a dealer's 22 pushes \(P22\)"):
        offer("6D P22", [BUST])
