"""One round at a table: who wagered what, who was dealt what, who decided what, and what was paid.

A round is an immutable history. For every act one can ask why it is not allowed (`why_not`), whether it is
(`can`), and do it (`do`), which gives the next round. The acts themselves are in `acts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from croupier.cards.card import Card, Hand
from croupier.cards.shoe import Shoe
from croupier.cards.symmetry import ALL_RANKS
from croupier.errors import Refusal
from croupier.games.head_to_head.game import Game, wager_digest
from croupier.games.table.history import DEALER, Event, History, Seat
from croupier.games.table.offering import TableOffering
from croupier.games.wager import Wager


@dataclass(frozen=True, eq=False)
class Offering(TableOffering):
    """A head-to-head game as one house offers it."""

    game: Game

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "game", self.game.under(self.options))

    def digest_of(self, wager: Wager) -> str:
        return wager_digest(self.game, wager, self.paytable(wager.key))


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
class PacketSeat(Seat):
    """A position with its packet of cards, and what was decided."""

    hand: Hand = ()
    choice: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Round(History):
    """A round so far of a head-to-head game."""

    offering: Offering
    phase: Phase = Phase.BETTING
    seats: Mapping[int, PacketSeat] = field(default_factory=dict)
    dealer: Hand = field(default=(), repr=False)  # a log must not show cards that lie face down
    first_position: int | None = None
    """Where the rotation starts, in games that draw one."""
    unoccupied: Hand = field(default=(), repr=False)
    """Cards of packets that went to empty positions."""
    packets: int = 0

    @property
    def game(self) -> Game:
        return self.offering.game

    def empty_seat(self, player: str) -> PacketSeat:
        return PacketSeat(player, {})

    @property
    def what_is_next(self) -> str:
        if self.is_over:
            return f"the round is {self.phase.value}"
        if self.undecided:
            return f"waiting for the decision of seat {', '.join(map(str, self.undecided))}"
        return f"the round is at {self.phase.value}"

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

    def decides(self, seat: PacketSeat) -> bool:
        """A seat decides about the wager it made; without it there is nothing to decide."""
        wager = self.game.decides
        return wager is not None and wager.spots[0].key in seat.wagers

    def cards_out(self) -> Iterator[Card]:
        """Every card that has left the shoe in this round."""
        for seat in self.seats.values():
            yield from seat.hand
        yield from self.unoccupied
        yield from self.dealer


def open_round(offering: Offering, shoe: Shoe | None = None) -> Round:
    """A new round: with a virtual shoe, or without where real cards are entered."""
    if shoe and (shoe.decks != 1 or offering.game.ranks != ALL_RANKS):
        raise Refusal("wrong-shoe", f"{offering.game.title} is not dealt from a shoe of {shoe.decks} standard decks.")
    if shoe and shoe.dealt:
        raise Refusal(
            "wrong-shoe", f"{offering.game.title} is dealt from a whole deck; {shoe.dealt} cards are gone from this."
        )
    opened = Event("open", f"{offering.game.title} is open for wagers.")
    return Round(offering=offering, shoe=shoe, opening_shoe=shoe, events=(opened,))
