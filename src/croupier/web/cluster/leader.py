"""Which server of a site leads, and where the others reach it.

The leader's address stands in a small table beside the sessions, with what it calls itself and the machine it is on. It
may be an old one, of a server that has died: then nobody answers there, and the next leader writes its own.
"""

from __future__ import annotations

import ipaddress
import socket
import uuid
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from urllib.parse import urlsplit

import psycopg

from croupier.errors import NotationError
from croupier.store.postgres.connection import ANSWER_S, Connection, connect
from croupier.store.store import StoreError
from croupier.web.settings import Settings, check_address

MAKING = 0x6C6561646572
"""The advisory lock of those who make the table: "leader" in ASCII."""
TABLE = """
    CREATE TABLE IF NOT EXISTS access_leader (
        one boolean PRIMARY KEY DEFAULT true CHECK (one), address text NOT NULL, since timestamptz NOT NULL);
    ALTER TABLE access_leader ADD COLUMN IF NOT EXISTS server text NOT NULL DEFAULT '';
    ALTER TABLE access_leader ADD COLUMN IF NOT EXISTS machine text NOT NULL DEFAULT ''
"""
IS_MADE = """
    SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('access_leader') AND attname IN ('server', 'machine')
"""
ANNOUNCE = """
    INSERT INTO access_leader (address, server, machine, since) VALUES (%s, %s, %s, now())
    ON CONFLICT (one) DO UPDATE SET
        address = excluded.address, server = excluded.server, machine = excluded.machine, since = excluded.since
"""


@dataclass(frozen=True)
class Leader:
    """Who leads, as it has said itself."""

    address: str = ""
    server: str = ""
    machine: str = ""

    def out_of_reach(self, server: str) -> str:
        """Why a server of this name, on this machine, can send it nothing, in a sentence; nothing where it can."""
        if self.server == server:
            return "No server leads just now."
        try:
            check_address(self.address)
        except NotationError as error:
            return f"The server that leads has told no address that it can be reached at: {error}"
        if self.machine not in ("", this_machine()) and _is_loopback(urlsplit(self.address).hostname or ""):
            return (
                f"The server that leads is on another machine and says that it is reached at {self.address}, which "
                "only that machine can: start it with an address that others can reach."
            )
        return ""


def _is_loopback(host: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


@cache
def this_machine() -> str:
    """The same for all processes that share a loopback address, and for no others."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/net').readlink()}"
    return f"{socket.gethostname()} {uuid.getnode():x}"


class Leadership:
    """The leader's address, told and asked."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = Lock()
        self._db: Connection | None = None

    def announce(self, leader: Leader) -> None:
        """From now on others forward to this address."""
        self._execute(ANNOUNCE, leader.address, leader.server, leader.machine)

    def leader(self) -> Leader:
        """Where the leader was last reached; nowhere where none ever was."""
        rows = self._execute("SELECT address, server, machine FROM access_leader")
        return Leader(*map(str, rows[0])) if rows else Leader()

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
                cursor = self._db.execute(query.encode(), values)
                return cursor.fetchall() if cursor.description else []
            except psycopg.Error as error:
                if self._db is not None:
                    self._db.close()
                raise StoreError("Which server leads cannot be read at the moment.") from error

    def _connect(self) -> Connection:
        db = connect(self._url, ANSWER_S, read_only=False)
        if db.execute(IS_MADE).fetchone() != (2,):
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
