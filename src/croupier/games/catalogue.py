"""The games that Croupier deals, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, overload

from croupier.errors import UnknownName
from croupier.games.blackjack.game import blackjack
from croupier.games.game import TableGame
from croupier.games.packets.game import Game
from croupier.games.titles import supreme_99, three_card_baccarat, triple_shot_rummy

Kind = TypeVar("Kind", bound=TableGame)

GAMES: dict[str, Game] = {
    game.key: game for game in (triple_shot_rummy.GAME, three_card_baccarat.GAME, supreme_99.GAME)
}
"""The head-to-head games."""
ALL_GAMES: dict[str, TableGame] = {**GAMES, blackjack().key: blackjack()}
"""Blackjack too, under the usual rules."""


@overload
def find_game(name: str) -> Game: ...
@overload
def find_game(name: str, kind: type[Kind]) -> Kind: ...
def find_game(name: str, kind: type[TableGame] = Game) -> TableGame:
    """The game of that name; an unknown one is refused with the nearest names.

    It is a head-to-head game, or of the kind that is asked for: `find_game("blackjack", BlackjackGame)`.
    """
    return _find(name, {key: game for key, game in ALL_GAMES.items() if isinstance(game, kind)})


def find_any_game(name: str) -> TableGame:
    """The game of that name, of whatever kind."""
    return _find(name, ALL_GAMES)


def _find(name: str, games: Mapping[str, TableGame]) -> TableGame:
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in games:
        raise UnknownName("game", name, games)
    return games[key]


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
            }
            for wager in game.wagers
        ],
        "options": dict(game.options),
    }
