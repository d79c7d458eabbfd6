"""Drills ask single questions of lessons: each is the lesson's own, of the kind or the wager that was asked for."""

from __future__ import annotations

import pytest

from croupier.errors import NotationError, Refusal, UnknownName
from croupier.games.catalogue import ALL_GAMES
from croupier.games.table.questions import Kind
from croupier.training.drill import Allowance, Item, ask_again, drills_of, make_drill
from croupier.training.lesson import make_lesson
from croupier.training.table import LessonHouse


@pytest.mark.parametrize(
    ("game", "drill", "kinds"),
    [
        ("three-card-baccarat", "payments", {Kind.PAY}),
        ("three-card-baccarat", "commission", {Kind.COMMISSION}),
        ("three-card-baccarat", "order", {Kind.ORDER, Kind.NEXT, Kind.WHOM}),
        ("triple-shot-rummy", "irregular", {Kind.CALL, Kind.HANDLE, Kind.IRREGULAR}),
    ],
)
def test_a_drill_asks_questions_of_its_kind(game: str, drill: str, kinds: set[Kind]) -> None:
    drilled = make_drill(game, drill, "d", 10)
    asked = [each.lesson.steps[place] for each in drilled for place in each.steps]
    assert len(asked) == 10
    assert {step.kind for step in asked} <= kinds
    assert len({each.lesson.seed for each in drilled}) > 2
    assert [each.steps for each in make_drill(game, drill, "d", 10)] == [each.steps for each in drilled]


def test_bet_the_bust_is_drilled_by_its_wager() -> None:
    for each in make_drill("blackjack", "bet-the-bust", "d", 6):
        for place in each.steps:
            step = each.lesson.steps[place]
            assert step.spot == "bet-the-bust" or step.answers[0].split()[1] == "bet-the-bust"


def test_commission_is_drilled_where_there_is_one() -> None:
    assert "commission" in drills_of(ALL_GAMES["three-card-baccarat"])
    assert "commission" not in drills_of(ALL_GAMES["casino-war"])
    with pytest.raises(UnknownName, match="payments"):
        make_drill("casino-war", "commission", "d")


def test_the_very_questions_are_asked_again_and_one_that_is_not_there_is_refused() -> None:
    lesson = make_lesson("casino-war", "own", 2, handling=True)
    [again] = ask_again("casino-war", [Item("own", 2, 3), Item("own", 2, 1)])
    assert [again.lesson.steps[place] for place in again.steps] == [lesson.steps[1], lesson.steps[3]]
    with pytest.raises(NotationError, match="no number 1000"):
        ask_again("casino-war", [Item("own", 2, 999)])


def test_rules_and_paytables_are_chosen_for_the_table() -> None:
    posted = ALL_GAMES["triple-shot-rummy"].wager("pair-plus").paytables
    chosen = make_lesson("triple-shot-rummy", "a", 2, house=LessonHouse(paytables=(("pair-plus", "3"),)))
    assert chosen.round.offering.paytable("pair-plus") == posted["3"] != posted["1"]
    assert make_lesson("blackjack", "a", 2, house=LessonHouse("1D H17 6:5")).round.offering.placard.startswith("1D H17")
    with pytest.raises(UnknownName, match="'99'"):
        make_lesson("triple-shot-rummy", "a", 2, house=LessonHouse(paytables=(("pair-plus", "99"),)))
    with pytest.raises(NotationError, match="takes no rules"):
        make_lesson("casino-war", "a", 2, house=LessonHouse("6D"))


def test_a_drill_makes_no_more_rounds_than_are_allowed_and_each_is_charged_before() -> None:
    charged: list[None] = []
    made = make_drill("casino-war", "payments", "d", 40, allowance=Allowance(4, 9, lambda: charged.append(None)))
    assert len(charged) == 4
    assert {each.lesson.seed for each in made} <= {f"d-{number}" for number in range(4)}
    charged.clear()
    one = Allowance(1, 1, lambda: charged.append(None))
    ask_again("casino-war", [Item("own", 2, 1), Item("own", 2, 3)], allowance=one)
    assert len(charged) == 1


def test_more_rounds_are_looked_through_where_none_has_a_question_yet_and_a_drill_without_one_is_refused() -> None:
    """Trilux is made in few rounds."""
    drilled = make_drill("zappit-blackjack", "trilux", "d", 4)
    first = int(drilled[0].lesson.seed.removeprefix("d-"))
    assert first > 1
    [found] = make_drill("zappit-blackjack", "trilux", "d", 4, allowance=Allowance(1, first + 1))
    assert (found.lesson.seed, found.steps) == (drilled[0].lesson.seed, drilled[0].steps)
    with pytest.raises(Refusal, match=r"^No question of the drill TriLux Blackjack Progressive .* with the seed d: "):
        make_drill("zappit-blackjack", "trilux", "d", 4, allowance=Allowance(1, first))
