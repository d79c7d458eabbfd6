"""Who signs for the site: a key in a file of the server, a command that has it elsewhere, or people by hand.

    KeyFile(path)                         the private key is on the server, in a file for its owner only
    Command("ssh signer", public)         the text goes to the command, the signature comes back
    ByHand(public)                        the server only checks signatures that people bring

The server knows the public key in every case, and takes no signature that is not that key's.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from abc import ABC, abstractmethod
from pathlib import Path

from croupier.errors import CroupierError, NotationError
from croupier.ledger.checkpoint import PRIVATE, is_signature, public_hex, read_private, read_public

SIGN_S = 15.0
LARGEST_ANSWER = 10_000
SIGNATURE_DIGITS = 128


class NotSigned(CroupierError):
    """There is no signature yet; the text waits for it."""


class Signer(ABC):
    """What can sign for one public key."""

    public: str

    @abstractmethod
    def sign(self, text: bytes) -> str:
        """The signature in hexadecimal digits; NotSigned where there is none now."""


def signer_of(key: Path, command: str = "") -> Signer:
    """By what the file holds: a private key signs here; a public one says that the key is elsewhere."""
    is_private = PRIVATE in _begin_of(key)
    if command and is_private:
        raise NotationError(
            f"{str(key)!r} holds the private key, and {{signer}} says that it is elsewhere: name the public key.",
            fields=["signer"],
        )
    if command:
        return Command(command, read_public(key))
    return KeyFile(key) if is_private else ByHand(read_public(key))


def _begin_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(256)
    except OSError:
        return b""


class KeyFile(Signer):
    """The private key is here."""

    def __init__(self, path: Path) -> None:
        self._key = read_private(path)
        self.public = public_hex(self._key.public_key())

    def sign(self, text: bytes) -> str:
        return self._key.sign(text).hex()


class Command(Signer):
    """A command that reads the text and prints the signature: `croupier ledger sign`, here or over ssh, or another."""

    def __init__(self, command: str, public: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError:
            self._words = []
        if not self._words:
            raise NotationError("{signer} is a command with its arguments, as 'ssh signer'.", fields=["signer"])
        self.public = public

    def sign(self, text: bytes) -> str:
        name = os.path.basename(self._words[0])
        try:
            ran = subprocess.run(
                self._words, input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SIGN_S, check=False
            )
        except subprocess.TimeoutExpired:
            raise NotSigned(f"The signer {name!r} did not answer within {SIGN_S:.0f} seconds.") from None
        except OSError as error:
            raise NotSigned(f"The signer {name!r} cannot be run: {(error.strerror or 'it failed').lower()}.") from None
        if ran.returncode:
            raise NotSigned(f"The signer {name!r} refused: it ended with {ran.returncode}.")
        words = ran.stdout[:LARGEST_ANSWER].decode("ascii", "replace").split()
        signature = next((word for word in words if len(word) == SIGNATURE_DIGITS), "")
        if not is_signature(self.public, text, signature):
            raise NotSigned(f"What the signer {name!r} printed is no signature by the site's key.")
        return signature.lower()


class ByHand(Signer):
    """People take the text to the key, and bring the signature."""

    def __init__(self, public: str) -> None:
        self.public = public

    def sign(self, text: bytes) -> str:
        raise NotSigned("It waits for a signature: the site's key is kept elsewhere, and people bring signatures.")
