"""One round at a table: who wagered what, who was dealt what, who decided what, and what was paid.

A round is an immutable history. For every act one can ask why it is not allowed (`why_not`), whether it is
(`can`), and do it (`do`), which gives the next round. The acts themselves are in `acts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from croupier.cards.card import Card, Hand
from croupier.cards.shoe import Shoe
from croupier.cards.symmetry import ALL_RANKS
from croupier.errors import Refusal
from croupier.games.game import Handled
from croupier.games.head_to_head.game import Game, wager_digest
from croupier.games.table.history import DEALER, Act, Event, History, Seat, position_name
from croupier.games.table.offering import TableOffering
from croupier.games.table.questions import Question
from croupier.games.table.shown import DEALER as DEALERS
from croupier.games.table.shown import SEAT, Legal, Seen, Shown
from croupier.games.wager import Wager


@dataclass(frozen=True, eq=False)
class Offering(TableOffering):
    """A head-to-head game as one house offers it."""

    game: Game

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "game", self.game.with_options(self.options))

    def open(self, shoe: Shoe | None = None) -> Round:
        return open_round(self, shoe)

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


FACE_DOWN = (Phase.BETTING, Phase.ROTATION, Phase.DEALING, Phase.DECIDING, Phase.REVEALING)
"""While the dealer's cards are for nobody to see."""


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

    @property
    def waits_for(self) -> tuple[int, ...]:
        return self.undecided

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

    # What is asked of every round; which acts there are is known a layer above the round itself.

    @property
    def known_acts(self) -> Mapping[str, type[Act[Any]]]:
        from croupier.games.head_to_head import acts

        return acts.ACTS

    @property
    def no_more_bets(self) -> Act[Any]:
        from croupier.games.head_to_head import acts

        return acts.NoMoreBets()

    def in_play(self) -> Iterator[Legal]:
        from croupier.games.head_to_head import legal

        return legal.in_play(self)

    @property
    def next_by_dealer(self) -> Act[Any] | None:
        from croupier.games.head_to_head import legal

        return legal.dealers_act(self)

    def to_write(self) -> list[str]:
        drawn = ["rotation dice 2 5 1", "rotation number 4"]
        return drawn if self.phase is Phase.ROTATION else super().to_write()

    @property
    def next_in_full(self) -> str:
        """In a deal of packets also whose is the next."""
        if self.next_position is None:
            return self.what_is_next
        unseen = self.next_position and self.next_position not in self.seats
        may = ", or 'deal' alone, for nobody sits there" if unseen else ""
        return f"the next {self.game.packet_cards} cards go to {position_name(self.next_position)}{may}"

    def check_sealed(self, act: Act[Any]) -> None:
        from croupier.games.head_to_head import legal

        legal.check_sealed(self, act)

    @property
    def possible_raises_cents(self) -> int:
        """Each raise equals the wager it goes with."""
        wager, decision = self.game.decides, self.game.decision
        if not wager or not decision or not decision.raises:
            return 0
        return sum(seat.wagers[wager.spots[0].key] for seat in self.seats.values() if self.decides(seat))

    @property
    def is_revealed(self) -> bool:
        """A round that was called off before the dealer's cards were turned over ends without showing them."""
        return self.phase not in FACE_DOWN and any(event.kind == "reveal" for event in self.events)

    @property
    def dealers_hand(self) -> Shown:
        if not self.is_revealed or not self.dealer:
            return Shown(face_down=len(self.dealer), hidden=self.dealer)
        halves = self.game.dealers_halves(self.dealer) if self.game.dealers_halves else ()
        return Shown(self.dealer, self.game.describe_dealer(self.dealer), halves=halves)

    def hands(self, seat: int) -> tuple[Shown, ...]:
        hand, choice = self.seats[seat].hand, self.seats[seat].choice
        if not hand:
            return ()
        halves = self.game.halves(hand, choice) if self.game.halves and choice is not None else ()
        return (Shown(hand, self.game.describe(hand, choice), halves=halves),)

    def questions(self, before: Round) -> Iterator[Question]:
        from croupier.games.head_to_head import legal

        return legal.questions(self, before)

    def handled(self, before: Round) -> Iterator[Handled]:
        from croupier.games.head_to_head import legal

        yield from super().handled(before)
        yield from legal.handled(self)

    def decided(self, seat: int) -> str | None:
        return self.seats[seat].choice

    def gave_up(self, seat: int) -> str:
        decision, choice = self.game.decision, self.seats[seat].choice
        return choice if decision and choice and choice in decision.forfeits else ""

    def seen(self, seat: int) -> Seen:
        choice, shown = self.seats[seat].choice, self.dealers_hand.cards
        return Seen({SEAT: self.seats[seat].hand, DEALERS: shown}, () if choice is None else (choice,))


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
