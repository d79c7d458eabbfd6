"""The numbered steps that bring a store to the schema of this program, from the first one on, the same on both stores.

A step that was ever released is never edited: what has to change is a new step. The missing steps and their rows in
`schema_version` are one transaction, so a store is never between two versions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.ledger.entry import GENESIS
from croupier.store.store import StoreError

SQLITE_TABLES = (
    """
    CREATE TABLE entry (
        stream TEXT NOT NULL,
        number INTEGER NOT NULL CHECK (number > 0),
        at TEXT NOT NULL,
        command TEXT NOT NULL CHECK (length(command) BETWEEN 1 AND 64),
        kind TEXT NOT NULL,
        body TEXT NOT NULL,
        before TEXT NOT NULL CHECK (length(before) = 64),
        digest TEXT NOT NULL CHECK (length(digest) = 64),
        PRIMARY KEY (stream, number),
        UNIQUE (stream, command)
    ) WITHOUT ROWID
    """,
    # A known command is refused here too, because INSERT OR REPLACE would delete its entry without a delete trigger.
    f"""
    CREATE TRIGGER entry_follows BEFORE INSERT ON entry
    WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM entry WHERE stream = NEW.stream)
        OR NEW.before <> coalesce(
            (SELECT digest FROM entry WHERE stream = NEW.stream AND number = NEW.number - 1), '{GENESIS}')
        OR EXISTS (SELECT 1 FROM entry WHERE stream = NEW.stream AND command = NEW.command)
    BEGIN SELECT RAISE(ABORT, 'an entry follows the last one of its stream, and its command is new'); END
    """,
    """
    CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are not changed'); END
    """,
    """
    CREATE TRIGGER entry_is_not_deleted BEFORE DELETE ON entry
    BEGIN SELECT RAISE(ABORT, 'entries are not deleted'); END
    """,
    """
    CREATE TABLE snapshot (
        stream TEXT NOT NULL PRIMARY KEY,
        number INTEGER NOT NULL,
        entry_digest TEXT NOT NULL,
        body TEXT NOT NULL,
        seal TEXT NOT NULL,
        FOREIGN KEY (stream, number) REFERENCES entry (stream, number)
    ) WITHOUT ROWID
    """,
)

# The chain is looked at once for all entries of a statement. With every entry's predecessor there and numbers unique,
# numbers have no gap. The planner is told to use the key, because a plan made while the table was small would stay.
POSTGRES_TABLES = (
    """
    CREATE TABLE entry (
        stream text COLLATE "C" NOT NULL,
        number bigint NOT NULL CHECK (number > 0),
        at text COLLATE "C" NOT NULL,
        command text COLLATE "C" NOT NULL CHECK (length(command) BETWEEN 1 AND 64),
        kind text NOT NULL,
        body text NOT NULL,
        before text NOT NULL CHECK (length(before) = 64),
        digest text NOT NULL CHECK (length(digest) = 64),
        PRIMARY KEY (stream, number),
        UNIQUE (stream, command)
    )
    """,
    f"""
    CREATE FUNCTION entry_follows() RETURNS trigger LANGUAGE plpgsql
    SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
    BEGIN
        IF EXISTS (
            SELECT 1 FROM added LEFT JOIN entry earlier
                ON earlier.stream = added.stream AND earlier.number = added.number - 1
            WHERE (earlier.number IS NULL AND added.number <> 1)
                OR added.before <> coalesce(earlier.digest, '{GENESIS}')
        ) THEN
            RAISE EXCEPTION 'an entry follows the last one of its stream' USING ERRCODE = '23000';
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER entry_follows AFTER INSERT ON entry REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION entry_follows()
    """,
    """
    CREATE FUNCTION entry_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'entries are not changed and not deleted' USING ERRCODE = '23000'; END $$
    """,
    """
    CREATE TRIGGER entry_is_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON entry
    FOR EACH STATEMENT EXECUTE FUNCTION entry_is_kept()
    """,
    """
    CREATE TABLE snapshot (
        stream text COLLATE "C" NOT NULL PRIMARY KEY,
        number bigint NOT NULL,
        entry_digest text NOT NULL,
        body text NOT NULL,
        seal text NOT NULL,
        FOREIGN KEY (stream, number) REFERENCES entry (stream, number)
    )
    """,
)


@dataclass(frozen=True)
class Migration:
    """One step, in the words of each store."""

    version: int
    title: str
    sqlite: tuple[str, ...]
    postgres: tuple[str, ...]


MIGRATIONS = (
    Migration(1, "entries and snapshots", SQLITE_TABLES, POSTGRES_TABLES),
    Migration(
        2,
        "the entries of a day are found by their time",
        ("CREATE INDEX entry_at ON entry (stream, at)",),
        ("CREATE INDEX entry_at ON entry (stream, at)",),
    ),
    Migration(
        3,
        "the lease of a book has a term",
        (
            """
            CREATE TABLE lease (
                stream TEXT NOT NULL PRIMARY KEY, term INTEGER NOT NULL CHECK (term > 0), holder TEXT NOT NULL
            ) WITHOUT ROWID
            """,
        ),
        (
            """
            CREATE TABLE lease (
                stream text COLLATE "C" NOT NULL PRIMARY KEY, term bigint NOT NULL CHECK (term > 0),
                holder text NOT NULL, session integer NOT NULL, beat bigint NOT NULL
            ) WITH (fillfactor = 50)
            """,
        ),
    ),
)
NEWEST = MIGRATIONS[-1].version

VERSIONS = "CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL PRIMARY KEY, title text NOT NULL)"
VERSION = "SELECT coalesce(max(version), 0) FROM schema_version"


def missing(version: int, upto: int = NEWEST) -> tuple[Migration, ...]:
    """The steps that a store at a version still has to take; a store of a newer program is refused."""
    if version > NEWEST:
        raise StoreError(
            f"This store has schema {version}, of a newer croupier; this one knows schemas up to {NEWEST}: update it."
        )
    return tuple(step for step in MIGRATIONS if version < step.version <= upto)


def check_readable(store: str, version: int | None) -> None:
    """Refuse to read what is no store or is of a newer program. Older schemas are read as they are: what the later
    ones add so far only finds things sooner."""
    if not version:
        raise StoreError(f"{store} holds no ledger: nobody has written one there.")
    missing(version)


def migrate(
    execute: Callable[..., Any], statements: Callable[[Migration], tuple[str, ...]], mark: str, upto: int = NEWEST
) -> None:
    """Take the missing steps inside the caller's transaction; `mark` inserts the row of a step."""
    execute(VERSIONS)
    for step in missing(execute(VERSION).fetchone()[0], upto):
        for statement in statements(step):
            execute(statement)
        execute(mark, (step.version, step.title))


