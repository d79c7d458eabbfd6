"""The dealer's school: lessons for anybody, and how somebody who has signed in did in them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.training.drill import (
    MOST_QUESTIONS,
    PAYMENTS,
    UNCHARGED,
    USUAL_QUESTIONS,
    Allowance,
    Drilled,
    Item,
    ask_again,
    drills_of,
    grade_drill,
    make_drill,
)
from croupier.training.lesson import grade, make_lesson
from croupier.training.table import SEED, USUAL_SEATS, LessonHouse
from croupier.web.floor.acts import Body
from croupier.web.games.forms import Name, Placard, SettlementForm, TableForm
from croupier.web.games.play import ThePlay, is_nobody
from croupier.web.games.results import Result, TrainingStore
from croupier.web.games.views import lesson_as_json
from croupier.web.identity.callers import AnyCaller, SignedInCaller
from croupier.web.identity.store import utc
from croupier.web.turns import drill_route, play_route

MOST_SEATS = 7
MOST_STEPS, MOST_TRIES = 400, 40
MOST_MS = 10**8
NOBODYS_ROUNDS, NOBODYS_IN_VAIN = 30, 60
"""That are made for one drill of somebody who has not signed in; and while none has had a question."""
_SEED = f"^{SEED.pattern}$"
Seats = Annotated[StrictInt, Field(ge=1, le=MOST_SEATS)]
Said = Annotated[list[Annotated[StrictStr, Field(max_length=80)]], Field(min_length=1, max_length=MOST_TRIES)]


@asynccontextmanager
async def training_life(app: FastAPI) -> AsyncIterator[None]:
    app.state.training = store = TrainingStore(app.state.runtime.settings.db)
    try:
        yield
    finally:
        await asyncio.to_thread(store.close)


def _training_of(request: Request) -> TrainingStore:
    store: TrainingStore = request.app.state.training
    return store


TheTraining = Annotated[TrainingStore, Depends(_training_of)]
router = APIRouter(lifespan=training_life, tags=["games"])


# What is sent, and what is answered


class ChoiceForm(BaseModel):
    value: str
    label: str
    key: str


class StepForm(BaseModel):
    """A question, asked when the events before number `at` have been told."""

    kind: str
    place: int = Field(description="Of all questions of its round, from 0.")
    at: int
    felt: int = Field(description="Which of the felts shows the table now.")
    ask: str
    answers: list[str] = Field(description="The values that are right: of a choice, or typed (money in cents).")
    right: str = Field(description="The right answer in words.")
    paragraph: str
    choices: list[ChoiceForm]
    typed: str | None = Field(description="money or number, where there is nothing to choose from.")
    seat: int | None
    spot: str | None = Field(description="Which wager of the seat, where it is about one.")
    hand: int | None = Field(description="Which hand of the seat that wager lies with, where there are several.")
    facts: str
    sum: str = Field(description="How an amount is worked out: '$30 at 20 to 1 is $600'.")
    seen: list[str] = Field(description="The dealer's cards, as the dealer alone sees them now.")


class LessonForm(BaseModel):
    """A round that the engine has dealt, as the questions that its dealer had to answer."""

    game: str
    title: str
    rules: str
    seed: str
    seats: int
    table: TableForm
    felts: list[dict[str, Any]]
    events: list[str]
    settlements: list[SettlementForm]
    steps: list[StepForm]
    paragraphs: dict[str, dict[str, Any]]


class DrillForm(BaseModel):
    """Single questions, each of the table as it stood in its round."""

    drill: str
    title: str
    seed: str = Field(description="The same one makes the same drill; empty where the questions were named.")
    lessons: list[LessonForm]


Question = Annotated[str, Field(pattern=rf"^{SEED.pattern}:[1-7]:\d{{1,3}}$")]


class SendAnswers(Body):
    """A lesson or a drill that was finished. What it was worth is for the server to say."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"id": "l1", "seed": "1", "seats": 1, "answers": [["close"]], "ms": 900}]},
    )
    seed: Annotated[StrictStr, Field(pattern=f"{_SEED}|^$", description="The same one makes the same lesson.")] = ""
    seats: Seats = USUAL_SEATS
    drill: Annotated[StrictStr, Field(max_length=64)] = Field("", description="Which one; none of a whole round.")
    many: Annotated[StrictInt, Field(ge=1, le=MOST_QUESTIONS)] = Field(
        USUAL_QUESTIONS, description="Questions that the drill was asked for with."
    )
    again: list[Question] = Field(
        default_factory=list, max_length=MOST_QUESTIONS, description="The questions, where the drill was of these."
    )
    in_time: StrictBool = Field(False, description="A drill against the clock: so many answers as there was time for.")
    handling: StrictBool = Field(False, description="Whether the lesson was asked for with it.")
    rules: Placard = Field("", description="As the lesson was asked for.")
    paytables: dict[Name, Name] = Field(default_factory=dict, max_length=16, description="Likewise, by wager.")
    answers: list[Said] = Field(min_length=1, max_length=MOST_STEPS, description="By step; the right one last.")
    ms: Annotated[StrictInt, Field(ge=0, le=MOST_MS)] = Field(description="How long all answers took.")


