"""What a person sees where a page cannot be shown: the sentence that a program would get, and the way back."""

from __future__ import annotations

import json

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from croupier.errors import CroupierError
from croupier.web.callers import runtime_of
from croupier.web.errors import http_response, invalid_response, response_of
from croupier.web.pages.templates import page, say
from croupier.web.pages.visitors import who


def install(app: FastAPI) -> None:
    """After the handlers of the API, whose answers are what is shown."""

    @app.exception_handler(CroupierError)
    async def known(request: Request, error: CroupierError) -> Response:
        return _shown(request, response_of(error))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return _shown(request, http_response(error), "wrong.no_page" if error.status_code == 404 else "")

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return _shown(request, invalid_response(error.errors()), "wrong.no_page")


def _shown(request: Request, answer: Response, words: str = "") -> Response:
    """Only for who looks at a page: programs, and the pages' own scripts, get the one form."""
    looks = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if not looks or request.url.path.startswith(("/api/", "/static/")):
        return answer
    runtime = runtime_of(request)
    sentence = say(words) if words else json.loads(bytes(answer.body))["error"]["sentence"]
    try:
        person, csrf = who(request, runtime)
    except CroupierError:  # the store is away: nobody can be known
        person, csrf = None, ""
    return page(request, "wrong.html", runtime, status=answer.status_code, person=person, csrf=csrf, sentence=sentence)
