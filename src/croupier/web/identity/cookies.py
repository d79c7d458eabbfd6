"""Sessions in a browser: cookies that no script can read, and a token against requests that other sites make.

Console, keypad and display live side by side in one browser: whoever signs in at the pages, whoever works at the
enrolled keypad, the keypad and the display each have a cookie of their own. Whoever plays without signing in has one
too: it says which rounds are theirs, and nothing else.

A request that is signed by a cookie must also carry `X-CSRF-Token`, which only our own pages know. Each cookie has
another one, so it also tells which cookie a page means. Requests with an `Authorization` header need none: no browser
adds that by itself.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from fastapi import Request, Response

from croupier.compliance.authority import SiteKey
from croupier.floor.people import DeviceKind
from croupier.web.errors import ApiError
from croupier.web.settings import Settings

SESSION_COOKIE = "croupier_session"
"""Whoever has signed in at the pages."""
DEALER_COOKIE = "croupier_dealer"
"""Whoever works at the keypad that this browser is enrolled as."""
DEVICE_COOKIES = {DeviceKind.KEYPAD: "croupier_keypad", DeviceKind.DISPLAY: "croupier_display"}
"""A browser may be one of each, as where somebody learns with all pages on one screen."""
PEOPLE = (SESSION_COOKIE, DEALER_COOKIE)
ALL = (*PEOPLE, *DEVICE_COOKIES.values())
DEVICE_DAYS = 365
PLAYER_COOKIE = "croupier_player"
"""Whoever opens rounds without signing in: they alone play them. It is no session, and takes no `X-CSRF-Token`."""
PLAYER_DAYS = 30
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def csrf_token(key: SiteKey, cookie: str) -> str:
    """What a page sends beside a cookie; made from it, so that nothing has to be stored."""
    return hmac.new(key.secret, b"csrf\n" + cookie.encode(), hashlib.sha256).hexdigest() if cookie else ""


def signed_by(request: Request, key: SiteKey) -> list[str]:
    """The cookies that a request may be meant by: the one whose token it carries, and no other.

    What only looks may come without one, as an event stream does: then by any, people first.
    """
    there = [request.cookies[name] for name in ALL if request.cookies.get(name)]
    sent = request.headers.get("x-csrf-token", "").encode()
    meant = [token for token in there if hmac.compare_digest(sent, csrf_token(key, token).encode())]
    if there and not meant and request.method not in SAFE:
        raise ApiError(403, "csrf", "This request does not come from one of our own pages: load the page again.")
    return meant[:1] or there


def check_page(request: Request) -> None:
    """Before anybody has signed in: a header that another site's form cannot send."""
    if request.headers.get("x-croupier") != "page":
        raise ApiError(403, "csrf", "This is for our own pages; programs use the API.")


def set_cookie(response: Response, name: str, value: str, *, secure: bool, seconds: int | None = None) -> None:
    """No cache on the way keeps it."""
    response.headers["Cache-Control"] = "no-store"
    response.set_cookie(name, value, max_age=seconds, httponly=True, secure=secure, samesite="strict", path="/")


def drop_cookie(response: Response, name: str) -> None:
    response.delete_cookie(name, path="/", httponly=True, samesite="strict")


def is_secure(settings: Settings, request: Request) -> bool:
    """Whether a cookie is for TLS alone: wherever there is TLS."""
    return settings.tls or settings.behind_proxy or request.url.scheme == "https"


def player_token(request: Request) -> str:
    """What this browser, or program, plays by without signing in; a new one where it has none."""
    return request.cookies.get(PLAYER_COOKIE) or secrets.token_urlsafe(24)


def keep_player(response: Response, request: Request, settings: Settings, token: str) -> None:
    """It plays by this token from now on; its time begins anew."""
    secure = is_secure(settings, request)
    set_cookie(response, PLAYER_COOKIE, token, secure=secure, seconds=PLAYER_DAYS * 86_400)
