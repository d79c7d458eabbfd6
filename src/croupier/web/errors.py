"""One form for every error: `{"error": {"code": "not-open", "sentence": "...", "retry": false}}`.

400  not JSON                            401  nobody has signed in, or the card is not known
403  the person or the device may not    404  there is no such thing
405  not done with this method            408  the body came too slowly
409  refused: nothing has changed
413  too long                            422  a value is missing, unknown or out of range
429  too many tries                      503  not done or in doubt: send it again with the same id
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from croupier.compliance.authority import Denied
from croupier.errors import CroupierError, NotationError, RecordError, Refusal, UnknownName
from croupier.floor.refusals import No
from croupier.floor.writer import InDoubt, NotDone
from croupier.store.store import StoreError, StoreFull
from croupier.web.logs import log

_STATUS = {
    Denied.UNKNOWN_CARD: 401,
    Denied.REVOKED_CARD: 401,
    Denied.UNKNOWN_PERSON: 403,
    Denied.NOT_ALLOWED: 403,
    Denied.SECOND_MISSING: 403,
    Denied.SAME_PERSON: 403,
    Denied.OWN_AWARD: 403,
    No.NO_KEY: 403,
    No.NOT_AGREED: 403,
    No.WRONG_FORM: 422,
    No.WRONG_SETUP: 422,
    No.NO_SUCH_LINK: 404,
    No.NOT_MADE: 404,
}
_HTTP = {400: "not-json", 404: "not-found", 405: "method-not-allowed", 408: "too-slow"} | dict.fromkeys(
    (413, 431), "too-long"
)
_AGAIN = {"Retry-After": "1"}
_AWAY: tuple[tuple[type[CroupierError], str, str], ...] = (
    (NotDone, "not-done", "Nothing was done: the books cannot be written just now. Send it again with the same id."),
    (
        InDoubt,
        "in-doubt",
        "It is not known whether this was done: the books cannot be reached just now. Send it again with the same id.",
    ),
    (StoreFull, "store", "There is no room to write the books."),
    (StoreError, "store", "The books cannot be reached just now: send it again with the same id."),
)
"""What is told where the error's own sentence says where the books are kept."""
LONGEST_SENTENCE = 2_000


class ErrorBody(BaseModel):
    """What went wrong, for programs and for people."""

    code: str = Field(examples=["not-open"])
    sentence: str = Field(examples=["The link main is closed."])
    fields: dict[str, str] | None = Field(None, description="Where a form was sent: what is wrong, by its fields.")
    retry: bool = Field(False, description="Whether the same request, with the same id, may be sent again.")


class ErrorForm(BaseModel):
    """The one form of every error."""

    error: ErrorBody


class ApiError(CroupierError):
    """An error of the server's own: signing in, limits, jobs."""

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        *,
        headers: dict[str, str] | None = None,
        by_field: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status, self.code, self.headers, self.by_field = status, code, headers or {}, by_field


def error_response(
    status: int,
    code: str,
    sentence: str,
    *,
    retry: bool = False,
    headers: dict[str, str] | None = None,
    by_field: Mapping[str, str] | None = None,
) -> JSONResponse:
    """A sentence may repeat what was sent, so it is shortened and made printable."""
    told = sentence if len(sentence) <= LONGEST_SENTENCE else sentence[: LONGEST_SENTENCE - 3] + "..."
    fields = {"fields": dict(by_field)} if by_field else {}
    body = {"error": {"code": code, "sentence": told.encode("utf-8", "replace").decode(), **fields, "retry": retry}}
    if status == 401:
        headers = {"WWW-Authenticate": "Bearer", **(headers or {})}
    return JSONResponse(body, status_code=status, headers=headers)


def response_of(error: CroupierError) -> JSONResponse:
    """What a client is told of an error that the program knows."""
    if isinstance(error, ApiError):
        retry, more = error.status >= 500, error.by_field
        return error_response(error.status, error.code, str(error), retry=retry, headers=error.headers, by_field=more)
    if isinstance(error, Refusal):
        return error_response(_STATUS.get(error.code, 409), error.code, str(error))  # type: ignore[call-overload]
    for kind, code, usual in _AWAY:
        if isinstance(error, kind):
            return error_response(503, code, _without_address(str(error), usual), retry=True, headers=_AGAIN)
    if isinstance(error, UnknownName):
        return error_response(404, "unknown-name", str(error))
    if isinstance(error, NotationError):
        return error_response(422, "wrong-form", str(error))
    if isinstance(error, RecordError):
        return error_response(422, "damaged-record", str(error))
    return error_response(422, "refused", str(error))


