"""Rules and odds: each game's page of the rulebook for anybody, and its exact figures for whoever has signed in."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response

from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.in_words import rules_in_words
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.training.table import RULES
from croupier.web.callers import TheRuntime
from croupier.web.pages.lab import PLACARDS
from croupier.web.pages.templates import page
from croupier.web.pages.visitors import who

router = APIRouter(include_in_schema=False, prefix="/rules")


@router.get("", response_model=None)
def games(request: Request, runtime: TheRuntime) -> Response:
    from croupier.web.pages.rulebook_html import INTRODUCTION, rulebook

    person, csrf = who(request, runtime)
    found = rulebook(INTRODUCTION)
    values: dict[str, Any] = {"person": person, "csrf": csrf, "games": ALL_GAMES.values(), "book": found}
    return page(request, "rules/games.html", runtime, ("rules", "play"), **values)


@router.get("/{game}", response_model=None)
def rules(
    game: str,
    request: Request,
    runtime: TheRuntime,
    placard: Annotated[str, Query(alias="rules", max_length=200)] = "",
) -> Response:
    """Blackjack is counted under the rules of the table that somebody comes from, or those that the pages deal by."""
    from croupier.web.pages.rulebook_html import rulebook

    found = find_any_game(game)
    person, csrf = who(request, runtime)
    meant, in_words = _read(placard.strip() or RULES) if isinstance(found, BlackjackGame) else ("", "")
    wagers = [[wager.key, wager.title] for wager in found.wagers]
    boot = {"game": found.key, "wagers": wagers, "placard": meant}
    query = f"?rules={quote(meant, safe='')}" if meant else ""
    values: dict[str, Any] = {"person": person, "csrf": csrf, "game": found, "book": rulebook(found.key)}
    values |= {"par_query": query, "back": quote(f"/rules/{found.key}{query}", safe="")}
    values |= {"placard": meant, "placards": PLACARDS, "in_words": in_words}
    return page(request, "rules/game.html", runtime, ("rules",), boot=boot, **values)


def _read(placard: str) -> tuple[str, str]:
    """The placard in short, and in words. One that cannot be read is left as it is: whoever counts says why."""
    try:
        rules = Rules.parse(placard)
    except NotationError:
        return placard, ""
    return str(rules), rules_in_words(rules)
