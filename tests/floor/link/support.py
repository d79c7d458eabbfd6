"""Names of `support.room` for tests of the server."""

from __future__ import annotations

from support.room import COLOR, DEALER, EXECUTIVE, MANAGER, ONE_METER, SUITED, SUPERVISOR, TWO, table

__all__ = ["COLOR", "DEALER", "EXECUTIVE", "MANAGER", "ONE_METER", "SUITED", "SUPERVISOR", "TWO", "table"]
