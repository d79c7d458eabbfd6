"""The guards of a store: the triggers that keep entries from being changed, deleted or put out of order.

They stand in the database, so that they hold for everybody; whoever has the rights can take them away. A store whose
guards are not those of its schema is not opened for writing. It can still be read, exported and verified.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from croupier.progressive.migrations import MIGRATIONS
from croupier.progressive.store import StoreError

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
    return {found["name"]: each for each in statements if (found := _TRIGGER.match(each))}


def postgres_guards() -> dict[str, str]:
    """By name: when it is asked and what its function, which has the same name, does."""
    statements = [statement for step in MIGRATIONS for statement in step.postgres]
    sources = {found["name"]: found["source"] for each in statements if (found := _FUNCTION.match(each))}
    triggers = [found for each in statements if (found := _TRIGGER.match(each))]
    return {each["name"]: f"{_MOMENTS[each['moment']]} {sources[each['name']]}" for each in triggers}


def check_guards(store: str, wanted: Mapping[str, str], found: Iterable[tuple[str, str]]) -> None:
    """Refuse a store that lacks a guard, or has another one in its place."""
    there = dict(found)
    for name, text in wanted.items():
        if name not in there or there[name].split() != text.split():
            how = "was changed" if name in there else "is missing or switched off"
            raise StoreError(
                f"The store {store} is not guarded: its trigger {name} {how}, so entries may have been altered. "
                "Nothing is written to it: export its books, verify them, and bring back a store that is whole."
            )
