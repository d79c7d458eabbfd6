"""What decisions are worth in the middle of a split, where the cards of the other hands are in sight."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.analysis.analyst import hints_for
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import Resplit, solve
from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.games.blackjack.decisions import decisions
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import find_any_game
from croupier.games.table.history import parse_act
from tests.games.blackjack.support import offer_blackjack

TABLE = "6D S17 DAS SP4 3:2"


def hint_after(*acts: str, rules: str = TABLE) -> dict[str, Any]:
    """Seat 1 has two eights against a six; an eight, a three and a nine come next."""
    cards = parse_cards("2c 8h 6d 8s Kh 8d 3c 9c 5h", decks=6)
    round_: Any = offer_blackjack(rules).open(Shoe.stacked(cards, decks=6, chance="x"))
    for act in ("bet 1 bet 500", "no-more-bets", *acts):
        round_ = round_.do(parse_act(act, round_.known_acts))
    return hints_for(round_)


def values_of(hint: dict[str, Any]) -> dict[str, float]:
    [seat] = hint["seats"]
    return {each["act"]: each["value"] for each in seat["decisions"]}


def test_a_pair_that_comes_again_is_worth_what_splitting_it_does_to_the_hand_that_waits() -> None:
    hint = hint_after("split 1")
    solution = solve(Rules.parse(TABLE), Composition.full(6).without("8"))
    expected = {f"{act} 1": worth for act, worth in solution.hand_values("8 8", "6").items()}
    expected["split 1"] = Resplit(solution, pair=8, up=6, hands=2, waiting=1).value
    assert values_of(hint) == pytest.approx(expected)
    assert hint["seats"][0]["hand"] == 1
    assert "by its own cards" in hint["given"]


def test_a_hand_of_a_split_knows_the_cards_of_the_others() -> None:
    """The first of three hands has received a three: the other two lie there with an eight each."""
    hint = hint_after("split 1", "split 1")
    values = solve(Rules.parse(TABLE), Composition.full(6).without("8 8")).hand_values("8 3", "6")
    assert values_of(hint) == pytest.approx({f"{act} 1": worth for act, worth in values.items()})
    [seat] = hint["seats"]
    assert seat["decisions"][0]["act"] == "double 1"
    assert seat["decisions"][0]["cost"] == 0


def test_what_is_not_allowed_after_a_split_has_no_value() -> None:
    assert set(values_of(hint_after("split 1", "split 1", rules="6D NDAS SP3 LS 3:2"))) == {"hit 1", "stand 1"}


def test_a_doubled_hand_stands_or_is_given_up() -> None:
    """The eights are split, the second hand has 8 and 3, is doubled, and comes to 20."""
    hint = hint_after("split 1", "split 1", "double 1", rules="6D S17 DAS SP4 SAD 3:2")
    stands = solve(Rules.parse("6D SAD"), Composition.full(6).without("8 8")).hand_values("8 3 9", "6")
    assert values_of(hint) == pytest.approx({"stand 1": next(iter(stands.values())), "surrender 1": -0.5})
    assert hint["seats"][0]["decisions"][0]["act"] == "stand 1"


@pytest.mark.parametrize(
    ("title", "first"),
    [
        ("blackjack", "8h 6d 8s Kh 8d 3c 9c"),
        ("free-bet-blackjack", "8h 6d 8s Kh 8d 3c 9c"),
        ("zappit-blackjack", "8h 6d 8s Kh 8d 3c 9c"),
        ("blackjack-switch", "8h 9h 6d 8s 9s Kh 8d 3c 9c"),
        ("super-fun-21", "8h 6d 8s Kh 8d 3c 9c"),
    ],
)
def test_every_decision_after_a_split_is_rated(title: str, first: str) -> None:
    """Two eights, a third one, a three for a double, and what is left once it is doubled: all that is allowed, and
    nothing else."""
    offering = find_any_game(title).offer()
    decks = offering.game.decks
    round_: Any = offering.open(Shoe.stacked(parse_cards(f"2c {first}", decks=decks), decks=decks, chance="x"))
    for act in ("bet 1 bet 500", "no-more-bets", "no-switch", "split 1", "split 1", "double 1"):
        if act != "no-switch" or title == "blackjack-switch":
            round_ = round_.do(round_.parse(act))
        if round_.turn and round_.seats[1].hands[round_.turn.hand].from_split:
            assert set(values_of(hints_for(round_))) == set(map(str, decisions(round_)))
