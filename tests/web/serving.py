"""A server for the tests: `python -m tests.web.serving DB PORT`. It differs from a real one in its quick PINs only."""

from __future__ import annotations

import sys

import uvicorn

from croupier.web.app import create_app
from croupier.web.settings import Settings
from tests.web.support import fast_pins

if __name__ == "__main__":
    fast_pins()
    db, port = sys.argv[1], int(sys.argv[2])
    settings = Settings(db=db, port=port)
    uvicorn.run(create_app(settings), host=settings.host, port=port, log_level="warning", access_log=False)
