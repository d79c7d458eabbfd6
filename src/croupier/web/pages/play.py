"""The games on a felt, for anybody: rounds for training, dealt by the server and followed line by line."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.cited import cited_paragraphs
from croupier.games.rulebook import paragraphs
from croupier.web.callers import TheRuntime
from croupier.web.demo import DEMO_SETUP
from croupier.web.pages.router import who
from croupier.web.pages.templates import page
from croupier.web.routes.games import get_game

router = APIRouter(include_in_schema=False, prefix="/play")
USUAL: dict[str, dict[str, Any]] = {
    "blackjack": {
        "rules": "6D S17 DAS SP4 LS 3:2",
        "side_wagers": ["kings-bounty", "bet-the-bust", "blazing-7s-dealer"],
    }
}
"""How a table is opened where nobody has set it otherwise: with all that there is to learn."""
DEMO_USUAL = {
    "blackjack": {
        "rules": f"{DEMO_SETUP.decks}D S17 DAS SP4 LS 3:2",
        "side_wagers": ["kings-bounty", "bet-the-bust", DEMO_SETUP.wager],
        "paytables": {DEMO_SETUP.wager: DEMO_SETUP.paytable},
    }
}
"""In the demo: with the progressive wager of its link, which the demo's dealers enter there."""


@router.get("", response_model=None)
def games(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    return page(request, "play/games.html", runtime, ("play",), person=person, csrf=csrf, games=ALL_GAMES.values())


@router.get("/{game}", response_model=None)
def table(game: str, request: Request, runtime: TheRuntime) -> Response:
    """A round goes on where the address names one."""
    found = find_any_game(game)
    person, csrf = who(request, runtime)
    usual = DEMO_USUAL if runtime.settings.demo else USUAL
    linked = runtime.settings.demo and found.key in DEMO_USUAL
    boot = {"game": get_game(found.key), "usual": usual.get(found.key, {}), "paragraphs": _cited(found.key)}
    values: dict[str, Any] = {"person": person, "csrf": csrf, "game": found, "linked": linked}
    return page(request, "play/table.html", runtime, ("play",), boot={**boot, "linked": linked}, **values)


@cache
def _cited(game: str) -> dict[str, dict[str, Any]]:
    """The paragraphs that a round's lines may rest on, each with its table in rows."""
    cited = cited_paragraphs(game)
    return {
        each.number: {"text": each.text, "table": _rows(each.more)} for each in paragraphs(game) if each.number in cited
    }


def _rows(markdown: str) -> list[list[str]]:
    lines = [line.strip().strip("|").split("|") for line in markdown.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in cells] for cells in lines if not set("".join(cells)) <= set("- :")]
