"""Routes of the games: what there is, rounds for training, and every figure about them.

Rounds may be played without signing in, so often and so many at a time as a person would; whoever opens one plays it,
and whoever knows its id looks on. Figures and the lab are open too: another process counts for those who have not
signed in, and each place asks it one thing after another. PAR sheets and long jobs are for whoever is known. Nothing
here touches money, the floor or its books.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from croupier.errors import NotationError
from croupier.games.catalogue import ALL_GAMES, find_any_game, game_as_json
from croupier.games.game import TableGame
from croupier.games.table.offering import Limits
from croupier.games.table.record import write_record
from croupier.web.errors import ApiError
from croupier.web.floor.answers import answer
from croupier.web.games import questions
from croupier.web.games.analyst import Analyst
from croupier.web.games.edges import edges_here
from croupier.web.games.forms import (
    MOST_ROUNDS,
    EdgeForm,
    EdgesForm,
    ExpectedForm,
    GamesForm,
    HintForm,
    JobForm,
    LeftRoundsForm,
    LetWatch,
    Name,
    OpenRound,
    PastRoundsForm,
    Placard,
    Plan,
    PlanForm,
    ReplayForm,
    ReviewForm,
    RoundForm,
    SendAct,
    Simulate,
    StepsForm,
    Table,
    VerifyForm,
)
from croupier.web.games.jobs import END_S, PLAN, SIMULATE, job_as_json
from croupier.web.games.play import Play, Player, TheGuest, TheOpener, ThePlay, is_nobody, owner_of, play_life
from croupier.web.games.rounds import MOST_LISTED, offering_of
from croupier.web.games.views import left_as_json, past_as_json, replay_as_json, state_as_json, steps_as_json
from croupier.web.identity.callers import AnyCaller, Caller, Reader, SignedInCaller, runtime_of
from croupier.web.identity.cookies import keep_player
from croupier.web.streams import described, streamed
from croupier.web.transport.clients import network_of
from croupier.web.turns import play_route

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
    fields: dict[str, Any] = {
        **game_as_json(game),
        "spots": [{"spot": key, "title": spot.title, "wager": its.key} for key, (its, spot) in game.spots.items()],
        "betting_spots": list(game.betting_spots),
        "limits": {"minimum_cents": usual.minimum_cents, "maximum_cents": usual.maximum_cents},
    }
    if game.placard:
        fields["rules"] = {"usual": game.short_placard, "full": game.placard}
    if game.optional:
        optional = [game.wager(key) for key in sorted(game.optional)]
        fields["side_wagers"] = {
            wager.key: {"decks": list(game.decks_of(wager)), "progressive": wager.progressive} for wager in optional
        }
    return fields


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
    return {"rounds": [left_as_json(standing) for standing in play.rounds.unfinished(by, round or ())]}


@router.get("/api/rounds/past", summary="Rounds that you have played to the end", response_model=PastRoundsForm)
@play_route
def get_past_rounds(caller: AnyCaller, by: TheOpener, play: ThePlay) -> dict[str, Any]:
    """The last one first: those of a guest are kept for a day, of whoever has signed in for thirty."""
    if is_nobody(caller):
        play.looks.take(caller.source)
    return {"rounds": [past_as_json(standing) for standing in play.rounds.past(by)]}


@router.get("/api/rounds/{round}", summary="A round as everybody may see it now", response_model=RoundForm)
@play_route
def get_round(
    round: str,
    caller: AnyCaller,
    by: TheOpener,
    play: ThePlay,
    *,
    watch: Annotated[bool, Query(description="Say which round its player goes on with, and lets you watch.")] = False,
) -> dict[str, Any]:
    if is_nobody(caller):
        play.looks.take(caller.source, round)
    standing = play.rounds.standing(round)
    fields = state_as_json(standing, by) | ({"followed_by": play.rounds.followed_by(standing)} if watch else {})
    return fields | ({"revealed": True} if play.rounds.is_spent(standing) else {})


@router.get(
    "/api/rounds/{round}/events",
    summary="Watch a round live",
    responses=described("Server-sent events named `round`: the round as everybody may see it, after each act."),
)
async def get_round_events(
    round: str,
    caller: AnyCaller,
    play: ThePlay,
    *,
    watch: Annotated[bool, Query(description="Go on with the rounds that its player opens after it.")] = False,
    last_event_id: Annotated[str, Header(max_length=80)] = "",
) -> StreamingResponse:
    """It begins with the round as it stands, and ends with it; with `watch`, where its player lets you, it goes on with
    the next. Whoever comes back with `Last-Event-ID` goes on where they were."""
    if is_nobody(caller):
        play.looks.take(caller.source, round)
    await play.turns.do(lambda: play.rounds.standing(round))  # refused here, where there is none
    watching = play.spectators.watch(round, last_event_id, on=watch, source=caller.source, holder=caller.holder)
    return await streamed(watching)


@router.get("/api/rounds/{round}/steps", summary="A round as it stood after each line", response_model=StepsForm)
@play_route
def get_steps(round: str, caller: AnyCaller, play: ThePlay) -> dict[str, Any]:
    """For looking at it again, by anybody who has its id; nothing that lay face down is told before it was turned."""
    if is_nobody(caller):
        play.looks.take(caller.source, round)
    return steps_as_json(play.rounds.standing(round))


@router.post("/api/rounds/{round}/acts", summary="Act in a round", response_model=RoundForm)
@play_route
def act(round: str, form: SendAct, caller: Player, by: TheOpener, play: ThePlay, *, guest: TheGuest) -> dict[str, Any]:
    """Sent again with the same id, it is done once and answered as the first time.

    Only the one who opened the round acts in it; anybody else is refused as `not-yours`, and nothing changes.
    """
    if is_nobody(caller):
        play.acts.take(caller.source, round)
    standing = play.rounds.act(round, form.id, form.act, by=by)
    if guest is not None:
        guest.offer(standing)
    return state_as_json(standing, by)


@router.post("/api/rounds/{round}/watch", summary="Let others watch your table on", response_model=RoundForm)
@play_route
def let_watch(round: str, form: LetWatch, caller: Player, by: TheOpener, play: ThePlay) -> dict[str, Any]:
    """Whoever has the round's id then learns of the rounds that you open `after` it, until you take it back at the last
    of them. Without this, an id shows its own round and no other."""
    if is_nobody(caller):
        play.acts.take(caller.source, round)
    return state_as_json(play.rounds.let_watch(round, by, watched=form.watched), by)


@router.get("/api/rounds/{round}/replay", summary="A round that is over, with its shoe", response_model=ReplayForm)
@play_route
def replay(round: str, caller: AnyCaller, by: TheOpener, play: ThePlay) -> dict[str, Any]:
    """A shoe that is looked at is not dealt from again: the next round is shuffled.

    So while it could run on, only its player may look, and anybody afterwards; others are refused as `not-yours`.
    """
    if is_nobody(caller):
        play.looks.take(caller.source, round)
    standing = play.rounds.standing(round)
    fields = replay_as_json(standing)
    play.rounds.open_shoe(standing, by)
    return fields


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
    return await play.accountant.ask(questions.expected, await _over(round, caller, play), place=_place(caller))


@router.get("/api/rounds/{round}/review", summary="What its decisions have cost", response_model=ReviewForm)
async def review(round: str, caller: AnyCaller, play: ThePlay) -> Any:
    """Of a round that is over: each decision with the exact value of every choice there was."""
    return await play.trainer.ask(questions.review, await _over(round, caller, play), place=_place(caller))


async def _over(round: str, caller: Caller, play: Play) -> str:
    """The record of a round that is over; others are refused."""
    if is_nobody(caller):
        play.hints.take(caller.source, round)
    standing = await play.turns.do(lambda: play.rounds.standing(round))
    if not standing.round.is_over:
        raise ApiError(409, "not-over", f"The round is not over: {standing.round.what_is_next}.")
    return write_record(standing.round)


def _place(caller: Caller) -> str:
    """Where people ask one after another; who has signed in does so alone."""
    return network_of(caller.source) if is_nobody(caller) else owner_of(caller)


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
        option: Annotated[list[Short] | None, Query(max_length=8, description="A house option of the game.")] = None,
    ) -> None:
        self.query: questions.Query = (
            *(("wager", wager), ("paytable", paytable), ("strategy", strategy), ("rules", rules), ("decks", decks)),
            *(("meters", tuple(meter or ())), ("seeds", tuple(seed_amount or ())), ("contribution", contribution)),
            *(("convention", convention), ("players", players), ("options", tuple(option or ()))),
        )


AskedFor = Annotated[Asked, Depends(Asked)]


@router.get("/api/odds/{game}", summary="Exact odds, line by line", response_model=None)
async def odds(
    game: str,
    asked: AskedFor,
    caller: AnyCaller,
    play: ThePlay,
    *,
    with_bet: bool = False,
    find_hold: Annotated[str | None, Query(max_length=20, description="As 24.78%.")] = None,
) -> Any:
    """One sheet for each wager and paytable; one alone where a paytable is named."""
    more = (("with_bet", with_bet), ("find_hold", find_hold))
    return await _ask(caller, play, play.analyst, questions.odds, find_any_game(game).key, (*asked.query, *more))


@router.get("/api/figures/{game}", summary="Every figure of a game, and how to decide", response_model=None)
async def figures(game: str, asked: AskedFor, caller: AnyCaller, play: ThePlay) -> Any:
    """What the rules' page shows: the sheets of all wagers, strategies with what they cost, and charts."""
    return await _ask(caller, play, play.analyst, questions.figures, find_any_game(game).key, asked.query)


