"""Routes of long work: a simulation, a plan, and how far they are."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from decimal import Decimal
from typing import Any

from fastapi import APIRouter

from croupier.errors import NotationError
from croupier.games.catalogue import find_any_game
from croupier.web import questions
from croupier.web.callers import Reader, SignedInCaller
from croupier.web.job_work import PLAN, SIMULATE
from croupier.web.jobs import END_S, job_as_json
from croupier.web.play import ThePlay, owner_of
from croupier.web.play_forms import MOST_ROUNDS, JobForm, Plan, PlanForm, Simulate
from croupier.web.threads import play_route

router = APIRouter(tags=["games"])
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
    await play.analyst.ask(questions.check_sample, tuple(sample.items()))
    asked |= {"paytables": [list(each) for each in form.paytables.items()], "confidence": form.confidence / 100}
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
    said = {key: _exactly(value) for key, value in form.model_dump(exclude=beside, exclude_none=True).items()}
    settings: questions.Query = tuple(
        (key, tuple(value.items()) if isinstance(value, dict) else value) for key, value in said.items()
    )
    found: dict[str, Any] = await play.analyst.ask(questions.plan, settings, form.seed, form.histories)
    found = {**found, "ahead": await play.analyst.ask(questions.ahead, settings) if form.ahead else None}
    if not form.simulate:
        return {**found, "job": None}
    asked = {"settings": said, "seed": form.seed, "histories": form.histories}
    row = await play.turns.do(lambda: play.jobs.submit(owner_of(caller), form.id, PLAN, asked))
    return {**found, "job": row.id}


def _exactly(value: Any) -> Any:
    """A number with decimals as it was written: plans are exact."""
    if isinstance(value, dict):
        return {key: _exactly(each) for key, each in value.items()}
    return format(Decimal(str(value)), "f") if isinstance(value, float) else value
