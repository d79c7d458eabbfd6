"""What no engine can see a dealer do: the calls, where cards and chips are put, and what is done when something fails.

The questions are asked where the round has a reason for them. What is right is read off the round, or off the page of
the rulebook that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from croupier.cards.shuffle import SeededSource
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.side_wagers import BLAZING_PLAYER, TRILUX
from croupier.games.head_to_head.acts import Rotation
from croupier.games.head_to_head.round import Round
from croupier.games.rulebook import paragraphs
from croupier.games.table.bets import open_spots, spot_title
from croupier.games.table.history import CLOSE, COLLECT, DEAL, DECIDE, ROTATION, SETTLE, History
from croupier.games.table.questions import Kind, Question, numbered

RUMMY, BACCARAT, SUPREME, BLACKJACK = "triple-shot-rummy", "three-card-baccarat", "supreme-99", "blackjack"
BUST_WAGER = "bet-the-bust"
MOST_OFFERED = 4
"""Steps of an exchange to choose from."""


@dataclass(frozen=True)
class Asked:
    """A question that is the same in every round."""

    part: str
    kind: Kind
    ask: str
    right: str
    wrong: tuple[str, ...]
    paragraph: str


def _wrong_number(paragraph: str, what: str) -> Asked:
    return Asked(
        DEAL,
        Kind.IRREGULAR,
        f"Suppose that {what} has a wrong number of cards. What becomes of the round?",
        "It is void: every wager goes back, and the cards are shuffled again",
        ("That hand is dead, and the others play on", "A card is added or taken away, and the round goes on"),
        paragraph,
    )


QUESTIONS: Mapping[str, tuple[Asked, ...]] = {
    RUMMY: (
        _wrong_number("9.1", "a packet"),
        Asked(
            DEAL,
            Kind.HANDLE,
            "How do you hold the deck while the packets go out?",
            "Face down, and the bottom card is never seen",
            ("Face down, and the bottom card is shown before the deal", "As it comes: the cards are turned up anyway"),
            "3.6",
        ),
        Asked(
            SETTLE,
            Kind.HANDLE,
            "Where do you turn a player's cards up?",
            "In the work area, between your own cards and the 6 Card Bonus spot",
            ("Where they lie, in front of the player", "Over the Play, so that the wager is covered"),
            "8.6",
        ),
        Asked(
            SETTLE,
            Kind.HANDLE,
            "Do you lay the cards and pay, or pick them up and pay?",
            "As this house has it: no amount depends on it",
            ("Lay and pay, everywhere", "Pick and pay, everywhere"),
            "11.8",
        ),
    ),
    BACCARAT: (
        Asked(
            CLOSE,
            Kind.HANDLE,
            "To which mode was the shuffler set for this game?",
            "Three Card Baccarat or Three Card Poker",
            ("Two packets of three, as in mini-baccarat", "One card at a time"),
            "3.6",
        ),
        _wrong_number("9.1", "a packet"),
    ),
    SUPREME: (
        Asked(
            CLOSE,
            Kind.HANDLE,
            "To which mode was the shuffler set for this game?",
            "Supreme 99, or a mode of one's own that deals four from 52 cards",
            ("Any mode that deals packets of two", "A mode that deals packets to occupied spots alone"),
            "3.8",
        ),
        _wrong_number("9.1", "a packet"),
    ),
    BLACKJACK: (_wrong_number("13.1", "a seat or the dealer"),),
}
I_VERIFY = Asked(
    ROTATION,
    Kind.HANDLE,
    "Suppose that i-Verify has drawn this number. Who must be able to see its display?",
    "Surveillance",
    ("Nobody but the dealer", "The seats in play alone"),
    "3.9",
)
SHUFFLER = "9.3"
"""Of Triple Shot Rummy: how a shuffler that keeps failing is exchanged, in steps."""


@cache
def exchange_steps() -> tuple[str, ...]:
    [paragraph] = (each for each in paragraphs(RUMMY) if each.number == SHUFFLER)
    return tuple(re.findall(r"^\d+\. (.*?)\.?$", paragraph.more, re.MULTILINE))


@dataclass
class Handling:
    """The questions of one lesson; each is asked once."""

    seed: str
    asked: set[str] = field(default_factory=set)

    def ask(self, seen: Sequence[History], at: int, round_: History, part: str) -> Iterator[Question]:
        """Before event number `at`, which belongs to this part of the procedure, is told."""
        for step in self._all(seen, at, round_, part):
            if step.ask not in self.asked:
                self.asked.add(step.ask)
                yield step

    def _all(self, seen: Sequence[History], at: int, round_: History, part: str) -> Iterator[Question]:
        game = round_.offering.game.key
        if part == CLOSE and game == RUMMY:
            yield self._exchange()
            yield _call(seen[at])
        if part == CLOSE and isinstance(round_, BlackjackRound):
            yield from _chips(seen[at])
        for question in QUESTIONS.get(game, ()):
            if question.part == part:
                yield _step(question)
        if part == ROTATION and any(isinstance(act, Rotation) and not act.dice for act in round_.acts):
            yield _step(I_VERIFY)
        if part == COLLECT and "folded" not in self.asked:
            self.asked.add("folded")
            yield _folded(seen[at - 1], seen[at])
        if part == DECIDE and isinstance(round_, BlackjackRound):
            yield from self._bust(seen, at)

    def _exchange(self) -> Question:
        steps = exchange_steps()
        next_ = SeededSource(f"{RUMMY} shuffler {self.seed}").below(len(steps))
        ask = "Suppose that the shuffler keeps failing, and the guide on its back has not helped. "
        ask += f"You have done this: {steps[next_ - 1].lower()}. What comes next?" if next_ else "What comes first?"
        near = sorted(steps, key=lambda each: abs(steps.index(each) - next_))[:MOST_OFFERED]
        return _step(Asked(CLOSE, Kind.IRREGULAR, ask, steps[next_], tuple(near), SHUFFLER))

    def _bust(self, seen: Sequence[History], at: int) -> Iterator[Question]:
        before, event = seen[at - 1], seen[at].events[-1]
        if event.kind != "settle" or before.events[-1].kind != "deal" or event.position is None:
            return
        wagers, seat = seen[at].seats[event.position].wagers, event.position
        if BUST_WAGER in wagers and "tucked" not in self.asked:
            self.asked.add("tucked")
            ask = f"Seat {seat} is bust and has a wager on Bet the Bust. What becomes of its cards?"
            right = "Tuck them under Bet the Bust, and take the Bet"
            wrong = ("Pick them up together with the Bet", "Leave them in front of the seat")
            yield _step(Asked(DECIDE, Kind.HANDLE, ask, right, wrong, "10.7"), seat)
        if BLAZING_PLAYER.key in wagers and "order" not in self.asked:
            self.asked.add("order")
            ask = f"Seat {seat} is bust and has a wager on Blazing 7's. In which order?"
            right = "Take the Bet, settle Blazing 7's, pick up the cards, deal on"
            wrong = (
                "Settle Blazing 7's, take the Bet, pick up the cards",
                "Take the Bet and the cards; the rest later",
            )
            yield _step(Asked(DECIDE, Kind.HANDLE, ask, right, wrong, "11.18"), seat)


def _step(question: Asked, seat: int | None = None) -> Question:
    """One right answer among others, in the order of the alphabet."""
    offered = sorted({question.right, *question.wrong})
    choices = numbered([(str(place), label) for place, label in enumerate(offered)])
    right = str(offered.index(question.right))
    return Question(question.kind, question.ask, (right,), question.paragraph, choices, seat=seat)


def _call(table: History) -> Question:
    """The call has the positions that left a bonus spot empty (3.2); the event of closing says it."""
    right = table.events[-1].text
    plain = "No more bets."
    made = plain + "".join(_named(table, spot, made=True) for spot in open_spots(table)[1:])
    everybody = plain + "".join(f" No {spot_title(table, spot)}: everybody." for spot in open_spots(table)[1:])
    ask = "Betting is closed. What do you call?"
    return _step(Asked(CLOSE, Kind.CALL, ask, right, (plain, made, everybody), "3.2"))


def _named(table: History, spot: str, *, made: bool) -> str:
    seats = [str(number) for number, seat in table.seats.items() if (spot in seat.wagers) == made]
    return (
        f" No {spot_title(table, spot)}: position{'s' if len(seats) > 1 else ''} {', '.join(seats)}." if seats else ""
    )


def _chips(table: History) -> Iterator[Question]:
    """What becomes of progressive chips when START GAME is pressed."""
    laid = {
        spot for seat in table.seats.values() for spot in seat.wagers if table.offering.game.spots[spot][0].progressive
    }
    for spot in sorted(laid):
        ask = f"START GAME is pressed. What do you do with the chips on {spot_title(table, spot)}?"
        stay, away = "Leave them where they lie until they are settled", "Take them off the sensors: each counts"
        right, other = (stay, away) if spot == TRILUX.key else (away, stay)
        wrong = other, "Give them back: the meter pays"
        yield _step(Asked(CLOSE, Kind.HANDLE, ask, right, wrong, "1.13"))


def _folded(before: History, table: History) -> Question:
    assert isinstance(table, Round)
    seat = table.events[-1].position
    assert seat is not None
    assert table.game.decides is not None
    own = {spot.key for spot in table.game.decides.spots}
    stays = any(spot not in own for spot in before.seats[seat].wagers)
    tuck, take = "Tuck them under its bonus wagers", "Collect them together with the Ante"
    right, other, paragraph = (tuck, take, "4.4") if stays else (take, tuck, "8.1")
    ask = f"Seat {seat} has folded. What becomes of its cards?"
    wrong = other, "Turn them up in front of the seat"
    return _step(Asked(COLLECT, Kind.HANDLE, ask, right, wrong, paragraph), seat)
