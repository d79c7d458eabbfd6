"""The class of the dealer's school: how each trainee does, for whoever trains them, and a certificate on paper.

A certificate takes the pass mark of the house; below it, the same paper is a record of practice and says so.
A trainee is anybody who has signed in, and sees their own; a class is seen by whoever may (`Power.SEE_CLASS`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field

from croupier.analysis.par.print import TableInPrint
from croupier.compliance.authority import Power, Role
from croupier.errors import UnknownName
from croupier.floor.people import Person
from croupier.games.catalogue import ALL_GAMES
from croupier.ledger.clock import utc_now
from croupier.reports.sheet import Page
from croupier.training.lesson import PassMark
from croupier.web.errors import ApiError
from croupier.web.floor.reports import file_header
from croupier.web.games.play import ThePlay
from croupier.web.games.results import LATELY, Done, Progress
from croupier.web.games.training.deal import TheTraining, drill_title
from croupier.web.identity.callers import SignedInCaller, TheRuntime
from croupier.web.turns import play_route

router = APIRouter(tags=["games"])
PDF: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/pdf": {}}, "description": "The certificate, or the record of practice."}
}
Who = Annotated[str, Path(max_length=64)]


class DoneForm(BaseModel):
    drill: str = Field(description="Which one; none of whole rounds.")
    title: str
    in_time: bool = Field(description="Whether it was against the clock.")
    times: int
    questions: int
    right: int = Field(description="That were answered rightly at once.")
    best: int = Field(description="The most that were right at once in one of them.")
    last: str


class GameProgressForm(BaseModel):
    game: str
    title: str
    questions: int
    right: int
    last: str
    lately: list[tuple[int, int]] = Field(
        description=f"Of the last {LATELY} whole rounds, the oldest first: right at once, and of how many questions."
    )
    done: list[DoneForm] = Field(description="Whole rounds first, then drills.")


class TraineeForm(BaseModel):
    person: str
    name: str
    role: str
    questions: int
    right: int
    passed: bool = Field(description="Whether the pass mark is reached: then the paper is a certificate.")
    last: str | None
    games: list[GameProgressForm]


class ClassForm(BaseModel):
    pass_mark: str = Field(description="What a certificate takes, in words.")
    trainees: list[TraineeForm]


@router.get("/api/school", summary="How every trainee does", response_model=ClassForm)
@play_route
def get_class(caller: SignedInCaller, runtime: TheRuntime, play: ThePlay, training: TheTraining) -> dict[str, Any]:
    """Everybody who has finished a lesson or a drill, and the dealers who have not yet."""
    caller.may(Power.SEE_CLASS)
    progress = training.progress()
    people = sorted(runtime.house.site.people, key=lambda person: person.name.casefold())
    shown = [person for person in people if person.id in progress or (person.active and person.role is Role.DEALER)]
    mark = runtime.settings.pass_mark
    return {
        "pass_mark": str(mark),
        "trainees": [_trainee(person, progress.get(person.id, {}), mark) for person in shown],
    }


@router.get("/api/school/me", summary="How you do in all games", response_model=TraineeForm)
@play_route
def get_own(caller: SignedInCaller, runtime: TheRuntime, play: ThePlay, training: TheTraining) -> dict[str, Any]:
    person = caller.known()
    return _trainee(person, training.progress(person.id).get(person.id, {}), runtime.settings.pass_mark)


@router.get("/api/school/{person}/certificate.pdf", summary="A certificate", response_class=Response, responses=PDF)
@play_route
def get_certificate(
    person: Who, caller: SignedInCaller, runtime: TheRuntime, play: ThePlay, training: TheTraining
) -> Response:
    """One's own, or of anybody for whoever sees the class. Below the pass mark it is a record of practice."""
    site = runtime.house.site
    if person != caller.known().id:
        caller.may(Power.SEE_CLASS)
        if person not in site.people.by_id:
            raise UnknownName("person", person, site.people.by_id)
    trainee = site.people.known(person)
    progress = training.progress(person).get(person, {})
    if not progress:
        raise ApiError(404, "nothing-yet", f"{trainee.name} has finished no lesson and no drill yet: deal one first.")
    mark = runtime.settings.pass_mark
    paper = certificate(trainee, progress, mark, site.title, str(site.day(utc_now())))
    kind = "certificate" if _passed(progress, mark) else "record-of-practice"
    headers = file_header(f"{kind}-{person}.pdf", shown=True)
    return Response(paper.pdf(), media_type="application/pdf", headers=headers)


