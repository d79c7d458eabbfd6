"""The lab: a paytable that can be changed, with every figure that follows. For anybody; long jobs take a sign-in."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request, Response

from croupier.analysis.meter.wager import meter_title, preconfigured
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.paytable import Kind, Paytable
from croupier.games.wager import Wager
from croupier.web.identity.callers import TheRuntime
from croupier.web.identity.visitors import who
from croupier.web.pages.templates import page

router = APIRouter(include_in_schema=False, prefix="/lab")


@router.get("", response_model=None)
def lab(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    planned = [wager.key for game in ALL_GAMES.values() for wager in game.wagers if wager.progressive]
    boot = {"games": _games(), "planned": planned if person else []}
    # The planner's figures are those of the console's.
    return page(
        request,
        "lab/lab.html",
        runtime,
        ("lab", "console-links"),
        person=person,
        csrf=csrf,
        boot=boot,
        back=quote(_back(request), safe=""),
    )


def _back(request: Request) -> str:
    """The address as it was shared, in the few characters that signing in leads back to."""
    query = urlencode(request.query_params.multi_items(), quote_via=quote, safe="")
    query = query.replace(".", "%2E").replace("~", "%7E")
    return f"/lab?{query}" if query else "/lab"


@cache
def _games() -> list[dict[str, Any]]:
    return [
        {
            "game": game.key,
            "title": game.title,
            "wagers": [(_by_rules if game.by_rules(wager) else _wager)(game, wager) for wager in game.wagers],
        }
        for game in ALL_GAMES.values()
    ]


def _by_rules(game: TableGame, wager: Wager) -> dict[str, Any]:
    from croupier.analysis.lab.placard import choices_as_json

    return choices_as_json(game, wager)


def _wager(game: TableGame, wager: Wager) -> dict[str, Any]:
    return {
        "wager": wager.key,
        "title": wager.title,
        "row_says": wager.row_says,
        "decks": list(game.decks_of(wager)),
        "strategies": list(game.strategies) if wager.choices else [],
        "options": {key: says for key, says in game.options.items() if _reads_otherwise(game, wager, key)},
        "tables": [_table(wager, name, table) for name, table in wager.paytables.items()],
        "footnotes": {outcome.label: outcome.note for outcome in wager.outcomes if outcome.note},
    }


def _reads_otherwise(game: TableGame, wager: Wager, option: str) -> bool:
    """Whether the wager is another one under a house option."""
    return game.with_options([option]).wager(wager.key) is not wager


def _table(wager: Wager, name: str, table: Paytable) -> dict[str, Any]:
    from croupier.analysis.lab.paytable import row_as_json

    usual = preconfigured(wager.key, name)
    meters = list(dict.fromkeys(row.pay.meter for row in table.rows if row.pay.kind is Kind.SHARE))
    seeds = {meter_title(meter): str(usual.seeds[meter]) if usual else "" for meter in meters}
    contribution = f"{float(100 * usual.contribution):g}%" if usual and meters else ""
    rows = [row_as_json(row) for row in table.rows]
    return {"id": name, "rows": rows, "contribution": contribution, "seeds": seeds}
