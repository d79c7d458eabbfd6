"""Who signed a file, as what, and when: signatures stand in a file beside it, and name it by its digest.

    sign(Path("par.pdf"), read_private(key), name="A. Person", role="prepared", at=utc_now())
    signatures(Path("par.pdf"))          everybody who signed these very bytes; a changed file has none

The file itself is not touched: whoever reviews it signs the bytes that were prepared.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.analysis.par.laboratory import LONGEST, ROLES
from croupier.errors import CroupierError, NotationError, RecordError, UnknownName
from croupier.files import reason, replaced
from croupier.ledger.checkpoint import fingerprint, is_signature, public_hex
from croupier.ledger.entry import canonical

PURPOSE = "croupier signature of a file 1"
"""Signed along, so that a signature is for nothing else."""
LARGEST = 64 * 1024
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", re.ASCII)


class Signature(NamedTuple):
    """One person's, over one file."""

    sha256: str
    """Of the file's bytes."""
    role: str
    name: str
    at: str
    key: str
    """The public key, in hexadecimal."""
    signature: str

    def body(self) -> dict[str, str]:
        return {"purpose": PURPOSE, "sha256": self.sha256, "role": self.role, "name": self.name, "at": self.at}

    @property
    def is_right(self) -> bool:
        return is_signature(self.key, canonical(self.body()), self.signature)

    @property
    def words(self) -> str:
        return f"{self.role} by {self.name}, {self.at}, key {fingerprint(self.key)}"


def beside(file: Path) -> Path:
    """Where the signatures of a file are."""
    return file.with_name(f"{file.name}.signatures")


def sign(file: Path, key: Ed25519PrivateKey, *, name: str, role: str, at: str) -> Signature:
    """Add a signature to those of a file. One role is signed once: a file that is reviewed again is another file."""
    if role not in ROLES:
        raise UnknownName("role of a signature", role, ROLES)
    if not name.strip() or not name.isprintable() or len(name) > LONGEST:
        raise NotationError(f"A name is one line of at most {LONGEST} characters, not {name[:20]!r}.")
    before = signatures(file)
    if any(signature.role == role for signature in before):
        raise NotationError(f"{str(file)!r} is signed as {role} already.")
    unsigned = Signature(digest_of(file), role, name.strip(), at, public_hex(key.public_key()), "")
    signed = unsigned._replace(signature=key.sign(canonical(unsigned.body())).hex())
    lines = "".join(f"{json.dumps(signature._asdict(), ensure_ascii=False)}\n" for signature in (*before, signed))
    try:
        with replaced(beside(file), mode=0o644) as kept:
            kept.write(lines.encode())
    except OSError as error:
        raise CroupierError(f"The file {str(beside(file))!r} cannot be written: {reason(error)}.") from None
    return signed


def signatures(file: Path) -> list[Signature]:
    """All that stand beside a file, each checked; one that is not of these bytes is refused."""
    digest, path = digest_of(file), beside(file)
    if not path.exists():
        return []
    try:
        text = path.read_bytes()[: LARGEST + 1].decode()
        all_signatures = [_of_json(json.loads(line)) for line in text.splitlines()]
    except (OSError, ValueError):
        raise RecordError(f"The signatures in {str(path)!r} cannot be read.") from None
    for signature in all_signatures:
        if signature.sha256 != digest:
            raise RecordError(f"{str(file)!r} was changed after it was signed: {signature.words}.")
        if not signature.is_right:
            raise RecordError(f"A signature beside {str(file)!r} was altered: {signature.words}.")
    return all_signatures


def _of_json(values: Any) -> Signature:
    if type(values) is not dict or values.keys() != set(Signature._fields):
        raise ValueError("no signature")
    signature = Signature(**values)
    if not all(type(field) is str and field.isprintable() for field in signature) or not AT.fullmatch(signature.at):
        raise ValueError("no signature")
    return signature


def digest_of(file: Path) -> str:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except FileNotFoundError:
        raise CroupierError(f"There is no file {str(file)!r}.") from None
    except OSError as error:
        raise CroupierError(f"The file {str(file)!r} cannot be read: {reason(error)}.") from None
