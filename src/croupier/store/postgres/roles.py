"""Who may do what in a site's database: an owner, who makes and changes the tables, and a server that can only add.

    grant(url, "croupier_server", beside=["access_pins", ...])      by the owner, at every new version of the program
    broad_rights(db)                                                what a session may that a server need not

The triggers of a store keep every program from changing entries, and whoever owns the tables can switch them off. A
server that runs in a role of its own cannot: it may read and add entries, replace snapshots, raise the terms of leases,
and do as it likes with sessions and whatever else is no book.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

import psycopg
from psycopg import sql

from croupier.errors import CroupierError, NotationError
from croupier.store.postgres.connection import ANSWER_S, Connection, connect
from croupier.store.store import StoreError, without_password

BOOKS = {
    "entry": ("SELECT", "INSERT"),
    "schema_version": ("SELECT",),
    "snapshot": ("SELECT", "INSERT", "UPDATE"),
    "lease": ("SELECT", "INSERT", "UPDATE"),
}
BESIDE = ("SELECT", "INSERT", "UPDATE", "DELETE")
"""Of tables that are no books."""
SEQUENCES = """
    SELECT numbers.relname FROM pg_class AS numbers
    JOIN pg_depend AS owned ON owned.objid = numbers.oid AND owned.deptype = 'a'
    JOIN pg_class AS beside ON beside.oid = owned.refobjid
    WHERE numbers.relkind = 'S' AND beside.relnamespace = current_schema()::regnamespace AND beside.relname = ANY(%s)
"""
"""Those that number the rows of tables beside the books."""
ROLE = """
    SELECT rolsuper OR rolbypassrls OR rolcreaterole, rolcanlogin, rolname = current_user,
        pg_has_role(rolname, (SELECT relowner FROM pg_class WHERE oid = 'entry'::regclass), 'MEMBER')
    FROM pg_roles WHERE rolname = %s
"""
RIGHTS = """
    SELECT current_user, (SELECT rolsuper FROM pg_roles WHERE rolname = current_user),
        pg_has_role(relowner, 'MEMBER'), has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')
    FROM pg_class WHERE oid = to_regclass('entry')
"""
MAY_MAKE = """
    SELECT current_user, has_schema_privilege(current_schema(), 'CREATE')
        AND coalesce((SELECT pg_has_role(relowner, 'MEMBER') FROM pg_class WHERE oid = to_regclass('entry')), true)
"""


def check_may_make(db: Connection, store: str) -> None:
    """Refuse to bring a schema up to date in a role that must not: its owner does."""
    rights = db.execute(MAY_MAKE).fetchone()
    if rights and not rights[1]:
        raise StoreError(
            f"The store {store} is not of this version's schema, and the role {rights[0]} may only add to it: let the "
            f"owner of the tables run croupier store prepare, with {rights[0]} as the server's role."
        )


def broad_rights(db: Connection) -> str:
    """That a session may do more than a server has to, in a sentence; nothing where it may not."""
    rights = db.execute(RIGHTS).fetchone()
    if rights is None:
        return ""
    role, is_super, owns, changes = rights
    if not (is_super or owns or changes):
        return ""
    what = "is a superuser" if is_super else "owns the tables" if owns else "may change entries"
    return (
        f"The role {role} of the database {what}: whoever gets into this server could change entries. Run it in a role "
        "that can only add, which the owner of the tables makes ready with croupier store prepare."
    )


def grant(url: str, role: str, beside: Iterable[str]) -> None:
    """Give a role what a server needs and take everything else from it; nothing changes where it would have more."""
    try:
        with closing(connect(url, ANSWER_S, read_only=False)) as db, db.transaction():
            _check_role(db, role)
            row = db.execute("SELECT current_schema()").fetchone()
            schema, name = sql.Identifier(str(row[0]) if row else ""), sql.Identifier(role)
            for start in (
                "REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role}",
                "REVOKE ALL ON ALL SEQUENCES IN SCHEMA {schema} FROM {role}",
                "REVOKE ALL ON {entry} FROM PUBLIC",
                "REVOKE CREATE ON SCHEMA {schema} FROM {role}, PUBLIC",
                "GRANT USAGE ON SCHEMA {schema} TO {role}",
            ):
                db.execute(sql.SQL(start).format(schema=schema, role=name, entry=sql.Identifier("entry")))
            beside = list(beside)
            for table, rights in {**BOOKS, **dict.fromkeys(beside, BESIDE)}.items():
                what = sql.SQL(", ").join(map(sql.SQL, rights))
                db.execute(
                    sql.SQL("GRANT {what} ON {table} TO {role}").format(
                        what=what, table=sql.Identifier(table), role=name
                    )
                )
            for (numbers,) in db.execute(SEQUENCES, (beside,)).fetchall():
                db.execute(
                    sql.SQL("GRANT USAGE ON SEQUENCE {numbers} TO {role}").format(
                        numbers=sql.Identifier(str(numbers)), role=name
                    )
                )
    except psycopg.Error as error:
        words = str(error).strip().splitlines()[0]
        raise StoreError(f"The roles of {without_password(url)} cannot be set: {words}.") from None


def _check_role(db: Connection, role: str) -> None:
    rights = db.execute(ROLE, (role,)).fetchone()
    if rights is None:
        raise NotationError(
            f"The database has no role {role!r}: make it first, as with CREATE ROLE croupier_server LOGIN PASSWORD "
            "'...'."
        )
    mighty, may_connect, is_owner, is_member = rights
    if mighty:
        raise CroupierError(
            f"The role {role!r} is a superuser or may make roles, so nothing keeps it from changing entries: name "
            "another for the server."
        )
    if is_owner or is_member:
        raise CroupierError(
            f"The role {role!r} owns the tables, so it can change entries: name another for the server."
        )
    if not may_connect:
        raise CroupierError(f"The role {role!r} may not connect: ALTER ROLE ... LOGIN lets it.")
