"""Sessions in a browser: cookies that no script can read, and a token against requests that other sites make.

A request that is signed by a cookie must also carry `X-CSRF-Token`, which only our own pages know. Requests with an
`Authorization` header need none: no browser adds that by itself.
"""

from __future__ import annotations

import hashlib
import hmac

from fastapi import Request, Response

from croupier.progressive.authority import SiteKey
from croupier.web.errors import ApiError

SESSION_COOKIE = "croupier_session"
DEVICE_COOKIE = "croupier_device"
DEVICE_DAYS = 365
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def csrf_token(key: SiteKey, cookie: str) -> str:
    """What a page sends beside a cookie; made from it, so that nothing has to be stored."""
    return hmac.new(key.secret, b"csrf\n" + cookie.encode(), hashlib.sha256).hexdigest() if cookie else ""


def check_csrf(request: Request, key: SiteKey, cookie: str) -> None:
    if request.method in SAFE:
        return
    sent = request.headers.get("x-csrf-token", "")
    if not hmac.compare_digest(sent.encode(), csrf_token(key, cookie).encode()):
        raise ApiError(403, "csrf", "This request does not come from one of our own pages: load the page again.")


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
