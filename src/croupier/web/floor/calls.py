"""The route of calls: which tables wait for somebody, how long, who has taken it, and whose it is by now."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import BaseModel, Field

from croupier.compliance.authority import Power
from croupier.floor.people import People
from croupier.ledger.clock import as_written, time_of, utc_now
from croupier.web.floor.answers import answer
from croupier.web.identity.callers import SignedInCaller, TheRuntime
from croupier.web.pager import LADDER, open_calls

router = APIRouter(prefix="/api", tags=["awards"])


class CallForm(BaseModel):
    """A table that has called, until a card has decided what it called for."""

    link: str
    table: int
    entry: Annotated[int, Field(description="Of the link's book: the call.")]
    at: str
    by: Annotated[str, Field(description="The dealer, by name.")]
    waited_s: Annotated[int, Field(description="Until now, or until somebody took it.")]
    taken_by: Annotated[str | None, Field(description="Who goes there, by name.")]
    taken_at: str | None
    step: Annotated[int, Field(description="How often it has gone on to the next role.")]
    role: Annotated[str, Field(description="Whose call it is by now.")]
    escalates_at: Annotated[str | None, Field(description="When it goes on, if nobody takes it; null at the last.")]


class CallsForm(BaseModel):
    now: Annotated[str, Field(description="By the server's clock: ages are counted from it.")]
    calls: list[CallForm]


@router.get("/calls", summary="Calls that wait, and who has taken them", response_model=CallsForm)
def get_calls(runtime: TheRuntime, caller: SignedInCaller) -> Response:
    caller.may(Power.READ_LEDGER)
    now, every, people = utc_now(), runtime.settings.call_escalates_s, runtime.house.site.people
    calls = []
    for each in open_calls(runtime.house, now, every):
        call, last = each.call, each.step + 1 >= len(LADDER)
        next_at = time_of(call.at) + timedelta(seconds=every * (each.step + 1))
        calls.append(
            {
                **{"link": each.link, "table": each.table, "entry": call.entry, "at": call.at},
                **{"by": _name(people, call.by), "waited_s": int(each.waited_s)},
                "taken_by": _name(people, call.taken_by) if call.taken_by else None,
                **{"taken_at": call.taken_at or None, "step": each.step, "role": str(each.role)},
                "escalates_at": None if call.taken_by or last else as_written(next_at),
            }
        )
    return answer({"now": now, "calls": calls})


def _name(people: People, person: str) -> str:
    known = people.by_id.get(person)
    return known.name if known else person