class ResultForm(BaseModel):
    at: str
    seed: str
    seats: int
    steps: int
    right: int = Field(description="Steps that were answered rightly at once.")
    mistakes: dict[str, int] = Field(description="Wrong answers by kind of question.")
    ms: int


class DrillResultForm(ResultForm):
    drill: str
    title: str
    in_time: bool


class ResultsForm(BaseModel):
    game: str
    results: list[ResultForm] = Field(description="Whole rounds, the oldest first.")
    drills: list[DrillResultForm] = Field(description="Likewise.")


# Routes

Rules = Annotated[str, Query(max_length=200, description="Blackjack: a placard, as '6D H17 6:5'.")]
Posted = Annotated[
    list[Annotated[str, Field(max_length=130, pattern="^[^:]+:[^:]+$")]],
    Query(default_factory=list, max_length=16, description="A wager and one of its approved paytables: 'pair-plus:2'."),
]
Again = Annotated[
    list[Question],
    Query(
        default_factory=list,
        max_length=MOST_QUESTIONS,
        description="Seed, seats and place: 'monday:3:17'.",
    ),
]
MISTAKES, MISTAKES_TITLE = "mistakes", "Your mistakes"


def _house(rules: str, paytables: list[str]) -> LessonHouse:
    posted = sorted((key, name) for key, _, name in (paytable.partition(":") for paytable in paytables))
    return LessonHouse(rules.strip(), tuple(posted))


@router.get("/api/deal/{game}", summary="A lesson for a dealer", response_model=LessonForm)
@play_route
def get_lesson(
    game: str,
    caller: AnyCaller,
    play: ThePlay,
    seed: Annotated[str, Query(pattern=f"{_SEED}|^$")] = "",
    seats: Annotated[int, Query(ge=1, le=MOST_SEATS)] = USUAL_SEATS,
    *,
    handling: Annotated[
        bool, Query(description="Ask also for calls, the handling of cards, and irregularities.")
    ] = False,
    rules: Rules = "",
    paytable: Posted,
) -> dict[str, Any]:
    """Of a seed, or of chance; the answer says of which."""
    if is_nobody(caller):
        play.openings.take(caller.source)
    house = _house(rules, paytable)
    return lesson_as_json(make_lesson(game, seed or secrets.token_hex(5), seats, handling=handling, house=house))


