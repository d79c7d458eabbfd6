"""A round as a history: what was done, what happened, and whether a further act is allowed.

Every game's round is one of these. It never changes: an act that is done gives the next round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeVar

from croupier.cards.card import Hand, format_cards
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Seed, Source
from croupier.errors import CroupierError, NotationError, Refusal
from croupier.games.game import Handled
from croupier.games.table.offering import TableOffering
from croupier.games.table.questions import Choice, Kind, OpenWager, Question, seat_choices
from croupier.games.table.settlement import Settlement
from croupier.games.table.shown import Legal, Off, Seen, Shown

DEALER = 0
"""The dealer's position; seats are numbered from 1 at the dealer's left."""


@dataclass(frozen=True)
class Event:
    """Something that happened, for displays and logs."""

    kind: str
    text: str
    position: int | None = None
    cards: Hand = ()
    cents: int | None = None
    cites: str = ""
    """The paragraph of the rulebook that it rests on, where that is not the game's usual one for its kind."""
    part: str = ""
    """The part of the procedure that it belongs to, where that is not the usual one for its kind."""
    place: str = ""
    """Where its cards were laid or turned, in a game that has several places for them: `seat`, `dealer`, `board`."""
    face_down: int = 0
    """How many more cards left the shoe with it, and lie there unseen."""