def _without_address(sentence: str, usual: str) -> str:
    """Clients are not told where the database is, nor what it says; the log is."""
    if "://" not in sentence and "server at" not in sentence and "socket" not in sentence:
        return sentence
    log.warning("store", sentence=sentence)
    return usual


def install(app: FastAPI) -> None:
    """Every way in which a request can fail ends in the one form."""

    @app.exception_handler(CroupierError)
    async def known(_: Request, error: CroupierError) -> JSONResponse:
        return response_of(error)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> JSONResponse:
        return invalid_response(error.errors())

    @app.exception_handler(HTTPException)
    async def http(_: Request, error: HTTPException) -> JSONResponse:
        return http_response(error)

    @app.exception_handler(Exception)
    async def unknown(_: Request, __: Exception) -> JSONResponse:
        return program_response()


def program_response() -> JSONResponse:
    sentence = "An error of the program, which is in its log. Whether it was done can be seen in the book."
    return error_response(500, "program", sentence)


def invalid_response(faults: Sequence[Any]) -> JSONResponse:
    """Of a body that cannot be read as what it should be: the first thing that is wrong."""
    first = faults[0]
    if first["type"] == "json_invalid":
        return error_response(400, "not-json", "The request is no JSON.")
    return error_response(422, "wrong-form", sentence_of(first))


def http_response(error: HTTPException) -> JSONResponse:
    code = _HTTP.get(error.status_code, "http")
    return error_response(error.status_code, code, f"{error.detail}.", headers=dict(error.headers or {}))


def sentence_of(first: dict[str, Any]) -> str:
    """The first thing that is wrong, by name. What was sent is not repeated: it may be a card or a PIN."""
    whole, *within = first["loc"] or ("body",)
    where = ".".join(map(str, within if whole == "body" else (whole, *within))) or "the request"
    return f"{where[:200]}: {first['msg'][:500]}."


# To our own pages a refusal comes as an answer, with its status in a header: a browser writes every other status into
# its console as if the page were broken, and a refused move is no fault.

TOLD, STATUS = b"x-refusals", b"x-status"
NEVER_TOLD = frozenset({401, 429})
"""A card or PIN that is not right, and who tries too often: a proxy's log has them, whatever is asked for."""


def is_told(status: int) -> bool:
    return 400 <= status < 500 and status not in NEVER_TOLD


def telling(scope: Scope, send: Send) -> Send:
    """How a request is answered: for whoever asks with `X-Refusals: told`, with a refusal as an answer."""
    if (TOLD, b"told") not in scope["headers"]:
        return send

    async def tell(message: Message) -> None:
        if message["type"] == "http.response.start" and is_told(message["status"]):
            told = (STATUS, str(message["status"]).encode())
            apart = ((b"vary", TOLD), (b"cache-control", b"no-store"))  # no cache gives it to whoever has not asked
            message = {**message, "status": 200, "headers": [*message["headers"], told, *apart]}
        await send(message)

    return tell


class Told:
    """For whoever asks for it; everybody else gets the status itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, telling(scope, send) if scope["type"] == "http" else send)


_FORM = {"application/json": {"schema": {"$ref": f"#/components/schemas/{ErrorForm.__name__}"}}}
RESPONSES: dict[int | str, dict[str, Any]] = {
    422: {"model": ErrorForm, "description": "A value is missing, unknown or out of range."},
    **{
        status: {"content": _FORM, "description": words}
        for status, words in (
            (400, "The request is no JSON."),
            (401, "Nobody has signed in, or the card is not known."),
            (403, "The person or the device may not do this."),
            (404, "There is no such thing."),
            (409, "Refused: nothing has changed."),
            (413, "The request is too long."),
            (429, "Too many tries."),
            (503, "Not done or in doubt: send it again with the same id."),
        )
    },
}
"""For the description of every route. One names the model and the others point to it: each model named is a reader that
FastAPI makes anew for every route, and a server would be slow to start."""
