"""Where a book stood at the end of a day, signed: whoever holds the public key sees that nothing older was changed.

    key = new_key(Path("site.pem"))                          once; the file is for its owner only
    signed = Checkpoint("link:main", "2026-11-15", number, digest, balances).signed(key)

A chain of hashes can be made anew from any row on by whoever holds the store. A checkpoint that has left the house
cannot: it names the digest of the day's last entry, and that digest stands for every entry before it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.errors import CroupierError, NotationError, RecordError
from croupier.files import reason
from croupier.ledger.entry import canonical

PURPOSE = "croupier ledger checkpoint 1"
"""Signed along, so that a signature is for nothing else."""
PRIVATE = b"PRIVATE KEY"
LARGEST_PEM = 8_192
LONGEST = 500
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
NEEDED, AGAIN = {"stream", "day", "number", "digest", "balances"}, {"supersedes", "reason"}


@dataclass(frozen=True)
class Checkpoint:
    """The last entry of a day, and what was in every account after it."""

    stream: str
    day: str
    number: int
    digest: str
    balances: Mapping[str, int]
    """By account, in units; accounts with nothing in them are left out."""
    supersedes: int = 0
    """The entry of an earlier checkpoint of the same day, which turned out not to be the day's last; else 0."""
    reason: str = ""
    """Why it was signed again."""

    def body(self) -> dict[str, Any]:
        again = {"supersedes": self.supersedes, "reason": self.reason} if self.supersedes else {}
        return {
            **{"purpose": PURPOSE, "stream": self.stream, "day": self.day, "number": self.number},
            **{"digest": self.digest, "balances": dict(self.balances)},
            **again,
        }

    def signed(self, key: Ed25519PrivateKey) -> SignedCheckpoint:
        return SignedCheckpoint(self, public_hex(key.public_key()), key.sign(canonical(self.body())).hex())


@dataclass(frozen=True)
class SignedCheckpoint:
    """A checkpoint, whose key signed it, and the signature."""

    checkpoint: Checkpoint
    key: str
    """The public key, 32 bytes in hexadecimal."""
    signature: str

    @property
    def where(self) -> str:
        return f"The checkpoint of {self.checkpoint.stream} for {self.checkpoint.day}"

    def check(self) -> None:
        """Refuse a signature that is not this key's over this checkpoint."""
        try:
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.key))
            public.verify(bytes.fromhex(self.signature), canonical(self.checkpoint.body()))
        except (InvalidSignature, ValueError, NotationError):
            raise RecordError(f"{self.where} was altered: its signature is not that of its content.") from None

    def as_json(self) -> dict[str, Any]:
        return {"checkpoint": self.checkpoint.body(), "key": self.key, "signature": self.signature}

    @classmethod
    def of_json(cls, values: Any) -> SignedCheckpoint:
        match values:
            case {"checkpoint": dict(body), "key": str(key), "signature": str(signature)} if len(values) == 3:
                return cls(_checkpoint(body), key, signature)
        raise _unreadable()


def _checkpoint(body: dict[str, Any]) -> Checkpoint:
    """Strictly: what is not read here is not signed either."""
    values = {name: value for name, value in body.items() if name != "purpose"}
    balances = values.get("balances")
    if body.get("purpose") != PURPOSE or values.keys() not in (NEEDED, NEEDED | AGAIN) or type(balances) is not dict:
        raise _unreadable()
    checkpoint = Checkpoint(**values)
    texts = (checkpoint.stream, checkpoint.day, checkpoint.digest, checkpoint.reason, *balances)
    numbers = (checkpoint.number, checkpoint.supersedes, *balances.values())
    if not (all(map(_is_text, texts)) and all(type(number) is int for number in numbers) and is_day(checkpoint.day)):
        raise _unreadable()
    if checkpoint.number < 1:
        raise RecordError(
            f"A checkpoint of {checkpoint.stream} is of entry {checkpoint.number}: entries are numbered from 1."
        )
    if "supersedes" in values and not (1 <= checkpoint.supersedes < checkpoint.number and checkpoint.reason.strip()):
        raise RecordError(f"A checkpoint of {checkpoint.stream} supersedes no earlier one for a reason, as it says.")
    return checkpoint


def _is_text(value: Any) -> bool:
    return type(value) is str and value.isprintable() and len(value) <= LONGEST


def is_day(text: str) -> bool:
    with suppress(ValueError):
        return DAY.fullmatch(text) is not None and bool(date.fromisoformat(text))
    return False


def _unreadable() -> RecordError:
    return RecordError("A checkpoint cannot be read: it has a stream, a day, a number, balances and a signature.")


# Keys


def public_hex(key: Ed25519PublicKey) -> str:
    return key.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw).hex()


def fingerprint(key: str) -> str:
    """A public key in few digits, to be compared by people: SHA-256 over its bytes, the first 64 bits."""
    try:
        digest = sha256(bytes.fromhex(key)).hexdigest()
    except ValueError:
        return "?"
    return " ".join(digest[place : place + 4] for place in range(0, 16, 4))


def is_signature(public: str, text: bytes, signature: str) -> bool:
    """Whether a text was signed with the private half of a key; both are in hexadecimal digits."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text)
    except (InvalidSignature, ValueError):
        return False
    return True


def new_key(path: Path) -> Ed25519PrivateKey:
    """Make a key pair: the private key in a file that only its owner reads, the public one beside it as `.pub`.

    A file that is there is left alone: a key that signed something must not be lost.
    """
    if not path.name.strip():
        raise CroupierError("A key goes to a file: name one, as in site.pem.")
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    if public_path(path).exists():
        raise CroupierError(f"There is a file {str(public_path(path))!r} already: a key is never written over.")
    _create(path, private, 0o600)
    _create(public_path(path), public, 0o644)
    return key


def public_path(path: Path) -> Path:
    return path.with_name(path.name + ".pub")


def _create(path: Path, content: bytes, mode: int) -> None:
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise CroupierError(f"There is a file {str(path)!r} already: a key is never written over.") from None
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be written: {reason(error)}.") from None


def read_private(path: Path) -> Ed25519PrivateKey:
    """The key that signs. A file that others may read is refused: it is no secret any more."""
    content = _read(path)
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise CroupierError(f"The key {str(path)!r} can be read by others: chmod 600, or make a new one.")
    key: object = None
    with suppress(ValueError, TypeError, UnsupportedAlgorithm):
        key = serialization.load_pem_private_key(content, None)
    if not isinstance(key, Ed25519PrivateKey):
        raise NotationError(f"{str(path)!r} holds no private Ed25519 key: croupier ledger key new makes one.")
    return key


def read_public(path: Path) -> str:
    """The public key of a file, in hexadecimal; the file of the private key will do."""
    content = _read(path)
    if PRIVATE in content:
        return public_hex(read_private(path).public_key())
    key: object = None
    with suppress(ValueError, UnsupportedAlgorithm):
        key = serialization.load_pem_public_key(content)
    if not isinstance(key, Ed25519PublicKey):
        raise NotationError(f"{str(path)!r} holds no Ed25519 key.")
    return public_hex(key)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(LARGEST_PEM)
    except FileNotFoundError:
        raise CroupierError(f"There is no file {str(path)!r} to read a key from.") from None
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be read: {reason(error)}.") from None
