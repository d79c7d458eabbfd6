"""Files that leave the house: written whole before the first byte goes out, and on record with who took them."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import IO

from fastapi.responses import StreamingResponse

from croupier.progressive.authority import Act
from croupier.progressive.readings import NoteExport
from croupier.web.callers import Caller
from croupier.web.making import file_header
from croupier.web.runtime import Runtime

BLOCK = 2**18


def note_export(runtime: Runtime, caller: Caller, books: Mapping[str, int], report: str = "") -> None:
    """Who takes what, from where, and how far the books went: an entry of the site's book, before it is given out."""
    person = caller.may(Act.EXPORT)
    values = {"id": f"export-{secrets.token_hex(8)}", "by": person.id, "where": caller.where}
    runtime.leading().do_site(NoteExport(**values, books=books, report=report))


def written(parts: Iterable[str]) -> IO[bytes]:
    """A text of any length, in a file that has no name and goes with whoever reads it."""
    file = tempfile.TemporaryFile(prefix="croupier-export-")  # noqa: SIM115 - whoever sends it closes it
    try:
        for part in parts:
            file.write(part.encode())
    except BaseException:
        file.close()
        raise
    return file


def sent(file: IO[bytes], kind: str, name: str) -> StreamingResponse:
    """A file block by block; nothing is left behind, however the client leaves."""
    size = file.seek(0, 2)
    file.seek(0)
    headers = {**file_header(name), "Content-Length": str(size)}
    return StreamingResponse(_blocks(file), media_type=kind, headers=headers)


def _blocks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        yield from iter(partial(file.read, BLOCK), b"")
