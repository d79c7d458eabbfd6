"""`croupier store`: the tables of a site on PostgreSQL, made by their owner for a server that can only add."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from croupier.cli.app import app
from croupier.cli.options import option
from croupier.errors import NotationError

commands = typer.Typer(help="The tables of a site on PostgreSQL, and who may do what with them.")
app.add_typer(commands, name="store")


@commands.callback()
def _group() -> None:
    """A group of one command."""


@commands.command()
def prepare(
    url: Annotated[str, typer.Argument(help="postgresql://owner@host/name: as the owner of the tables.")],
    *,
    server_role: Annotated[
        str, option("--server-role", "The role that croupier serve connects as: it can read and add, nothing else.")
    ] = "",
) -> None:
    """Make the tables of a site or bring them up to date, and let the server's role add to them."""
    from croupier.store.store import open_store, without_password

    if not url.startswith(("postgresql://", "postgres://")):
        raise NotationError(
            f"Roles are for postgresql://owner@host/name, and {without_password(url)!r} is another store."
        )
    from croupier.store.postgres.roles import grant

    open_store(url).close()
    beside = _make_beside(url)
    print(f"The tables in {without_password(url)} are those of this version.")
    if server_role:
        grant(url, server_role, beside)
        print(f"{server_role} reads everything there and adds entries; it cannot change or remove them.")


def _make_beside(url: str) -> list[str]:
    """Every table that a server keeps beside the books, by name: they are there afterwards."""
    from croupier.web.anchors.outbox import Outbox
    from croupier.web.cluster.leader import Leadership
    from croupier.web.floor.devices import HealthStore
    from croupier.web.floor.history import HistoryStore
    from croupier.web.games.results import training_database
    from croupier.web.games.store import play_database
    from croupier.web.identity.store import make_access_tables

    names = [*make_access_tables(url), "access_leader"]
    with closing(Leadership(url)) as leadership, closing(Outbox(url)) as outbox:
        leadership.leader()
        names += outbox.tables()
    for later in (HistoryStore(url), HealthStore(url), play_database(url), training_database(url)):
        with closing(later):
            names += later.make()
    return names
