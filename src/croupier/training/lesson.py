"""A lesson: a round with all its questions in order, and what somebody's answers were worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Self

from croupier.errors import NotationError
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.head_to_head.acts import Settle
from croupier.games.head_to_head.round import Round
from croupier.games.table.history import Act, History
from croupier.training import blackjack, packets
from croupier.training.procedure import DECIDE, ask_next, part_of
from croupier.training.settlement import ask_settlement
from croupier.training.step import Step
from croupier.training.table import USUAL_SEATS, play_round

# The table as it stood after each event of a round, so that a question can be asked of it in between.


def felts(round_: History) -> list[History]:
    """`felts(round_)[n]` is the table when event number n was the newest."""
    opened = round_.offering.open(round_.opening_shoe)
    return _of_blackjack(round_, opened) if isinstance(opened, BlackjackRound) else list(_of_packets(round_, opened))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Watched(BlackjackRound):
    """One act of blackjack deals many cards and settles many wagers: every table in between is kept."""

    kept: list[History] = field(default_factory=list, repr=False)

    def changed(self, **changes: object) -> Self:
        after = super().changed(**changes)
        if "events" in changes:
            self.kept.append(after)
        return after


def _of_blackjack(round_: History, opened: BlackjackRound) -> list[History]:
    watched = _Watched(**{each.name: getattr(opened, each.name) for each in fields(opened)})
    watched.kept.append(watched)
    for act in round_.acts:
        watched = watched.do(act)
    return watched.kept


def _of_packets(round_: History, opened: History) -> Iterator[History]:
    """Each packet and each decision is an act of its own; wagers that are settled together come one after another."""
    assert isinstance(opened, Round)
    yield opened
    before = opened
    for act in round_.acts:
        after = before.do(act)
        yield from _between(before, after, act)
        before = after


def _between(before: Round, after: Round, act: Act[Round]) -> Iterator[Round]:
    still = before if isinstance(act, Settle) else after  # the round is over when the last wager is settled
    settled = len(before.settlements)
    for number in range(len(before.events), len(after.events)):
        settled += after.events[number].kind == "settle"
        yield replace(still, events=after.events[: number + 1], settlements=after.settlements[:settled])


SETTLES = ("settle", "award")


@dataclass(frozen=True)
class Lesson:
    seed: str
    seats: int
    round: History
    felts: tuple[History, ...]
    """The table after each event."""
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Grade:
    """How somebody did."""

    steps: int
    right: int
    """Steps that were answered rightly at once."""
    mistakes: Mapping[str, int]
    """Wrong answers by the kind of the question."""


def make_lesson(game: str, seed: str, seats: int = USUAL_SEATS) -> Lesson:
    """The same game, seed and seats make the same lesson."""
    round_ = play_round(game, seed, seats)
    seen = felts(round_)
    return Lesson(seed, seats, round_, tuple(seen), tuple(steps_of(round_, seen)))


def steps_of(round_: History, seen: list[History]) -> Iterator[Step]:
    """The questions in the order of the round's own events."""
    ask_event = blackjack.ask_event if isinstance(round_, BlackjackRound) else packets.ask_event
    before, settled_seat = "", None
    for at in range(1, len(seen)):
        part, event = part_of(seen[at]), round_.events[at]
        if not part:
            continue
        first = part != before
        if first:
            yield ask_next(round_.offering.game.key, part, at)
            before, settled_seat = part, None
        yield from ask_event(seen, at, round_)
        if event.kind in SETTLES:
            if not _is_bust(seen[at - 1], part):
                new_seat = event.position != settled_seat
                first = settled_seat is None
                yield from ask_settlement(seen[at - 1], seen[at], at, part, new_seat=new_seat, first=first)
            settled_seat = event.position


def _is_bust(before: History, part: str) -> bool:
    """A hand that a card has bust: what becomes of it was asked when the card came."""
    return part == DECIDE and before.events[-1].kind == "deal"


def grade(lesson: Lesson, answers: Sequence[Sequence[str]]) -> Grade:
    """What was said to each step, the right answer last: it was asked until it came."""
    if len(answers) != len(lesson.steps):
        raise NotationError(f"{len(answers)} answers do not fit a lesson of {len(lesson.steps)} steps.")
    mistakes: Counter[str] = Counter()
    for number, (step, said) in enumerate(zip(lesson.steps, answers, strict=True), start=1):
        if not said or not step.is_right(said[-1]) or any(map(step.is_right, said[:-1])):
            raise NotationError(f"The answers to step {number} do not end with the one that is right.")
        mistakes[step.kind.value] += len(said) - 1
    right = sum(len(said) == 1 for said in answers)
    return Grade(len(lesson.steps), right, {kind: count for kind, count in mistakes.items() if count})
