"""`croupier backup` and `croupier restore`: all books of a site in one file, and back."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.audit.backup import backup as write
from croupier.audit.backup import restore as bring_back
from croupier.cli.app import app
from croupier.cli.console import progress
from croupier.cli.ledger import opened_store, warn_of_altered
from croupier.cli.options import option, read_text, write_text
from croupier.errors import CroupierError
from croupier.files import for_its_owner
from croupier.reports.sheet import counted
from croupier.store.store import without_password
from croupier.web.settings import Settings, site_key
from croupier.web.settings import session_key as sealing_key

if TYPE_CHECKING:
    from croupier.web.identity.store import AccessStore

KeyFile = Annotated[Path | None, option("--key-file", "The site's secret, for --pins; default: beside a SQLite file.")]
RestoredKeyFile = Annotated[
    Path | None,
    option("--key-file", "The site's secret, for --pins and a quick first start; default: beside a SQLite file."),
]
SessionKeyFile = Annotated[Path | None, option("--session-key", "What seals PINs, where serve is told one.")]


@app.command()
@for_its_owner()
def backup(
    file: Annotated[Path, typer.Argument(help="FILE.jsonl, or FILE.jsonl.gz to compress it.")],
    *,
    db: Annotated[str, option("--db", "sqlite:///croupier.db or postgresql://host/name.")],
    pins: Annotated[
        Path | None, option("--pins", "Also write the hashes of the PINs, to a file for its owner only.")
    ] = None,
    key_file: KeyFile = None,
    session_key: SessionKeyFile = None,
) -> None:
    """Back up all books as they stand at one moment, while the server goes on writing. Its owner alone reads it."""
    with opened_store(db) as store, progress("backing up", 0) as tick:
        endings = write(store, file, tick)
    warn_of_altered(endings)
    for ending in endings:
        print(f"{ending.stream}: {counted(ending.entries, 'entry', 'entries')}, the last with digest {ending.digest}.")
    print(f"The backup is in {file}. Prove it anywhere with: croupier ledger verify {file}")
    if pins is not None:
        settings = _settings(db, key_file, session_key)
        print(f"{_write_pins(settings, pins)} PINs, as argon2 hashes, are in {pins}.")
    print("The site's key is not in it: keep a copy of that file apart. Without it no card is known.")


@app.command()
@for_its_owner()
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    *,
    db: Annotated[str, option("--db", "A store with nothing in it: sqlite:///new.db is made.")],
    pins: Annotated[Path | None, option("--pins", "The hashes of the PINs, from backup --pins.")] = None,
    key_file: RestoredKeyFile = None,
    session_key: SessionKeyFile = None,
) -> None:
    """Prove a backup, row by row, and put it in an empty store; a damaged one is refused by the row."""
    kept = _read_pins(pins) if pins is not None else None
    if kept is not None:
        _check_key(Settings(db=db, key_file=key_file))
    size = file.stat().st_size if file.is_file() else 0
    with progress("proving", size) as tick:
        report = bring_back(file, db, tick, _secret(Settings(db=db, key_file=key_file)))
    if report.altered:
        print(
            f"croupier: warning: {report.wrong} The entries were restored, with columns of their own.", file=sys.stderr
        )
    for book in report.books:
        zero = ", every meter explained to a difference of zero" if book.proofs else ""
        print(f"{book.stream}: {counted(book.entries, 'entry', 'entries')}, each digest and act right{zero}.")
    if kept is not None:
        _put_pins(_settings(db, key_file, session_key), *kept)
        print(f"{len(kept[0])} PINs were put back.")
    else:
        print("Nobody has a PIN there: give a manager one with croupier pin NAME --db URL --key-file FILE")
    from croupier.demo.room import is_demo

    demo = "--demo " if is_demo(db) else ""
    print(
        f"The site is in {without_password(db)}. Serve it with the site's key: croupier serve {demo}--db ... "
        "--key-file FILE"
    )


def _secret(settings: Settings) -> bytes | None:
    """The site's secret where it is there by now; none is made."""
    if settings.key_file is None and not settings.is_sqlite:
        return None
    return site_key(settings.key_path()).secret if settings.key_path().is_file() else None


def _settings(db: str, key_file: Path | None, session_key: Path | None) -> Settings:
    """As the server of this store has them, the demo's where it is the demo's."""
    from croupier.demo.room import demo_settings, is_demo

    settings = Settings(db=db, key_file=key_file, session_key=session_key)
    return demo_settings(settings) if is_demo(db) else settings


def _check_key(settings: Settings) -> None:
    """PINs are sealed with the site's key, so it must be there."""
    path = settings.key_path()
    if not path.is_file():
        raise CroupierError(
            f"PINs are kept sealed, and there is no site's key {path} to do it with: name it with {{key_file}} FILE.",
            fields=["key_file"],
        )


def _access_store(settings: Settings, *, seals: bool = True) -> AccessStore:
    from croupier.web.identity.store import AccessStore

    _check_key(settings)
    key = site_key(settings.key_path())
    return AccessStore(settings.db, key, sealing_key(settings.session_key_path(key)), seals=seals)


def _write_pins(settings: Settings, path: Path) -> int:
    with closing(_access_store(settings, seals=False)) as store:
        all_pins = store.all_pins()
    pins, given = {pin.person: pin.hash for pin in all_pins}, [pin.person for pin in all_pins if pin.given]
    kept = {"format": "croupier-pins", "pins": pins, "to_change": given}
    write_text(path, json.dumps(kept, indent=1) + "\n", secret=True)
    return len(all_pins)


def _read_pins(path: Path) -> tuple[dict[str, str], list[str]]:
    """The hashes, and whose PIN was set by somebody else and has still to be changed."""
    try:
        match json.loads(read_text(path, "backup of PINs")):
            case {"format": "croupier-pins", "pins": dict(pins), "to_change": list(given)} if all(
                isinstance(pin, str) and pin.startswith("$argon2") for pin in pins.values()
            ):
                return pins, given
    except ValueError:
        pass
    raise CroupierError(f"The file {str(path)!r} is no backup of PINs: croupier backup --pins writes one.")


def _put_pins(settings: Settings, pins: dict[str, str], given: list[str]) -> None:
    from croupier.web.identity.store import utc

    with closing(_access_store(settings)) as store:
        for person, hashed in pins.items():
            store.set_pin(person, hashed, utc(), given=person in given)