# In JSON


def _trainee(person: Person, progress: Mapping[str, Progress], mark: PassMark) -> dict[str, Any]:
    last = max((done.last for done in progress.values()), default=None)
    return {
        **{"person": person.id, "name": person.name, "role": str(person.role)},
        **{"questions": _questions(progress), "right": _right(progress)},
        "passed": _passed(progress, mark),
        "last": f"{last.isoformat()}Z" if last else None,
        "games": [_game(game, its) for game, its in progress.items()],
    }


def _questions(progress: Mapping[str, Progress]) -> int:
    return sum(done.questions for done in progress.values())


def _right(progress: Mapping[str, Progress]) -> int:
    return sum(done.right for done in progress.values())


def _passed(progress: Mapping[str, Progress], mark: PassMark) -> bool:
    return mark.is_reached(right=_right(progress), questions=_questions(progress))


def _game(game: str, its: Progress) -> dict[str, Any]:
    rounds = [_done(game, "", in_time=False, done=its.rounds)] if its.rounds else []
    drills = [_done(game, drill, in_time=in_time, done=done) for (drill, in_time), done in its.drills.items()]
    return {
        **{"game": game, "title": _title(game), "questions": its.questions, "right": its.right},
        **{"last": f"{its.last.isoformat()}Z", "lately": its.lately, "done": [*rounds, *drills]},
    }


def _done(game: str, drill: str, *, in_time: bool, done: Done) -> dict[str, Any]:
    return {
        **{"drill": drill, "title": _drill(game, drill), "in_time": in_time, "times": done.times},
        **{"questions": done.steps, "right": done.right, "best": done.best, "last": f"{done.last.isoformat()}Z"},
    }


def _title(game: str) -> str:
    """Of a game that the house has no more, its key."""
    return ALL_GAMES[game].title if game in ALL_GAMES else game


def _drill(game: str, drill: str) -> str:
    if not drill:
        return "Whole rounds"
    return drill_title(ALL_GAMES[game], drill) if game in ALL_GAMES else drill


# On paper


def certificate(person: Person, progress: Mapping[str, Progress], mark: PassMark, site: str, day: str) -> Page:
    """What somebody has done in the school, and how well. Below the mark it certifies nothing, and nobody signs it."""
    passed = _passed(progress, mark)
    games = tuple(_game_row(game, its) for game, its in progress.items())
    drills = tuple(
        (_title(game), _drill(game, drill) + (", against the clock" if in_time else ""), *_in_figures(done))
        for game, its in progress.items()
        for (drill, in_time), done in its.drills.items()
    )
    score = f"{_share(_right(progress), _questions(progress))} right at once"
    head = ("Game", "Rounds", "Drills", "Questions", "Right at once", f"Last {LATELY} rounds")
    drilled = TableInPrint("Drills", ("Game", "Drill", "Times", "Questions", "Right at once"), 2, drills)
    return Page(
        title="Certificate of the dealer's school" if passed else "Record of practice in the dealer's school",
        site=site,
        headline=person.name,
        facts=(
            ("Person", f"{person.id}, {person.role}"),
            ("Games", ", ".join(map(_title, progress))),
            ("Score", f"{score}: {_right(progress):,} of {_questions(progress):,} questions"),
            ("Pass mark", f"{mark}: {'reached' if passed else 'not reached; this is no certificate'}"),
            ("Date", day),
        ),
        tables=(TableInPrint("Games", head, 1, games), *((drilled,) if drills else ())),
        notes=(
            "Every question is of a round that was dealt by the rules of the game, and each answer was held against "
            "that round. Right at once: the first answer was the right one. Percentages are cut off, not rounded up.",
        ),
        heads=(),
        signatures=("Trainee", "Trainer", "Date") if passed else (),
    )


def _game_row(game: str, its: Progress) -> tuple[str, ...]:
    rounds, drills = (its.rounds.times if its.rounds else 0), sum(done.times for done in its.drills.values())
    right, asked = (sum(column) for column in zip(*its.lately, strict=True)) if its.lately else (0, 0)
    lately = _share(right, asked) if asked else "–"
    return _title(game), f"{rounds:,}", f"{drills:,}", f"{its.questions:,}", _share(its.right, its.questions), lately


def _in_figures(done: Done) -> tuple[str, str, str]:
    return f"{done.times:,}", f"{done.steps:,}", _share(done.right, done.steps)


def _share(right: int, asked: int) -> str:
    return f"{100 * right // asked}%"
