"""A dealer's lesson asks what the engine did: every answer is held against the round's own events and settlements.

Which paragraph explains which mistake is in `paragraphs.txt`, a line for each question that differs, to be read beside
the rulebooks; `python -m tests.training.test_lessons` writes it anew.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from croupier.analysis.blackjack.basic import basic_strategy
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.shapes.blackjack import BASIC_STRATEGY
from croupier.cards.card import parse_cards
from croupier.errors import NotationError
from croupier.games.blackjack.game import TAUGHT_RULES as RULES
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import ALL_GAMES
from croupier.games.paytable import Kind as PayKind
from croupier.games.rulebook import paragraphs
from croupier.games.table.history import DEALER, History
from croupier.games.table.questions import Kind
from croupier.games.table.settlement import Settlement
from croupier.games.titles.triple_shot_rummy import counted_by
from croupier.training.lesson import Lesson, Step, grade, make_lesson
from croupier.training.table import SEED, play_round

LESSONS = 200
ASKED = {
    "triple-shot-rummy": {Kind.WHOM, Kind.COUNT, Kind.QUALIFY, Kind.RESULT, Kind.BONUS},
    "three-card-baccarat": {Kind.WHOM, Kind.COUNT, Kind.RESULT, Kind.BONUS, Kind.COMMISSION},
    "supreme-99": {Kind.WHOM, Kind.SET, Kind.RESULT, Kind.BONUS},
    "blackjack": {Kind.WHOM, Kind.TURN, Kind.HAND, Kind.CHECK, Kind.DRAW, Kind.INSURE, Kind.RESULT, Kind.BONUS},
    "three-card-poker": {Kind.WHOM, Kind.QUALIFY, Kind.RESULT, Kind.BONUS},
    "casino-war": {Kind.WHOM, Kind.RESULT},
    "mississippi-stud": {Kind.WHOM, Kind.RESULT, Kind.BONUS},
    "let-it-ride": {Kind.WHOM, Kind.RESULT, Kind.BONUS},
    "caribbean-stud": {Kind.WHOM, Kind.QUALIFY, Kind.RESULT},
    "free-bet-blackjack": {
        *(Kind.WHOM, Kind.TURN, Kind.HAND, Kind.CHECK, Kind.DRAW, Kind.INSURE, Kind.RESULT, Kind.BONUS)
    },
    "zappit-blackjack": {
        *(Kind.WHOM, Kind.TURN, Kind.HAND, Kind.CHECK, Kind.DRAW, Kind.INSURE, Kind.RESULT, Kind.BONUS)
    },
    "blackjack-switch": {
        *(Kind.WHOM, Kind.TURN, Kind.HAND, Kind.CHECK, Kind.DRAW, Kind.INSURE, Kind.RESULT, Kind.BONUS)
    },
    "super-fun-21": {*(Kind.WHOM, Kind.TURN, Kind.HAND, Kind.CHECK, Kind.DRAW, Kind.INSURE, Kind.RESULT, Kind.BONUS)},
}
EVERYWHERE = {Kind.NEXT, Kind.ORDER, Kind.PAY}
PARAGRAPHS = Path(__file__).parent / "paragraphs.txt"
OF_A_WAGER = (Kind.RESULT, Kind.BONUS, Kind.PAY, Kind.COMMISSION)
TELLING = (Kind.NEXT, Kind.RESULT, Kind.HAND, Kind.DRAW, Kind.QUALIFY, Kind.CHECK)
"""Kinds of questions whose answer says which paragraph it is."""


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_answer_is_what_the_engine_did(game: str) -> None:
    met: set[Kind] = set()
    cited: set[str] = set()
    for lesson in lessons(game):
        met |= {step.kind for step in lesson.steps}
        cited |= {cited_for(lesson, step) for step in lesson.steps}
        assert_well_formed(lesson)
        assert_settled(lesson)
        for step in lesson.steps:
            assert_as_dealt(lesson, step)
        if isinstance(lesson.round, BlackjackRound):
            assert_dealer_plays(lesson, lesson.round)
        else:
            assert_dealers_cards(lesson)
    assert met == ASKED[game] | EVERYWHERE
    kept = PARAGRAPHS.read_text(encoding="utf-8").splitlines()
    assert sorted(cited) == [line for line in kept if line.startswith(f"{game}:")]


def lessons(game: str) -> Iterator[Lesson]:
    for number in range(LESSONS):
        yield make_lesson(game, f"seed-{number}", 1 + number % 5)


def cited_for(lesson: Lesson, step: Step) -> str:
    """`blackjack: result of Bet, push (Push, N all) -> 8.4 A hand with the same total ...`"""
    game, answer = lesson.round.offering.game.key, step.answers[0]
    about = f" of {answer.split()[1]}" if step.kind is Kind.ORDER else ""
    if step.kind in OF_A_WAGER:
        settled = lesson.felts[step.at].settlements[-1]
        about = f" of {step.ask.split(', ')[1].split(':')[0]} ({re.sub('[0-9]+', 'N', settled.line)})"
    if step.kind is Kind.WHOM:
        about = " to the dealer" if answer in ("0", "down") else " to a seat"
    told = f", {answer}" if step.kind in TELLING else ""
    return f"{game}: {step.kind.value}{about}{told} -> {step.paragraph} {texts_of(game)[step.paragraph][:70]}"


@cache
def texts_of(game: str) -> dict[str, str]:
    return {each.number: each.text for each in paragraphs(game)}


def assert_well_formed(lesson: Lesson) -> None:
    assert [step.at for step in lesson.steps] == sorted(step.at for step in lesson.steps)
    for step in lesson.steps:
        assert step.paragraph in texts_of(lesson.round.offering.game.key)
        assert bool(step.choices) != bool(step.typed)
        if step.typed:
            assert step.answers[0].isdigit()
            continue
        values, keys = {each.value for each in step.choices}, {each.key for each in step.choices}
        assert set(step.answers) <= values
        assert len(values) == len(keys) == len(step.choices) > 1


def assert_settled(lesson: Lesson) -> None:
    """Every wager is asked about, in the engine's order, with what the engine paid."""
    steps: dict[int, dict[Kind, Step]] = {}
    for step in lesson.steps:
        steps.setdefault(step.at, {})[step.kind] = step
    settled = iter(lesson.round.settlements)
    for at, event in enumerate(lesson.round.events):
        if event.kind in ("settle", "award"):
            assert_as_settled(steps[at], next(settled))
    assert next(settled, None) is None


