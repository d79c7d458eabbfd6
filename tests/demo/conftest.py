"""The demo is tried beside a real site, as the server's tests make it."""

from __future__ import annotations

from tests.web.conftest import made_site, site

__all__ = ["made_site", "site"]
