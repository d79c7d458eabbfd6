"""A backup of all books of a site, taken while they are written, and brought back where nothing is yet.

A backup is a ledger as `croupier ledger export` writes it, with every book up to one and the same moment: since books
are only ever added to, it is enough to know where each of them ended then. So a backup from SQLite can be brought back
to PostgreSQL, and `croupier ledger verify` proves it anywhere. It is proved once more when it is brought back: every
digest, every act, every balance; one wrong row, and nothing is. Where only the columns beside proved entries had been
altered, the entries are brought back, each with its own columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from croupier.audit.balance import Check, check_for
from croupier.audit.export import chosen_streams, export
from croupier.audit.recheck import LinkCheck
from croupier.audit.verify import Report, verify
from croupier.errors import CroupierError, RecordError
from croupier.ledger.entry import SITE, Entry
from croupier.ledger.file import Ending, Reader, Tick, quiet
from croupier.ledger.rows import Chain, RawRow
from croupier.store.store import Snapshot, Store, StoreBusy, StoreError, open_store, without_password

BLOCK = 1_000


def backup(store: Store, path: Path, tick: Tick = quiet) -> list[Ending]:
    """Every book as it stood at one moment, in one file that appears whole or not at all."""
    ends = store.ends()
    if not ends:
        raise StoreError("The store holds no books yet, so there is nothing to back up.")
    streams = [stream for stream in chosen_streams(store, None) if stream in ends]
    return export(store, streams, path, tick=tick, ends=ends)


def restore(path: Path, url: str, tick: Tick = quiet, secret: bytes | None = None) -> Report:
    """Prove a backup, and put it in a store with nothing in it, at once.

    With the site's secret, its server believes the state that is kept beside each book; without, its first start reads
    the books through."""
    report = verify(path, tick=tick)
    if not report.right and not report.altered:
        raise RecordError(f"{path.name} is damaged, so nothing was restored. {_where(report)}{report.wrong}")
    with open_store(url) as guard, open_store(url) as store:
        try:
            guard.take_lease(SITE)
        except StoreBusy:
            raise CroupierError(f"A server has {without_password(url)} open: stop it first.") from None
        with store.whole():
            there = sorted(store.streams())
            if there:
                raise CroupierError(
                    f"{without_password(url)} holds {', '.join(there)} already: a backup goes only where nothing is."
                )
            for stream, rows in Reader(path).books():
                _put(store, stream, rows, secret)
    return report


def _where(report: Report) -> str:
    row = f", row {report.wrong_row:,}" if report.wrong_row else ""
    return f"{report.wrong_stream}{row}: " if report.wrong_stream else ""


def _put(store: Store, stream: str, rows: Iterator[RawRow], secret: bytes | None) -> None:
    """A book, row by row as it was, each decided again; and its state, so that the server opens it at once."""
    check = check_for(stream)
    while entries := [_entry(check, digest, body) for digest, body in islice(rows, BLOCK)]:
        store.append(stream, entries)
    if check.entries:
        state = check.link.snapshot() if isinstance(check, LinkCheck) else check.site.snapshot()
        snapshot = Snapshot(check.entries, check.book.digest, state)
        store.save_snapshot(stream, snapshot.authenticated(secret, stream) if secret else snapshot)


def _entry(check: Check, digest: str, body: bytes) -> Entry:
    check.take(digest, body)
    entry = Chain.parse(check, body).entry(digest)
    if entry.text() != body:
        raise RecordError(f"Entry {entry.number} of the book is not written as the program writes it.")
    return entry
