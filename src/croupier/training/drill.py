"""Drills: single questions of one kind from many rounds, or the very questions that somebody was wrong at.

A question is asked of the table as it stood in its round; what is right is the round's own, as in a lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from croupier.cards.shuffle import SeededSource, shuffled
from croupier.errors import NotationError, Refusal, UnknownName
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.table.questions import Kind
from croupier.training.lesson import Grade, Lesson, Step, grade_steps, make_lesson
from croupier.training.table import USUAL_HOUSE, USUAL_SEATS, LessonHouse

USUAL_QUESTIONS, MOST_QUESTIONS = 10, 40
MOST_ROUNDS = 60
"""That are looked through for questions."""
LONGER = 4
"""So many times as many, where none has come yet: a wager that is rarely made is drilled too."""
MOST_OF_A_ROUND = 3
"""Questions of one round, so that tables change."""
MOST_IN_VAIN = 12
"""Rounds one after another without a new question, of those that have the same words in every round."""
ONCE = {Kind.CALL, Kind.HANDLE, Kind.IRREGULAR}
"""Kinds whose questions have the same words in every round: each is asked once in a drill."""


class Drill(NamedTuple):
    """What is drilled; a wager where it is about one."""

    key: str
    title: str
    kinds: Collection[Kind] = ()
    wager: str = ""

    def asks(self, game: TableGame, step: Step) -> bool:
        if not self.wager:
            return step.kind in self.kinds
        spots = {spot for spot, (wager, _) in game.spots.items() if wager.key == self.wager}
        return step.spot in spots or (step.kind is Kind.ORDER and step.answers[0].split()[1] in spots)


PAYMENTS = Drill("payments", "Payments", (Kind.PAY, Kind.INSURE))
COMMISSION = Drill("commission", "Commission", (Kind.COMMISSION,))
ORDER = Drill("order", "Order", (Kind.ORDER, Kind.NEXT, Kind.WHOM, Kind.TURN))
IRREGULAR = Drill("irregular", "When something fails", tuple(sorted(ONCE)))


def drills_of(game: TableGame) -> dict[str, Drill]:
    """By key: the kinds that the game has questions of, then its wagers but the first."""
    pays = (row.pay for wager in game.wagers for table in wager.paytables.values() for row in table.rows)
    ruled = (row.pay for _, spot in game.spots.values() if spot.rules for row in spot.rules.rows)
    commission = any(pay.has_commission for pay in (*pays, *ruled))
    drills = [PAYMENTS, *([COMMISSION] if commission else []), ORDER, IRREGULAR]
    drills += [Drill(wager.key, wager.title, wager=wager.key) for wager in game.wagers[1:]]
    return {drill.key: drill for drill in drills}


class Item(NamedTuple):
    """One question of a lesson."""

    seed: str
    seats: int
    step: int
    """Its place in the lesson, from 0."""


class Drilled(NamedTuple):
    """A lesson, and which of its questions are asked."""

    lesson: Lesson
    steps: tuple[int, ...]


class Allowance(NamedTuple):
    """What one drill may cost."""

    rounds: int = MOST_ROUNDS
    """That are made at most, where they have a question."""
    in_vain: int = LONGER * MOST_ROUNDS
    """That are made at most, where none has come yet."""
    charge: Callable[[], None] = lambda: None
    """Called before each round is made; what it raises ends the drill."""


UNCHARGED = Allowance()


def make_drill(
    name: str,
    key: str,
    seed: str,
    many: int = USUAL_QUESTIONS,
    house: LessonHouse = USUAL_HOUSE,
    *,
    allowance: Allowance = UNCHARGED,
) -> tuple[Drilled, ...]:
    """Questions of one kind; the same seed gives the same ones. Fewer where so many rounds have not so many; refused
    where they have none."""
    game = find_any_game(name)
    drills = drills_of(game)
    if key not in drills:
        raise UnknownName(f"drill of {game.title}", key, list(drills))
    if not 1 <= many <= MOST_QUESTIONS:
        raise NotationError(f"A drill has 1 to {MOST_QUESTIONS} questions, not {many}.")
    drilled = tuple(_gathered(game, drills[key], seed, many, house, allowance=allowance))
    if not drilled:
        sentence = (
            f"No question of the drill {drills[key].title} came up with the seed {seed}: begin it again with another."
        )
        raise Refusal("no-question", sentence)
    return drilled


def _gathered(
    game: TableGame, drill: Drill, seed: str, many: int, house: LessonHouse, *, allowance: Allowance
) -> Iterator[Drilled]:
    asked: set[str] = set()
    in_vain = 0
    chance = SeededSource(f"{game.key} drill {drill.key} {seed}")
    some = False
    for number in range(max(allowance.rounds, allowance.in_vain)):
        if some and number >= allowance.rounds:
            return
        allowance.charge()
        lesson = make_lesson(game.key, f"{seed}-{number}", min(USUAL_SEATS, game.seats), handling=True, house=house)
        fits = [place for place, step in enumerate(lesson.steps) if drill.asks(game, step)]
        fresh = [place for place in fits if _words(lesson.steps[place]) not in asked]
        chosen = sorted(shuffled(fresh, chance)[: min(MOST_OF_A_ROUND, many)])
        asked |= {_words(lesson.steps[place]) for place in chosen if lesson.steps[place].kind in ONCE}
        if chosen:
            some = True
            yield Drilled(lesson, tuple(chosen))
        many -= len(chosen)
        in_vain = 0 if chosen else in_vain + 1
        if not many or (set(drill.kinds) == ONCE and in_vain == MOST_IN_VAIN):
            return


def _words(step: Step) -> str:
    return step.ask if step.kind in ONCE else ""


def ask_again(
    name: str, items: Collection[Item], house: LessonHouse = USUAL_HOUSE, allowance: Allowance = UNCHARGED
) -> tuple[Drilled, ...]:
    """The very questions that somebody was wrong at, by their rounds."""
    by_round: dict[tuple[str, int], set[int]] = {}
    for item in items:
        by_round.setdefault((item.seed, item.seats), set()).add(item.step)
    if len(by_round) > allowance.rounds:
        sentence = f"Questions of at most {allowance.rounds} rounds are asked again at once, not of {len(by_round)}."
        raise NotationError(sentence)
    drilled = []
    for (seed, seats), steps in by_round.items():
        allowance.charge()
        lesson = make_lesson(name, seed, seats, handling=True, house=house)
        beyond = [step for step in steps if not 0 <= step < len(lesson.steps)]
        if beyond:
            raise NotationError(f"The lesson {seed} has {len(lesson.steps)} questions, and no number {beyond[0] + 1}.")
        drilled.append(Drilled(lesson, tuple(sorted(steps))))
    return tuple(drilled)


def grade_drill(lessons: Collection[Drilled], answers: Sequence[Sequence[str]], *, in_time: bool) -> Grade:
    """What the answers to a drill were worth; of one against the clock, to as many questions as were answered."""
    steps = [drilled.lesson.steps[place] for drilled in lessons for place in drilled.steps]
    if len(answers) > len(steps) or (len(answers) < len(steps) and not in_time):
        raise NotationError(f"{len(answers)} answers do not fit a drill of {len(steps)} questions.")
    return grade_steps(steps[: len(answers)], answers)
