"""House edges that were counted before the program was delivered: of a game's wagers, by best play.

A wager that is paid from a meter has none: what it keeps goes by what lies there.

`make docs` counts them and writes `edges.json`. Each is held by the digest of the definition that it was counted from:
a game whose rules or pays have changed has another digest, and its edge is unknown here until it is counted anew. The
tests count every one of them again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.games.game import TableGame

if TYPE_CHECKING:
    from croupier.games.table.offering import TableOffering
    from croupier.games.wager import FindPaytable

FILE = Path(__file__).with_name("edges.json")
SOLVED_PLACES = 12
"""Of a percentage that is solved and not counted: what comes after them differs from processor to processor."""


def definition_digest(game: TableGame) -> str:
    """SHA-256 over the rules and pays of the first wager as it is offered where nothing else is said."""
    return game.offer().digest_of(game.wagers[0])


def edge_counted_before(game: TableGame) -> dict[str, Any] | None:
    """As `count_edge` gives it, a solved one to twelve places; None for a definition that nobody has counted before."""
    row = _delivered().get(definition_digest(game))
    return row["edge"] if row is not None and row["game"] == game.key else None


def side_edges_counted_before(game: TableGame) -> dict[str, dict[str, Any]]:
    """By wager, of those beside the first; one that nobody has counted before with this definition is not there."""
    row = _delivered().get(definition_digest(game))
    sides = row["beside"] if row is not None and row["game"] == game.key else {}
    offer = _as_opened(game)
    same = (key for key, told in sides.items() if told["digest"] == offer.digest_of(game.wager(key)))
    return {key: {name: sides[key][name] for name in ("wager", "paytable", "house_edge")} for key in same}


def is_delivered(game: TableGame) -> bool:
    """Whether the file has edges of this game under its rules, of whatever definition: it takes no digest to say."""
    return (game.key, game.short_placard) in {(row["game"], row["rules"]) for row in _delivered().values()}


def count_edge(game: TableGame, find_paytable: FindPaytable) -> dict[str, Any]:
    from croupier.analysis.analyst import analyst_of
    from croupier.analysis.blackjack.question import Asked

    wager = game.wagers[0]
    asked = Asked(wager=wager.key, rules=game.short_placard)
    return {"wager": wager.title, **analyst_of(game).first_edge(asked, find_paytable)}


def count_side_edges(game: TableGame, find_paytable: FindPaytable) -> Iterator[tuple[str, dict[str, Any]]]:
    """Of each wager beside the first under the paytable that a table of the game opens with, with its digest."""
    from croupier.analysis.analyst import analyst_of
    from croupier.analysis.blackjack.question import Asked

    offer = _as_opened(game)
    for wager in game.wagers[1:]:
        if wager.progressive:
            continue
        posted = offer.paytable(wager.key)
        name = next(name for name, table in wager.paytables.items() if table == posted)
        asked = Asked(wager=wager.key, paytable=name, rules=game.short_placard)
        sheet = analyst_of(game).odds(asked, find_paytable)
        told = {"wager": wager.title, "paytable": name, "house_edge": sheet["house_edge"]}
        yield wager.key, {**told, "digest": offer.digest_of(wager)}


def _as_opened(game: TableGame) -> TableOffering:
    """With the paytables that the game names as its usual ones, and the first of each other wager."""
    return game.offer({key: game.wager(key).paytables[name] for key, name in game.usual.get("paytables", {}).items()})


@cache
def _delivered() -> dict[str, dict[str, Any]]:
    edges: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return edges


def _on_every_machine(edge: dict[str, Any]) -> dict[str, Any]:
    """The same text whichever processor has solved it."""
    share = edge["house_edge"]
    if share["exact"] is not None:
        return edge
    return {**edge, "house_edge": {**share, "percent": round(share["percent"], SOLVED_PLACES)}}


def edges_file(games: Iterable[TableGame], find_paytable: FindPaytable) -> str:
    """What the file says of these games, all counted now."""

    def counted_now() -> Iterator[tuple[str, dict[str, Any]]]:
        for game in games:
            edge = _on_every_machine(count_edge(game, find_paytable))
            told = {"game": game.key, "rules": game.short_placard, "edge": edge}
            yield definition_digest(game), {**told, "beside": dict(count_side_edges(game, find_paytable))}

    return json.dumps(dict(counted_now()), indent=2, ensure_ascii=False) + "\n"
