"""A game as one house offers it: which paytables, which limits, which of the options the rules leave open."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Seed, Source
from croupier.errors import NotationError, UnknownName
from croupier.games.game import TableGame
from croupier.games.money import Rounding, dollars
from croupier.games.paytable import Paytable
from croupier.games.wager import Outcome, Price, Wager

if TYPE_CHECKING:
    from croupier.games.table.history import History


@dataclass(frozen=True)
class Limits:
    """The least and the most that may lie on a spot."""

    minimum_cents: int = 500
    maximum_cents: int = 10_000

    def __post_init__(self) -> None:
        if not 0 < self.minimum_cents <= self.maximum_cents:
            raise NotationError(
                f"Limits from {dollars(self.minimum_cents)} to {dollars(self.maximum_cents)} allow no wager: "
                "the minimum must be above zero and not above the maximum."
            )


def check_some_wager(limits: Limits, rounding: Rounding) -> None:
    """Refuse limits between which no wager is made of whole chips."""
    chip = rounding.chip_cents
    if -(-limits.minimum_cents // chip) * chip > limits.maximum_cents:
        raise NotationError(
            f"Limits from {dollars(limits.minimum_cents)} to {dollars(limits.maximum_cents)} allow no wager "
            f"in whole chips of {dollars(rounding.chip_cents)}."
        )


FIRST_WAGERS: Mapping[str, tuple[str, ...]] = {
    "triple-shot-rummy": ("ante-play", "pair-plus", "6-card-bonus"),
    "three-card-baccarat": ("bet", "kings-bonus", "tie", "dragon-bonus"),
    "supreme-99": ("bet", "pair-fortunes"),
    "blackjack": (
        *("bet", "insurance", "kings-bounty", "bet-the-bust"),
        *("blazing-7s-dealer", "blazing-7s-player", "trilux"),
    ),
}
"""The wagers of each game while records of the first form were written. Nothing is ever added here."""


@dataclass(frozen=True, eq=False)
class TableOffering(ABC):
    """What hangs on the table's sign, whatever the game; it does not change during a round."""

    game: TableGame
    paytables: Mapping[str, Paytable] = field(default_factory=dict)
    """By wager; where none is named, the wager's first."""
    limits: Limits = Limits()
    spot_limits: Mapping[str, Limits] = field(default_factory=dict)
    """Spots with limits of their own."""
    rounding: Rounding = field(default_factory=Rounding)
    options: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    """Optional wagers that the house does not offer."""
    seats: int | None = None
    """How many seats are open, where not all are."""

    def __post_init__(self) -> None:
        for key, paytable in self.paytables.items():
            self.game.wager(key).prices(paytable)
        for option in self.options:
            if option not in self.game.options:
                raise UnknownName(f"house option of {self.game.title}", option, self.game.options)
        if self.seats is not None and not 1 <= self.seats <= self.game.seats:
            raise NotationError(f"{self.seats} seats cannot be open: {self.game.title} has 1 to {self.game.seats}.")
        for wager in self.left_out:
            if self.game.wager(wager) is self.game.wagers[0]:
                raise NotationError(f"{self.game.title} cannot be offered without its {wager} wager.")
        for spot in self.spot_limits:
            if spot not in self.game.spots:
                raise UnknownName(f"spot of {self.game.title}", spot, self.game.spots)

    @abstractmethod
    def open(self, shoe: Shoe | None = None) -> History:
        """A new round: from a shoe, or without one where people enter the cards that were really dealt."""

    @property
    def decks(self) -> int:
        """How many decks the table is dealt from."""
        return self.game.decks

    def fresh_shoe(self, chance: Source | Seed) -> Shoe:
        """New decks as the game uses them, shuffled."""
        return Shoe.fresh(self.decks, chance, self.game.jokers)

    @property
    def placard(self) -> str:
        """The words of the rules, in a game that has a choice of them."""
        return self.game.placard

    @property
    def in_words(self) -> str:
        """The placard, as a person reads it."""
        return self.game.in_words

    def paytable(self, wager: str) -> Paytable:
        return self.paytables.get(wager) or next(iter(self.game.wager(wager).paytables.values()))

    @cached_property
    def prices(self) -> dict[str, dict[Outcome, Price]]:
        return {wager.key: wager.prices(self.paytable(wager.key)) for wager in self.game.wagers}

    @property
    def open_seats(self) -> int:
        return self.game.seats if self.seats is None else self.seats

    def limits_of(self, spot: str) -> Limits:
        return self.spot_limits.get(spot, self.limits)

    def unit_cents(self, spot: str) -> int:
        """What every wager on a spot is a multiple of."""
        return self.rounding.chip_cents

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the procedure, and over the rules and paytables of the wagers that are offered, in their order.

        A wager that is left out is not in it, nor an option that is off: a new one changes no digest.
        """
        offered = [wager for wager in self.game.wagers if wager.key not in self.left_out]
        parts = [[wager.key, self.digest_of(wager)] for wager in offered]
        spots = frozenset(spot.key for wager in offered for spot in wager.spots)
        procedure = [self.game.procedure_with(spots), sorted(self.options)]
        return hashlib.sha256(json.dumps(["croupier offering 2", procedure, parts]).encode()).hexdigest()

    @cached_property
    def first_digest(self) -> str:
        """As records of the first form have it: over all wagers that the game had then, offered or not."""
        wagers = (self.game.wager(key) for key in FIRST_WAGERS.get(self.game.key, ()))
        parts = [[wager.key, self.digest_of(wager)] for wager in wagers]
        return hashlib.sha256(json.dumps(["croupier offering 1", self.game.procedure, parts]).encode()).hexdigest()

    @abstractmethod
    def digest_of(self, wager: Wager) -> str:
        """SHA-256 over one wager's rules and its paytable."""
