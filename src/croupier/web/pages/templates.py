"""Templates, strings and files of the pages. The files' addresses carry the digest of all, so that they may be kept."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from croupier.progressive.authority import Act, may
from croupier.progressive.people import Person
from croupier.web.pages.regional import REGION
from croupier.web.runtime import Runtime

if TYPE_CHECKING:
    from jinja2 import Environment

HERE = Path(__file__).parent
STATIC = HERE / "static"
STRINGS = HERE / "strings" / "en"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
    found: dict[str, str] = {}
    for file in files:
        found |= json.loads(file.read_text(encoding="utf-8"))
    return {key: text.replace("{currency}", REGION.unit) for key, text in found.items()}


def say(key: str, **values: object) -> str:
    return strings()[key].format(**values) if values else strings()[key]


def _spoken(areas: tuple[str, ...]) -> dict[str, str]:
    """The words that a page's script may need: the common ones and those of its areas."""
    return {key: text for area in ("common", *areas) for key, text in strings(area).items()}


@cache
def version() -> str:
    """Of all that the pages are made of: whoever has loaded another one has to load them again."""
    digest = hashlib.sha256()
    for folder in (STATIC, STRINGS, HERE / "templates"):
        for file in sorted(each for each in folder.rglob("*") if each.is_file()):
            digest.update(f"{file.relative_to(HERE)} {file.stat().st_size}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def static_url(path: str) -> str:
    """In a folder of this version: what a script imports from beside it is then of this version too."""
    if not (STATIC / path).is_file():
        raise FileNotFoundError(f"There is no file {path} among those of the pages.")
    return f"/static/{version()}/{path}"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape(), undefined=StrictUndefined
    )
    made.globals |= {"t": say, "static": static_url}
    return made


def _ways(person: Person | None) -> list[tuple[str, str]]:
    """The main pages that somebody may use, each with its name's key. Games, rules and the API are for all."""
    console = [("/console", "nav.console")] if person and may(person.role, Act.READ_LEDGER) else []
    floor = [("/", "nav.lobby"), *console, ("/display", "nav.display")] if person else []
    games = [
        ("/play", "nav.play"),
        ("/deal", "nav.deal"),
        ("/rules", "nav.rules"),
        *([("/lab", "nav.lab")] if person else []),
    ]
    return [*floor, *games, ("/api/docs", "nav.docs")]


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
        **(boot or {}),
    }
    text = (
        _environment()
        .get_template(template)
        .render(boot=begin, site=site, person=person, here=request.url.path, ways=_ways(person), **values)
    )
    return HTMLResponse(text, status_code=status, headers=HEADERS)
