"""Rules and odds: each game's page of the rulebook for anybody, and its exact figures for whoever has signed in."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.web.callers import TheRuntime
from croupier.web.pages.router import who
from croupier.web.pages.rulebook_html import INTRODUCTION, rulebook
from croupier.web.pages.templates import page

router = APIRouter(include_in_schema=False, prefix="/rules")


@router.get("", response_model=None)
def games(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    found = rulebook(INTRODUCTION)
    values: dict[str, Any] = {"person": person, "csrf": csrf, "games": ALL_GAMES.values(), "book": found}
    return page(request, "rules/games.html", runtime, ("rules", "play"), **values)


@router.get("/{game}", response_model=None)
def rules(game: str, request: Request, runtime: TheRuntime) -> Response:
    found = find_any_game(game)
    person, csrf = who(request, runtime)
    wagers = [[wager.key, wager.title] for wager in found.wagers]
    boot = {"game": found.key, "wagers": wagers}
    values: dict[str, Any] = {"person": person, "csrf": csrf, "game": found, "book": rulebook(found.key)}
    return page(request, "rules/game.html", runtime, ("rules",), boot=boot, **values)