@router.get("/api/edges", summary="The house edge of every game at its usual table", response_model=EdgesForm)
def edges(_: AnyCaller, play: ThePlay, guest: TheGuest) -> dict[str, Any]:
    """What is known, at once: nobody is kept waiting for a count."""
    return {"edges": edges_here(play, guest)}


@router.get("/api/edges/{game}", summary="The house edge of a game's first wager", response_model=EdgeForm)
async def edge(game: str, caller: AnyCaller, play: ThePlay, rules: Short = "") -> Any:
    """Counted once, exactly, and kept: for anybody who looks for a game to play."""
    return await _ask(caller, play, play.public, questions.edge, find_any_game(game).key, rules)


async def _ask(caller: Caller, play: Play, analyst: Analyst, function: Callable[..., Any], *arguments: Any) -> Any:
    """Whoever has not signed in asks so often as a class does, one thing after another, and of another process."""
    if not is_nobody(caller):
        return await analyst.ask(function, *arguments)
    play.figures.take(caller.source)
    return await play.public.ask(function, *arguments, place=network_of(caller.source))


@router.get("/api/par/{game}.json", summary="The PAR sheet", response_model=None)
async def par_json(game: str, asked: AskedFor, _: Reader, play: ThePlay) -> Any:
    return await play.analyst.ask(questions.par_json, find_any_game(game).key, asked.query)


