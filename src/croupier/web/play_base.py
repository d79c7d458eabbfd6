"""What the tables of rounds, jobs and visits have in common: where they are, and what is told of their errors."""

from __future__ import annotations

from sqlalchemy import Engine, MetaData
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from croupier.errors import NotationError
from croupier.progressive.store import StoreError

SUFFIX = ".rounds"
LONGEST_COMMAND = 64
META = MetaData()


class Taken(Exception):
    """Somebody else was first: look again."""


def check_command(command: str) -> None:
    """The id that a client made, before any store is asked for it."""
    if not command.isprintable():
        raise NotationError(f"An id has 1 to {LONGEST_COMMAND} printable characters, not {command[:70]!r}.")


class Kept:
    """A part of the store, on the engine of the whole."""

    _engine: Engine


class StoreErrors:
    """Whatever the database says is an error that the server can tell."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, IntegrityError):
            raise Taken from error
        if isinstance(error, SQLAlchemyError):
            raise StoreError("The store of rounds and jobs cannot be used at the moment.") from error