@router.get("/api/deal/{game}/drill", summary="Single questions for a dealer", response_model=DrillForm)
@drill_route
def get_drill(
    game: str,
    caller: AnyCaller,
    play: ThePlay,
    drill: Annotated[str, Query(max_length=64)] = PAYMENTS.key,
    seed: Annotated[str, Query(pattern=r"^[A-Za-z0-9-]{0,30}$")] = "",
    *,
    many: Annotated[int, Query(ge=1, le=MOST_QUESTIONS)] = USUAL_QUESTIONS,
    again: Again,
    rules: Rules = "",
    paytable: Posted,
) -> dict[str, Any]:
    """Of one kind or about one wager, or the very questions that somebody was wrong at.

    Every round that is made for it counts as one that is opened.
    """
    allowance = UNCHARGED
    if is_nobody(caller):
        allowance = Allowance(NOBODYS_ROUNDS, NOBODYS_IN_VAIN, partial(play.openings.take, caller.source))
    known_game, house, seed = find_any_game(game), _house(rules, paytable), seed or secrets.token_hex(5)
    drilled = _drilled(known_game.key, drill, seed, many=many, again=again, house=house, allowance=allowance)
    key = MISTAKES if again else drill
    told = [lesson_as_json(drill_part.lesson, drill_part.steps) for drill_part in drilled]
    return {"drill": key, "title": drill_title(known_game, key), "seed": "" if again else seed, "lessons": told}


def _drilled(
    game: str,
    drill: str,
    seed: str,
    *,
    many: int,
    again: list[str],
    house: LessonHouse,
    allowance: Allowance = UNCHARGED,
) -> tuple[Drilled, ...]:
    """The questions that are named, or those that the seed makes."""
    if not again:
        return make_drill(game, drill, seed, many, house, allowance=allowance)
    items = [Item(words[0], int(words[1]), int(words[2])) for words in (pair.split(":") for pair in again)]
    return ask_again(game, items, house, allowance)


def drill_title(game: TableGame, drill: str) -> str:
    """Of one that the game has no more, its key."""
    known = drills_of(game)
    return MISTAKES_TITLE if drill == MISTAKES else known[drill].title if drill in known else drill


@router.post("/api/deal/{game}/results", summary="Keep a finished lesson or drill", response_model=ResultsForm)
@play_route
def keep_result(
    game: str, form: SendAnswers, caller: SignedInCaller, play: ThePlay, training: TheTraining
) -> dict[str, Any]:
    """Sent again with the same id, it is kept once."""
    known_game = find_any_game(game)
    house = LessonHouse(form.rules.strip(), tuple(sorted(form.paytables.items())))
    if not form.seed and not form.again:
        raise NotationError("seed: which lesson it was must be said.")
    if form.drill:
        drilled = _drilled(known_game.key, form.drill, form.seed, many=form.many, again=form.again, house=house)
        grade_ = grade_drill(drilled, form.answers, in_time=form.in_time)
        drill = MISTAKES if form.again else form.drill
    else:
        made_lesson = make_lesson(known_game.key, form.seed, form.seats, handling=form.handling, house=house)
        grade_, drill = grade(made_lesson, form.answers), ""
    in_time = bool(drill) and form.in_time
    result = Result(known_game.key, utc(), form.seed, form.seats, grade_, form.ms, drill, in_time)
    training.keep(caller.known().id, form.id, result)
    return _results(training, caller.known().id, known_game)


@router.get("/api/deal/{game}/results", summary="How you have done", response_model=ResultsForm)
@play_route
def get_results(game: str, caller: SignedInCaller, play: ThePlay, training: TheTraining) -> dict[str, Any]:
    return _results(training, caller.known().id, find_any_game(game))


def _results(training: TrainingStore, person: str, game: TableGame) -> dict[str, Any]:
    drills = [
        {**_result(drill), "drill": drill.drill, "title": drill_title(game, drill.drill), "in_time": drill.in_time}
        for drill in training.drills(person, game.key)
    ]
    rounds = [_result(result) for result in training.results(person, game.key)]
    return {"game": game.key, "results": rounds, "drills": drills}


def _result(result: Result) -> dict[str, Any]:
    return {
        "at": result.at.isoformat() + "Z",
        "seed": result.seed,
        "seats": result.seats,
        "steps": result.grade.steps,
        "right": result.grade.right,
        "mistakes": dict(result.grade.mistakes),
        "ms": result.ms,
    }
