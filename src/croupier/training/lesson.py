"""A lesson: a round with all its questions in order, and what somebody's answers were worth."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache

from croupier.cards.shuffle import SeededSource
from croupier.errors import NotationError
from croupier.games.game import Handled, TableGame
from croupier.games.paytable import Kind as PayKind
from croupier.games.rulebook import paragraphs
from croupier.games.table.bets import open_spots, spot_title
from croupier.games.table.history import CLOSE, DECIDE, SETTLES, History
from croupier.games.table.questions import Choice, Kind, Question, asked_of
from croupier.training.settlement import ask_settlement
from croupier.training.table import USUAL_HOUSE, USUAL_SEATS, LessonHouse, play_round


@dataclass(frozen=True, kw_only=True)
class Step(Question):
    """A question. It is asked when all events before number `at` have been told, and of the table as it then is."""

    at: int

    @classmethod
    def of(cls, question: Question, at: int) -> Step:
        """The question about event number `at`."""
        asked = {field.name: getattr(question, field.name) for field in fields(question)}
        return cls(**asked, at=at + question.after)

    def is_right(self, answer: str) -> bool:
        return answer in self.answers


@dataclass(frozen=True)
class Lesson:
    seed: str
    seats: int
    round: History
    felts: tuple[History, ...]
    """The table after each event."""
    steps: tuple[Step, ...]
    house: LessonHouse = USUAL_HOUSE


@dataclass(frozen=True)
class Grade:
    """How somebody did."""

    steps: int
    right: int
    """Steps that were answered rightly at once."""
    mistakes: Mapping[str, int]
    """Wrong answers by the kind of the question."""


@dataclass(frozen=True)
class PassMark:
    """From where on what somebody has done in the school earns a certificate; below it, it is practice."""

    percent: int = 80
    """Of all questions, those that were answered rightly at once."""
    questions: int = 50
    """So many at least: a few lucky answers prove nothing."""

    def __post_init__(self) -> None:
        if not 1 <= self.percent <= 100:
            raise NotationError(f"A pass mark is 1 to 100 percent of the questions right at once, not {self.percent}.")

    def __str__(self) -> str:
        return f"{self.percent}% right at once, of at least {self.questions} questions"

    def is_reached(self, *, right: int, questions: int) -> bool:
        return questions >= self.questions and 100 * right >= self.percent * questions


def make_lesson(
    game: str, seed: str, seats: int = USUAL_SEATS, *, handling: bool = False, house: LessonHouse = USUAL_HOUSE
) -> Lesson:
    """The same game, seed, seats and house make the same lesson; with handling it also asks what no engine can see."""
    round_ = play_round(game, seed, seats, house)
    seen = round_.felts()
    steps = tuple(steps_of(round_, seen, Handling(seed) if handling else None))
    return Lesson(seed, seats, round_, tuple(seen), steps, house)


def steps_of(round_: History, seen: Sequence[History], handling: Handling | None = None) -> Iterator[Step]:
    """The questions in the order of the round's own events."""
    before, settled_seat = "", None
    for at in range(1, len(seen)):
        part, event, asked = seen[at].part, round_.events[at], list[Question]()
        if not part:
            continue
        if part != before:
            asked += ask_next(round_.offering.game, part)
            before, settled_seat = part, None
        if handling:
            asked += handling.ask(seen, at, part)
        asked += seen[at].questions(seen[at - 1])
        if event.kind in SETTLES:
            if not _is_bust(seen[at - 1], seen[at], part):
                new_seat, first = event.position != settled_seat, settled_seat is None
                asked += ask_settlement(seen[at - 1], seen[at], part, new_seat=new_seat, first=first)
            settled_seat = event.position
        yield from (Step.of(question, at) for question in asked)


MOST_OFFERED = 6


def ask_next(game: TableGame, part: str) -> Iterator[Question]:
    """What comes next: the right part among those near to it, in the order of the alphabet."""
    parts = game.parts
    right = next((place for place, phase in enumerate(parts) if phase.name == part), None)
    if right is None:  # a definition without it: nobody learns what it does not say
        return
    near = sorted(range(len(parts)), key=lambda place: abs(place - right))[:MOST_OFFERED]
    choices = sorted((Choice(parts[p].name, parts[p].label, parts[p].key) for p in near), key=lambda phase: phase.label)
    yield Question(Kind.NEXT, "What comes next?", (part,), parts[right].paragraph, tuple(choices))


