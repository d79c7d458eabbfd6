"""The live round of a script: anybody can play it, all chips are settled, and bad acts change nothing."""

from __future__ import annotations

import random

import pytest

from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.errors import Refusal
from croupier.games.script.language import DOWN
from croupier.games.script.round import ScriptRound
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.legal import legal_acts
from tests.games.script.support import KEYS, game, go_on, opened, say


@pytest.mark.parametrize("name", KEYS)
def test_random_legal_acts_end_every_round_with_all_chips_settled(name: str) -> None:
    title, chance = game(name), random.Random(name)
    for number in range(40):
        round_: History = title.offer().open(Shoe.fresh(title.decks, f"{name} {number}"))
        while not round_.is_over:
            acts = [each for each in legal_acts(round_) if each.act.name not in ("void", "take-back")]
            crowded = len(round_.seats) > 2
            acts = [each for each in acts if not (crowded and each.act.name == "bet" and each.seat not in round_.seats)]
            before, chosen = round_.staked_cents, chance.choice(acts)
            round_ = round_.do(chosen.act)
            if chosen.seat is not None:
                assert round_.staked_cents - before == chosen.cost_cents
            assert isinstance(round_, ScriptRound)
            for seat in round_.seats:
                assert not any(place.endswith(DOWN) for place in round_.seen(seat).cards)
        assert round_.staked_cents == sum(each.staked_cents for each in round_.settlements)
        assert all(each.cites for each in round_.settlements)
        for event in round_.events:
            assert round_.paragraph(event) or event.kind in ("open", "bet")


@pytest.mark.parametrize("name", KEYS)
def test_acts_are_read_back_from_their_words_and_replayed(name: str) -> None:
    title = game(name)
    shoe = Shoe.fresh(title.decks, 3)
    round_: History = title.offer().open(shoe)
    round_ = round_.do(Bet(2, title.base.spots[0].key, 500))
    round_ = round_.do(round_.no_more_bets)
    while not round_.is_over:
        round_ = go_on(round_)
        if round_.waits_for:
            round_ = round_.do(legal_acts(round_)[-2].act)
    again: History = title.offer().open(shoe)
    for act in round_.acts:
        assert again.parse(str(act)) == act
        again = again.do(again.parse(str(act)))
    assert again.settlements == round_.settlements
    assert again.events == round_.events


def test_a_fold_is_collected_when_every_seat_has_chosen() -> None:
    round_ = go_on(opened("mississippi_stud", "2h 7c Ah Ad", seats=2))
    round_ = say(round_, "decide 1 fold")
    assert not round_.settlements
    round_ = say(round_, "decide 2 3x")
    assert [(each.seat, each.spot, each.kept_cents, each.cites) for each in round_.settlements] == [
        (1, "ante", 600, "4.5")
    ]
    assert round_.waits_for == (2,)
    assert len(round_.board.cards) == 1  # type: ignore[union-attr]
    assert round_.board.face_down == 2  # type: ignore[union-attr]


def test_streets_are_paid_together() -> None:
    round_ = go_on(opened("mississippi_stud", "Ah Ad 2c 9d Kh"))
    round_ = say(round_, "decide 1 3x", "decide 1 2x", "decide 1 1x")
    assert round_.is_over
    assert round_.result_cents(1) == 600 * 7
    assert {each.spot: each.staked_cents for each in round_.settlements} == {
        "ante": 600,
        "3rd-street": 1800,
        "4th-street": 1200,
        "5th-street": 600,
    }


def test_one_bet_lays_three_and_two_are_taken_back() -> None:
    round_ = opened("let_it_ride", "2h 7c 9d Th Tc")
    assert round_.staked_cents == 1800
    round_ = say(go_on(round_), "decide 1 take back", "decide 1 take back")
    assert round_.staked_cents == 600
    assert round_.result_cents(1) == 600


def test_an_ante_bonus_has_no_chips_of_its_own() -> None:
    round_ = say(go_on(opened("three_card_poker", "4h 5c 6d Qh Qc Qd")), "decide 1 play")
    paid = {each.spot: (each.staked_cents, each.returned_cents) for each in round_.settlements}
    assert paid == {"ante": (600, 0), "play": (600, 0), "ante-bonus": (0, 600)}
    assert round_.staked_cents == 1200
    assert "pays 1 to 1, $6.00" in round_.events[-1].text
    assert "$0.00" not in round_.events[-1].text


def test_an_ante_bonus_is_not_paid_on_a_fold() -> None:
    round_ = say(go_on(opened("three_card_poker", "4h 5c 6d Qh Qc Qd")), "decide 1 fold")
    assert [each.spot for each in round_.settlements] == ["ante"]


def test_bonus_wagers_of_a_folded_seat_see_the_dealers_cards() -> None:
    title = game("three_card_poker")
    round_: History = title.offer().open(Shoe.stacked(parse_cards("4h 7c 9d Qh Qc Qd"), chance=7))
    for spot in ("ante", "6-card-bonus"):
        round_ = round_.do(Bet(1, spot, 600))
    round_ = say(go_on(round_.do(round_.no_more_bets)), "decide 1 fold")
    assert round_.dealers_hand.cards == parse_cards("Qh Qc Qd")
    assert round_.result_cents(1) == -600 + 5 * 600