@router.get("/api/par/{game}.pdf", summary="The PAR sheet, for print", response_class=Response, responses=PDF)
async def par_pdf(game: str, asked: AskedFor, _: Reader, play: ThePlay) -> Response:
    key = find_any_game(game).key
    pdf = await play.analyst.ask(questions.par_pdf, key, asked.query)
    headers = {"Content-Disposition": f'inline; filename="par-{key}.pdf"'}
    return Response(pdf, media_type="application/pdf", headers=headers)


@router.get("/api/verify", summary="Printed figures against counted ones", response_model=VerifyForm)
async def verify(caller: AnyCaller, play: ThePlay, game: Annotated[str, Query(max_length=100)] = "") -> Any:
    """Of one game, or of all. Counted once by a version of the program, and kept."""
    return await _ask(caller, play, play.analyst, questions.verify, *([find_any_game(game).key] if game else []))


# The lab's route: a paytable while it is changed, with every figure that follows from it.
#
# It has a process of its own that counts, so that an answer to a changed pay waits for no PAR sheet; and another one
# for the rules of blackjack, which take seconds where they are new.

EXAMPLE: dict[str, Any] = {
    "game": "triple-shot-rummy",
    "wager": "pair-plus",
    "tables": [
        {"paytable": "Straight Flush 40 to 1; Three-of-a-Kind 30 to 1; Straight 6 to 1; Flush 4 to 1; Pair 1 to 1"}
    ],
}


