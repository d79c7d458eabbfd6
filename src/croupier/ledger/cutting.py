"""The lines of an exported ledger, and the usual rows among them in their parts.

This takes more than half the time of a verification and knows nothing of the rules, so where a file is large a second
process does it (see `helping`): this very file, which needs nothing but Python's own library and so starts at once.
"""

from __future__ import annotations

import gzip
import marshal
import re
import sys
import zlib
from collections.abc import Iterator
from hashlib import sha256
from typing import IO, Protocol, TypeAlias

BLOCK = 2**18
LONGEST_LINE = 16 * 2**20
GZIP_MAGIC = b"\x1f\x8b"
ROW, BETWEEN, CLOSE = b'{"digest":"', b'","row":', b"}\n"
TIME = r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z"
LONGEST_ID = 64
"""As `acts` allows it; a test holds the two together."""

# The commonest rows, whose facts stand in the order of the alphabet. An id of printable ASCII without quotes is written
# alike by every JSON. What is said of a hand is that of a fixed pay which no meter makes. No part goes over the end of
# a line.
_PARTS = rb"""
\{"at":"(%(time)s)","before":"(.{64})","command":"([ !#-\[\]-~]{1,%(longest)d})","facts":\{
(?:"based":(\[[\d,]*\]),)?
"by":(\[[^\]\n]*\])
((?:(?:,"cards":"[^"\n]*","cards_make":"[^"\n]*")?
,"cents":\d+,"game_digest":"[^"\n]*","line":"[^"\n]*","parts":\[\],"pays":"[^"\n]*")?)
,"round":([1-9]\d{0,15})
(?:,"seat":([1-9]\d{0,15}))?
((?:,"seats":\[[\d,]*\])?,"table":[1-9]\d*[^{}\n]*)
\},"kind":"(\w+)","number":([1-9]\d{0,15}),"transfers":(.*)\}
"""
_PATTERN = _PARTS.replace(b"\n", b"") % {b"time": TIME.encode(), b"longest": LONGEST_ID}
_match_parts = re.compile(_PATTERN).fullmatch
_find_parts = re.compile(_PATTERN + rb"\n|.*\n").findall
_find_lines = re.compile(rb"%b(.{64})%b(.*)%b|(.*\n|.+)" % tuple(map(re.escape, (ROW, BETWEEN, CLOSE)))).findall

Parts: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]
"""Of a usual row: at, before, command, based, by, said, round, seat, more, kind, number, transfers; empty if absent."""
Usual: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes, bytes]
"""The digest of a usual row, which is that of its text, and the parts of the text."""
Other: TypeAlias = tuple[bytes, bytes]
"""The digest and the text of any other row, as they stand in the file."""
Cut: TypeAlias = Usual | Other
Line: TypeAlias = Cut | bytes
"""A row, or a line that is none."""


class Text(Protocol):
    """A file, or what is packed in one."""

    def read1(self, size: int, /) -> bytes: ...


class CutShort(Exception):
    """A file that cannot be unpacked to its end: why not."""


def blocks(file: IO[bytes]) -> Iterator[bytes]:
    """Whole lines; one without an end comes last, or is longer than any line may be."""
    packed = file.read(2) == GZIP_MAGIC
    file.seek(0)
    text: Text = gzip.GzipFile(fileobj=file) if packed else file  # type: ignore[assignment]  # files have a read1
    rest = b""
    try:
        while piece := text.read1(BLOCK):
            block = rest + piece
            end = len(block) if len(block) > LONGEST_LINE else block.rfind(b"\n") + 1
            if end:
                yield block[:end]
            rest = block[end:]
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CutShort(str(error)) from None
    if rest:
        yield rest


def lines(block: bytes) -> list[Line]:
    """Each line, with rows as they stand."""
    return [other or (digest, body) for digest, body, other in _find_lines(block)]


def cut_lines(block: bytes) -> list[Line]:
    """Each line, with usual rows in their parts."""
    found = _find_lines(block)
    rows = cut_rows([(digest, body) for digest, body, _ in found])
    return [other or row for row, (_, _, other) in zip(rows, found, strict=True)]


def cut_rows(rows: list[Other]) -> list[Cut]:
    """Rows of one line each, many at once, which takes less time than one by one."""
    found: list[Parts] = _find_parts(b"\n".join((*(body for _, body in rows), b"")))
    return [
        (row[0], *parts) if parts[0] and sha256(row[1]).hexdigest().encode() == row[0] else row
        for row, parts in zip(rows, found, strict=True)
    ]


def cut_row(digest: bytes, body: bytes) -> Cut:
    """One row by itself."""
    found = _match_parts(body)
    if found is None or sha256(body).hexdigest().encode() != digest:
        return digest, body
    parts: Parts = found.groups(b"")  # type: ignore[assignment]  # as many as the pattern has
    return (digest, *parts)


def whole(row: Cut) -> tuple[str, bytes]:
    """The digest and the text of a row."""
    if len(row) == 2:
        return row[0].decode("ascii", "replace"), row[1]
    digest, at, before, command, based, by, said, round_, seat, more, kind, number, transfers = row
    facts = b'"based":%b,' % based if based else b""
    facts += b'"by":%b%b,"round":%b' % (by, said, round_)
    facts += b',"seat":%b%b' % (seat, more) if seat else more
    first = b'{"at":"%b","before":"%b","command":"%b","facts":{%b}' % (at, before, command, facts)
    return digest.decode(), first + b',"kind":"%b","number":%b,"transfers":%b}' % (kind, number, transfers)


def row_line(digest: bytes, body: bytes) -> bytes:
    """The line of a row in a file."""
    return b"".join((ROW, digest, BETWEEN, body, CLOSE))


# In a process of its own

LENGTH = 4
"""In bytes, of the number before each message that says how long it is; after the last message comes a nought."""


def send(file: IO[bytes], to: IO[bytes]) -> None:
    """All lines of a file; where it cannot be unpacked to its end, a text that says why comes last."""
    try:
        for block in blocks(file):
            _send(cut_lines(block), to)
    except CutShort as error:
        _send(str(error), to)
    to.write(bytes(LENGTH))
    to.flush()


def _send(message: list[Line] | str, to: IO[bytes]) -> None:
    data = marshal.dumps(message)
    to.write(len(data).to_bytes(LENGTH, "big") + data)
    to.flush()


if __name__ == "__main__":
    BLOCK = int(sys.argv[1])
    send(sys.stdin.buffer, sys.stdout.buffer)
