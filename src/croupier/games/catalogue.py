"""The games that Croupier deals, by name; a game is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TypeVar, overload

from croupier.errors import UnknownName
from croupier.games.game import TableGame
from croupier.games.head_to_head.game import Game

Kind = TypeVar("Kind", bound=TableGame)
Title = TypeVar("Title", bound=TableGame)


class Catalogue(Mapping[str, Title]):
    """Games by key. Its keys are known without loading any."""

    def __init__(self, games: Mapping[str, Callable[[str], Title]]) -> None:
        self._games = games

    def __getitem__(self, key: str) -> Title:
        return self._games[key](key)

    def __contains__(self, key: object) -> bool:
        return key in self._games

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)


def _head_to_head(key: str) -> Game:
    game = import_module(f"croupier.games.titles.{key.replace('-', '_')}").GAME
    assert isinstance(game, Game)
    return game


def _blackjack(_: str) -> TableGame:
    from croupier.games.blackjack.game import blackjack

    return blackjack()


_HEAD_TO_HEAD = dict.fromkeys(("triple-shot-rummy", "three-card-baccarat", "supreme-99"), _head_to_head)
GAMES: Catalogue[Game] = Catalogue(_HEAD_TO_HEAD)
"""The head-to-head games; each is a module of `titles`."""
ALL_GAMES: Catalogue[TableGame] = Catalogue({**_HEAD_TO_HEAD, "blackjack": _blackjack})
"""Blackjack too, under the usual rules."""


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
    head_to_head = {"cards": game.packet_cards, "strategies": list(game.strategies)} if isinstance(game, Game) else {}
    return head_to_head | {
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
                "paytables": {name: str(paytable).splitlines() for name, paytable in wager.paytables.items()},
                "footnotes": {outcome.label: outcome.note for outcome in wager.outcomes if outcome.note},
            }
            for wager in game.wagers
        ],
        "options": dict(game.options),
    }
