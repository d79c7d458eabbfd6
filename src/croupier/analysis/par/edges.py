"""House edges that were counted before the program was delivered: of a game's first wager, by best play.

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
    from croupier.games.wager import FindPaytable

FILE = Path(__file__).with_name("edges.json")


def definition_digest(game: TableGame) -> str:
    """SHA-256 over the rules and pays of the first wager as it is offered where nothing else is said."""
    return game.offer().digest_of(game.wagers[0])


def edge_counted_before(game: TableGame) -> dict[str, Any] | None:
    """As `count_edge` gives it; None for a definition that nobody has counted before."""
    found = _delivered().get(definition_digest(game))
    return found["edge"] if found is not None and found["game"] == game.key else None


def count_edge(game: TableGame, find_paytable: FindPaytable) -> dict[str, Any]:
    from croupier.analysis.analyst import analyst_of
    from croupier.analysis.blackjack.question import Asked

    wager = game.wagers[0]
    asked = Asked(wager=wager.key, rules=game.short_placard)
    return {"wager": wager.title, **analyst_of(game).first_edge(asked, find_paytable)}


@cache
def _delivered() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def edges_file(games: Iterable[TableGame], find_paytable: FindPaytable) -> str:
    """What the file says of these games, all counted now."""

    def each() -> Iterator[tuple[str, dict[str, Any]]]:
        for game in games:
            told = {"game": game.key, "rules": game.short_placard, "edge": count_edge(game, find_paytable)}
            yield definition_digest(game), told

    return json.dumps(dict(each()), indent=2, ensure_ascii=False) + "\n"
