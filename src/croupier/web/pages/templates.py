"""Templates, strings and files of the pages: each file's address carries its own digest, so that it may be kept."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from croupier.progressive.people import Person
from croupier.web.runtime import Runtime

HERE = Path(__file__).parent
STATIC = HERE / "static"
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
def strings() -> dict[str, str]:
    """Every word of the pages, in one place."""
    found: dict[str, str] = json.loads((HERE / "strings_en.json").read_text(encoding="utf-8"))
    return found


def say(key: str, **values: object) -> str:
    return strings()[key].format(**values) if values else strings()[key]


@cache
def static_url(path: str) -> str:
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:12]
    return f"/static/{path}?v={digest}"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"), autoescape=select_autoescape(), undefined=StrictUndefined
    )
    made.globals |= {"t": say, "static": static_url}
    return made


def page(
    request: Request,
    template: str,
    runtime: Runtime,
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
        **{"csrf": csrf, "zone": site.zone, "currency": "USD", "locale": "en-US", "strings": strings()},
        **(boot or {}),
    }
    text = (
        _environment()
        .get_template(template)
        .render(boot=begin, site=site, person=person, here=request.url.path, **values)
    )
    return HTMLResponse(text, status_code=status, headers=HEADERS)
