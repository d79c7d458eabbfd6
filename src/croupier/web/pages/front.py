"""The front door, for whoever has not signed in: a hand that can be played, the games with their edge, and ways on.

The hand of the day is the same for everybody. It is dealt here from the seed of the day; the round itself is opened, by
the same seed, when somebody decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from typing import Any

from fastapi import Request, Response

from croupier.errors import CroupierError
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.legal import dealers_acts, legal_acts
from croupier.web.cluster.runtime import Runtime
from croupier.web.games.edges import edges_here
from croupier.web.games.forms import OpenRound
from croupier.web.games.play import Guest, Play
from croupier.web.games.rounds import begin_digests, make_hints_ready, offering_of
from croupier.web.games.views import asking_as_json
from croupier.web.identity.cookies import keep_player, player_token
from croupier.web.identity.store import utc
from croupier.web.pages.templates import page

BET_CENTS = 2_500
TRIES = 50
"""Seeds of a day: the first in which somebody has to decide is taken."""
FEWEST_CHOICES = 2
BESIDE = 8
"""Wagers that the last tile names."""
NO_DOOR: Mapping[str, Any] = {"roles": (), "meters": "", "display": ""}
"""Of a site without a guest."""


def front(request: Request, runtime: Runtime, play: Play, guest: Guest | None) -> Response:
    begin_digests()
    games = list(ALL_GAMES.values())
    tiles = {told["game"]: told for told in edges_here(play, guest)}
    hand = hand_of(today())
    if hand is not None:
        usual = {key: value for key, value in hand["asked"].items() if key != "seed"}
        play.trainer.begin(make_hints_ready, json.dumps(usual))
    door: Mapping[str, Any] = {**NO_DOOR, **(guest.door() if guest else {})}
    boot = {"hand": hand, "meters": door["meters"]}
    areas = ("front", "cards", "lobby")
    values: dict[str, Any] = {"games": games, "tiles": tiles, "door": door, "hand": hand, "beside": _beside(tiles)}
    shown = page(request, "front.html", runtime, areas, boot=boot, **values)
    keep_player(shown, request, runtime.settings, player_token(request))
    return shown


def _beside(tiles: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Wagers beside the first that people look up, each name once: the lowest edge first, then those that the page's
    script asks for because nobody has looked them up yet."""
    named: dict[str, dict[str, Any]] = {}
    for game in ALL_GAMES.values():
        known = tiles[game.key]["beside"]
        for wager in game.wagers[1:]:
            edge = known[wager.key]["house_edge"]["percent"] if known and wager.key in known else None
            if not wager.progressive and (known is None or edge is not None):
                named.setdefault(wager.title, {"title": wager.title, "game": game, "wager": wager.key, "edge": edge})
    return sorted(named.values(), key=lambda told: (told["edge"] is None, told["edge"] or 0))[:BESIDE]


# The hand of the day


def today() -> date:
    return utc().date()


@lru_cache(2)
def hand_of(day: date) -> dict[str, Any] | None:
    """The first game of the catalogue that lets somebody decide, with the hand as its first seat sees it."""
    for game in ALL_GAMES.values():
        for number in range(1, TRIES + 1):
            asked = _asked(game, f"hand of the day {day.isoformat()} {number}")
            round_ = _dealt(asked)
            if round_ is not None:
                acts = [f"bet 1 {game.betting_spots[0]} {BET_CENTS}", "no-more-bets", "go-on"]
                dealt = round_.offering.game
                cloth = dealt.cloth.printed(dealt.key, dealt.title, dealt.spots)
                told = {"game": game.key, "title": game.title, "asked": asked, "acts": acts, "cloth": cloth}
                return {**told, "round": asking_as_json(round_)}
    return None


def _asked(game: TableGame, seed: str) -> dict[str, Any]:
    """The usual table without what is laid beside the first wager."""
    usual = {key: value for key, value in game.usual.items() if key == "rules"}
    return {"game": game.key, **usual, "seed": seed}


def _dealt(asked: Mapping[str, Any]) -> History | None:
    """The round where the first seat is asked; None where it is over before, or needs more than one wager."""
    offering = offering_of(OpenRound.model_validate({"id": "hand", **asked}))
    try:
        round_: History = offering.open(offering.fresh_shoe(str(asked["seed"])))
        round_ = round_.do(Bet(1, offering.game.betting_spots[0], BET_CENTS))
        round_ = round_.do(round_.no_more_bets)
        for act in dealers_acts(round_):
            round_ = round_.do(act)
    except CroupierError:
        return None
    plain = [legal for legal in legal_acts(round_) if legal.seat == 1 and legal.least_cents is None and not legal.needs]
    return round_ if not round_.is_over and 1 in round_.waits_for and len(plain) > FEWEST_CHOICES else None
