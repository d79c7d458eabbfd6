"""The books of an exported file, read as those of a store are: whoever checks elsewhere makes the same reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from croupier.errors import RecordError
from croupier.progressive.ledger_file import Reader
from croupier.progressive.store import Row


class ExportedBooks:
    """The file is read again for each book that is asked for; what is no exported ledger is refused at once."""

    def __init__(self, path: Path) -> None:
        self._path, reader = path, Reader(path)
        with closing(reader.books()) as books, suppress(StopIteration):
            next(books)
        self._streams = list(reader.streams)

    def streams(self) -> list[str]:
        return list(self._streams)

    def rows(self, stream: str, after: int = 0) -> Iterator[Row]:
        with closing(Reader(self._path).books()) as books:
            for name, raw in books:
                for number, (digest, body) in enumerate(raw, start=1):
                    if name == stream and number > after:
                        yield _row(number, digest, body)
                if name == stream:
                    return

    def number_before(self, stream: str, at: str) -> int:
        last = 0
        for row in self.rows(stream):
            if row.at >= at:
                break
            last = row.number
        return last


class _Columns(msgspec.Struct):
    number: int
    at: str
    command: str
    kind: str
    before: str


_read = msgspec.json.Decoder(_Columns).decode


def _row(number: int, digest: str, body: bytes) -> Row:
    try:
        told, text = _read(body), body.decode("ascii")
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise RecordError(f"Entry {number} of the book cannot be read: {error}.") from None
    return Row(told.number, told.at, told.command, told.kind, text, told.before, digest)