class LabTable(BaseModel):
    """A paytable and the money of its meters; what is not said is as the maker configures it, where that is known."""

    model_config = ConfigDict(extra="forbid")
    paytable: Table = Field(
        description="An ID, or rows as 'Pair 1 to 1; Flush 4 to 1'; of blackjack's Bet its rules: '6D S17 DAS SP4 3:2'."
    )
    contribution: Annotated[StrictStr, Field(max_length=20)] | None = Field(None, description="As 24%.")
    seeds: list[Short] = Field(default_factory=list, max_length=8, description="In wagers: 2000, or Mega=2000.")
    meters: list[Short] = Field(default_factory=list, max_length=8, description="In wagers; the seeds.")


class Find(BaseModel):
    """A pay for a house edge, or a contribution or seed for a hold."""

    model_config = ConfigDict(extra="forbid")
    what: Literal["pay", "contribution", "seed"]
    name: Short = Field("", description="The row's label, or the meter's.")
    wanted: Annotated[StrictStr, Field(max_length=20)] = Field(description="As 5%.")


class LabQuestion(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})
    game: Name
    wager: Name
    decks: Annotated[StrictInt, Field(ge=1, le=8)] | None = Field(None, description="Blackjack.")
    rules: Placard = Field("", description="Blackjack: the placard.")
    strategy: Name = Field("optimal", description="Or one of the game's; of blackjack's Bet: basic.")
    options: list[Name] = Field(default_factory=list, max_length=16, description="House options, as /api/games lists.")
    tables: list[LabTable] = Field(min_length=1, max_length=4, description="The first is compared with the others.")
    rounds: Annotated[StrictInt, Field(ge=1, le=1_000)] = Field(100, description="Wagers of a session.")
    find: Find | None = None
    one_more: StrictBool = Field(False, description="Whether to tell what one more on each pay of the first costs.")


class LabAnswer(BaseModel):
    """Each table is in the JSON form of `croupier odds`, with its rows and its figures in print."""

    game: str
    wager: str
    tables: list[dict[str, Any]]
    differences: dict[str, str] | None = Field(description="The first less the second, where there are two.")
    less_the_others: list[dict[str, str]] = Field(description="The first less each of the others.")
    one_more: list[dict[str, Any]] | None = Field(
        description="By row of the first: what one more on its pay takes from the house edge, best play counted anew."
    )
    sessions: dict[str, Any] | None = Field(description="Null where the results lie too close together to be summed.")
    found: dict[str, Any] | None


@router.post("/api/lab", summary="A paytable of one's own, in figures", response_model=LabAnswer)
async def ask_the_lab(form: LabQuestion, caller: AnyCaller, play: ThePlay) -> Any:
    """For anybody. What takes long is given up after a minute; a simulation is a job, and for who has signed in."""
    analyst = play.lab_rules if questions.is_bet(form.game, form.wager) else play.lab
    return await _ask(caller, play, analyst, questions.lab, json.dumps(form.model_dump()))


@router.post("/api/lab/vulnerability", summary="Whether counting cards beats a wager")
async def ask_whether_it_is_beaten(form: LabQuestion, caller: AnyCaller, play: ThePlay) -> dict[str, Any]:
    """For anybody, of the first table: the effect of every card, exactly, and counts by these. What a counter wins by
    penetration is simulated by `croupier vulnerability`."""
    asked = json.dumps(form.model_dump())
    answer: dict[str, Any] = await _ask(caller, play, play.lab_rules, questions.vulnerability, asked)
    return answer


