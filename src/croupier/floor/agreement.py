"""A second person's agreement to an act of two people: a signature that only that person's card and PIN can make.

    key = AgreementKey(public, salt, made)                  in the site's book, when somebody chooses a PIN
    statement = Statement("link:main", "adjust", id, by, second, says)
    agreed = statement.agreed(private, until)               by card and PIN, for that moment only
    statement.is_signed(agreed, key.public, at)             on the floor before it is entered, and in every proof after

The public half of a key stands in the book. The private half is stored nowhere: it follows from card, PIN and the
site's secret each time that the person agrees. What is signed can be written down again from the entry alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.errors import NotationError
from croupier.floor.refusals import No, refusal
from croupier.ledger.clock import AHEAD_S, as_written
from croupier.ledger.entry import canonical

PURPOSE = "croupier agreement 1"
"""Signed along, so that a signature is for nothing else."""
GOOD_FOR_S = 60
"""How long an agreement counts after card and PIN were shown."""
SLACK_S = AHEAD_S
"""As far as the clocks of two servers may differ without being doubted."""
NOT_SAID = frozenset({"by", "second", "where", "agreed", "was"})
"""Of an entry of the site: who signs, where, and what followed; all else is what was agreed to."""
_PUBLIC, _SALT, _SIGNATURE = (re.compile(rf"[0-9a-f]{{{digits}}}") for digits in (64, 32, 128))
MADE = re.compile(r"argon2id m=([1-9]\d{0,7}) t=([1-9]\d{0,2}) p=([1-9]\d{0,2})", re.ASCII)
"""How a private half is made: memory in KiB, passes and lanes of Argon2id, version 19."""


@dataclass(frozen=True)
class AgreementKey:
    """With which a person's agreements are checked, and what it takes to make its private half again."""

    public: str
    """Ed25519, 32 bytes in hexadecimal."""
    salt: str
    """16 random bytes in hexadecimal."""
    made: str
    """As `argon2id m=65536 t=3 p=4`."""

    def __post_init__(self) -> None:
        for name, form in (("public", _PUBLIC), ("salt", _SALT), ("made", MADE)):
            if not form.fullmatch(getattr(self, name)):
                raise refusal(No.WRONG_FORM, why=f"{name} of a key to agree with is not of its form")


@dataclass(frozen=True)
class Agreement:
    """As it stands in an entry."""

    until: str
    """UTC, as the clock writes it: a minute after card and PIN were shown."""
    signature: str
    """Ed25519, 64 bytes in hexadecimal."""

    def __post_init__(self) -> None:
        try:
            fine = as_written(datetime.fromisoformat(self.until)) == self.until
        except (ValueError, OverflowError):
            fine = False
        if not (fine and _SIGNATURE.fullmatch(self.signature)):
            raise refusal(No.WRONG_FORM, why="an agreement has the time until which it counts, and a signature")


@dataclass(frozen=True)
class Statement:
    """What a second person agrees to: one act, under one id, in one book, with all that it says."""

    book: str
    """Its stream: `site`, `link:main`."""
    kind: str
    command: str
    by: Any
    """As it stands in the entry: with the role on a link, the person alone on the site. `second` likewise."""
    second: Any
    says: Mapping[str, Any]
    """By name, the facts of the entry that the act itself says."""

    def text(self, until: str) -> bytes:
        """What is signed."""
        return canonical({"purpose": PURPOSE, **vars(self), "says": dict(self.says), "until": until})

    def agreed(self, private: Ed25519PrivateKey, until: str) -> Agreement:
        return Agreement(until, private.sign(self.text(until)).hex())

    def is_signed(self, agreed: Agreement, public: str, at: str) -> bool:
        """Whether the key's holder agreed to this, for the time of the entry."""
        until = datetime.fromisoformat(agreed.until)
        since = until - timedelta(seconds=GOOD_FOR_S + SLACK_S)
        if not since <= datetime.fromisoformat(at) <= until + timedelta(seconds=SLACK_S):
            return False
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
            key.verify(bytes.fromhex(agreed.signature), self.text(agreed.until))
        except (InvalidSignature, ValueError, NotationError):
            return False
        return True
