"""The documents of papers: kept in a folder beside the books, each bound to the site's book by its SHA-256.

    documents = Documents(folder)
    documents.keep(content, "licence.pdf", wanted)      refused where no paper on record has this digest
    documents.named()                                   {"5f1c...": Path(...)}: what lies there under its digest
    documents.read(digest)                              its bytes, proved by the digest; None where it is not there
    documents.found()                                   whatever lies there under any name, by its digest: all is read

A book that nobody can delete from is no place for a scan with names in it. The house may leave the folder empty and
keep its papers in a drawer: then the book has their digests alone, and the evidence file says so.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from croupier.errors import CroupierError, NotationError
from croupier.files import for_its_owner, reason, replaced

MOST_BYTES = 10_000_000
"""Of one document."""
MOST_FILES = 10_000
LOG = logging.getLogger(__name__)
_NAMED = re.compile(r"([0-9a-f]{64})(?:\..*)?")
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}")


@dataclass(frozen=True)
class Documents:
    folder: Path

    def keep(self, content: bytes, name: str, wanted: Collection[str], digest: str = "") -> str:
        """Put a document there; given is its digest. One that is sent again is there once."""
        if not 0 < len(content) <= MOST_BYTES:
            raise NotationError(f"A document has 1 to {MOST_BYTES:,} bytes, not {len(content):,}.")
        digest_read = hashlib.sha256(content).hexdigest()
        if digest and digest_read != digest:
            raise NotationError(f"This is another document: its SHA-256 is {digest_read}, and not {digest}.")
        if digest_read not in wanted:
            raise NotationError(f"No paper on record has this document: its SHA-256 is {digest_read}.")
        path = self.named().get(digest_read, self.folder / f"{digest_read}{suffix_of(name)}")
        if not _holds(path, digest_read):
            try:
                with for_its_owner():
                    self.folder.mkdir(parents=True, exist_ok=True)
                    with replaced(path, mode=0o600) as file:
                        file.write(content)
            except OSError as error:
                raise CroupierError(f"The document cannot be kept in {self.folder}: {reason(error)}.") from None
        return digest_read

    def named(self) -> dict[str, Path]:
        """By digest, the documents that are called by it, as `keep` does: no file is read, so it may be asked often."""
        return {match[1]: file for file in self._files() if (match := _NAMED.fullmatch(file.name))}

    def read(self, digest: str) -> bytes | None:
        """The document that is called by its digest; refused where the file is another one by now."""
        path = self.named().get(digest)
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                content = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise CroupierError(f"The document {path.name} cannot be read: {reason(error)}.") from None
        if hashlib.sha256(content).hexdigest() != digest:
            raise CroupierError(f"The file {path.name} is no longer the document that it is called by. Keep it anew.")
        return content

    def found(self) -> dict[str, Path]:
        """By digest, every document in the folder, whatever it is called; what is too long for one is left out.

        One that cannot be read is said in the log and left out: the others are there all the same.
        """
        those = self._files()
        if len(those) > MOST_FILES:
            raise CroupierError(f"{self.folder} holds {len(those):,} files: documents are {MOST_FILES:,} at most.")
        paths: dict[str, Path] = {}
        for path in those:
            try:
                if path.stat().st_size <= MOST_BYTES:
                    paths[_digest_of(path)] = path
            except OSError as error:
                LOG.error("The document %s cannot be read and is left out: %s.", path, reason(error))
        return paths

    def _files(self) -> list[Path]:
        try:
            files = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
            return [file for file in files if not file.name.startswith(".") and file.is_file()]
        except OSError as error:
            raise CroupierError(f"The documents in {self.folder} cannot be read: {reason(error)}.") from None


def suffix_of(name: str) -> str:
    """As `.pdf`; nothing where that is no plain one."""
    suffix = Path(name).suffix
    return suffix.lower() if _SUFFIX.fullmatch(suffix) else ""


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _holds(path: Path, digest: str) -> bool:
    try:
        return _digest_of(path) == digest
    except OSError:
        return False
