"""Settlement, irregularities and house options in docs/rulebook/blackjack.md, paragraph by paragraph."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.cards.shoe import Shoe
from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.acts import parse_act
from croupier.games.blackjack.game import BlackjackOffering, blackjack
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.round import Phase, next_shoe
from croupier.games.money import InFavourOf, Rounding
from croupier.games.paytable import Kind
from croupier.games.table.offering import Limits
from tests.games.blackjack.support import (
    can,
    go_on,
    nearly_empty,
    net,
    offer,
    one,
    order,
    play,
    refused,
    settlement,
    stacked,
    totals,
    two,
)

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


def test_8_11_the_order_of_the_spots_is_said_once() -> None:
    sides = ["kings-bounty", "bet-the-bust", "blazing-7s-player"]
    usual = offer("6D", sides)
    house = replace(usual, game=replace(usual.game, settling_order=usual.game.settling_order[::-1]))
    bets = "bet 1 kings-bounty 500; bet 1 blazing-7s-player 500"
    end = one("Ks Ks", "Tc", "peek no; bust-bet 1 500; stand 1; reveal; deal 8d; settle", offering=house, bets=bets)
    assert order(end) == ["1 blazing-7s-player", "1 kings-bounty", "1 bet-the-bust", "1 bet"]
    assert house.digest != usual.digest


def test_8_11_every_spot_has_its_place_in_the_order() -> None:
    game = blackjack()
    assert sorted(game.settling_order) == sorted(game.spots)
    early = [spot for spot in game.settling_order if spot != "bet" and game.side_wager(spot).early]
    progressives = ["blazing-7s-dealer", "trilux"]
    assert early == ["kings-bounty", "bet-the-set", "royal-match", "trilux-bonus", "house-money", *progressives]


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
    round_ = play("bet 1 bet 500; no-more-bets", offering=offer("2D CUT95"), shoe=nearly_empty())
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


def test_13_3_what_was_settled_is_undone_by_entries_of_its_own() -> None:
    # Seat 1 is bust, seat 2 was paid for a blackjack, and seat 3 has not decided.
    bets = "bet 1 bet 1000; bet 2 bet 1000; bet 3 bet 1000"
    before = play(f"{bets}; no-more-bets; deal Ts As Ts 6c 6h Kd 9h; hit 1; deal Kc")
    void = go_on(before, "void a card was exposed")
    assert void.settlements[: len(before.settlements)] == before.settlements
    assert [(s.seat, s.line, s.staked_cents, s.returned_cents) for s in void.settlements] == [
        (2, "Blackjack", 1000, 2500),
        (1, "Lose", 1000, 0),
        (2, "Blackjack, undone", -1000, -2500),
        (1, "Lose, undone", -1000, 0),
        *((seat, "Void", 1000, 1000) for seat in (3, 2, 1)),
    ]
    assert [event.text for event in void.events[-3:]] == [
        "The round is void: a card was exposed. Every wager is returned.",
        "Seat 2, Bet: Blackjack, undone; $15.00 is given back to the house.",
        "Seat 1, Bet: Lose, undone; $10.00 comes back.",
    ]
    assert [void.result_cents(seat) for seat in (1, 2, 3)] == [0, 0, 0]


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


def test_13_6_an_award_from_a_meter_stands() -> None:
    house = offer("6D", ["kings-bounty", "blazing-7s-dealer"])
    bets = "; ".join(f"bet {seat} bet 1000; bet {seat} blazing-7s-dealer 500" for seat in (1, 2))
    before = play(f"{bets}; bet 1 kings-bounty 500; no-more-bets; deal 7d 7c 7d 7d 9h", offering=house)
    [award] = [s for s in before.settlements if s.pay.kind is Kind.SHARE]
    void = go_on(before, "void a card was exposed")
    assert award in void.settlements
    assert [s for s in void.settlements if (s.seat, s.spot) == (1, "blazing-7s-dealer")] == [award]
    assert [event for event in void.events if event.kind == "award"] == [e for e in before.events if e.kind == "award"]
    assert net(void, 1) == {"kings-bounty": 0, "blazing-7s-dealer": -500, "bet": 0}
    assert net(void, 2) == {"blazing-7s-dealer": 0, "bet": 0}
    assert void.staked_cents == void.returned_cents + void.kept_cents == 3500
    assert void.kept_cents == 500
    assert "except where a share of a meter was won: the award stands." in " ".join(e.text for e in void.events)


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
        assert blackjack().offer().limits_of(wager) == Limits(500, 500)


def test_15_17_a_progressive_wager_is_in_whole_chips() -> None:
    with pytest.raises(NotationError, match=r"No wager on TriLux .* is a whole number of chips of \$10.00"):
        offer("6D", ["trilux"], chip_cents=1000)
    assert offer("6D", ["trilux"], chip_cents=1000, spot_limits={"trilux": (1000, 1000)}).offers("trilux")
    assert offer("6D", chip_cents=1000).limits_of("trilux") == Limits(500, 500)


def test_15_18_some_wager_is_in_whole_chips() -> None:
    with pytest.raises(NotationError, match="No wager on Bet is a whole number of chips"):
        offer("6D", limits=(101, 499), chip_cents=500)


def test_15_18_limits_are_5_to_100_dollars_by_default() -> None:
    for wager in ("bet", "kings-bounty", "bet-the-bust"):
        assert blackjack().offer().limits_of(wager) == Limits(500, 10_000)


def test_15_19_rounding_favors_the_house_by_default() -> None:
    assert blackjack().offer().rounding == Rounding(1, InFavourOf.HOUSE)
    odd = play("bet 1 bet 501; no-more-bets; deal As 6c Kh")
    assert net(odd) == {"bet": 751}
    for_player = play("bet 1 bet 501; no-more-bets; deal As 6c Kh", offering=offer(in_favour_of=InFavourOf.PLAYER))
    assert net(for_player) == {"bet": 752}


def test_15_20_a_house_may_open_fewer_seats() -> None:
    assert refused(play("", offering=offer(seats=5)), "bet 6 bet 500") == "no-such-seat"


def test_8_13_a_dealers_22_pushes_where_it_is_posted() -> None:
    then = "stand 1; reveal; deal Td 6c; settle"
    assert net(one("Tc 8d", "6h", then, "6D P22")) == {"bet": 0}
    assert net(one("Tc 8d", "6h", then, "6D")) == {"bet": 1000}
    assert net(one("Tc 8d", "6h", "stand 1; reveal; deal Td 7c; settle", "6D P22")) == {"bet": 1000}
    assert settlement(one("Tc 8d", "6h", then, "6D P22")).cites == "8.13"
    assert net(one("Tc Ad", "6h", "", "6D P22")) == {"bet": 1500}
    # A bust hand beside one that is left has lost.
    both = two("Tc 8d", "Tc 6d", "6h", "stand 1; hit 2; deal Tc; reveal; deal Td 6c; settle", "6D P22")
    assert (net(both, 1), net(both, 2)) == ({"bet": 0}, {"bet": -1000})
    doubled = one("6c 5d", "6h", "double 1; deal 9c; reveal; deal Td 6c; settle", "6D P22")
    assert net(doubled) == {"bet": 0}


def test_6_22_early_surrender_comes_before_insurance_and_the_check() -> None:
    asked = one("Ts 6h", "Ac", rules="6D ES")
    assert asked.what_is_next == "the table waits whether seat 1 surrenders early"
    assert refused(asked, "insure 1") == refused(asked, "surrender 1") == "out-of-turn"
    given_up = go_on(asked, "early-surrender 1")
    # Half is safe: it is settled before the hole card is known, and nobody offers insurance to an empty seat.
    assert (net(given_up), given_up.phase) == ({"bet": -500}, Phase.CHECKING)
    assert net(go_on(given_up, "peek yes; deal Kd; settle")) == {"bet": -500}
    kept = one("Ts 6h", "Tc", "no-surrender; peek no", "6D ES")
    assert refused(kept, "surrender 1") == "surrender-too-late"
    assert "surrender" in can(one("Ts 6h", "9c", rules="6D ES"))
    # A blackjack is not given up.
    assert one("As Kh", "Tc", rules="6D ES").phase is Phase.CHECKING


def test_6_22_without_a_hole_card_an_early_surrender_is_settled_at_once() -> None:
    round_ = one("Ts 6h", "Kc", "surrender 1", "6D ENHC ES")
    assert (net(round_), round_.phase) == ({"bet": -500}, Phase.SETTLING)


def test_8_14_a_blackjack_takes_original_bets_only() -> None:
    rules = "6D ENHC OBO"
    doubled = one("5s 6h", "Kc", "double 1; deal Tc; reveal; deal Ac; settle", rules)
    assert (net(doubled), settlement(doubled).cites) == ({"bet": -1000}, "8.14")
    split = one("8s 8h", "Kc", "split 1; deal Tc; stand 1; deal Td; stand 1; reveal; deal Ac; settle", rules)
    assert [s.net_cents for s in split.settlements] == [-1000, 0]
    # A hand that is bust waits for the second card, where a blackjack may come and something was added.
    bust = one("8s 4h", "Kc", "double 1; deal Tc", rules)
    assert (net(bust), bust.phase) == ({}, Phase.DEALER)
    assert net(go_on(bust, "reveal; deal Ac; settle")) == {"bet": -1000}
    assert net(go_on(bust, "reveal; deal 9c; settle")) == {"bet": -2000}
    assert net(one("8s 4h", "9c", "double 1; deal Tc", rules)) == {"bet": -2000}
    assert net(one("8s 4h", "Kc", "hit 1; deal Tc", rules)) == {"bet": -1000}


def test_15_23_early_surrender_by_its_word() -> None:
    against_an_ace = one("Ts 6h", "Ac", "no-insurance; peek no", "6D ES10")
    assert refused(against_an_ace, "surrender 1") == "no-surrender"
    assert "surrender" in can(one("Ts 6h", "Ac", "no-insurance; peek no", "6D ES10 LS"))
    assert one("Ts 6h", "Tc", rules="6D ES10").phase is Phase.SURRENDERING
    # Who has given up early is out: where nobody else is left, no Bet the Bust is asked for.
    alone = play(
        "bet 1 bet 1000; no-more-bets; deal Ts Tc 6h; early-surrender 1; peek no",
        offering=offer("6D ES", ["bet-the-bust"]),
    )
    assert (alone.phase, net(alone)) == (Phase.SETTLING, {"bet": -500})


def test_15_24_original_bets_only_goes_without_a_hole_card() -> None:
    with pytest.raises(NotationError, match="OBO needs ENHC"):
        offer("6D OBO")


def test_6_23_a_charlie_ends_and_is_paid_at_once() -> None:
    five = "hit 1; deal 2d; hit 1; deal 3c; hit 1; deal 2s"
    charlie = one("2s 2h", "9c", five, "6D CH5")
    assert (net(charlie), charlie.phase, totals(charlie)) == ({"bet": 1000}, Phase.SETTLING, [11])
    assert settlement(charlie).cites == "8.15"
    assert "hit" in can(one("2s 2h", "9c", five, "6D CH6"))
    assert net(one("6s 2h", "9c", "hit 1; deal 2d; hit 1; deal 3c; hit 1; deal Ts", "6D CH5")) == {"bet": -1000}


def test_8_15_only_a_blackjack_beats_a_charlie() -> None:
    waits = one("2s 2h", "Kc", "hit 1; deal 2d; hit 1; deal 3c; hit 1; deal 2s", "6D ENHC CH5")
    assert (net(waits), waits.phase) == ({}, Phase.DEALER)
    assert net(go_on(waits, "reveal; deal Ac; settle")) == {"bet": -1000}
    assert net(go_on(waits, "reveal; deal Kd; settle")) == {"bet": 1000}


def test_15_25_a_charlie_by_its_word() -> None:
    # Nobody is left for Bet the Bust, and it pushes.
    five = "bust-bet 1 500; hit 1; deal 2d; hit 1; deal 3c; hit 1; deal 2s; settle"
    offering = offer("6D CH5", ["bet-the-bust"])
    charlie = play(f"bet 1 bet 1000; no-more-bets; deal 2s 9c 2h; {five}", offering=offering)
    assert net(charlie) == {"bet": 1000, "bet-the-bust": 0}


def test_6_24_and_15_26_any_number_of_cards_is_doubled() -> None:
    three = one("2s 3h", "9c", "hit 1; deal 6d", "6D DAC")
    assert "double" in can(three)
    assert net(go_on(three, "double 1; deal Tc; reveal; deal Tc; settle")) == {"bet": 2000}
    assert refused(one("2s 3h", "9c", "hit 1; deal 6d"), "double 1") == "not-two-cards"
    assert refused(one("2s 3h", "9c", "hit 1; deal 8d", "6D D9 DAC"), "double 1") == "no-double-on-this"


def test_6_25_a_doubled_hand_is_surrendered_for_half() -> None:
    doubled = one("5s 6h", "9c", "double 1; deal 2d", "6D SAD")
    assert can(doubled) == {"stand", "surrender"}
    assert refused(doubled, "hit 1") == refused(doubled, "double 1") == "doubled-already"
    given_up = go_on(doubled, "surrender 1")
    assert (net(given_up), given_up.phase) == ({"bet": -1000}, Phase.SETTLING)
    assert (settlement(given_up).staked_cents, settlement(given_up).cites) == (2000, "8.10")
    assert net(go_on(doubled, "stand 1; reveal; deal 8c; settle")) == {"bet": -2000}


def test_6_25_a_bust_and_a_21_are_over_and_a_split_hand_may_be_surrendered() -> None:
    assert net(one("5s 7h", "9c", "double 1; deal Tc", "6D SAD")) == {"bet": -2000}
    assert one("5s 6h", "9c", "double 1; deal Tc", "6D SAD").phase is Phase.DEALER
    split = one("8s 8h", "9c", "split 1; deal 3c; double 1; deal 2c", "6D SAD")
    assert can(split) == {"stand", "surrender"}
    rest = go_on(split, "surrender 1; deal Tc; stand 1; reveal; deal 8c; settle")
    assert [each.net_cents for each in rest.settlements] == [-1000, 1000]


def test_15_27_surrender_after_a_double_by_its_word() -> None:
    assert one("5s 6h", "9c", "double 1; deal 2d", "6D LS").phase is Phase.DEALER
    assert refused(one("5s 6h", "9c", rules="6D SAD"), "surrender 1") == "no-surrender"
    with pytest.raises(NotationError, match="SAD needs PEEK"):
        offer("6D ENHC SAD")


def test_6_26_and_15_28_a_hand_in_play_is_surrendered_after_hits_and_splits() -> None:
    rules = "6D LS SAT"
    assert net(one("Ts 2h", "9c", "hit 1; deal 3d; surrender 1", rules)) == {"bet": -500}
    split = one("8s 8h", "9c", "split 1; deal 6c; surrender 1; deal Td; stand 1; reveal; deal Tc; settle", rules)
    assert [each.net_cents for each in split.settlements] == [-500, -1000]
    assert refused(one("Ts 2h", "9c", "hit 1; deal 3d", "6D LS"), "surrender 1") == "surrender-too-late"


OF_FIVE_CARDS = "hit 1; deal 3d; hit 1; deal 4c; hit 1; deal Ts"


def test_6_27_a_21_of_five_cards_ends_at_once() -> None:
    won = one("2s 2h", "9c", OF_FIVE_CARDS, "6D B21")
    assert (net(won), settlement(won).cites) == ({"bet": 2000}, "8.18")
    assert net(one("2s 2h", "9c", OF_FIVE_CARDS, "6D")) == {}


def test_8_18_only_a_blackjack_beats_it() -> None:
    waits = one("2s 2h", "Kc", OF_FIVE_CARDS, "6D ENHC B21")
    assert (net(waits), waits.phase) == ({}, Phase.DEALER)
    assert net(go_on(waits, "reveal; deal Ac; settle")) == {"bet": -1000}
    assert net(go_on(waits, "reveal; deal Kd; settle")) == {"bet": 2000}


def test_8_16_and_15_31_a_blackjack_beats_a_dealers_blackjack() -> None:
    won = one("As Kh", "Ac", "reveal; deal Kc; settle", "6D NOINS BJW ENHC")
    assert net(won) == {"bet": 1500}
    assert net(one("As Kh", "Ac", "reveal; deal Kc; settle", "6D NOINS ENHC")) == {"bet": 0}


def test_8_17_and_15_32_a_blackjack_in_diamonds_pays_two_to_one() -> None:
    won = one("Ad Kd", "9c", "", "6D DBJ")
    assert (net(won), settlement(won).cites) == ({"bet": 2000}, "8.17")
    assert net(one("Ad Kh", "9c", "", "6D DBJ")) == {"bet": 1500}
