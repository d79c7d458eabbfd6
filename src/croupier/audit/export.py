"""A ledger in one file, for whoever checks it elsewhere: JSON lines, compressed where the name ends in `.gz`.

Rows are written as they are stored, right or wrong: it is for `verify` to say which. Of a row only its content goes
into the file; where the store's columns beside it say something else, the end of the book names it. The file appears
whole or not at all. What stands in it is said in `ledger.file`.
"""

from __future__ import annotations

import gzip
import json
import stat
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BufferedWriter
from pathlib import Path
from typing import IO, Any, TypeAlias

from croupier.errors import CroupierError, UnknownName
from croupier.files import reason, replaced, sqlite_file
from croupier.floor.act import EntryKind
from croupier.floor.facts import ConfiguredFacts, KeepCheckpointFacts, facts_of
from croupier.ledger.checkpoint import SignedCheckpoint
from croupier.ledger.entry import GENESIS, SITE
from croupier.ledger.file import FORMAT, GZIP_MAGIC, TICK_EVERY, VERSION, Ending, Tick, quiet, row_line
from croupier.store.store import Row, Store, StoreError, open_store

# Where a ledger may be written: never over a store, a lease or a key, and over nothing else that is no ledger.
#
# An export is the one thing that a regulator asks for in a hurry. A slip of the fingers must not cost the book itself.

BESIDE = ("", "-wal", "-shm", "-journal")
"""What SQLite appends to a store's name."""
KEPT_SUFFIXES = (".lease", ".key", ".pub", "-wal", "-shm", "-journal")
KEPT_BEGINNINGS = (b"SQLite format 3\0", b"-----BEGIN ")
"""Of databases and keys, whatever they are called."""
SIGNED_IN = (EntryKind.CLOSE_DAY, EntryKind.KEEP_CHECKPOINT)
"""Entries of the site that carry signed checkpoints."""
LONGEST_HEADER = 2**20
BLOCK = 2**16
"""What is packed at a time."""
MOST_NAMED = 20
"""Rows with altered columns that the end of a book names."""


def target_of(path: Path) -> Path:
    """The file that a name stands for, in a folder that is there."""
    try:
        target = path.resolve()
        if not target.parent.is_dir():
            raise CroupierError(f"There is no folder {str(path.parent)!r} to write {path.name!r} in.")
        if target.exists() and not target.is_file():
            raise CroupierError(f"{str(path)!r} is no ordinary file, so nothing is written there.")
    except (OSError, ValueError, RuntimeError) as error:
        why = str(error) if isinstance(error, RuntimeError) else reason(error)
        raise CroupierError(f"The file {str(path)!r} cannot be written: {why}.") from None
    return target


def check_not_kept(path: Path, store: Path | None = None) -> Path:
    """Refuse the files of the store and every database, lease or key; given is the file that the name stands for."""
    target = target_of(path)
    if store is not None and _is_of_store(target, store.resolve()):
        raise CroupierError(f"{str(path)!r} is a file of the store itself, so nothing is written there.")
    if target.is_file() and (target.name.endswith(KEPT_SUFFIXES) or _begins(target, 32).startswith(KEPT_BEGINNINGS)):
        raise CroupierError(f"{str(path)!r} is a database, a lease or a key, so nothing is written there.")
    return target


def check_target(path: Path, store: Path | None = None, *, force: bool = False) -> Path:
    """Where an export goes: to a new file, or over an earlier export or an empty file; over others only by force."""
    target = check_not_kept(path, store)
    if not force and target.is_file() and target.stat().st_size and not is_ledger(target):
        raise CroupierError(
            f"There is a file {str(path)!r} already that is no exported ledger, so it is not written over: "
            "give another name (croupier ledger export {force} writes over it).",
            fields=["force"],
        )
    return target


def _is_of_store(target: Path, store: Path) -> bool:
    if target.is_file() and store.is_file() and target.samefile(store):
        return True
    names = {store.name + ending for ending in BESIDE}
    is_lease = target.name.startswith(f"{store.name}.") and target.name.endswith(".lease")
    return target.parent == store.parent and (target.name in names or is_lease)


def is_ledger(path: Path) -> bool:
    """Whether its first line is that of an exported ledger; the rest may be cut short or wrong."""
    try:
        packed = _begins(path, 2) == GZIP_MAGIC
        with gzip.open(path, "rb") if packed else path.open("rb") as file:
            header = json.loads(file.readline(LONGEST_HEADER))
    except (OSError, EOFError, zlib.error, ValueError, RecursionError):
        return False
    return isinstance(header, dict) and header.get("format") == FORMAT


