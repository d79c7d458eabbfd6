"""Routes of the games: what there is, rounds for training, and every figure about them.

Rounds may be played without signing in, so often and so many at a time as a person would; whoever opens one plays it,
and whoever knows its id looks on. Figures are for whoever is known: a person or a device. Nothing here touches money,
the floor or its books.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from croupier.games.blackjack.game import DECKS_OF, OPTIONAL, BlackjackGame
from croupier.games.catalogue import ALL_GAMES, find_any_game, game_as_json
from croupier.games.game import TableGame
from croupier.games.offering import Limits
from croupier.games.record import write_record
from croupier.web import questions
from croupier.web.answers import answer
from croupier.web.callers import AnyCaller, Caller, Reader, TheRuntime, runtime_of
from croupier.web.demo import DEALERS
from croupier.web.demo_play import DEALT, WAITS
from croupier.web.errors import ApiError
from croupier.web.offered import offering_of
from croupier.web.pages.cookies import keep_player
from croupier.web.play import Player, TheOpener, ThePlay, is_nobody, owner_of, play_life
from croupier.web.play_forms import (
    ExpectedForm,
    GamesForm,
    HintForm,
    LeftRoundsForm,
    LinkedForm,
    OpenRound,
    ReplayForm,
    RoundForm,
    SendAct,
    VerifyForm,
)
from croupier.web.rates import network_of
from croupier.web.round_views import left_as_json, replay_as_json, state_as_json
from croupier.web.rounds import MOST_LISTED
from croupier.web.threads import play_route
from croupier.web.views import summary_json

router = APIRouter(lifespan=play_life, tags=["games"])
PDF: dict[int | str, dict[str, Any]] = {200: {"content": {"application/pdf": {}}, "description": "The PAR sheet."}}


# What there is


@router.get("/api/games", summary="The games with their wagers, paytables and options", response_model=GamesForm)
def get_games() -> dict[str, Any]:
    return {"games": [_game(game) for game in ALL_GAMES.values()]}


@router.get("/api/games/{game}", summary="One game")
def get_game(game: str) -> dict[str, Any]:
    return _game(find_any_game(game))


def _game(game: TableGame) -> dict[str, Any]:
    usual = Limits()
    found: dict[str, Any] = {
        **game_as_json(game),
        "spots": [{"spot": key, "title": spot.title, "wager": its.key} for key, (its, spot) in game.spots.items()],
        "betting_spots": list(game.betting_spots),
        "limits": {"minimum_cents": usual.minimum_cents, "maximum_cents": usual.maximum_cents},
    }
    if isinstance(game, BlackjackGame):
        found["rules"] = {"usual": str(game.rules), "full": game.rules.full}
        found["side_wagers"] = {
            key: {"decks": list(DECKS_OF[key]), "progressive": game.wager(key).progressive} for key in sorted(OPTIONAL)
        }
    return found


# Rounds


@router.post("/api/rounds", summary="Open a round", response_model=RoundForm)
@play_route
def open_round(form: OpenRound, request: Request, caller: Player, by: TheOpener, play: ThePlay) -> Response:
    """The shoe is sealed now: its commitment is in the answer, and what opens it in the replay.

    You alone play the round: as whoever has signed in, and else by the cookie `croupier_player`, which comes with this
    answer where you have none.
    """
    if is_nobody(caller):
        play.openings.take(caller.source)
    asked = form.model_dump(exclude={"id"})
    opened = answer(state_as_json(play.rounds.open(by, form.id, offering_of(form), asked), by))
    if is_nobody(caller):
        keep_player(opened, request, runtime_of(request).settings, by.token)
    return opened


@router.get("/api/rounds", summary="Rounds that were begun and are not over", response_model=LeftRoundsForm)
@play_route
def get_left_rounds(
    caller: AnyCaller,
    by: TheOpener,
    play: ThePlay,
    round: Annotated[list[Annotated[str, Query(max_length=40)]] | None, Query(max_length=MOST_LISTED)] = None,
) -> dict[str, Any]:
    """One's own, where somebody has signed in; and of those that are named here whichever one plays by the cookie.

    To give one up, send it the act `void` with a reason.
    """
    if is_nobody(caller):
        play.looks.take(caller.source)
    return {"rounds": [left_as_json(each) for each in play.rounds.unfinished(by, round or ())]}


@router.get("/api/rounds/{round}", summary="A round as everybody may see it now", response_model=RoundForm)
@play_route
def get_round(round: str, caller: AnyCaller, by: TheOpener, play: ThePlay) -> dict[str, Any]:
    if is_nobody(caller):
        play.looks.take(caller.source, round)
    return state_as_json(play.rounds.standing(round), by)


@router.post("/api/rounds/{round}/acts", summary="Act in a round", response_model=RoundForm)
@play_route
def act(round: str, form: SendAct, caller: Player, by: TheOpener, play: ThePlay) -> dict[str, Any]:
    """Sent again with the same id, it is done once and answered as the first time.

    Only the one who opened the round acts in it; anybody else is refused as `not-yours`, and nothing changes.
    """
    if is_nobody(caller):
        play.acts.take(caller.source, round)
    standing = play.rounds.act(round, form.id, form.act, by=by)
    if play.visitors is not None:
        play.visitors.offer(standing)
    return state_as_json(standing, by)


@router.get("/api/rounds/{round}/replay", summary="A round that is over, with its shoe", response_model=ReplayForm)
@play_route
def replay(round: str, caller: AnyCaller, play: ThePlay) -> dict[str, Any]:
    if is_nobody(caller):
        play.looks.take(caller.source, round)
    return replay_as_json(play.rounds.standing(round))


@router.get("/api/rounds/{round}/hint", summary="What each decision is worth, exactly", response_model=HintForm)
async def hint(round: str, caller: AnyCaller, play: ThePlay) -> Any:
    """From the cards that everybody sees, and no others."""
    if is_nobody(caller):
        play.hints.take(caller.source, round)
    record = await play.turns.do(lambda: write_record(play.rounds.standing(round).round))
    return await play.trainer.ask(questions.hint, record, place=_place(caller))


@router.get("/api/rounds/{round}/expected", summary="What its wagers were worth", response_model=ExpectedForm)
async def expected(round: str, caller: AnyCaller, play: ThePlay) -> Any:
    """Of a round that is over: by the exact edge of each wager, whatever came of it."""
    if is_nobody(caller):
        play.hints.take(caller.source, round)
    standing = await play.turns.do(lambda: play.rounds.standing(round))
    if not standing.round.is_over:
        raise ApiError(409, "not-over", f"The round is not over: {standing.round.what_is_next}.")
    return await play.accountant.ask(questions.expected, write_record(standing.round), place=_place(caller))


def _place(caller: Caller) -> str:
    """Where people ask one after another; who has signed in does so alone."""
    return network_of(caller.source) if is_nobody(caller) else owner_of(caller)


@router.get("/api/rounds/{round}/link", summary="In the demo: its progressive wagers", response_model=LinkedForm)
def linked(round: str, caller: AnyCaller, play: ThePlay, runtime: TheRuntime) -> dict[str, Any]:
    """What became of them at the demo's link, and what its meters stand at. Elsewhere rounds belong to no link."""
    if is_nobody(caller):
        play.looks.take(caller.source, round)
    brief = runtime.house.link_of(min(DEALERS)) if play.visitors is not None else None
    if play.visitors is None or brief is None:
        return {"linked": False, "state": "", "table": None, "levels": [], "awards": []}
    told = play.visitors.told(round)
    levels = summary_json(brief)["levels"]
    state, table, awards = (told.state, told.table, told.awards) if told else ("", None, ())
    state = WAITS if state == DEALT else state  # what came of it is told when it is all done
    return {"linked": True, "state": state, "table": table, "levels": levels, "awards": list(awards)}


