"""The lab's route: a paytable while it is changed, with every figure that follows from it.

It has a process of its own that counts, so that an answer to a changed pay waits for no PAR sheet; and another one for
the rules of blackjack, which take seconds where they are new.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr

from croupier.web import lab_questions
from croupier.web.callers import SignedInCaller
from croupier.web.play import ThePlay
from croupier.web.play_forms import Name, Placard, Table

router = APIRouter(tags=["games"])
Short = Annotated[StrictStr, Field(max_length=200)]
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
    tables: list[LabTable] = Field(min_length=1, max_length=2, description="The second is compared with the first.")
    rounds: Annotated[StrictInt, Field(ge=1, le=1_000)] = Field(100, description="Wagers of a session.")
    find: Find | None = None


class LabAnswer(BaseModel):
    """Each table is in the form of `odds --json`, with its rows and its figures in print."""

    game: str
    wager: str
    tables: list[dict[str, Any]]
    differences: dict[str, str] | None = Field(description="The first less the second.")
    sessions: dict[str, Any] | None = Field(description="Null where the results lie too close together to be summed.")
    found: dict[str, Any] | None


@router.post("/api/lab", summary="A paytable of one's own, in figures", response_model=LabAnswer)
async def ask_the_lab(form: LabQuestion, _: SignedInCaller, play: ThePlay) -> Any:
    analyst = play.lab_rules if lab_questions.is_bet(form.game, form.wager) else play.lab
    return await analyst.ask(lab_questions.lab, json.dumps(form.model_dump()))
