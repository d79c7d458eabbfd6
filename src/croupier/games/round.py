"""One round at a table: who wagered what, who was dealt what, who decided what, and what was paid.

A round is an immutable history. For every act one can ask why it is not allowed (`why_not`), whether it is
(`can`), and do it (`do`), which gives the next round. The acts themselves are in `acts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from croupier.cards.card import Card, Hand
from croupier.cards.shoe import Shoe
from croupier.cards.symmetry import ALL_RANKS
from croupier.errors import Refusal
from croupier.games.game import Game
from croupier.games.offering import Offering
from croupier.games.settlement import Settlement

if TYPE_CHECKING:
    from croupier.games.acts import Act

DEALER = 0
"""The dealer's position; seats are numbered from 1 at the dealer's left."""


class Phase(StrEnum):
    BETTING = "betting"
    ROTATION = "drawing the dealing rotation"
    DEALING = "dealing"
    DECIDING = "deciding"
    REVEALING = "revealing the dealer's cards"
    SETTLING = "settling"
    OVER = "over"
    VOID = "void"


@dataclass(frozen=True)
class Seat:
    """What lies at one position."""

    player: str
    wagers: Mapping[str, int]
    """Cents by spot."""
    hand: Hand = ()
    choice: str | None = None


@dataclass(frozen=True)
class Event:
    """Something that happened, for displays and logs."""

    kind: str
    text: str
    position: int | None = None
    cards: Hand = ()
    cents: int | None = None


@dataclass(frozen=True, eq=False)
class Round:
    """A round so far. `shoe` is None where people enter the cards that were really dealt."""

    offering: Offering
    shoe: Shoe | None
    opening_shoe: Shoe | None
    """The shoe as it was before the first card of the round: what a record resumes from."""
    phase: Phase = Phase.BETTING
    seats: Mapping[int, Seat] = field(default_factory=dict)
    dealer: Hand = ()
    first_position: int | None = None
    """Where the rotation starts, in games that draw one."""
    unoccupied: Hand = ()
    """Cards of packets that went to empty positions."""
    packets: int = 0
    settlements: tuple[Settlement, ...] = ()
    acts: tuple[Act, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def game(self) -> Game:
        return self.offering.game

    def why_not(self, act: Act) -> Refusal | None:
        """The reason the act is not allowed here and now, or None."""
        return act.why_not(self)

    def can(self, act: Act) -> bool:
        return self.why_not(act) is None

    def do(self, act: Act) -> Round:
        """The round after the act; a refused act raises the reason and changes nothing."""
        refusal = self.why_not(act)
        if refusal:
            raise refusal
        after = act.apply(self)
        return replace(after, acts=(*self.acts, act))

    def with_event(self, event: Event, **changes: object) -> Round:
        return replace(self, events=(*self.events, event), **changes)  # type: ignore[arg-type]

    def with_seat(self, number: int, seat: Seat) -> Mapping[int, Seat]:
        """The seats with this one in its place, in order of their numbers."""
        return dict(sorted({**self.seats, number: seat}.items()))

    @property
    def dealing_order(self) -> tuple[int, ...]:
        """Positions in the order they get their packets."""
        if not self.game.rotation:
            return (*self.seats, DEALER)
        assert self.first_position is not None, "the rotation comes before the deal"
        everyone = (DEALER, *range(1, self.game.seats + 1))
        start = everyone.index(self.first_position)
        return everyone[start:] + everyone[:start]

    @property
    def next_position(self) -> int | None:
        """Who gets the next packet."""
        return self.dealing_order[self.packets] if self.phase is Phase.DEALING else None

    @property
    def undecided(self) -> tuple[int, ...]:
        """Seats that still have to decide."""
        if self.phase is not Phase.DECIDING:
            return ()
        return tuple(n for n, seat in self.seats.items() if self.decides(seat) and seat.choice is None)

    def decides(self, seat: Seat) -> bool:
        """A seat decides about the wager it made; without it there is nothing to decide."""
        wager = self.game.decides
        return wager is not None and wager.spots[0].key in seat.wagers

    def cards_out(self) -> Iterator[Card]:
        """Every card that has left the shoe in this round."""
        for seat in self.seats.values():
            yield from seat.hand
        yield from self.unoccupied
        yield from self.dealer

    @property
    def is_over(self) -> bool:
        return self.phase in (Phase.OVER, Phase.VOID)

    @property
    def staked_cents(self) -> int:
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


def open_round(offering: Offering, shoe: Shoe | None = None) -> Round:
    """A new round: with a virtual shoe, or without where real cards are entered."""
    if shoe and (shoe.decks != 1 or offering.game.ranks != ALL_RANKS):
        raise Refusal("wrong-shoe", f"{offering.game.title} is not dealt from a shoe of {shoe.decks} standard decks.")
    opened = Event("open", f"{offering.game.title} is open for wagers.")
    return Round(offering, shoe, opening_shoe=shoe, events=(opened,))
