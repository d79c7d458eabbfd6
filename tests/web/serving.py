"""A server for the tests: `python -m tests.web.serving DB PORT`. It differs from a real one in its quick PINs, its
patience with what is counted (a busy machine takes its time), and in a clock that may be ahead."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

import uvicorn

from croupier.floor import floor
from croupier.ledger import clock
from croupier.web.app import create_app
from croupier.web.floor import days, ledger
from croupier.web.games import analyst
from croupier.web.settings import Settings
from tests.web.support import fast_pins


def set_clock(hours: float) -> None:
    """The floor's day, not that of sessions."""

    def now() -> str:
        moment = datetime.now(UTC) + timedelta(hours=hours)
        return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")

    for module, name, value in ((floor, "CheckedClock", lambda: now), (days, "utc_now", now), (ledger, "utc_now", now)):
        setattr(module, name, value)


def run(db: str, port: int, ahead_h: float = 0.0, standby: bool = False, *, as_served: bool = False) -> None:
    """`as_served`: it signs, and says in the books which program runs, as `croupier serve` does."""
    fast_pins()
    analyst.PATIENCE_S = 600.0
    if ahead_h:
        set_clock(ahead_h)
    settings = Settings(db=db, port=port, standby=standby, signs=as_served, says_what_runs=as_served)
    uvicorn.run(create_app(settings), host=settings.host, port=port, log_level="warning", access_log=False)


def run_as_served(db: str, port: int) -> None:
    run(db, port, as_served=True)


def run_doubting(db: str, port: int) -> None:
    """On a machine that nobody synchronises, after a pause that is too long: its clock is in doubt."""
    clock.synchronised = lambda: None
    clock.LONGEST_PAUSE_S = -1.0
    run(db, port)


if __name__ == "__main__":
    run(sys.argv[1], int(sys.argv[2]))
