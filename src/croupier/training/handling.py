"""What no engine can see a dealer do: the calls, where cards and chips are put, and what is done when something fails.

The questions are the definition's and the round's; each is asked once in a lesson. What is right is read off the round,
or off the page of the rulebook that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from croupier.cards.shuffle import SeededSource
from croupier.games.game import Handled, TableGame
from croupier.games.rulebook import paragraphs
from croupier.games.table.bets import open_spots, spot_title
from croupier.games.table.history import CLOSE, History
from croupier.games.table.questions import Kind, Question, asked_of

CALL, EXCHANGE = "call", "exchange"
"""What a definition cites a paragraph for, if there is something to ask about it."""
MOST_OFFERED = 4
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
        near = sorted(steps, key=lambda step: abs(steps.index(step) - next_))[:MOST_OFFERED]
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