def test_war_is_asked_of_those_who_tie_alone() -> None:
    round_ = go_on(opened("casino_war", "9h Kc Kd 2c 3c 4c Kh 2h", seats=2))
    assert round_.waits_for == (2,)
    round_ = say(round_, "decide 2 war")
    assert round_.is_over
    assert [round_.result_cents(seat) for seat in (1, 2)] == [-600, 600]
    assert [str(card) for card in round_.hands(2)[0].cards] == ["Kc", "Kh"]


def test_surrender_gives_half_back() -> None:
    round_ = say(go_on(opened("casino_war", "Kc Kd")), "decide 1 surrender")
    assert round_.result_cents(1) == -300


def test_a_void_round_returns_every_chip() -> None:
    round_ = say(go_on(opened("mississippi_stud", "2h 7c Ah Ad", seats=2)), "decide 1 fold", "decide 2 3x")
    round_ = round_.do(round_.parse("void a card was exposed"))
    assert [round_.result_cents(seat) for seat in (1, 2)] == [0, 0]
    assert round_.is_over


def test_cards_that_lie_face_down_are_entered_when_they_are_turned() -> None:
    title = game("mississippi_stud")
    round_: History = title.offer().open()
    round_ = round_.do(Bet(1, "ante", 500))
    round_ = round_.do(round_.no_more_bets)
    [needed] = [each for each in legal_acts(round_) if each.act.name == "deal"]
    assert needed.needs == "the 2 cards of seat 1, as 'deal Qh 6c'"
    round_ = round_.do(round_.parse("deal Ah Ad"))
    round_ = round_.do(round_.parse("decide 1 3x"))
    [needed] = [each for each in legal_acts(round_) if each.act.name == "deal"]
    assert needed.needs == "the card of the board, as 'deal Qh 6c'"
    round_ = round_.do(round_.parse("deal 9c"))
    assert round_.waits_for == (1,)
    again = round_.why_not(round_.parse("deal 9c"))
    assert again is not None
    assert again.code == "out-of-turn"


def test_a_wrong_number_of_cards_voids_the_round() -> None:
    title = game("mississippi_stud")
    round_: History = title.offer().open()
    round_ = round_.do(Bet(1, "ante", 500))
    round_ = round_.do(round_.no_more_bets).do(round_.parse("deal Ah Ad Ac"))
    assert round_.is_over
    assert round_.result_cents(1) == 0


REFUSED = (
    ("decide 1 4x", "unknown-decision", "'4x' is no decision: say 'fold', '1x', '2x' or '3x'."),
    ("decide 1 2x with 500", "unequal-wager", "must be $12.00, not $5.00"),
    ("decide 1 fold with 500", "no-wager-here", "No wager goes with 'fold'."),
    ("decide 2 fold", "nothing-to-decide", "Seat 2 has nothing to decide."),
    ("deal Qh", "out-of-turn", "waiting for the decision of seat 1"),
    ("settle", "out-of-turn", "waiting for the decision of seat 1"),
    ("reveal", "out-of-turn", "waiting for the decision of seat 1"),
    ("bet 1 ante 500", "out-of-turn", "waiting for the decision of seat 1"),
)


@pytest.mark.parametrize(("act", "code", "sentence"), REFUSED)
def test_a_refused_act_says_why_and_changes_nothing(act: str, code: str, sentence: str) -> None:
    round_ = go_on(opened("mississippi_stud", "2h 7c"))
    with pytest.raises(Refusal) as refused:
        round_.do(round_.parse(act))
    assert refused.value.code == code
    assert sentence in str(refused.value)


def test_a_mandatory_wager_is_asked_for() -> None:
    round_: History = game("let_it_ride").offer().open()
    round_ = round_.do(Bet(1, "3-card-bonus", 500))
    refusal = round_.why_not(round_.no_more_bets)
    assert refusal is not None
    assert refusal.code == "mandatory-wager"


def test_bets_that_lie_together_are_taken_back_together() -> None:
    round_: History = game("let_it_ride").offer().open()
    round_ = round_.do(Bet(1, "bet-3", 500))
    assert round_.events[-1].text == "Seat 1: $5.00 on each of Bet 1, Bet 2, Bet 3."
    assert round_.do(round_.parse("take-back 1 bet-3")).seats == {}


def test_possible_raises_are_what_the_choices_may_still_cost() -> None:
    round_ = go_on(opened("mississippi_stud", "2h 7c"))
    assert round_.possible_raises_cents == 9 * 600
    assert say(round_, "decide 1 1x").possible_raises_cents == 6 * 600
    assert say(round_, "decide 1 fold").possible_raises_cents == 0
    assert go_on(opened("let_it_ride", "2h 7c 9d")).possible_raises_cents == 0


def test_hands_are_said_in_words_once_they_are_whole() -> None:
    round_ = go_on(opened("mississippi_stud", "Ah Ad 2c 9d Kh"))
    assert round_.hands(1)[0].words == ""
    round_ = say(round_, "decide 1 1x", "decide 1 1x", "decide 1 1x")
    assert round_.hands(1)[0].words == "a pair of aces"
    round_ = say(go_on(opened("three_card_poker", "4h 5c 6d Qh 8c 2d")), "decide 1 play")
    assert (round_.hands(1)[0].words, round_.dealers_hand.words) == ("straight", "Q-8-2 high, qualifies")