def assert_as_settled(asked: dict[Kind, Step], settled: Settlement) -> None:
    net, pay = settled.returned_cents - settled.staked_cents, settled.pay
    if Kind.HAND in asked:
        bust = asked[Kind.HAND].answers == ("bust",)
        assert bust == (net == -settled.staked_cents)
        if bust:
            return
        assert asked[Kind.HAND].answers == ("wins",)
    if Kind.ORDER in asked:
        assert asked[Kind.ORDER].answers[0].split()[:2] == [str(settled.seat), settled.spot]
    if Kind.RESULT in asked:
        half = pay.kind is PayKind.FOR
        net -= settled.free_cents * (pay.kind is PayKind.LOSE)  # a free chip that loses costs nothing, and has lost
        assert asked[Kind.RESULT].answers == ("half" if half else "win" if net > 0 else "lose" if net else "push",)
    else:
        assert asked[Kind.BONUS].answers == ("lose" if pay.kind is PayKind.LOSE else settled.line,)
    pays = pay.kind in (PayKind.TO, PayKind.FOR)
    assert (Kind.PAY in asked) == pays
    if pays:
        assert_worked_out(asked[Kind.PAY], settled)
        assert int(asked[Kind.PAY].answers[0]) == (net if pay.kind is PayKind.TO else settled.returned_cents)
    assert (Kind.COMMISSION in asked) == bool(settled.commission_cents)
    if settled.commission_cents:
        assert asked[Kind.COMMISSION].answers == (str(settled.commission_cents),)


def assert_worked_out(step: Step, settled: Settlement) -> None:
    """What is said to whoever paid wrongly comes to what is paid, by the words of the sentence itself."""
    assert (step.seat, step.spot) == (settled.seat, settled.spot)
    said = [int(Decimal(each.replace(",", "")) * 100) for each in re.findall(r"\$([\d,]+(?:\.\d\d)?)", step.sum)]
    assert said[-1] == int(step.answers[0])
    odds = re.search(r" at ([\d,]+) (?:to|for) (\d+) is ", step.sum)
    win = said[0] * Fraction(int(odds[1].replace(",", "")), int(odds[2])) if odds else Fraction(said[0], 2)
    assert win == said[1]
    assert said[1] - (said[2] if len(said) > 2 else 0) == said[-1]


def assert_as_dealt(lesson: Lesson, step: Step) -> None:
    """Cards, turns and insurance are where the event of that number has them."""
    event = lesson.round.events[step.at]
    if step.kind is Kind.WHOM:
        assert event.kind in ("deal", "rotation")
        assert step.answers[0] in ({"up", "down", "0"} if event.position == DEALER else {str(event.position)})
        if step.answers[0] in ("up", "down"):
            assert (step.answers[0] == "down") == ("face down" in event.text)
    elif step.kind is Kind.TURN:
        assert step.answers == (str(event.position),)
    elif step.kind is Kind.INSURE:
        assert step.answers == (str(event.cents),)


