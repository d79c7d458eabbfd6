"""The evidence file as a file: a ZIP archive with an index, and a signature over the index.

    index.json        every other file by its name, size and SHA-256, in the sections that they belong to
    index.pdf         the same on paper
    signature.json    the site's key over the SHA-256 of index.json
    READ-ME.txt       how to look at it and how to check it, for whoever has nothing of ours

Any program that opens ZIP archives opens it. What is read here comes from elsewhere: no name is a path, and nothing is
unpacked that the index does not bound.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

from croupier.errors import RecordError
from croupier.files import reason
from croupier.ledger.entry import canonical

FORMAT, VERSION = "croupier-evidence", 1
PURPOSE = "croupier evidence 1"
"""Signed along, so that a signature is for nothing else."""
INDEX, PAPER, SIGNATURE, READ_ME = "index.json", "index.pdf", "signature.json", "READ-ME.txt"
NAME = re.compile(r"(?!.*(?:^|/)\.{1,2}(?:/|$))[A-Za-z0-9._%~-]+(?:/[A-Za-z0-9._%~-]+)*", re.ASCII)
LARGEST_INDEX = 64 * 2**20
LARGEST_TEXT = 256 * 2**20
"""Of a file that is held in memory; the ledger is not."""
MOST_FILES = 100_000
BLOCK = 2**20
PACKED = (".gz", ".pdf", ".zip")
"""What is compressed already."""
_MOMENT = (1980, 1, 1, 0, 0, 0)


class Held(NamedTuple):
    """A file of the archive, as the index has it."""

    name: str
    section: str
    title: str
    size: int
    digest: str
    rows: int | None = None

    def as_json(self) -> dict[str, Any]:
        told: dict[str, Any] = {"name": self.name, "section": self.section, "title": self.title}
        told |= {"bytes": self.size, "sha256": self.digest}
        return {**told, "rows": self.rows} if self.rows is not None else told


@dataclass
class Packing:
    """An archive that is being written: each file goes in whole, one after the other, and is hashed on the way."""

    file: zipfile.ZipFile
    held: list[Held] = field(default_factory=list)

    @classmethod
    def into(cls, out: IO[bytes]) -> Packing:
        return cls(zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, allowZip64=True, compresslevel=6))

    def add(
        self, name: str, section: str, title: str, content: bytes | Iterable[bytes], rows: int | None = None
    ) -> Held:
        assert NAME.fullmatch(name), f"{name!r} is no name of a file"
        entry = zipfile.ZipInfo(name, _MOMENT)
        entry.compress_type = zipfile.ZIP_STORED if name.endswith(PACKED) else zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        digest, size = hashlib.sha256(), 0
        with self.file.open(entry, "w", force_zip64=True) as file:
            for block in (content,) if isinstance(content, bytes) else content:
                file.write(block)
                digest.update(block)
                size += len(block)
        held = Held(name, section, title, size, digest.hexdigest(), rows)
        self.held.append(held)
        return held


def blocks_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from iter(lambda: file.read(BLOCK), b"")


def index_text(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, indent=1, ensure_ascii=False, sort_keys=True).encode() + b"\n"


def to_sign(site: str, index: bytes) -> bytes:
    """What the site's key signs: the purpose, the site and the digest of the index."""
    return canonical({"purpose": PURPOSE, "site": site, "index": hashlib.sha256(index).hexdigest()})


# Reading what somebody has sent


class Kept:
    """An archive that came from elsewhere. Whatever is wrong with it as a file is refused in one sentence."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = zipfile.ZipFile(path)
        except (OSError, ValueError) as error:
            raise RecordError(f"The evidence file {str(path)!r} cannot be read: {reason(error)}.") from None
        except zipfile.BadZipFile:
            raise RecordError(f"{str(path)!r} is no evidence file: it is no ZIP archive, or was cut off.") from None
        listed = self._file.infolist()
        if len(listed) > MOST_FILES:
            raise RecordError(
                f"{str(path)!r} holds {len(listed):,} files: an evidence file has at most {MOST_FILES:,}."
            )
        self.names = [member.filename for member in listed]
        self._sizes = {member.filename: member.file_size for member in listed}

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def twice(self) -> list[str]:
        """Names that are in it more than once: which one is meant, nobody can tell."""
        return sorted({name for name in self.names if self.names.count(name) > 1}) if self._has_twice() else []

    def _has_twice(self) -> bool:
        return len(set(self.names)) < len(self.names)

    def size(self, name: str) -> int:
        return self._sizes.get(name, 0)

    def read(self, name: str, most: int = LARGEST_TEXT) -> bytes:
        """A file that fits in memory."""
        content = bytearray()
        for block in self.blocks(name, most):
            content += block
        return bytes(content)

    def blocks(self, name: str, most: int, tick: Callable[[int], None] = lambda _: None) -> Iterator[bytes]:
        """A file block by block; one that is longer than it may be is refused before more of it is unpacked."""
        read = 0
        try:
            with self._file.open(name) as file:
                while block := file.read(BLOCK):
                    read += len(block)
                    if read > most:
                        raise RecordError(f"{name} is longer than it may be: more than {most:,} bytes.")
                    tick(len(block))
                    yield block
        except KeyError:
            raise RecordError(f"{name} is missing from the archive.") from None
        except (OSError, ValueError, RuntimeError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error):
            raise RecordError(f"{name} is damaged: it cannot be unpacked.") from None

    def digest(self, name: str, most: int, tick: Callable[[int], None] = lambda _: None) -> tuple[str, int]:
        digest, size = hashlib.sha256(), 0
        for block in self.blocks(name, most, tick):
            digest.update(block)
            size += len(block)
        return digest.hexdigest(), size

    def json(self, name: str, most: int = LARGEST_INDEX) -> dict[str, Any]:
        try:
            values = json.loads(self.read(name, most))
        except (ValueError, RecursionError):
            raise RecordError(f"{name} cannot be read: it is no JSON.") from None
        if not isinstance(values, dict):
            raise RecordError(f"{name} cannot be read: it is no JSON object.")
        return values


def held_of(index: Mapping[str, Any]) -> dict[str, Held]:
    """The files that an index names, by their names; strictly."""
    members: dict[str, Held] = {}
    files = index.get("files")
    if not isinstance(files, list):
        raise RecordError(f"{INDEX} names no files.")
    for file in files:
        match file:
            case {
                "name": str(name),
                "section": str(section),
                "title": str(title),
                "bytes": int(size),
                "sha256": str(digest),
                **more,
            } if NAME.fullmatch(name) and size >= 0 and more.keys() <= {"rows"} and name not in members:
                rows = more.get("rows")
                members[name] = Held(name, section, title, size, digest, rows if isinstance(rows, int) else None)
            case _:
                raise RecordError(f"{INDEX} has an entry that cannot be read: {json.dumps(file)[:100]}.")
    return members
