"""Templates, strings and files of the pages. The files' addresses carry the digest of all, so that they may be kept."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from croupier.compliance.authority import Power, Role, may
from croupier.compliance.profile import find_profile, newest, profile_names
from croupier.errors import CroupierError, UnknownName
from croupier.floor.people import Person
from croupier.ledger.clock import time_of, utc_now
from croupier.web.cluster.runtime import Runtime
from croupier.web.errors import http_response, invalid_response, program_response, response_of
from croupier.web.identity.callers import BOUNDS, runtime_of
from croupier.web.identity.visitors import who

if TYPE_CHECKING:
    from jinja2 import Environment


# How money and numbers are written on the pages: the one place that says so. Times are in the site's own zone.
#
# The books are in cents of one currency, which is the same for every site so far; a page never names it by itself.


class Region(NamedTuple):
    currency: str
    """As ISO 4217 has it."""
    locale: str
    """As BCP 47 has it."""
    unit: str
    """In words, for labels: `Amount in {currency}`."""


REGION = Region("USD", "en-US", "dollars")


HERE = Path(__file__).parent
STATIC = HERE / "static"
STRINGS = HERE / "strings" / "en"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


@cache
def strings(area: str = "") -> dict[str, str]:
    """Every word of the pages is in one folder, a file for each area: those of one, or of all."""
    files = [STRINGS / f"{area}.json"] if area else sorted(STRINGS.glob("*.json"))
    texts: dict[str, str] = {}
    for file in files:
        texts |= json.loads(file.read_text(encoding="utf-8"))
    return {key: text.replace("{currency}", REGION.unit) for key, text in texts.items()}


def say(key: str, **values: object) -> str:
    return strings()[key].format(**values) if values else strings()[key]


def percent(figure: float) -> str:
    """`3.23%`, as the pages' scripts write it in this region."""
    return f"{figure:,.2f}%"


def _spoken(areas: tuple[str, ...]) -> dict[str, str]:
    """The words that a page's script may need: the common ones and those of its areas."""
    return {key: text for area in ("common", "search", *areas) for key, text in strings(area).items()}


@cache
def version() -> str:
    """Of all that the pages are made of: whoever has loaded another one has to load them again."""
    digest = hashlib.sha256()
    for folder in (STATIC, STRINGS, HERE / "templates"):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            digest.update(f"{file.relative_to(HERE)} {file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def static_url(path: str) -> str:
    """In a folder of this version: what a script imports from beside it is then of this version too."""
    if not (STATIC / path).is_file():
        raise FileNotFoundError(f"There is no file {path} among those of the pages.")
    return f"/static/{version()}/{path}"


@cache
def environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    jinja = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape(), undefined=StrictUndefined
    )
    jinja.globals |= {"t": say, "static": static_url, "percent": percent}
    return jinja


def ways_of(person: Person | None) -> list[tuple[str, str]]:
    """The main pages that somebody may use, each with its name's key. Games, rules, the lab and the API are for all,
    but for inspectors and cashiers, who have come for other things."""
    if person and person.role in BOUNDS:
        bounds = BOUNDS[person.role]
        return [(bounds.home, bounds.way), ("/rules", "nav.rules")]
    console = [("/console", "nav.console")] if person and may(person.role, Power.READ_LEDGER) else []
    floor = [("/", "nav.lobby"), *console, ("/display", "nav.display")] if person else []
    games = [
        ("/play", "nav.play"),
        ("/deal", "nav.deal"),
        ("/rules", "nav.rules"),
        ("/lab", "nav.lab"),
    ]
    return [*floor, *games, ("/api/docs", "nav.docs")]


def profile_choices(now: str = "") -> list[dict[str, str]]:
    """The jurisdictions that can be chosen, each in its newest edition with its limits of today in a sentence; and that
    of the site as it is now, which may be an older one."""
    profiles, today = list(map(newest, profile_names())), time_of(utc_now()).date()
    if now and find_profile(now) not in profiles:
        profiles.insert(0, find_profile(now))
    return [
        {"name": profile.name, "title": profile.title, "says": f"{profile.on(today).in_short()} {profile.which}"}
        for profile in profiles
    ]


def page(
    request: Request,
    template: str,
    runtime: Runtime,
    areas: tuple[str, ...] = (),
    *,
    person: Person | None = None,
    csrf: str = "",
    status: int = 200,
    boot: dict[str, Any] | None = None,
    **values: Any,
) -> HTMLResponse:
    """A page, with what its script needs to begin."""
    site = runtime.house.site
    begin = {
        **{"person": person.id if person else "", "csrf": csrf, "version": version()},
        **{"zone": site.zone, "currency": REGION.currency, "locale": REGION.locale, "strings": _spoken(areas)},
        "roles_known": list(Role),
        **(boot or {}),
    }
    text = (
        environment()
        .get_template(template)
        .render(boot=begin, site=site, person=person, here=request.url.path, ways=ways_of(person), **values)
    )
    return HTMLResponse(text, status_code=status, headers=HEADERS)


# The pages' files. Those of the version in force may be kept for ever, any other is asked for anew each time.

OF_A_VERSION = re.compile(r"([0-9a-f]{16})/(.+)")


class Files(StaticFiles):
    def __init__(self) -> None:
        super().__init__(directory=STATIC)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """While servers are replaced one by one, a page may ask for another's version: it gets what there is."""
        match = OF_A_VERSION.fullmatch(path.replace("\\", "/"))
        response = await super().get_response(match[2] if match else path, scope)
        ours = match is not None and match[1] == version()
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if ours else "no-cache"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response


# What a person sees where a page cannot be shown: the sentence that a program would get, and the way back.


def install_error_pages(app: FastAPI) -> None:
    """After the handlers of the API, whose answers are what is shown."""

    @app.exception_handler(CroupierError)
    async def known(request: Request, error: CroupierError) -> Response:
        no_game = isinstance(error, UnknownName) and error.kind == "game"
        return _shown(request, response_of(error), "wrong.no_game" if no_game else "")

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: HTTPException) -> Response:
        return _shown(request, http_response(error), "wrong.no_page" if error.status_code == 404 else "")

    @app.exception_handler(RequestValidationError)
    async def malformed(request: Request, error: RequestValidationError) -> Response:
        return _shown(request, invalid_response(error.errors()), "wrong.no_page")

    @app.exception_handler(Exception)
    async def broken(request: Request, _: Exception) -> Response:
        with suppress(Exception):  # whatever is broken may break this page too
            return _shown(request, program_response(), "wrong.program")
        return program_response()


def _shown(request: Request, answer: Response, words: str = "") -> Response:
    """Only for whoever looks at a page: programs, and the pages' own scripts, get the one form."""
    looks = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    if not looks or request.url.path.startswith(("/api/", "/static/")):
        return answer
    runtime = runtime_of(request)
    sentence = say(words) if words else json.loads(bytes(answer.body))["error"]["sentence"]
    try:
        person, csrf = who(request, runtime)
    except CroupierError:  # the store is away: nobody can be known
        person, csrf = None, ""
    status = answer.status_code
    kind = "gone" if status == 404 else "denied" if status in (401, 403) else "away" if status >= 500 else "other"
    values: dict[str, Any] = {"person": person, "csrf": csrf, "sentence": sentence, "kind": kind}
    return page(request, "wrong.html", runtime, ("cards",), status=status, **values)
