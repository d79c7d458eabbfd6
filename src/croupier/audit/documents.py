"""The documents of papers: kept in a folder beside the books, each bound to the site's book by its SHA-256.

    documents = Documents(folder)
    documents.keep(content, "licence.pdf", wanted)      refused where no paper on record has this digest
    documents.found()                                   {"5f1c...": Path(...)}: whatever lies there, by its digest

A book that nobody can delete from is no place for a scan with names in it. The house may leave the folder empty and
keep its papers in a drawer: then the book has their digests alone, and the evidence file says so.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from croupier.errors import CroupierError, NotationError
from croupier.files import for_its_owner, reason, replaced

MOST_BYTES = 10_000_000
"""Of one document."""
MOST_FILES = 10_000
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}")


@dataclass(frozen=True)
class Documents:
    folder: Path

    def keep(self, content: bytes, name: str, wanted: Collection[str], digest: str = "") -> str:
        """Put a document there; given is its digest. One that is sent again is there once."""
        if not 0 < len(content) <= MOST_BYTES:
            raise NotationError(f"A document has 1 to {MOST_BYTES:,} bytes, not {len(content):,}.")
        found = hashlib.sha256(content).hexdigest()
        if digest and found != digest:
            raise NotationError(f"This is another document: its SHA-256 is {found}, and not {digest}.")
        if found not in wanted:
            raise NotationError(f"No paper on record has this document: its SHA-256 is {found}.")
        path = self.folder / f"{found}{suffix_of(name)}"
        if found not in self.found():
            try:
                with for_its_owner():
                    self.folder.mkdir(parents=True, exist_ok=True)
                    with replaced(path, mode=0o600) as file:
                        file.write(content)
            except OSError as error:
                raise CroupierError(f"The document cannot be kept in {self.folder}: {reason(error)}.") from None
        return found

    def found(self) -> dict[str, Path]:
        """By digest, every document in the folder, whatever it is called; what is too long for one is left out."""
        try:
            files = sorted(self.folder.iterdir()) if self.folder.is_dir() else []
            those = [each for each in files if each.is_file() and not each.name.startswith(".")]
            if len(those) > MOST_FILES:
                raise CroupierError(f"{self.folder} holds {len(those):,} files: documents are {MOST_FILES:,} at most.")
            return {_digest_of(each): each for each in those if each.stat().st_size <= MOST_BYTES}
        except OSError as error:
            raise CroupierError(f"The documents in {self.folder} cannot be read: {reason(error)}.") from None


def suffix_of(name: str) -> str:
    """As `.pdf`; nothing where that is no plain one."""
    suffix = Path(name).suffix
    return suffix.lower() if _SUFFIX.fullmatch(suffix) else ""


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