def assert_dealer_plays(lesson: Lesson, round_: BlackjackRound) -> None:
    draws = [step.answers[0] for step in lesson.steps if step.kind is Kind.DRAW]
    if draws:
        assert draws[:-1] == ["draw"] * (len(round_.dealer) - 2)
        assert draws[-1] == ("bust" if round_.dealer_count.total > 21 else "stand")
    for step in lesson.steps:
        if step.kind is Kind.CHECK:
            assert step.answers == ("yes" if round_.dealer_blackjack else "no",)
            assert step.seen == round_.dealer[:2] or not draws


def assert_dealers_cards(lesson: Lesson) -> None:
    """They are counted, judged and set as the engine's own line says it."""
    told = " ".join(event.text for event in lesson.round.events if event.kind == "reveal")
    for step in lesson.steps:
        if step.kind is Kind.COUNT:
            assert f": {step.answers[0]} point" in told or ("three" in told and step.answers == ("0",))
        if step.kind is Kind.QUALIFY:
            assert bool(re.search("does not (play|qualify)", told)) == (step.answers == ("no",))
        if step.kind is Kind.SET:
            high = told.partition(": ")[2].partition(" (")[0]
            assert any(each.label.startswith(high) for each in step.choices if step.is_right(each.value))


@pytest.mark.parametrize(
    ("cards", "paragraph"),
    [
        ("4c 9d Ks", "2.2"),
        ("9s 9h 9d", "2.4"),
        ("4c 5c 6c", "2.5"),
        ("7s 7h Kd", "2.6"),
        ("7s 8s Kd", "2.6"),
        ("7s 8s 8h", "2.8"),
        ("As Ks 5d", "2.2"),
    ],
)
def test_points_at_rummy_are_explained_by_the_rule_for_such_cards(cards: str, paragraph: str) -> None:
    assert counted_by(parse_cards(cards)) == paragraph


@pytest.mark.parametrize("game", ALL_GAMES)
def test_the_table_is_known_after_each_event(game: str) -> None:
    for number in range(20):
        round_ = play_round(game, f"m{number}")
        seen = round_.felts()
        assert [table.events for table in seen] == [round_.events[: place + 1] for place in range(len(round_.events))]
        assert seen[-1].settlements == round_.settlements
        assert all(cards_fit(table) for table in seen)


def cards_fit(table: History) -> bool:
    """What was dealt to seats by the events lies there."""
    dealt = [card for event in table.events if event.kind == "deal" and event.position for card in event.cards]
    if isinstance(table, BlackjackRound):
        return sorted(dealt) == sorted(card for seat in table.seats.values() for card in seat.dealt)
    return sorted(dealt) == sorted(card for seat in table.seats.values() for card in seat.hand)  # type: ignore[attr-defined]


def test_the_same_seed_makes_the_same_lesson_and_another_one_another() -> None:
    one, same, other = (make_lesson("blackjack", seed, 2) for seed in ("a", "a", "b"))
    assert one.steps == same.steps
    assert one.steps != other.steps
    assert SEED.fullmatch(one.seed)
    with pytest.raises(NotationError, match="letters, digits"):
        make_lesson("blackjack", "no spaces", 2)
    with pytest.raises(NotationError, match="1 to 6 seats"):
        make_lesson("supreme-99", "a", 7)


def test_answers_are_graded_by_what_was_said_before_the_right_one() -> None:
    lesson = make_lesson("three-card-baccarat", "graded", 2)
    right = [[step.answers[0]] for step in lesson.steps]
    assert grade(lesson, right).right == len(lesson.steps)
    said = [list(each) for each in right]
    said[0].insert(0, "settle")
    said[-1][:0] = ["x", "y"]
    found = grade(lesson, said)
    assert (found.steps, found.right) == (len(lesson.steps), len(lesson.steps) - 2)
    assert found.mistakes == Counter({"next": 1, lesson.steps[-1].kind.value: 2})
    for wrong in (right[:-1], [*right[:-1], ["x"]], [[*each, each[0]] for each in right]):
        with pytest.raises(NotationError):
            grade(lesson, wrong)


def test_the_players_of_blackjack_follow_the_basic_strategy_of_their_rules() -> None:
    assert Chart.parse(BASIC_STRATEGY) == basic_strategy(Rules.parse(RULES))


if __name__ == "__main__":
    found = {cited_for(lesson, step) for game in ALL_GAMES for lesson in lessons(game) for step in lesson.steps}
    PARAGRAPHS.write_text("".join(f"{line}\n" for line in sorted(found)), encoding="utf-8")
