"""Which server of a site leads and where the others reach it; and how they know that a request comes from one of them.

The leader's address stands in a small table beside the sessions. It may be an old one, of a server that has died: then
nobody answers there, and the next leader writes its own.
"""

from __future__ import annotations

import hashlib
import hmac
import socket
import time
from threading import Lock

import psycopg

from croupier.progressive.authority import SiteKey
from croupier.progressive.postgres_session import ANSWER_S, Connection, connect
from croupier.progressive.store import StoreError
from croupier.web.settings import Settings

MAKING = 0x6C6561646572
"""The advisory lock of those who make the table: "leader" in ASCII."""
TABLE = """
    CREATE TABLE IF NOT EXISTS access_leader (
        one boolean PRIMARY KEY DEFAULT true CHECK (one), address text NOT NULL, since timestamptz NOT NULL)
"""
ANNOUNCE = """
    INSERT INTO access_leader (address, since) VALUES (%s, now())
    ON CONFLICT (one) DO UPDATE SET address = excluded.address, since = excluded.since
"""
GOOD_FOR_S = 60
"""How far the clocks of two servers may differ before one does not believe the other."""


class Leadership:
    """The leader's address, told and asked."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = Lock()
        self._db: Connection | None = None

    def announce(self, address: str) -> None:
        """From now on others forward to this address."""
        self._execute(ANNOUNCE, address)

    def address(self) -> str:
        """Where the leader was last reached; nothing where none ever was."""
        found = self._execute("SELECT address FROM access_leader")
        return str(found[0][0]) if found else ""

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def _execute(self, query: str, *values: str) -> list[tuple[object, ...]]:
        with self._lock:
            try:
                if self._db is None or self._db.closed:
                    self._db = self._connect()
                made = self._db.execute(query.encode(), values)
                return made.fetchall() if made.description else []
            except psycopg.Error as error:
                if self._db is not None:
                    self._db.close()
                raise StoreError("Which server leads cannot be read at the moment.") from error

    def _connect(self) -> Connection:
        db = connect(self._url, ANSWER_S, read_only=False)
        if db.execute("SELECT to_regclass('access_leader')").fetchone() == (None,):
            with db.transaction():
                db.execute("SELECT pg_advisory_xact_lock(%s)", (MAKING,))
                db.execute(TABLE)
        return db


def own_address(settings: Settings) -> str:
    """How the other servers of the site reach this one."""
    if settings.address:
        return settings.address.rstrip("/")
    if settings.host in {"0.0.0.0", "::"}:
        return f"{'https' if settings.tls else 'http'}://{socket.gethostname()}:{settings.port}"
    return settings.url


# Whether a request comes from a server of the site


def seal(key: SiteKey, client: str, method: str, path: str, now: float | None = None) -> str:
    """What a server sends with a request that it forwards: only whoever has the site's key can make it."""
    at = int(time.time() if now is None else now)
    text = f"forwarded\n{at}\n{client}\n{method}\n{path}"
    return f"{at}.{hmac.new(key.secret, text.encode(), hashlib.sha256).hexdigest()}"


def believed(key: SiteKey, sealed: str, client: str, method: str, path: str) -> bool:
    """Whether one of the site's own servers says that this request is the client's, just now."""
    at = sealed.partition(".")[0]
    if not (at.isascii() and at.isdigit() and len(at) < 12 and abs(time.time() - int(at)) <= GOOD_FOR_S):
        return False
    return hmac.compare_digest(sealed.encode(), seal(key, client, method, path, int(at)).encode())
