"""The file of an exported ledger: JSON lines, compressed where the name ends in `.gz`.

    {"format":"croupier-ledger","version":1,"streams":["link:main"],"keys":[...],"checkpoints":1}
    {"checkpoint":{...},"key":"...","signature":"..."}
    {"stream":"link:main"}
    {"digest":"...","row":{"at":...,"number":1,...}}                          the very text that was hashed
    {"end":"link:main","entries":1,"digest":"...","configuration":"..."}

Read once from top to bottom, line by line, with names, numbers of books and checkpoints, and the end of each book
checked on the way; whether the rows are right is for `audit.verify` to say. A book without its `end` was cut short.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

from croupier.errors import CroupierError, RecordError
from croupier.files import reason
from croupier.ledger.checkpoint import SignedCheckpoint
from croupier.ledger.entry import GENESIS, SITE, canonical, short
from croupier.ledger.rows import RawRow

FORMAT, VERSION = "croupier-ledger", 1
TICK_EVERY = 8_192
"""Lines or rows."""
GZIP_MAGIC = b"\x1f\x8b"
LONGEST_LINE = 16 * 2**20
ROW, BETWEEN, CLOSE = b'{"digest":"', b'","row":', b"}\n"
_DIGEST = slice(len(ROW), len(ROW) + len(GENESIS))
_BETWEEN = slice(_DIGEST.stop, _DIGEST.stop + len(BETWEEN))
_BODY = slice(_BETWEEN.stop, -len(CLOSE))
MOST_STREAMS = 1_000
MOST_CHECKPOINTS = 100_000
"""Of ten links in twenty-seven years."""
LONGEST_NAME = 64

Tick: TypeAlias = Callable[[int], None]


def quiet(_: int) -> None:
    """Nobody watches."""


def row_line(digest: bytes, body: bytes) -> bytes:
    """The line of a row in a file."""
    return b"".join((ROW, digest, BETWEEN, body, CLOSE))


class Ending(NamedTuple):
    """How a book ends."""

    stream: str
    entries: int
    digest: str
    configuration: str
    """The digest of the last setup that was signed; empty for a site."""
    altered: tuple[int, ...] = ()
    """Entries that the store's own columns called something else than their content does; the first of them."""

    def as_json(self) -> dict[str, Any]:
        fields = {"end": self.stream, **{name: getattr(self, name) for name in ("entries", "digest", "configuration")}}
        return {**fields, "altered": list(self.altered)} if self.altered else fields

    @property
    def why_altered(self) -> str:
        """In a sentence; nothing where no entry was."""
        if not self.altered:
            return ""
        listed = ", ".join(f"{number:,}" for number in self.altered)
        return (
            f"Columns of {self.stream} were altered in the store, at entry {listed}: they are not those of the entry's "
            "content, by which it is chained and proved."
        )


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
    line: int = 0
    """The number of the line that was read last."""
    _file: BufferedReader | None = None
    """As it stands on the disk."""
    _text: BufferedReader | None = None
    """What it says, unpacked."""
    _heard: int = 0
    """Bytes of the file that `tick` has heard of."""

    def books(self) -> Generator[tuple[str, Iterator[RawRow]], None, None]:
        """Each book and its rows, which must be read before the next; what is no ledger is refused."""
        with self.opened():
            yield from self._books()

    @contextmanager
    def opened(self) -> Iterator[None]:
        """The file is open meanwhile, for `next_line`."""
        try:
            with self.path.open("rb") as file:
                packed = file.peek(2).startswith(GZIP_MAGIC)
                self._file = file
                self._text = BufferedReader(cast(Any, gzip.GzipFile(fileobj=file))) if packed else file
                yield
        except FileNotFoundError:
            raise CroupierError(f"There is no file {str(self.path)!r} to read a ledger from.") from None
        except OSError as error:
            raise CroupierError(f"The file {str(self.path)!r} cannot be read: {reason(error)}.") from None

    def next_line(self) -> bytes:
        """The next line as it is; the last may lack its end, and after it comes nothing."""
        assert self._text is not None, "a file is open while its books are read"
        try:
            line = self._text.readline(LONGEST_LINE)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise self._cut(f"it cannot be unpacked any further ({error})") from None
        if line:
            self.line += 1
        if self.line % TICK_EVERY == 0 or not line:
            self._tell()
        return line

    def _tell(self) -> None:
        assert self._file is not None, "a file is open while its books are read"
        now = self._file.tell()
        self.tick(now - self._heard)
        self._heard = now

    def _books(self) -> Iterator[tuple[str, Iterator[RawRow]]]:
        self._read_header(self._object(self.next_line()))
        for stream in self.streams:
            if self._object(self.next_line()) != {"stream": stream}:
                raise self._cut(f"the book {stream} is missing")
            self.ending = None
            yield stream, self._rows(stream)
            if self.ending is None:
                raise CroupierError(f"The book {stream} was not read to its end.")
        if self.next_line():
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
                isinstance(name, str) for name in (*streams, *keys)
            ):
                self.streams, self.keys = streams, keys
            case _:
                raise RecordError(f"The first line of {self.path.name!r} does not say which books are in it.")
        self._check_names()
        if not 0 <= count <= MOST_CHECKPOINTS:
            raise RecordError(f"{self.path.name!r} has 0 to {MOST_CHECKPOINTS:,} checkpoints, not {short(count)}.")
        for _ in range(count):
            self.checkpoints.append(self._checkpoint(self._object(self.next_line())))
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

    def _checkpoint(self, values: Any) -> SignedCheckpoint:
        signed = SignedCheckpoint.of_json(values)
        if signed.checkpoint.stream not in self.streams:
            raise RecordError(f"{signed.where} is of a book that is not in the file.")
        if signed.key not in self.keys:
            raise RecordError(f"{signed.where} is signed with a key that the file does not name.")
        if self.signatures:
            signed.check()
        return signed

    def _rows(self, stream: str) -> Iterator[RawRow]:
        entries, digest = 0, GENESIS
        while (line := self.next_line()).startswith(ROW) and line[_BETWEEN] == BETWEEN and line.endswith(CLOSE):
            entries, digest = entries + 1, line[_DIGEST].decode("ascii", "replace")
            yield digest, line[_BODY]
        if not line:
            raise self._cut(f"the book {stream} has no end")
        self.ending = self._ending(stream, line)
        self._check_end(self.ending, entries, digest)

    def _check_end(self, ending: Ending, entries: int, digest: str) -> None:
        """The book ends where the file says that it does."""
        if (ending.entries, ending.digest) != (entries, digest):
            raise RecordError(
                f"The book {ending.stream} ends at entry {entries:,}, and the file says {ending.entries:,} and digest "
                f"{ending.digest[:64]!r}: rows are missing or were changed."
            )

    def _ending(self, stream: str, line: bytes) -> Ending:
        match self._object(line):
            case {"end": str(name), "entries": int(entries), "digest": str(digest), "configuration": str(conf), **more}:
                altered: Any = more.pop("altered", [])
                named = isinstance(altered, list) and all(type(number) is int for number in altered)
                if name == stream and named and not more:
                    return Ending(stream, entries, digest, conf, tuple(altered))
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
    checkpoints = []
    for number, line in enumerate(lines, 1):
        try:
            checkpoints.append(SignedCheckpoint.of_json(json.loads(line)))
        except (ValueError, RecursionError, RecordError):
            raise RecordError(f"Line {number} of {path.name!r} is no checkpoint.") from None
    return checkpoints


def checkpoint_line(signed: SignedCheckpoint) -> bytes:
    return canonical(signed.as_json()) + b"\n"
