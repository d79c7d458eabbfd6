"""What lies on a table as somebody may see it: cards at a place, a seat's own knowledge, and an act that is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from croupier.cards.card import Hand
from croupier.errors import Refusal

if TYPE_CHECKING:
    from croupier.games.table.history import Act

SEAT, DEALER, BOARD = "seat", "dealer", "board"
"""The places that `Seen` has cards of: the seat's own, the dealer's that are shown, those that all seats share."""


@dataclass(frozen=True)
class Half:
    """One part of a hand that is set in parts."""

    half: str
    cards: Hand
    words: str


@dataclass(frozen=True)
class Shown:
    """The cards of one hand as everybody may see them now."""

    cards: Hand = ()
    words: str = ""
    """What they come to."""
    face_down: int = 0
    """How many more lie there that nobody sees."""
    halves: tuple[Half, ...] = ()
    """Where it is set in parts."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else programs are told of it, in words, numbers, yes or no."""
    hidden: Hand = field(default=(), repr=False)
    """Those that lie face down: nobody is told before the round is over, and a log never."""


@dataclass(frozen=True)
class Seen:
    """What one seat knows: its own cards, those that are shown, and what it has chosen so far."""

    cards: Mapping[str, Hand] = field(default_factory=dict)
    """By place, each in the order they came."""
    choices: tuple[Any, ...] = ()
    """Each the word that a person says for it."""

    def __getitem__(self, place: Any) -> Hand:
        return self.cards.get(place, ())


@dataclass(frozen=True)
class Off:
    """One choice that the table has, and that the hand whose turn it is does not."""

    name: str
    seat: int
    key: str
    label: str
    why: Refusal
    gives_up: bool = False


@dataclass(frozen=True)
class Legal:
    """One act that is allowed now."""

    act: Act[Any]
    words: str
    """What it does."""
    seat: int | None = None
    """Whose act it is; None for the dealer's."""
    cost_cents: int = 0
    """The chips that it puts on the table."""
    least_cents: int | None = None
    most_cents: int | None = None
    """Of a wager whose amount may be chosen; a bet is written with the least, insurance with the most."""
    needs: str = ""
    """What has to be added to the act's text before it can be done; nothing where it is complete."""
    key: str = ""
    """What a person presses for it, where it is a player's decision."""
    advised_by: tuple[str, ...] = ()
    """The game's own strategies that would do it here."""
    label: str = ""
    """What stands on its button, where it is a player's decision."""
    detail: str = ""
    """What it does beside that, in small print."""
    spot: str = ""
    """Where its chips go, if it is a wager that could not be made before the deal."""
    gives_up: bool = False
    """Whether the seat gives its wager up, or a part of it: it is offered more quietly than what plays on."""
    hand: str = ""
    """The hand that it makes, where it is the choice that makes it; otherwise nothing."""