# The guards of a store: the triggers that keep entries from being changed, deleted or put out of order.
#
# They stand in the database, so that they hold for everybody; whoever has the rights can take them away. A store whose
# guards are not those of its schema is not opened for writing. It can still be read, exported and verified.

IN_SQLITE = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'entry'"
IN_POSTGRES = """
    SELECT tgname, tgtype || ' ' || prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE tgrelid = 'entry'::regclass AND tgenabled IN ('O', 'A')
"""
"""Those that are switched on, each with when it is asked (see `_MOMENTS`) and what it does."""
_TRIGGER = re.compile(r"\s*CREATE TRIGGER (?P<name>\w+) (?P<moment>\w+ [\w ]+) ON entry", re.ASCII)
_FUNCTION = re.compile(r"\s*CREATE FUNCTION (?P<name>\w+)\(\) RETURNS trigger .*?\$\$(?P<source>.*)\$\$", re.DOTALL)
_MOMENTS = {"AFTER INSERT": 4, "BEFORE UPDATE OR DELETE OR TRUNCATE": 2 + 8 + 16 + 32}
"""As PostgreSQL's catalogue writes them, for triggers of a statement."""


def sqlite_guards() -> dict[str, str]:
    """By name: what a store of the newest schema has."""
    statements = (statement for step in MIGRATIONS for statement in step.sqlite)
    return {match["name"]: statement for statement in statements if (match := _TRIGGER.match(statement))}


def postgres_guards() -> dict[str, str]:
    """By name: when it is asked and what its function, which has the same name, does."""
    statements = [statement for step in MIGRATIONS for statement in step.postgres]
    sources = {match["name"]: match["source"] for statement in statements if (match := _FUNCTION.match(statement))}
    triggers = [match for statement in statements if (match := _TRIGGER.match(statement))]
    return {trigger["name"]: f"{_MOMENTS[trigger['moment']]} {sources[trigger['name']]}" for trigger in triggers}


def check_guards(store: str, wanted: Mapping[str, str], guards: Iterable[tuple[str, str]]) -> None:
    """Refuse a store that lacks a guard, or has another one in its place."""
    there = dict(guards)
    for name, text in wanted.items():
        if name not in there or there[name].split() != text.split():
            how = "was changed" if name in there else "is missing or switched off"
            raise StoreError(
                f"The store {store} is not guarded: its trigger {name} {how}, so entries may have been altered. "
                "Nothing is written to it: export its books, verify them, and bring back a store that is whole."
            )