def _is_bust(before: History, after: History, part: str) -> bool:
    """A hand that a card has bust: what becomes of it was asked when the card came."""
    lost = after.settlements[-1].pay.kind is PayKind.LOSE
    return part == DECIDE and before.events[-1].kind == "deal" and lost


def grade(lesson: Lesson, answers: Sequence[Sequence[str]]) -> Grade:
    """What was said to each step, the right answer last: it was asked until it came."""
    if len(answers) != len(lesson.steps):
        raise NotationError(f"{len(answers)} answers do not fit a lesson of {len(lesson.steps)} steps.")
    return grade_steps(lesson.steps, answers)


def grade_steps(steps: Sequence[Step], answers: Sequence[Sequence[str]]) -> Grade:
    """Likewise of any questions, as many as there are answers."""
    mistakes: Counter[str] = Counter()
    for number, (step, given) in enumerate(zip(steps, answers, strict=True), start=1):
        if not given or not step.is_right(given[-1]) or any(map(step.is_right, given[:-1])):
            raise NotationError(f"The answers to step {number} do not end with the one that is right.")
        mistakes[step.kind.value] += len(given) - 1
    right = sum(len(answer) == 1 for answer in answers)
    return Grade(len(steps), right, {kind: count for kind, count in mistakes.items() if count})


# Handling, which no engine can see: the calls, where cards and chips are put, and what is done when something
# fails. The questions are the definition's and the round's; each is asked once in a lesson. What is right is read off
# the round, or off the page of the rulebook that has it.

CALL, EXCHANGE = "call", "exchange"
"""What a definition cites a paragraph for, if there is something to ask about it."""
MOST_STEPS = 4
"""Steps of an exchange to choose from."""


@cache
def exchange_steps(game: TableGame) -> tuple[str, ...]:
    """How a shuffler that keeps failing is exchanged."""
    [paragraph] = (paragraph for paragraph in paragraphs(game.key) if paragraph.number == game.cites[EXCHANGE])
    return tuple(re.findall(r"^\d+\. (.*?)\.?$", paragraph.more, re.MULTILINE))


@dataclass
class Handling:
    """The questions of one lesson."""

    seed: str
    asked: set[str] = field(default_factory=set)

    def ask(self, seen: Sequence[History], at: int, part: str) -> Iterator[Question]:
        """Before event number `at`, which belongs to this part of the procedure, is told."""
        for question in self._all(seen[at - 1], seen[at], part):
            about = question.about or question.ask
            if about not in self.asked:
                self.asked.add(about)
                yield asked_of(question)

    def _all(self, before: History, table: History, part: str) -> Iterator[Handled]:
        game = table.offering.game
        if part == CLOSE and EXCHANGE in game.cites:
            yield self._exchange(game)
        if part == CLOSE and CALL in game.cites:
            yield _call(table)
        yield from table.handled(before)

    def _exchange(self, game: TableGame) -> Handled:
        steps = exchange_steps(game)
        next_ = SeededSource(f"{game.key} shuffler {self.seed}").below(len(steps))
        ask = "Suppose that the shuffler keeps failing, and the guide on its back has not helped. "
        ask += f"You have done this: {steps[next_ - 1].lower()}. What comes next?" if next_ else "What comes first?"
        near = sorted(steps, key=lambda step: abs(steps.index(step) - next_))[:MOST_STEPS]
        return Handled(CLOSE, Kind.IRREGULAR, ask, steps[next_], tuple(near), game.cites[EXCHANGE])


def _call(table: History) -> Handled:
    """The call has the positions that left a bonus spot empty; the event of closing says it."""
    right = table.events[-1].text
    plain = "No more bets."
    call = plain + "".join(_named(table, spot, laid=True) for spot in open_spots(table)[1:])
    everybody = plain + "".join(f" No {spot_title(table, spot)}: everybody." for spot in open_spots(table)[1:])
    ask = "Betting is closed. What do you call?"
    return Handled(CLOSE, Kind.CALL, ask, right, (plain, call, everybody), table.offering.game.cites[CALL])


def _named(table: History, spot: str, *, laid: bool) -> str:
    seats = [str(number) for number, seat in table.seats.items() if (spot in seat.wagers) == laid]
    return (
        f" No {spot_title(table, spot)}: position{'s' if len(seats) > 1 else ''} {', '.join(seats)}." if seats else ""
    )
