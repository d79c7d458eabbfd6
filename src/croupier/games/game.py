"""A game at a table: what every game has, however its cards are dealt."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from croupier.errors import UnknownName
from croupier.games.wager import Spot, Wager


@dataclass(frozen=True, eq=False)
class TableGame(ABC):
    """What every game has, however its cards are dealt; the first wager is its base."""

    key: str
    title: str
    document: str
    seats: int
    wagers: tuple[Wager, ...]
    options: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """What the house may switch on, with the sentence that says what it does."""

    def wager(self, key: str) -> Wager:
        for wager in self.wagers:
            if wager.key == key.strip().lower().replace(" ", "-"):
                return wager
        raise UnknownName(f"wager of {self.title}", key, [wager.key for wager in self.wagers])

    @property
    @abstractmethod
    def has_decisions(self) -> bool:
        """Whether a player decides anything once the cards are out."""

    @property
    def procedure(self) -> list[object]:
        """What beside its wagers makes the game: part of what a digest is taken of."""
        return [self.key, self.seats]

    @cached_property
    def procedure_digest(self) -> str:
        """SHA-256 over the procedure, as an approval is filed with it."""
        return hashlib.sha256(json.dumps(["croupier procedure 1", self.procedure]).encode()).hexdigest()

    @cached_property
    def spots(self) -> dict[str, tuple[Wager, Spot]]:
        """Every place for chips, by its key, and the wager it belongs to."""
        return {spot.key: (wager, spot) for wager in self.wagers for spot in wager.spots}

    @cached_property
    def betting_spots(self) -> tuple[str, ...]:
        """The spots a player may bet on before the deal."""
        return tuple(key for key in self.spots if key not in self.later_spots)

    @property
    @abstractmethod
    def later_spots(self) -> frozenset[str]:
        """The spots that are only filled once cards are out."""
