"""What no engine can see a dealer do is asked where the round has a reason for it, and answered by the rulebook."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from croupier.games.blackjack.round import BlackjackRound
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import paragraphs
from croupier.games.table.questions import Kind
from croupier.training.lesson import Lesson, Step, exchange_steps, make_lesson

SPOKEN = (Kind.CALL, Kind.HANDLE, Kind.IRREGULAR)
LESSONS = 60
MET = {
    "triple-shot-rummy": {"3.2", "3.6", "4.4", "8.1", "8.6", "9.1", "9.3", "11.8"},
    "three-card-baccarat": {"3.6", "9.1"},
    "supreme-99": {"3.8", "3.9", "9.1"},
    "blackjack": {"1.13", "10.7", "11.18", "13.1"},
    "three-card-poker": {"10.1"},
    "casino-war": {"9.1"},
    "mississippi-stud": {"7.1"},
    "let-it-ride": {"8.1"},
    "caribbean-stud": {"7.1"},
    "free-bet-blackjack": {"1.13", "11.18", "13.1", "20.6"},
    "zappit-blackjack": {"1.13", "11.18", "13.1"},
    "blackjack-switch": {"13.1"},
    "super-fun-21": {"13.1"},
}


@cache
def lessons(game: str) -> tuple[Lesson, ...]:
    return tuple(make_lesson(game, f"seed-{n}", 1 + n % 5, handling=True) for n in range(LESSONS))


def right(step: Step) -> str:
    [label] = [each.label for each in step.choices if step.is_right(each.value)]
    return label


def asked(lesson: Lesson) -> list[Step]:
    return [step for step in lesson.steps if step.kind in SPOKEN]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_what_hands_do_is_asked_where_the_round_has_it(game: str) -> None:
    numbers = {each.number for each in paragraphs(game)}
    for lesson in lessons(game):
        assert [step.at for step in lesson.steps] == sorted(step.at for step in lesson.steps)
        for step in asked(lesson):
            values = [each.value for each in step.choices]
            assert step.paragraph in numbers
            assert set(step.answers) < set(values)
            assert len({each.key for each in step.choices}) == len(values) == len(set(values)) > 1
        assert max(Counter(step.ask for step in asked(lesson)).values()) == 1
    assert {step.paragraph for lesson in lessons(game) for step in asked(lesson)} == MET[game]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_without_it_a_lesson_is_as_it_was(game: str) -> None:
    for lesson in lessons(game)[:10]:
        plain = make_lesson(game, lesson.seed, lesson.seats)
        assert list(plain.steps) == [step for step in lesson.steps if step.kind not in SPOKEN]


def test_the_call_names_the_positions_without_a_bonus_wager() -> None:
    named = set()
    for lesson in lessons("triple-shot-rummy"):
        [call] = [step for step in lesson.steps if step.kind is Kind.CALL]
        table = lesson.felts[call.at]
        assert right(call) == table.events[-1].text
        without = [str(n) for n, seat in table.seats.items() if "pair-plus" not in seat.wagers]
        words = f"No Pair Plus: position{'s' if len(without) > 1 else ''} {', '.join(without)}."
        assert (words in right(call)) == bool(without)
        named.add(bool(without))
    assert named == {True, False}


def test_the_exchange_of_a_shuffler_is_asked_step_by_step() -> None:
    steps = exchange_steps(ALL_GAMES["triple-shot-rummy"])
    assert [each.split()[0] for each in steps] == ["Switch", "Pull", "Put", "Plug", "Switch", "Call", "Go"]
    met = set()
    for lesson in lessons("triple-shot-rummy"):
        [step] = [each for each in asked(lesson) if each.paragraph == "9.3"]
        place = steps.index(right(step))
        assert step.ask.endswith(f"{steps[place - 1].lower()}. What comes next?" if place else "What comes first?")
        met.add(place)
    assert met == set(range(len(steps)))


@pytest.mark.parametrize(
    ("game", "words"),
    [("three-card-baccarat", "Three Card Baccarat or Three Card Poker"), ("supreme-99", "Supreme 99")],
)
def test_the_mode_of_the_shuffler_is_asked(game: str, words: str) -> None:
    for lesson in lessons(game):
        [step] = [each for each in asked(lesson) if "shuffler" in each.ask]
        assert words in right(step)


def test_cards_of_a_folded_seat_lie_where_its_wagers_are() -> None:
    met = set()
    for lesson in lessons("triple-shot-rummy"):
        for step in asked(lesson):
            if step.paragraph in ("4.4", "8.1"):
                assert step.seat is not None
                wagers = lesson.felts[step.at - 1].seats[step.seat].wagers
                tucked = right(step) == "Tuck them under its bonus wagers"
                assert tucked == bool(wagers.keys() & {"pair-plus", "6-card-bonus"})
                met.add(tucked)
    assert met == {True, False}


def test_progressive_chips_stay_for_trilux_and_go_for_blazing_7s() -> None:
    met = set()
    for lesson in lessons("blackjack"):
        assert isinstance(lesson.round, BlackjackRound)
        for step in asked(lesson):
            if step.paragraph == "1.13":
                stays = right(step).startswith("Leave them")
                assert stays == ("TriLux" in step.ask)
                met.add(stays)
    assert met == {True, False}