@dataclass(frozen=True)
class Seat:
    """Who bets at a position, and the chips that lie there."""

    player: str
    wagers: Mapping[str, int]
    """Cents by spot."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "wagers", MappingProxyType(dict(self.wagers)))


LATEST_FORM = 2
"""Of records: the digest of the first one is over wagers that were not offered too."""
SETTLES = ("settle", "award")
"""Kinds of events that end a wager."""
CLOSE, ROTATION, DEAL, DECIDE, COLLECT, REVEAL, SETTLE = (
    "close",
    "rotation",
    "deal",
    "decide",
    "collect",
    "reveal",
    "settle",
)
PARTS = {"no-more-bets": CLOSE, "rotation": ROTATION, "deal": DEAL, "decide": DECIDE, "reveal": REVEAL}
"""The usual parts of a procedure, by the kind of event."""

BETTING, SETTLING, OVER, VOID = "betting", "settling", "over", "void"
"""The phases that every game has, by these names."""


@dataclass(frozen=True, eq=False, kw_only=True)
class History(ABC):
    """What every round has. `shoe` is None where people enter the cards that were really dealt."""

    offering: TableOffering
    shoe: Shoe | None
    opening_shoe: Shoe | None
    """The shoe as it was before the first card of the round: what a record resumes from."""
    phase: StrEnum
    seats: Mapping[int, Seat] = field(default_factory=dict)
    settlements: tuple[Settlement, ...] = ()
    acts: tuple[Act[Any], ...] = ()
    events: tuple[Event, ...] = ()
    form: int = LATEST_FORM
    """In which form its record is written: one that was begun in an older form goes on in it."""

    def why_not(self, act: Act[Self]) -> Refusal | None:
        """The reason the act is not allowed here and now, or None."""
        return act.why_not(self)

    def can(self, act: Act[Self]) -> bool:
        return self.why_not(act) is None

    def do(self, act: Act[Self]) -> Self:
        """The round after the act; a refused act raises the reason and changes nothing."""
        refusal = self.why_not(act)
        if refusal:
            raise refusal
        return act.apply(self).changed(acts=(*self.acts, act))

    def changed(self, **changes: object) -> Self:
        """`dataclasses.replace`, ten times as fast: a round has nothing to check when it is made."""
        after = object.__new__(type(self))
        after.__dict__.update(self.__dict__, **changes)
        return after

    def with_event(self, event: Event, **changes: object) -> Self:
        return self.changed(events=(*self.events, event), **changes)

    @abstractmethod
    def empty_seat(self, player: str) -> Seat:
        """A position that somebody takes."""

    def with_seat(self, number: int, seat: Seat) -> Mapping[int, Any]:
        """The seats with this one in its place, in order of their numbers."""
        return MappingProxyType(dict(sorted({**self.seats, number: seat}.items())))

    @property
    def is_over(self) -> bool:
        return self.phase in (OVER, VOID)

    @property
    @abstractmethod
    def what_is_next(self) -> str:
        """What the table waits for, in words that follow `... is out of turn:`."""

    # What every table asks. Nobody outside of `games` needs to know whose round it is.

    @property
    @abstractmethod
    def known_acts(self) -> Mapping[str, type[Act[Any]]]:
        """All acts of this game by name, whether they are allowed now or not."""

    def parse(self, text: str) -> Act[Any]:
        """Read an act's text form; `round_.parse(str(act)) == act`."""
        return parse_act(text, self.known_acts)

    @property
    @abstractmethod
    def no_more_bets(self) -> Act[Any]:
        """The act that closes betting."""

    @abstractmethod
    def in_play(self) -> Iterator[Legal]:
        """What may be done once betting is closed: the players' acts, each with its key, before the dealer's.

        Bets, taking them back, closing and calling off are the same in every game: `legal_acts` adds them.
        """

    def off(self) -> Iterator[Off]:
        """Choices of this table that whoever has to decide now does not have, each with its reason."""
        return iter(())

    @property
    @abstractmethod
    def waits_for(self) -> tuple[int, ...]:
        """The seats whose decision or answer the table waits for; nobody where it is the dealer's turn."""

    @property
    def turn_hand(self) -> int | None:
        """Which hand decides, from 1, where a seat may have several."""
        return None

    @property
    def asks(self) -> str:
        """What the seats are offered now, where it is not their decision: `Insurance`."""
        return ""

    @property
    @abstractmethod
    def next_by_dealer(self) -> Act[Any] | None:
        """What the dealer does next, where nobody has to decide or to enter anything."""

    def to_write(self) -> list[str]:
        """How the acts are written that the table waits for once betting is closed, beside real cards."""
        first = self.waits_for[:1]
        acts = [legal for legal in self.in_play() if not first or legal.seat == first[0]]
        return [f"{act.act.name} CARDS" if act.needs else str(act.act) for act in acts]

    @property
    def next_in_full(self) -> str:
        """What the table waits for, as whoever enters real cards is told."""
        return self.what_is_next

    def story(self, act: Act[Any], after: Self) -> Iterator[str]:
        """What an act brought about, line by line, with the cards where they are not in the words."""
        for event in after.events[len(self.events) :]:
            yield told(event)

    def check_sealed(self, act: Act[Any]) -> None:
        """At a virtual table what chance decides was sealed with the shoe: refuse an act that chooses it."""
        return

    @property
    def possible_raises_cents(self) -> int:
        """What the decisions to come could cost at most."""
        return 0

    @property
    @abstractmethod
    def dealers_hand(self) -> Shown:
        """The dealer's cards as everybody may see them."""

    @property
    def dealer_has_cards(self) -> bool:
        """Whether the dealer gets cards in this game."""
        return True

    @abstractmethod
    def hands(self, seat: int) -> tuple[Shown, ...]:
        """A seat's hands: none before it has cards, several where it has split."""

    @property
    def board(self) -> Shown | None:
        """The cards that all seats share; None in a game that has no place for them."""
        return None

    def decided(self, seat: int) -> str | None:
        """What a seat has chosen, where that is not told by its hands."""
        return None

    def gave_up(self, seat: int) -> str:
        """The word with which the seat gave its wager up, as `fold`; nothing where it is still in the round."""
        return ""

    @abstractmethod
    def seen(self, seat: int) -> Seen:
        """What a seat knows: nothing that lies face down."""

    def paragraph(self, event: Event) -> str:
        """The number of the paragraph that an event rests on, or nothing where none is needed."""
        return event.cites or self.offering.game.cites.get(event.kind, "")

    # From one round to the next

    @property
    def cut_place(self) -> int | None:
        """How many cards lie before the cut card, in a game whose shoe runs on; None where each round is shuffled."""
        return None

    def shoe_after(self, chance: Source | Seed) -> Shoe:
        """For the next round: a fresh one, unless the shoe runs on."""
        return self.offering.fresh_shoe(chance)

    # What a trainer asks

    @property
    def part(self) -> str:
        """The part of the game's procedure that the newest event belongs to; nothing while wagers are made."""
        event = self.events[-1]
        if event.kind in SETTLES:
            return SETTLE if any(event.kind == "reveal" for event in self.events) else COLLECT
        return event.part or PARTS.get(event.kind, "")

    def questions(self, before: Self) -> Iterator[Question]:
        """What is asked about the newest event, beside what is asked in every game."""
        event = self.events[-1]
        if event.kind == "deal" and event.position is not None:
            yield self.whom("Who gets the next cards?", event.position)

    def handled(self, before: Self) -> Iterator[Handled]:
        """What no engine sees a dealer do about the newest event, where the round has a reason to ask for it."""
        game, part = self.offering.game, self.part
        yield from (step for step in game.handling if step.part == part)
        seat = self.events[-1].position
        if part == COLLECT and seat is not None and "tucked" in game.cites:
            own = {spot.key for spot in game.wagers[0].spots}
            stays = any(spot not in own for spot in before.seats[seat].wagers)
            first = game.wagers[0].spots[0].title
            tuck, take = "Tuck them under its bonus wagers", f"Collect them together with the {first}"
            right, other, rule = (tuck, take, "tucked") if stays else (take, tuck, COLLECT)
            ask = f"Seat {seat} has folded. What becomes of its cards?"
            wrong = other, "Turn them up in front of the seat"
            yield Handled(COLLECT, Kind.HANDLE, ask, right, wrong, game.cites[rule], seat, about="folded")

    def whom(self, ask: str, position: int, paragraph: str = "") -> Question:
        """Who gets the next cards."""
        seats = seat_choices(range(1, self.offering.game.seats + 1))
        cites = self.offering.game.cites
        paragraph = paragraph or cites.get("to-dealer" if position == DEALER else "to-seat", cites.get("deal", ""))
        return Question(Kind.WHOM, ask, (str(position),), paragraph, (*seats, Choice(str(DEALER), "Dealer", "d")))

    def felts(self) -> list[Self]:
        """The table as it stood after each event, so that something can be asked of it in between."""
        opened: Self = self.offering.open(self.opening_shoe)  # type: ignore[assignment]
        before, felts = opened, [opened]
        for act in self.acts:
            after = before.do(act)
            felts.extend(after.since(before))
            before = after
        return felts

    def since(self, before: Self) -> Iterator[Self]:
        """The tables between; wagers that one act settles come one after another."""
        still = self if not self.is_over else before  # the round is over when the last wager is settled
        settled = len(before.settlements)
        for number in range(len(before.events), len(self.events)):
            settled += self.events[number].kind in SETTLES
            yield replace(still, events=self.events[: number + 1], settlements=self.settlements[:settled])

    def open_wagers(self) -> list[OpenWager]:
        """Everything that is not settled yet, by seats and as it was laid."""
        settled = {(settlement.seat, settlement.spot) for settlement in self.settlements}
        return [
            OpenWager(number, spot)
            for number, seat in self.seats.items()
            for spot in seat.wagers
            if (number, spot) not in settled
        ]

    def turn_paragraph(self, wager: OpenWager, part: str, *, new_seat: bool) -> str:
        """Which paragraph says that it is this wager's turn to be settled."""
        game = self.offering.game
        if part == COLLECT:
            return game.cites.get(COLLECT, "")
        return game.cites.get("from-the-right", "") if new_seat else game.spots[wager.spot][1].turn

    def by_line(self, settled: Settlement) -> bool:
        """Whether the dealer had to find a line of the posted paytable for it, and not only whether it wins."""
        wager, spot = self.offering.game.spots[settled.spot]
        return wager is not self.offering.game.wagers[0] and not spot.plain

    def paid_on_cents(self, settled: Settlement) -> int:
        """The chips that it is paid on, free ones too."""
        return settled.stake.cents

    def facts(self, settled: Settlement, wager: OpenWager) -> str:
        """What the cards are worth that decide a wager."""
        if not self.offering.game.spots[settled.spot][1].by_worth:
            return ""
        dealer = f" The dealer has {self.dealers_hand.words}." if self.dealers_hand.words else ""
        hands = "; ".join(hand.words for hand in self.hands(settled.seat))
        return f"Seat {settled.seat} has {hands}.{dealer}"

    @property
    def staked_cents(self) -> int:
        """All money that was laid on the table."""
        return sum(sum(seat.wagers.values()) for seat in self.seats.values())

    @property
    def returned_cents(self) -> int:
        return sum(settlement.returned_cents for settlement in self.settlements)

    @property
    def kept_cents(self) -> int:
        return sum(settlement.kept_cents for settlement in self.settlements)

    def result_cents(self, seat: int) -> int:
        """What a seat won or lost."""
        return sum(settlement.net_cents for settlement in self.settlements if settlement.seat == seat)


