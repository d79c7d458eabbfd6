"""The route of a second person: card and PIN, read at the first person's console, for one act of two people."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field, StrictStr, ValidationError

from croupier.progressive.office import LONGEST_LINK
from croupier.web import answers
from croupier.web.access_tickets import SECOND_PERSON_S, TICKET, Agreed, digest_of
from croupier.web.acting import Card, Id, body_of
from croupier.web.answers import answer
from croupier.web.callers import SignedInCaller, TheRuntime
from croupier.web.errors import ApiError
from croupier.web.routes.enrolling import ENROL, NEW_CARD, NEW_PIN, Enrol, NewCard, NewPin
from croupier.web.routes.floor import LINK_ACTS, SITE_ACTS
from croupier.web.routes.people import Form, Pin, person_json

router = APIRouter(prefix="/api", tags=["people"])
OF_LINKS: dict[str, type[BaseModel]] = {
    act.kind: model for act, _, _ in LINK_ACTS if TICKET in (model := body_of(act)).model_fields
}
OF_SITE: dict[str, type[BaseModel]] = {
    **{act.kind: model for act, _, _ in SITE_ACTS if TICKET in (model := body_of(act)).model_fields},
    **{ENROL: Enrol, NEW_CARD: NewCard, NEW_PIN: NewPin},
}


class SecondPerson(Form):
    """Who agrees, and to what: the ticket counts for this very act under this id, and for no other."""

    card: Card
    pin: Pin
    act: Annotated[
        StrictStr,
        Field(max_length=64, description="As the act's route ends: `adjust`, `set-table`.", examples=["adjust"]),
    ]
    link: Annotated[StrictStr, Field(max_length=LONGEST_LINK, description="Of an act of a link.")] = ""
    id: Annotated[Id, Field(description="That the act will be sent with.")]
    body: Annotated[
        dict[str, Any],
        Field(description="The whole act as it will be sent, without the ticket, and as both have seen it."),
    ]


@router.post(
    "/second-person",
    summary="A second person's card and PIN, for one act of two people",
    response_model=answers.SecondForm,
)
def second_person(form: SecondPerson, caller: SignedInCaller, runtime: TheRuntime) -> Response:
    first = caller.with_pin()
    agreed = _agreed(form)
    person = runtime.access.check_second(form.card, form.pin, caller.place)
    if person.id == first.id:
        raise ApiError(403, "same-person", f"{person.name} is the first person: it takes two.")
    ticket = runtime.tickets.make(person, caller.in_session(), agreed)
    return answer({TICKET: ticket, **person_json(person), "seconds": SECOND_PERSON_S})


def _agreed(form: SecondPerson) -> Agreed:
    """What is agreed to, if there is such an act."""
    known = OF_LINKS if form.link else OF_SITE
    if form.act not in known:
        whose, listed = "a link" if form.link else "the site, which names no link,", ", ".join(sorted(known))
        raise ApiError(422, "wrong-form", f"act: of {whose} two people sign {listed}; not {form.act!r}.")
    if form.body.get("id") != form.id:
        raise ApiError(422, "wrong-form", "body.id: the act is sent with the id that the ticket is for.")
    try:
        body = known[form.act].model_validate({**form.body, TICKET: ""})
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        raise RequestValidationError([{**each, "loc": ("body", "body", *each["loc"])} for each in found]) from None
    return Agreed(form.act, form.link, form.id, digest_of(body))
