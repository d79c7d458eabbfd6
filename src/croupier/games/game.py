"""A head-to-head game: each seat and the dealer get a packet of cards, and every wager is judged from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from croupier.cards.card import Hand
from croupier.cards.symmetry import ALL_RANKS, Ranks
from croupier.errors import UnknownName
from croupier.games.wager import Spot, Wager


@dataclass(frozen=True, eq=False)
class Decision:
    """What the players decide once they have seen their cards."""

    wager: str
    """The wager that it is about: only a seat which made it decides."""
    parse: Callable[[Hand, str], str]
    """Reads a person's words (`fold`, `As 9d`) as one of the wager's choices, or refuses with the reason."""
    say: Callable[[Hand, str], str]
    """The words for a choice; `parse` reads them back."""
    raises: Mapping[str, str] = field(default_factory=dict)
    """Choices that put a second wager, equal to the first, on a spot: `play` on Play."""
    forfeits: frozenset[str] = frozenset()
    """Choices that give the wager up: the dealer collects it before settling."""


@dataclass(frozen=True, eq=False)
class Game:
    """All of a game: the live round, the exact count, the screens and the PAR sheet are made from this."""

    key: str
    title: str
    document: str
    packet_cards: int
    seats: int
    wagers: tuple[Wager, ...]
    settling_order: tuple[str, ...]
    """Spots in the order the dealer pays and takes."""
    describe: Callable[[Hand, str | None], str]
    """A seat's hand in words, given what the player decided."""
    describe_dealer: Callable[[Hand], str]
    decision: Decision | None = None
    strategies: Mapping[str, Callable[[Hand], str]] = field(default_factory=dict)
    """Ways of deciding that a person could follow, by name."""
    chart: Callable[[Hand, str], tuple[str, str]] | None = None
    """How a strategy is put on one page: the kind of hand, and what the choice amounts to."""
    rotation: bool = False
    """Whether all packets are dealt, occupied or not, from a position drawn by dice or number."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What the house may switch on, with the sentence that says what it does."""
    ranks: Ranks = ALL_RANKS
    """The ranks of its one deck, each in four suits."""

    @cached_property
    def decides(self) -> Wager | None:
        """The wager that has a decision."""
        return self.wager(self.decision.wager) if self.decision else None

    def wager(self, key: str) -> Wager:
        for wager in self.wagers:
            if wager.key == key:
                return wager
        raise UnknownName(f"wager of {self.title}", key, [wager.key for wager in self.wagers])

    @cached_property
    def spots(self) -> dict[str, tuple[Wager, Spot]]:
        """Every place for chips, by its key, and the wager it belongs to."""
        return {spot.key: (wager, spot) for wager in self.wagers for spot in wager.spots}

    @cached_property
    def betting_spots(self) -> tuple[str, ...]:
        """The spots a player may bet on before the deal: not those that only a decision fills."""
        raised = set(self.decision.raises.values()) if self.decision else set()
        return tuple(key for key in self.spots if key not in raised)