Table = TypeVar("Table", bound=History)


class Act(ABC, Generic[Table]):
    """Something people do at a table."""

    name: ClassVar[str]
    form: ClassVar[str] = ""
    """How it is typed with its money in dollars; one without stands alone."""
    amount: ClassVar[int | None] = None
    """In which of its words, counted from its name on, the money is."""
    phases: ClassVar[tuple[str, ...]]

    def why_not(self, round_: Table) -> Refusal | None:
        """The reason it is not allowed here and now, or None."""
        if not self.in_turn(round_):
            return Refusal("out-of-turn", f"'{self}' is out of turn: {round_.what_is_next}.")
        try:
            self.check(round_)
        except Refusal as refusal:
            return refusal
        except CroupierError as error:
            return Refusal("malformed", str(error))
        return None

    def in_turn(self, round_: Table) -> bool:
        return round_.phase in self.phases

    def check(self, round_: Table) -> None:
        """Raise a Refusal where the act breaks a rule of the game or of the house."""

    @abstractmethod
    def apply(self, round_: Table) -> Table:
        """The round after the act, which was found allowed."""

    def __str__(self) -> str:
        return " ".join([self.name, *self.words()])

    def words(self) -> list[str]:
        return []

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        """The act of these words; by default there are none."""
        if words:
            raise NotationError(f"'{cls.name}' stands alone; {' '.join(words)!r} is too much.")
        return cls()


def by_name(acts: Iterable[type[Act[Table]]]) -> dict[str, type[Act[Table]]]:
    return {act.name: act for act in acts}


def parse_act(text: str, acts: Mapping[str, type[Act[Table]]]) -> Act[Table]:
    """Read the text form of one of these acts; `parse_act(str(act), acts) == act`."""
    words = text.split()
    if not words or words[0] not in acts:
        raise NotationError(f"{text!r} is no act: it must begin with one of {', '.join(acts)}.")
    return acts[words[0]].from_words(words[1:])


def whole_number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 18):
        raise NotationError(f"{word!r} is no whole number.")
    return int(word)


def told(event: Event) -> str:
    """An event's text, with the cards where they are not in it."""
    if all(str(card) in event.text for card in event.cards):
        return event.text
    return f"{event.text.rstrip('.')}: {format_cards(event.cards)}."


def position_name(position: int) -> str:
    return "the dealer" if position == DEALER else f"seat {position}"
