"""A table as it is set from the register: by which approval, under which rules, with which paytables and equipment.

offered(table)        [Offered("pair-plus", "2", "f58a...")]: every wager that it offers, with the digest of its rules
                      and pays, which is what an approval is asked by
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Protocol

from croupier.errors import NotationError, UnknownName
from croupier.games.catalogue import find_any_game, wagers_beside
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.table.offering import TableOffering

OWN = "own"
"""The name of a paytable that the house has made itself."""


class Dealing(StrEnum):
    """How the cards come to the players."""

    HAND = "hand"
    SHOE = "shoe"
    SHUFFLER = "shuffler"


class Use(StrEnum):
    """What a piece of equipment is for."""

    LAYOUT = "layout"
    SHUFFLER = "shuffler"
    SHOE = "shoe"
    CARDS = "cards"
    I_VERIFY = "i-verify"
    SYSTEM = "progressive-system"
    DISPLAY = "display"
    OTHER = "other"


@dataclass(frozen=True)
class Piece:
    """A piece of equipment at the table."""

    use: Use
    model: str
    maker: str
    seller: str = ""
    """Who sold it, where that is somebody else."""
    version: str = ""
    """Of its software, as 5.4.0."""
    place: str = ""
    """Where its display is, so that surveillance sees it."""
    plain: bool = False
    """Of a display: a monitor without intelligence, functions or a network of its own."""

    @property
    def companies(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name in (self.maker, self.seller) if name))


@dataclass(frozen=True)
class Posted:
    """Which paytable of a wager hangs at the table."""

    wager: str
    paytable: str = ""
    """By its name in the rules; nothing where the house has its own."""
    own: tuple[str, ...] = ()
    """A paytable of the house's own, a hand and its pay on each line."""


@dataclass(frozen=True)
class OnFile:
    """What the register has of a table."""

    approval: str
    """The key of the approval that has its title."""
    dealing: Dealing
    rules: str = ""
    """The words of the rules (`6D H17 DAS`), or the house options of a game that has no such words."""
    paytables: tuple[Posted, ...] = ()
    """Where none is named, the wager's first."""
    equipment: tuple[Piece, ...] = ()


class LimitsLike(Protocol):
    """The limits of a wager beside the base wager."""

    @property
    def wager(self) -> str: ...
    @property
    def most_cents(self) -> int: ...


class TableLike(Protocol):
    """A table of a site, as far as conditions are about it."""

    @property
    def number(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def base_game(self) -> str: ...
    @property
    def decks(self) -> int: ...
    @property
    def seats(self) -> int: ...
    @property
    def most_wager_cents(self) -> int: ...
    @property
    def wagers(self) -> Sequence[str]: ...
    @property
    def limits(self) -> Sequence[LimitsLike]: ...
    @property
    def on_file(self) -> OnFile | None: ...


class Offered(NamedTuple):
    """A wager with the paytable that is posted."""

    wager: str
    title: str
    paytable: str
    digest: str


def offered(table: TableLike) -> tuple[Offered, ...]:
    """Every wager of the table; the progressives of links are not among them."""
    assert table.on_file is not None
    on_file = table.on_file
    return _offered(table.base_game, table.decks, tuple(table.wagers), on_file.rules, on_file.paytables)


@lru_cache(maxsize=1024)
def _offered(
    game: str, decks: int, wagers: tuple[str, ...], rules: str, posted: tuple[Posted, ...]
) -> tuple[Offered, ...]:
    offering = _offering(game, decks, wagers, rules, posted)
    offers = []
    for wager in offering.game.wagers:
        if wager is offering.game.wagers[0] or wager.key in wagers:
            paytable = offering.paytable(wager.key)
            own = any(row.wager == wager.key and row.own for row in posted)
            name = OWN if own else _name_of(paytable, wager.paytables)
            offers.append(Offered(wager.key, wager.title, name, offering.digest_of(wager)))
    return tuple(offers)


def offers_of(game: TableGame) -> Iterator[Offered]:
    """Every wager of a game with each paytable that it can have under these rules."""
    for wager in game.wagers:
        side_wagers = [wager.key] if wager.key in game.optional else []
        for name, paytable in wager.paytables.items():
            chosen = {wager.key: paytable} if len(wager.paytables) > 1 else {}
            try:
                offering = game.offer(chosen, side_wagers=side_wagers)
            except NotationError:  # that one goes with other rules
                continue
            yield Offered(wager.key, wager.title, name, offering.digest_of(wager))


def _name_of(paytable: Paytable, paytables: Mapping[str, Paytable]) -> str:
    return next((name for name, posted_table in paytables.items() if posted_table is paytable), paytable.name)


def options_of(table: TableLike) -> tuple[str, ...]:
    """The house options that are switched on; the words of rules are no options."""
    if table.on_file is None or find_any_game(table.base_game).placard:
        return ()
    return tuple(table.on_file.rules.split())


def check_offer(table: TableLike) -> None:
    """Refuse what cannot be dealt so, in a sentence."""
    assert table.on_file is not None
    on_file, beside = table.on_file, wagers_beside(find_any_game(table.base_game).key)
    for wager in table.wagers:
        if wager not in beside:
            raise UnknownName(f"wager of table {table.number}", wager, list(beside))
    game = _offering(table.base_game, table.decks, tuple(table.wagers), on_file.rules, on_file.paytables).game
    if table.seats > game.seats:
        raise NotationError(f"{game.title} has 1 to {game.seats} seats, not {table.seats}.")


def _offering(game: str, decks: int, wagers: tuple[str, ...], words: str, posted: tuple[Posted, ...]) -> TableOffering:
    usual = find_any_game(game)
    offering = usual.under(words or f"{decks}D") if usual.placard else usual
    if offering.decks != decks:
        dealt = f"{offering.decks} deck{'' if offering.decks == 1 else 's'}"
        raise NotationError(f"{offering.title} is dealt from {dealt} under these rules, and the table from {decks}.")
    paytables: dict[str, Paytable] = {}
    for row in posted:
        wager = offering.wager(row.wager)
        if wager.key in paytables:
            raise NotationError(f"{row.wager} has two paytables: a table posts one.")
        if bool(row.paytable) == bool(row.own):
            raise NotationError(f"{row.wager} has a paytable by its name, or rows of the house's own, and not both.")
        if row.own:
            paytables[wager.key] = Paytable.parse(OWN, "\n".join(row.own))
        elif row.paytable in wager.paytables:
            paytables[wager.key] = wager.paytables[row.paytable]
        else:
            raise UnknownName(f"paytable of {wager.title}", row.paytable, list(wager.paytables))
    options = () if usual.placard else words.split()
    side_wagers = [wager for wager in wagers if wager in offering.optional]
    return offering.offer(paytables, options=options, side_wagers=side_wagers)