# Figures

Short = Annotated[str, Query(max_length=200)]
Pays = Annotated[str | None, Query(max_length=4_000, description="An ID, or rows as 'Pair 1 to 1; Flush 4 to 1'.")]


class Asked:
    """What may be asked about a game's figures: as on the command line."""

    def __init__(
        self,
        *,
        wager: Annotated[str | None, Query(max_length=64)] = None,
        paytable: Pays = None,
        strategy: Short = "optimal",
        rules: Annotated[str, Query(max_length=200, description="Blackjack: the placard.")] = "",
        decks: Annotated[int | None, Query(ge=1, le=8)] = None,
        meter: Annotated[list[Short] | None, Query(max_length=8, description="In wagers: 5000, or Mega=5000.")] = None,
        seed_amount: Annotated[list[Short] | None, Query(max_length=8, description="In wagers.")] = None,
        contribution: Annotated[str | None, Query(max_length=20, description="As 24%.")] = None,
        convention: Annotated[str, Query(max_length=20)] = "CDZ-",
        players: Annotated[int | None, Query(ge=1, le=7, description="Bet the Bust.")] = None,
    ) -> None:
        self.query: questions.Query = (
            *(("wager", wager), ("paytable", paytable), ("strategy", strategy), ("rules", rules), ("decks", decks)),
            *(("meters", tuple(meter or ())), ("seeds", tuple(seed_amount or ())), ("contribution", contribution)),
            *(("convention", convention), ("players", players)),
        )


AskedFor = Annotated[Asked, Depends(Asked)]


@router.get("/api/odds/{game}", summary="Exact odds, line by line", response_model=None)
async def odds(
    game: str,
    asked: AskedFor,
    _: Reader,
    play: ThePlay,
    with_bet: bool = False,
    find_hold: Annotated[str | None, Query(max_length=20, description="As 24.78%.")] = None,
) -> Any:
    """One sheet for each wager and paytable; one alone where a paytable is named."""
    more = (("with_bet", with_bet), ("find_hold", find_hold))
    return await play.analyst.ask(questions.odds, find_any_game(game).key, (*asked.query, *more))


@router.get("/api/par/{game}.json", summary="The PAR sheet", response_model=None)
async def par_json(game: str, asked: AskedFor, _: Reader, play: ThePlay) -> Any:
    return await play.analyst.ask(questions.par_json, find_any_game(game).key, asked.query)


@router.get("/api/par/{game}.pdf", summary="The PAR sheet, for print", response_class=Response, responses=PDF)
async def par_pdf(game: str, asked: AskedFor, _: Reader, play: ThePlay) -> Response:
    key = find_any_game(game).key
    made = await play.analyst.ask(questions.par_pdf, key, asked.query)
    headers = {"Content-Disposition": f'inline; filename="par-{key}.pdf"'}
    return Response(made, media_type="application/pdf", headers=headers)


@router.get("/api/verify", summary="Printed figures against counted ones", response_model=VerifyForm)
async def verify(_: Reader, play: ThePlay) -> Any:
    """Counted once, and kept as long as the server runs."""
    return await play.analyst.ask(questions.verify)
