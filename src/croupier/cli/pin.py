"""`croupier pin`: a manager's new PIN, given at the server's own machine while no server runs."""

from __future__ import annotations

import warnings
from contextlib import closing
from getpass import GetPassWarning
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.app import app
from croupier.cli.options import option
from croupier.errors import CroupierError
from croupier.files import for_its_owner

if TYPE_CHECKING:
    from croupier.web.settings import Settings


@app.command()
def pin(
    person: Annotated[str, typer.Argument(help="The manager.")],
    *,
    db: Annotated[str, option("--db", "sqlite:///croupier.db or postgresql://host/name.")],
    key_file: Annotated[Path | None, option("--key-file", "The site's secret, where serve is told one.")] = None,
    session_key: Annotated[Path | None, option("--session-key", "What seals PINs, where serve is told one.")] = None,
    new_session_key: Annotated[
        bool,
        option("--new-session-key", "Where that key is lost: begin with a new one. All other PINs count no more."),
    ] = False,
) -> None:
    """Set a manager's PIN when nobody has one, as after a restore without PINs. It goes on the record."""
    from croupier.web.settings import Settings

    settings = Settings(db=db, key_file=key_file, session_key=session_key)
    _set(settings, person, _typed(), anew=new_session_key)
    print(f"{person} has a new PIN, and chooses another at the next sign-in. It is on the record of the site.")


def _typed() -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GetPassWarning)  # whoever pipes it in knows that nothing hides it
        try:
            return str(typer.prompt("New PIN", hide_input=True, confirmation_prompt=True))
        except typer.Abort:
            raise CroupierError("No PIN was typed twice: nothing has changed.") from None


@for_its_owner()
def _set(settings: Settings, person: str, typed: str, *, anew: bool) -> None:
    from secrets import token_hex

    from croupier.audit.export import open_existing
    from croupier.compliance.authority import Role
    from croupier.floor.floor import Floor
    from croupier.floor.site.acts import NotePin
    from croupier.store.marks import Marks
    from croupier.store.store import StoreBusy, open_store
    from croupier.web.identity.sessions import Access, check_pin
    from croupier.web.identity.store import AccessStore
    from croupier.web.settings import session_key, site_key

    check_pin(typed)
    open_existing(settings.db).close()
    if not settings.key_path().is_file():
        raise CroupierError(f"There is no key {settings.key_path()}: name the site's with --key-file.")
    key = site_key(settings.key_path())
    try:
        with (
            closing(Marks(settings.marks_path())) as marks,
            Floor(lambda: open_store(settings.db), key, bank_every_s=0, marks=marks) as floor,
        ):
            if floor.site.people.active(person).role is not Role.MANAGER:
                raise CroupierError(f"{person} is no manager: a manager sets the PINs of the others.")
            session = session_key(settings.session_key_path(key))
            with closing(AccessStore(settings.db, key, session, anew=anew)) as sessions:
                if sessions.sealed:
                    print(f"PINs from an earlier version are sealed with {session.path}: {', '.join(sessions.sealed)}.")
                floor.do_site(NotePin(id=f"pin-{token_hex(8)}", by=person, person=person, where="the server's machine"))
                Access(sessions, key, floor.identify, floor.site.people.active).set_pin(person, typed, given=True)
    except StoreBusy:
        raise CroupierError("A server runs on this site: sign in there, or stop it first.") from None
