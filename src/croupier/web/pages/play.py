"""The games on a felt, for anybody: rounds for training, dealt by the server and followed line by line."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from fastapi import APIRouter, Request, Response

from croupier.compliance.authority import Power, may
from croupier.games.catalogue import ALL_GAMES, find_any_game
from croupier.games.rulebook import paragraphs
from croupier.games.table.questions import Kind
from croupier.program import program
from croupier.training.drill import drills_of
from croupier.training.table import USUAL_SEATS
from croupier.web.games.edges import edges_here
from croupier.web.games.play import TheGuest, ThePlay
from croupier.web.games.rounds import begin_digests, make_hints_ready, make_worth_ready
from croupier.web.games.routes import get_game
from croupier.web.identity.callers import TheRuntime
from croupier.web.identity.cookies import keep_player, player_token
from croupier.web.identity.visitors import who
from croupier.web.pages.front import hand_of, today
from croupier.web.pages.rulebook import on_file_here
from croupier.web.pages.templates import page, strings

router = APIRouter(include_in_schema=False, prefix="/play")


@router.get("", response_model=None)
def games(request: Request, runtime: TheRuntime, play: ThePlay, guest: TheGuest) -> Response:
    person, csrf = who(request, runtime)
    begin_digests()
    tiles = {told["game"]: told for told in edges_here(play, guest)}
    values: dict[str, Any] = {"person": person, "csrf": csrf, "games": ALL_GAMES.values(), "tiles": tiles}
    return page(request, "play/games.html", runtime, ("play", "cards", "front"), **values)


@router.get("/review", response_model=None)
def session(request: Request, runtime: TheRuntime) -> Response:
    """The rounds that somebody has played and what their decisions have cost."""
    person, csrf = who(request, runtime)
    shown = page(
        request, "play/review.html", runtime, ("play", "cards"), person=person, csrf=csrf, today=hand_of(today())
    )
    if person is None:
        keep_player(shown, request, runtime.settings, player_token(request))
    return shown


@router.get("/{game}", response_model=None)
def table(game: str, request: Request, runtime: TheRuntime, play: ThePlay, guest: TheGuest) -> Response:
    """A round goes on where the address names one. Its figures are made ready while somebody lays the first chips.

    Whoever has not signed in gets what they will play by before they open a round: an opening whose answer is lost is
    then sent again by the same one.
    """
    known_game = find_any_game(game)
    person, csrf = who(request, runtime)
    usual = (guest.usual(known_game.key) if guest else None) or dict(known_game.usual)
    asked = json.dumps({"game": known_game.key, **usual})
    play.trainer.begin(make_hints_ready, asked)
    play.accountant.begin(make_worth_ready, asked)
    linked = guest.linked(known_game.key) if guest else ""
    boot: dict[str, Any] = {
        "game": get_game(known_game.key),
        "usual": usual,
        "paragraphs": _cited(known_game.key),
        "spots": _spots(known_game.key),
        "menus": rule_menus(known_game.key),
        "linked": linked,
        "today": hand_of(today()) if "today" in request.query_params else None,
    }
    values: dict[str, Any] = {"person": person, "csrf": csrf, "game": known_game, "linked": linked}
    values |= on_file_here(runtime, known_game, str(usual.get("rules", "")) if known_game.placard else "")
    shown = page(request, "play/table.html", runtime, ("play", "cards"), boot=boot, **values)
    if person is None:
        keep_player(shown, request, runtime.settings, player_token(request))
    return shown


@cache
def _cited(game: str) -> dict[str, dict[str, Any]]:
    """The paragraphs that a round's lines may rest on, each with its table in rows."""
    cited = find_any_game(game).cited
    return {
        paragraph.number: {"text": paragraph.text, "table": paragraph.table}
        for paragraph in paragraphs(game)
        if paragraph.number in cited
    }


@cache
def _spots(game: str) -> dict[str, dict[str, bool]]:
    """Whether the posted paytable pays on each spot."""
    return {key: {"posted": spot.posted} for key, (_, spot) in find_any_game(game).spots.items()}


@cache
def rule_menus(game: str) -> list[dict[str, Any]]:
    """The rules that a house may choose, each with its words, as the lab has them; none where there is no choice.

    `unsaid` is the word that holds where a placard says none.
    """
    from croupier.analysis.lab.placard import choices_as_json, words_unsaid

    known_game, texts = find_any_game(game), strings("lab")
    by_rules = [wager for wager in known_game.wagers if known_game.by_rules(wager)]
    if not known_game.placard or not by_rules:
        return []
    unsaid = words_unsaid(known_game)
    return [
        {
            "title": texts.get(f"lab.rule_{choice['rule']}", choice["rule"]),
            "unsaid": unsaid[choice["rule"]],
            "choices": [{"word": word, "label": texts.get(f"lab.word_{word}", word)} for word in choice["words"]],
        }
        for choice in choices_as_json(known_game, by_rules[0])["rules"]
    ]


# The dealer's school, for anybody: whoever has signed in finds their own progress again at any browser.

deal_router = APIRouter(include_in_schema=False, prefix="/deal")
AREAS = ("play", "cards", "deal")


@deal_router.get("", response_model=None)
def deal_games(request: Request, runtime: TheRuntime) -> Response:
    person, csrf = who(request, runtime)
    boot = {"signed_in": person is not None, "least_questions": runtime.settings.pass_mark.questions}
    shown = ALL_GAMES.values()
    sees_class = person is not None and may(person.role, Power.SEE_CLASS)
    values: dict[str, Any] = {"person": person, "csrf": csrf, "games": shown, "sees_class": sees_class}
    values["pass_mark"] = str(runtime.settings.pass_mark)
    return page(request, "deal/games.html", runtime, AREAS, boot=boot, **values)


@deal_router.get("/{game}", response_model=None)
def deal_table(game: str, request: Request, runtime: TheRuntime) -> Response:
    """A lesson of chance, or the one whose seed is in the address."""
    known_game = find_any_game(game)
    person, csrf = who(request, runtime)
    boot = {
        "signed_in": person is not None,
        "game": known_game.key,
        "program": program().digest,
        "usual_seats": USUAL_SEATS,
        "kinds": [kind.value for kind in Kind],
        "drills": [{"drill": drill.key, "title": drill.title} for drill in drills_of(known_game).values()],
        "menus": rule_menus(known_game.key),
        "rules": known_game.placard,
        "paytables": [
            {"wager": wager.key, "title": wager.title, "paytables": list(wager.paytables)}
            for wager in known_game.wagers
            if len(wager.paytables) > 1 and not known_game.by_rules(wager)
        ],
    }
    return page(request, "deal/table.html", runtime, AREAS, person=person, csrf=csrf, boot=boot, game=known_game)
