"""The games that Croupier deals, by name: every module of `titles` is one, and is loaded when it is asked for.

A game is added by its file and its page of the rulebook; nothing is registered anywhere. What a definition misses is
said in a sentence when it is loaded, and the game is then not there.
"""

from __future__ import annotations

import logging
import pkgutil
from collections.abc import Callable, Iterator, Mapping, ValuesView
from functools import cache
from importlib import import_module
from typing import Generic, TypeVar, overload

from croupier.errors import CroupierError, UnknownName
from croupier.games import titles
from croupier.games.game import DefinitionError, TableGame
from croupier.games.head_to_head.game import Game
from croupier.games.rulebook import paragraphs

LOG = logging.getLogger(__name__)
Kind = TypeVar("Kind", bound=TableGame)
Title = TypeVar("Title", bound=TableGame)


def check_definition(game: TableGame) -> None:
    """Refuse a game whose page, paragraphs, wagers or texts do not fit together."""
    for reason in _objections(game):
        raise DefinitionError(f"{game.title}: {reason}")


def _objections(game: TableGame) -> Iterator[str]:
    try:
        known = {each.number for each in paragraphs(game.key)}
    except FileNotFoundError:
        yield f"there is no page of the rulebook, docs/rulebook/{game.key}.md."
        return
    if not game.wagers:
        yield "it has no wager."
    yield from _of_wagers(game)
    for number, where in game.cited.items():
        if number not in known:
            yield f"{where} cites paragraph {number}, which its page of the rulebook does not have."


def _of_wagers(game: TableGame) -> Iterator[str]:
    spots: set[str] = set()
    for wager in game.wagers:
        for name, paytable in wager.paytables.items():
            try:
                wager.prices(paytable)
            except CroupierError as error:
                yield f"the paytable {name} of {wager.title} does not fit its outcomes: {error}"
        if not wager.paytables:
            yield f"{wager.title} has no paytable."
        for spot in wager.spots:
            if spot.key in spots:
                yield f"two wagers have the spot {spot.key!r}."
            spots.add(spot.key)


class Catalogue(Mapping[str, Title], Generic[Title]):
    """Games by key, in the order of their keys, which are known without loading any."""

    def __init__(self, keys: Callable[[], Mapping[str, str]], kind: type[Title]) -> None:
        self._keys, self._kind = keys, kind

    def __getitem__(self, key: str) -> Title:
        game = _loaded(self._keys()[key], key)
        if not isinstance(game, self._kind):
            raise KeyError(key)
        return game

    def __contains__(self, key: object) -> bool:
        return key in self._keys()

    def values(self) -> ValuesView[Title]:
        """The games that are whole; of the others it is said why they are not here, and nobody else has to wait."""
        whole: dict[str, Title] = {}
        for key in self:
            try:
                whole[key] = self[key]
            except DefinitionError as error:
                LOG.error("%s", error)
        return whole.values()

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())


def _modules() -> Mapping[str, str]:
    """The modules of `titles`, by the key of the game that each defines."""
    names = sorted(module.name for module in pkgutil.iter_modules(titles.__path__) if not module.ispkg)
    return {name.replace("_", "-"): f"{titles.__name__}.{name}" for name in names}


def _of_packets() -> Mapping[str, str]:
    return {key: module for key, module in _modules().items() if isinstance(_loaded(module, key), Game)}


@cache
def _loaded(module: str, key: str) -> TableGame:
    """The game that a module defines, once it is found whole."""
    try:
        game = getattr(import_module(module), "GAME", None)
    except CroupierError as error:
        raise DefinitionError(f"The module {module} defines no game: {error}") from error
    except Exception as error:
        raise DefinitionError(f"The module {module} cannot be read: {type(error).__name__}, {error}.") from error
    if not isinstance(game, TableGame):
        raise DefinitionError(f"The module {module} defines no game: it needs a GAME.")
    if game.key != key:
        raise DefinitionError(f"The module {module} defines {game.key!r}, and its name stands for {key!r}.")
    check_definition(game)
    return game


ALL_GAMES: Catalogue[TableGame] = Catalogue(_modules, TableGame)  # type: ignore[type-abstract]
"""Every game; one that has a choice of rules is under its usual ones."""
GAMES: Catalogue[Game] = Catalogue(_of_packets, Game)
"""Those of the head-to-head shape, all of which are loaded to know them."""


_OF_THE_HAND = frozenset({"insurance"})
"""Wagers that come up within a hand, and are no game of their own."""


def wagers_beside(game: str) -> dict[str, str]:
    """The titles, by key, of what a game has besides its base wager; nothing of a game that is not dealt here."""
    wagers = ALL_GAMES[game].wagers[1:] if game in ALL_GAMES else ()
    return {wager.key: wager.title for wager in wagers if wager.key not in _OF_THE_HAND}


@overload
def find_game(name: str) -> Game: ...
@overload
def find_game(name: str, kind: type[Kind]) -> Kind: ...
def find_game(name: str, kind: type[TableGame] = Game) -> TableGame:
    """The game of that name; an unknown one is refused with the nearest names.

    It is a head-to-head game, or of the kind that is asked for: `find_game("blackjack", BlackjackGame)`.
    """
    game = ALL_GAMES.get(_key(name))
    if not isinstance(game, kind):
        raise UnknownName("game", name, [key for key, game in ALL_GAMES.items() if isinstance(game, kind)])
    return game


def find_any_game(name: str) -> TableGame:
    """The game of that name, of whatever kind."""
    if _key(name) not in ALL_GAMES:
        raise UnknownName("game", name, ALL_GAMES)
    return ALL_GAMES[_key(name)]


def _key(name: str) -> str:
    return name.strip().lower().replace(" ", "-").replace("_", "-")


def game_as_json(game: TableGame) -> dict[str, object]:
    """What a game offers, for programs."""
    return {
        "game": game.key,
        "title": game.title,
        "document": game.document,
        "seats": game.seats,
        "wagers": [
            {
                "wager": wager.key,
                "title": wager.title,
                "mandatory": wager.mandatory,
                "choices": list(wager.choices),
                "rows_are": wager.rows_are,
                "table_by_rules": wager.table_by_rules,
                "paytables": {name: str(paytable).splitlines() for name, paytable in wager.paytables.items()},
                "footnotes": {outcome.label: outcome.note for outcome in wager.outcomes if outcome.note},
            }
            for wager in game.wagers
        ],
        "strategies": list(game.strategies),
        "options": dict(game.options),
    }
