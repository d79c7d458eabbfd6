"""The games that Croupier deals, by name."""

from __future__ import annotations

from croupier.errors import UnknownName
from croupier.games import supreme_99, three_card_baccarat, triple_shot_rummy
from croupier.games.game import Game

GAMES: dict[str, Game] = {
    game.key: game for game in (triple_shot_rummy.GAME, three_card_baccarat.GAME, supreme_99.GAME)
}


def find_game(name: str) -> Game:
    """The game of that name; an unknown one is refused with the nearest names."""
    key = name.strip().lower().replace(" ", "-").replace("_", "-")
    if key not in GAMES:
        raise UnknownName("game", name, GAMES)
    return GAMES[key]
