"""The lab: a paytable that can be changed, with every figure that follows; for whoever has signed in."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from croupier.analysis.blackjack.question import BASIC, KNOWN_ODDS, USUAL, words_of
from croupier.analysis.meter.wager import meter_title, preconfigured
from croupier.games.blackjack.game import DECKS_OF, BlackjackGame
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.rules import DECKS, DoubleOn, Rules
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.head_to_head.game import Game
from croupier.games.paytable import Kind, Paytable
from croupier.games.wager import Wager
from croupier.training.table import RULES as DEALT
from croupier.web.identity.callers import TheRuntime
from croupier.web.identity.visitors import who
from croupier.web.pages.templates import page

router = APIRouter(include_in_schema=False, prefix="/lab")
PLACARDS = (
    *(DEALT, "6D S17 DAS SP4 3:2", "6D H17 DAS SP4 3:2", "6D H17 DAS SP4 6:5"),
    *("2D H17 DAS SP4 3:2", "1D H17 D10 NDAS SP2 3:2", "6D S17 DAS SP4 ENHC 3:2"),
)
"""Rules that one may begin with: those that the pages deal by, and shoes and hand-held games as other houses do."""
YES_OR_NO = (False, True)
RULES: dict[str, tuple[Any, ...]] = {
    "decks": DECKS,
    "hits_soft_17": YES_OR_NO,
    "double_on": tuple(DoubleOn),
    "double_after_split": YES_OR_NO,
    "split_hands": (1, 2, 3, 4),
    "resplit_aces": YES_OR_NO,
    "hit_split_aces": YES_OR_NO,
    "late_surrender": YES_OR_NO,
    "hole_card": YES_OR_NO,
    "blackjack_odds": KNOWN_ODDS,
}
"""Those that the figures of the Bet depend on, with what may be chosen; other odds are written."""


@router.get("", response_model=None)
def lab(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    if person is None:
        return RedirectResponse(f"/sign-in?then={quote(_back(request), safe='')}", status_code=303)
    boot = {"games": _games(), "planned": list(PROGRESSIVES)}
    # The planner's figures are those of the console's.
    return page(request, "lab/lab.html", runtime, ("lab", "console-links"), person=person, csrf=csrf, boot=boot)


def _back(request: Request) -> str:
    """The address as it was shared, in the few characters that signing in leads back to."""
    said = urlencode(request.query_params.multi_items(), quote_via=quote, safe="")
    said = said.replace(".", "%2E").replace("~", "%7E")
    return f"/lab?{said}" if said else "/lab"


@cache
def _games() -> list[dict[str, Any]]:
    return [
        {
            "game": game.key,
            "title": game.title,
            "wagers": [_bet(wager) if _is_bet(game, wager) else _wager(game, wager) for wager in game.wagers],
        }
        for game in ALL_GAMES.values()
    ]


def _is_bet(game: TableGame, wager: Wager) -> bool:
    """Which pays as the rules say: these are what can be changed."""
    return isinstance(game, BlackjackGame) and wager.key == BET.key


def _bet(wager: Wager) -> dict[str, Any]:
    """Placards in place of paytables, and for each rule the words that it can have on one."""
    rules = [
        {"rule": name, "words": [words_of(replace(USUAL, **{name: each}))[name] for each in allowed]}
        for name, allowed in RULES.items()
    ]
    placards = (str(Rules.parse(placard)) for placard in PLACARDS)
    return {
        "wager": wager.key,
        "title": wager.title,
        "decks": [],
        "strategies": [BASIC],
        "rules": rules,
        "tables": [
            {"id": placard, "rows": _rule_rows(placard), "contribution": "", "seeds": {}} for placard in placards
        ],
    }


def _rule_rows(placard: str) -> list[dict[str, str]]:
    return [{"label": name, "pay": word} for name, word in words_of(Rules.parse(placard)).items()]


def _wager(game: TableGame, wager: Wager) -> dict[str, Any]:
    decks = list(DECKS_OF.get(wager.key, DECKS)) if isinstance(game, BlackjackGame) else []
    return {
        "wager": wager.key,
        "title": wager.title,
        "decks": decks,
        "strategies": list(game.strategies) if isinstance(game, Game) and wager.choices else [],
        "tables": [_table(wager, name, table) for name, table in wager.paytables.items()],
        "footnotes": {outcome.label: outcome.note for outcome in wager.outcomes if outcome.note},
    }


def _table(wager: Wager, name: str, table: Paytable) -> dict[str, Any]:
    from croupier.analysis.lab.paytable import row_as_json

    usual = preconfigured(wager.key, name)
    meters = list(dict.fromkeys(row.pay.meter for row in table.rows if row.pay.kind is Kind.SHARE))
    seeds = {meter_title(meter): str(usual.seeds[meter]) if usual else "" for meter in meters}
    contribution = f"{float(100 * usual.contribution):g}%" if usual and meters else ""
    rows = [row_as_json(row) for row in table.rows]
    return {"id": name, "rows": rows, "contribution": contribution, "seeds": seeds}
