"""The house edge of every game as this site offers it, for whoever looks for one to play.

An answer comes at once with what is known. Edges that were delivered with the program are looked up beside the server's
work, because a definition's digest takes up to half a second the first time; others are begun, one after another, by
the process that counts for the public.
"""

from __future__ import annotations

from functools import cache
from threading import Thread
from typing import Any

from croupier.analysis.par.edges import edge_counted_before, is_delivered, side_edges_counted_before
from croupier.games.catalogue import ALL_GAMES, is_own
from croupier.games.game import TableGame
from croupier.web.games import questions
from croupier.web.games.play import Guest, Play

FIRST_LOOK_S = 0.25
"""How long the first page waits for what was delivered: with it, as a rule, nobody sees a game without its edge."""


def rules_here(game: TableGame, guest: Guest | None) -> str:
    """The usual table of this site."""
    usual = (guest.usual(game.key) if guest else None) or game.usual
    return str(usual.get("rules", ""))


def edges_here(play: Play, guest: Guest | None) -> list[dict[str, Any]]:
    """Each game's edge where it is known, and whether it is still to come."""
    tables = _tables(guest)
    _look_up(tables).join(FIRST_LOOK_S)
    return [_told(play, *table) for table in tables]


def edges_delivered(game: str, rules: str) -> dict[str, float]:
    """By wager, in percent, what was delivered of a table; only what is known soon enough for a page. Placards of which
    nothing was delivered are not looked up: anybody can write as many as they like, and what is looked up is kept."""
    if is_own(game) or not is_delivered(ALL_GAMES[game].under(rules)):
        return {}
    _look_up(((game, rules),)).join(FIRST_LOOK_S)
    first, wager = _looked_up.get((game, rules)), ALL_GAMES[game].wagers[0].key
    told = {**({wager: first} if first else {}), **_beside.get((game, rules), {})}
    return {key: edge["house_edge"]["percent"] for key, edge in told.items()}


def begin_edges(guest: Guest) -> None:
    """Before anybody looks, as a demo does: its front door is what people come for."""
    _look_up(_tables(guest))


def _tables(guest: Guest | None) -> tuple[tuple[str, str], ...]:
    return tuple((game.key, rules_here(game, guest)) for game in ALL_GAMES.values())


def _told(play: Play, game: str, rules: str) -> dict[str, Any]:
    about = {"game": game, "rules": rules, "beside": _beside.get((game, rules))}
    if not is_own(game) and (game, rules) not in _looked_up:
        return {**about, "edge": None, "counting": True}
    edge = _looked_up.get((game, rules)) or play.public.known(questions.edge, game, rules)
    if edge is None:
        play.public.begin(questions.edge, game, rules)
    counting = edge is None and not play.public.is_given_up(questions.edge, game, rules)
    return {**about, "edge": edge, "counting": counting}


_looked_up: dict[tuple[str, str], dict[str, Any] | None] = {}
"""What was delivered of the edge of a table; None where it was not, or is that of another definition."""


_beside: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
"""The same of the wagers beside the first, by their keys: looked up when every first one is known."""


@cache
def _look_up(tables: tuple[tuple[str, str], ...]) -> Thread:
    """Begun once, when somebody first looks at the games."""

    def each_table() -> None:
        for game, rules in tables:
            edge = None if is_own(game) else edge_counted_before(ALL_GAMES[game].under(rules))
            _looked_up[game, rules] = {"game": game, **edge} if edge else None
        for game, rules in tables:
            _beside[game, rules] = {} if is_own(game) else side_edges_counted_before(ALL_GAMES[game].under(rules))

    thread = Thread(target=each_table, name="edges", daemon=True)
    thread.start()
    return thread
