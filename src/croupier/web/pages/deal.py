"""The dealer's school, for anybody: whoever has signed in finds their own progress again at any browser."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.training.step import Kind
from croupier.training.table import USUAL_SEATS
from croupier.web.callers import TheRuntime
from croupier.web.pages.templates import page
from croupier.web.pages.visitors import who

router = APIRouter(include_in_schema=False, prefix="/deal")
AREAS = ("play", "deal")


@router.get("", response_model=None)
def games(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    boot = {"signed_in": person is not None}
    shown = ALL_GAMES.values()
    return page(request, "deal/games.html", runtime, AREAS, person=person, csrf=csrf, boot=boot, games=shown)


@router.get("/{game}", response_model=None)
def table(game: str, request: Request, runtime: TheRuntime) -> Response:
    """A lesson of chance, or the one whose seed is in the address."""
    found = find_any_game(game)
    person, csrf = who(request, runtime)
    boot = {
        "signed_in": person is not None,
        "game": found.key,
        "usual_seats": USUAL_SEATS,
        "kinds": [kind.value for kind in Kind],
    }
    return page(request, "deal/table.html", runtime, AREAS, person=person, csrf=csrf, boot=boot, game=found)
