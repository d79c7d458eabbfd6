"""The file of an exported ledger: JSON lines, compressed where the name ends in `.gz`.

    {"format":"croupier-ledger","version":1,"streams":["link:main"],"keys":[...],"checkpoints":1}
    {"checkpoint":{...},"key":"...","signature":"..."}
    {"stream":"link:main"}
    {"digest":"...","row":{"at":...,"number":1,...}}                          the very text that was hashed
    {"end":"link:main","entries":1,"digest":"...","configuration":"..."}

Read once from top to bottom, many lines at once, with names, numbers of books and checkpoints, and the end of each book
checked on the way; whether the rows are right is for `verifying` to say. A book without its `end` was cut short.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from croupier.errors import CroupierError, RecordError
from croupier.ledger.checkpoint import SignedCheckpoint, reason
from croupier.ledger.cutting import Cut, CutShort, Line, blocks, cut_lines, lines, row_line, whole
from croupier.ledger.entry import GENESIS, canonical, short
from croupier.ledger.helping import helped_lines, worth_help

FORMAT, VERSION = "croupier-ledger", 1
TICK_EVERY = 8_192
MOST_STREAMS = 1_000
MOST_CHECKPOINTS = 100_000
"""Of ten links in twenty-seven years."""
LONGEST_NAME = 64

RawRow: TypeAlias = tuple[str, bytes]
"""The digest, and the text that it is of."""
Tick: TypeAlias = Callable[[int], None]


def quiet(_: int) -> None:
    """Nobody watches."""


SITE = "site"


class Lines:
    """The lines of a file in turn, of which many are read at once."""

    def __init__(self, read: Iterable[list[Line]] = ()) -> None:
        self.count = 0
        """How many were given out."""
        self._read = iter(read)
        self._found: list[Line] = []
        self._at = 0

    def next(self) -> bytes:
        """A line as it is; the last may lack its end, and after it comes nothing."""
        if not self._more():
            return b""
        line = self._found[self._at]
        self._at += 1
        self.count += 1
        return line if isinstance(line, bytes) else row_line(line[0], whole(line)[1])

    def rows(self) -> list[Cut]:
        """The rows that come next, as many as were read at once; none where the next line is no row."""
        rows: list[Cut] = []
        if self._more():
            for line in self._found[self._at :]:
                if isinstance(line, bytes):
                    break
                rows.append(line)
        self._at += len(rows)
        self.count += len(rows)
        return rows

    def _more(self) -> bool:
        while self._at == len(self._found):
            found = next(self._read, None)
            if found is None:
                return False
            self._found, self._at = found, 0
        return True


class Ending(NamedTuple):
    """How a book ends."""

    stream: str
    entries: int
    digest: str
    configuration: str
    """The digest of the last setup that was signed; empty for a site."""

    def as_json(self) -> dict[str, Any]:
        return {"end": self.stream, **{name: getattr(self, name) for name in ("entries", "digest", "configuration")}}


@dataclass
class Reader:
    """An exported file, read once from top to bottom. `tick` hears how many bytes of the file were read."""

    path: Path
    tick: Tick = quiet
    signatures: bool = False
    """Whether each checkpoint's signature is checked as it is read."""
    streams: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    checkpoints: list[SignedCheckpoint] = field(default_factory=list)
    ending: Ending | None = None
    """Of the book that was read last."""
    _lines: Lines = field(default_factory=Lines)

    @property
    def line(self) -> int:
        """The number of the line that was read last."""
        return self._lines.count

    def books(self) -> Generator[tuple[str, Iterator[RawRow]], None, None]:
        """Each book and its rows, which must be read before the next; what is no ledger is refused."""
        for stream, sheets in self._opened(lambda file: map(lines, blocks(file))):
            yield stream, (whole(row) for rows in sheets for row in rows)

    def cut_books(self, *, helped: bool | None = None) -> Generator[tuple[str, Iterator[list[Cut]]], None, None]:
        """The same with the usual rows in their parts, many rows at once. A second process helps with a large file,
        unless it is said whether one does."""

        def read(file: IO[bytes]) -> Iterator[list[Line]]:
            help_ = worth_help(file) if helped is None else helped
            return helped_lines(file) if help_ else map(cut_lines, blocks(file))

        return self._opened(read)

    def _opened(
        self, read: Callable[[IO[bytes]], Iterator[list[Line]]]
    ) -> Generator[tuple[str, Iterator[list[Cut]]], None, None]:
        try:
            with self.path.open("rb") as file, closing(self._heard(read(file), file)) as found:
                self._lines = Lines(found)
                yield from self._books()
        except FileNotFoundError:
            raise CroupierError(f"There is no file {str(self.path)!r} to read a ledger from.") from None
        except OSError as error:
            raise CroupierError(f"The file {str(self.path)!r} cannot be read: {reason(error)}.") from None

    def _heard(self, read: Iterator[list[Line]], file: IO[bytes]) -> Generator[list[Line], None, None]:
        """Each time with a tick of how far the file was read, by this process or another."""
        heard = 0
        try:
            for found in read:
                now = os.lseek(file.fileno(), 0, os.SEEK_CUR)
                self.tick(now - heard)
                heard = now
                yield found
        except CutShort as error:
            raise self._cut(f"it cannot be unpacked any further ({error})") from None

    def _books(self) -> Iterator[tuple[str, Iterator[list[Cut]]]]:
        self._read_header(self._object(self._lines.next()))
        for stream in self.streams:
            found = self._object(self._lines.next())
            if found != {"stream": stream}:
                raise self._cut(f"the book {stream} is missing")
            self.ending = None
            yield stream, self._rows(stream)
            if self.ending is None:
                raise CroupierError(f"The book {stream} was not read to its end.")
        if self._lines.next():
            raise RecordError(f"Line {self.line} of {self.path.name!r} comes after the end of the ledger.")

    def _read_header(self, header: Any) -> None:
        if not isinstance(header, dict) or header.get("format") != FORMAT:
            raise RecordError(f"{self.path.name!r} is no exported ledger: croupier ledger export writes one.")
        version = header.get("version")
        if type(version) is not int or version != VERSION:
            raise RecordError(
                f"{self.path.name!r} is of version {short(version)} of the format; "
                f"this program reads version {VERSION}."
            )
        match header:
            case {"streams": [*streams], "keys": [*keys], "checkpoints": int(count)} if all(
                isinstance(each, str) for each in (*streams, *keys)
            ):
                self.streams, self.keys = streams, keys
            case _:
                raise RecordError(f"The first line of {self.path.name!r} does not say which books are in it.")
        self._check_names()
        if not 0 <= count <= MOST_CHECKPOINTS:
            raise RecordError(f"{self.path.name!r} has 0 to {MOST_CHECKPOINTS:,} checkpoints, not {short(count)}.")
        for _ in range(count):
            self.checkpoints.append(self._checkpoint(self._object(self._lines.next())))
        if set(keys) != {signed.key for signed in self.checkpoints}:
            raise RecordError(f"{self.path.name!r} names a key that signed none of its checkpoints.")

    def _check_names(self) -> None:
        """Every book has a name of its own that can be printed."""
        for stream in self.streams:
            name = stream.removeprefix("link:")
            if stream != SITE and (name == stream or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME):
                raise RecordError(f"{short(stream)} is no book of a site or a link.")
        if not 1 <= len(self.streams) <= MOST_STREAMS:
            raise RecordError(f"{self.path.name!r} holds {len(self.streams):,} books, not 1 to {MOST_STREAMS:,}.")
        if len(set(self.streams)) < len(self.streams):
            raise RecordError(f"{self.path.name!r} names a book twice.")

    def _checkpoint(self, found: Any) -> SignedCheckpoint:
        signed = SignedCheckpoint.of_json(found)
        if signed.checkpoint.stream not in self.streams:
            raise RecordError(f"{signed.where} is of a book that is not in the file.")
        if signed.key not in self.keys:
            raise RecordError(f"{signed.where} is signed with a key that the file does not name.")
        if self.signatures:
            signed.check()
        return signed

    def _rows(self, stream: str) -> Iterator[list[Cut]]:
        first, digest = self.line, GENESIS
        while rows := self._lines.rows():
            digest = rows[-1][0].decode("ascii", "replace")
            yield rows
        line = self._lines.next()
        if not line:
            raise self._cut(f"the book {stream} has no end")
        self.ending = self._ending(stream, line)
        self._check_end(self.ending, self.line - first - 1, digest)

    def _check_end(self, ending: Ending, entries: int, digest: str) -> None:
        """The book ends where the file says that it does."""
        if (ending.entries, ending.digest) != (entries, digest):
            raise RecordError(
                f"The book {ending.stream} ends at entry {entries:,}, and the file says {ending.entries:,} and digest "
                f"{ending.digest[:64]!r}: rows are missing or were changed."
            )

    def _ending(self, stream: str, line: bytes) -> Ending:
        match self._object(line):
            case {"end": str(name), "entries": int(entries), "digest": str(digest), "configuration": str(conf)}:
                if name == stream:
                    return Ending(stream, entries, digest, conf)
        raise RecordError(f"Line {self.line} of {self.path.name!r} is no row and no end of {stream}.")

    def _object(self, line: bytes) -> Any:
        if not line:
            raise self._cut("there is no more to read")
        if not line.endswith(b"\n") and (self.line > 1 or FORMAT.encode() in line):
            raise self._cut("the last line is not whole")
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            if self.line <= 1:
                return None
            raise RecordError(f"Line {self.line} of {self.path.name!r} cannot be read: it is no JSON.") from None

    def _cut(self, why: str) -> RecordError:
        return RecordError(f"{self.path.name!r} was cut short after line {self.line}: {why}.")


def read_checkpoints(path: Path) -> list[SignedCheckpoint]:
    """A file of checkpoints, one on each line."""
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise CroupierError(f"There is no file {str(path)!r} to read checkpoints from.") from None
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be read: {reason(error)}.") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(SignedCheckpoint.of_json(json.loads(line)))
        except (ValueError, RecursionError, RecordError):
            raise RecordError(f"Line {number} of {path.name!r} is no checkpoint.") from None
    return found


def checkpoint_line(signed: SignedCheckpoint) -> bytes:
    return canonical(signed.as_json()) + b"\n"