def _begins(path: Path, length: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(length)
    except OSError:
        return b""


Upto: TypeAlias = Mapping[str, int | None]
"""Books in their order, and the entry up to which each is written; to its end where none is named."""


def link_stream(name: str) -> str:
    return f"link:{name}"


def open_existing(url: str) -> Store:
    """A store that is there already, to read as it is; a mistyped name must not make a new one."""
    file = sqlite_file(url)
    if file is not None:
        _check_there(file)
    return open_store(url, read_only=True)


def _check_there(file: Path) -> None:
    try:
        there = file.is_file()
    except (OSError, ValueError) as error:
        raise StoreError(f"The store at {str(file)!r} cannot be read: {reason(error)}.") from None
    if not there:
        raise StoreError(f"There is no store at {str(file)!r}.")


def chosen_streams(store: Store, link: str | None) -> list[str]:
    """The books of a store, the site's first because the others are held against it; or the one of a link."""
    streams = sorted(store.streams(), key=lambda name: (name != SITE, name))
    if link is None:
        if not streams:
            raise StoreError("The store holds no books yet.")
        return streams
    if link_stream(link) not in streams:
        raise UnknownName(
            "link", link, (stream.removeprefix("link:") for stream in streams if stream.startswith("link:"))
        )
    return [link_stream(link)]


def kept_checkpoints(rows: Iterable[Row]) -> Iterator[SignedCheckpoint]:
    """What the site's book has of them."""
    for row in rows:
        if row.kind in SIGNED_IN:
            for values in facts_of(KeepCheckpointFacts, row)["checkpoints"].values():
                yield SignedCheckpoint.of_json(values)


# Writing


def export(
    store: Store,
    streams: Sequence[str],
    path: Path,
    checkpoints: Sequence[SignedCheckpoint] = (),
    tick: Tick = quiet,
    *,
    ends: Mapping[str, int] | None = None,
    force: bool = False,
) -> list[Ending]:
    """Write the books to a file, all of it or nothing; `tick` hears how many rows were written since it last heard.

    With `ends`, each book is written up to that entry: those of one moment make a file of one moment. A file that is
    there and is no ledger is written over only by `force`; one of the store, or a key, never.
    """
    target = check_target(path, getattr(store, "path", None), force=force)
    try:
        upto = {stream: (ends or {}).get(stream) for stream in streams}
        return _write(store, upto, target, checkpoints, tick)
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be written: {reason(error)}.") from None


def _write(
    store: Store, streams: Upto, target: Path, checkpoints: Sequence[SignedCheckpoint], tick: Tick
) -> list[Ending]:
    mode = stat.S_IMODE(target.stat().st_mode) & ~stat.S_IWOTH if target.exists() else 0o644
    with replaced(target, mode=mode) as file:
        if target.suffix == ".gz":
            with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed, BufferedWriter(packed, BLOCK) as buffered:
                return _write_books(store, streams, buffered, checkpoints, tick)
        return _write_books(store, streams, file, checkpoints, tick)


def _write_books(
    store: Store,
    streams: Upto,
    file: IO[bytes] | gzip.GzipFile,
    checkpoints: Sequence[SignedCheckpoint],
    tick: Tick,
) -> list[Ending]:
    kept = [checkpoint for checkpoint in checkpoints if checkpoint.checkpoint.stream in streams]
    keys = sorted({checkpoint.key for checkpoint in kept})
    header = {"format": FORMAT, "version": VERSION, "streams": list(streams), "keys": keys, "checkpoints": len(kept)}
    file.write(_line(header))
    for checkpoint in kept:
        file.write(_line(checkpoint.as_json()))
    endings = []
    for stream, end in streams.items():
        file.write(_line({"stream": stream}))
        endings.append(_write_rows(stream, store.rows(stream, limit=end), file, tick))
        file.write(_line(endings[-1].as_json()))
    return endings


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _write_rows(stream: str, rows: Iterable[Row], file: IO[bytes] | gzip.GzipFile, tick: Tick) -> Ending:
    entries, digest, configuration, altered = 0, GENESIS, "", list[int]()
    for row in rows:
        if not row.is_as_written() and len(altered) < MOST_NAMED:
            altered.append(entries + 1)
        file.write(row_line(row.digest.encode(), row.body.encode()))
        entries, digest = entries + 1, row.digest
        if row.kind in (EntryKind.MAKE, EntryKind.RECONFIGURE):
            configuration = _configuration(row, configuration)
        if entries % TICK_EVERY == 0:
            tick(TICK_EVERY)
    return Ending(stream, entries, digest, configuration, tuple(altered))


def _configuration(row: Row, before: str) -> str:
    try:
        return str(facts_of(ConfiguredFacts, row)["configuration"])
    except (ValueError, KeyError, TypeError):
        return before  # a damaged row goes in the file as it is