# Routes of long work: a simulation, a plan, and how far they are.

LEAST_CONFIDENCE, MOST_CONFIDENCE = 50, 99.9999
LOOK_S = 0.05


@router.post("/api/jobs/simulate", summary="Simulate a game", response_model=JobForm)
async def simulate(form: Simulate, caller: SignedInCaller, play: ThePlay) -> dict[str, Any]:
    """In the background; ask for the job to see how far it is, and in the end for its result."""
    if not 1 <= form.rounds <= MOST_ROUNDS:
        raise NotationError(f"From 1 to {MOST_ROUNDS:,} rounds can be simulated here, not {form.rounds:,}.")
    if not LEAST_CONFIDENCE <= form.confidence <= MOST_CONFIDENCE:
        raise NotationError(
            f"A confidence is from {LEAST_CONFIDENCE} to {MOST_CONFIDENCE} percent, not {form.confidence}."
        )
    asked = form.model_dump(exclude={"id", "paytables", "confidence"}) | {"game": find_any_game(form.game).key}
    sample = {**asked, "wagers": tuple(form.wagers), "paytables": tuple(form.paytables.items())}
    sample |= {"options": tuple(form.options)}
    await play.analyst.ask(questions.check_sample, tuple(sample.items()))
    asked |= {"paytables": [list(paytable) for paytable in form.paytables.items()], "confidence": form.confidence / 100}
    row = await play.turns.do(lambda: play.jobs.submit(owner_of(caller), form.id, SIMULATE, asked))
    return job_as_json(row)


@router.get("/api/jobs/{job}", summary="How far a job is, and what came of it", response_model=JobForm)
@play_route
def get_job(job: str, _: Reader, play: ThePlay) -> dict[str, Any]:
    return job_as_json(play.jobs.find(job))


@router.delete("/api/jobs/{job}", summary="Give a job up", response_model=JobForm)
async def cancel_job(job: str, _: SignedInCaller, play: ThePlay) -> dict[str, Any]:
    """A job that is over stays as it is. Until one that runs has ended, this waits, and holds up nobody else."""
    await play.turns.do(lambda: play.jobs.cancel(job))
    with suppress(TimeoutError):
        async with asyncio.timeout(2 * END_S):
            while play.jobs.is_running(job):
                await asyncio.sleep(LOOK_S)
    return job_as_json(await play.turns.do(lambda: play.jobs.find(job)))


@router.post("/api/plan", summary="Plan a progressive", response_model=PlanForm)
async def plan(form: Plan, caller: SignedInCaller, play: ThePlay) -> dict[str, Any]:
    """What formulas say is answered at once; what has to be simulated is a job."""
    beside = {"id", "seed", "histories", "simulate", "ahead"}
    values = {key: _exactly(value) for key, value in form.model_dump(exclude=beside, exclude_none=True).items()}
    settings: questions.Query = tuple(
        (key, tuple(value.items()) if isinstance(value, dict) else value) for key, value in values.items()
    )
    answer: dict[str, Any] = await play.analyst.ask(questions.plan, settings, form.seed, form.histories)
    answer = {**answer, "ahead": await play.analyst.ask(questions.ahead, settings) if form.ahead else None}
    if not form.simulate:
        return {**answer, "job": None}
    asked = {"settings": values, "seed": form.seed, "histories": form.histories}
    row = await play.turns.do(lambda: play.jobs.submit(owner_of(caller), form.id, PLAN, asked))
    return {**answer, "job": row.id}


def _exactly(value: Any) -> Any:
    """A number with decimals as it was written: plans are exact."""
    if isinstance(value, dict):
        return {key: _exactly(part) for key, part in value.items()}
    return format(Decimal(str(value)), "f") if isinstance(value, float) else value
