"""The signed checkpoints of one book, held against it as its rows come in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from croupier.errors import RecordError
from croupier.progressive.checkpoints import SignedCheckpoint, fingerprint
from croupier.progressive.days import Check, checkpoint_of

NEVER = 2**63


@dataclass(frozen=True)
class Coverage:
    """How far a book is signed."""

    day: str
    number: int
    key: str
    after: int
    """Entries that came later: nobody has signed them."""

    def __str__(self) -> str:
        more = f"{self.after:,} entries after it are unsigned" if self.after else "no entry comes after it"
        return f"signed to {self.day}, entry {self.number:,}, by the key {fingerprint(self.key)}; {more}"

    def as_json(self) -> dict[str, Any]:
        return {
            **{"day": self.day, "entry": self.number, "key": self.key, "fingerprint": fingerprint(self.key)},
            "unsigned_after": self.after,
        }


class Marks:
    """Where a book must be as it was signed. With a key, every checkpoint must be signed with it, and there is one."""

    def __init__(self, stream: str, checkpoints: Iterable[SignedCheckpoint], key: str | None) -> None:
        self._at: dict[int, list[SignedCheckpoint]] = {}
        self._superseded: set[tuple[str, int, str]] = set()
        for signed in checkpoints:
            if key is not None and signed.key != key:
                raise RecordError(f"{signed.where} is signed with another key than the one given.")
            made = signed.checkpoint
            self._at.setdefault(made.number, []).append(signed)
            if made.supersedes:
                self._superseded.add((made.day, made.supersedes, signed.key))
        if key is not None and not self._at:
            raise RecordError(f"A key was given, and the file holds no checkpoint of {stream} that it signed.")
        self.count = sum(map(len, self._at.values()))
        self._rows = sorted({*self._at, *(number + 1 for number in self._at)}, reverse=True)

    @property
    def next_row(self) -> int:
        """The row after which to look again."""
        return self._rows[-1] if self._rows else NEVER

    def look(self, check: Check) -> None:
        """Hold the book against what was signed of it here, and against what was said of the row before."""
        number = self._rows.pop()
        for signed in self._at.get(number, ()):
            self._agree(check, signed)
        for signed in self._at.get(number - 1, ()):
            made = signed.checkpoint
            superseded = (made.day, made.number, signed.key) in self._superseded
            if check.book.at[:10] <= made.day and not superseded:
                raise RecordError(f"{signed.where} was signed before the day's last entry.")

    def _agree(self, check: Check, signed: SignedCheckpoint) -> None:
        made, now = signed.checkpoint, checkpoint_of(signed.checkpoint.stream, signed.checkpoint.day, check)
        if (made.number, made.digest, made.balances) != (now.number, now.digest, now.balances):
            raise RecordError(f"{signed.where} was signed over another book: entry {now.number} is not as it was.")
        if made.supersedes and not any(
            (each.checkpoint.day, each.key) == (made.day, signed.key) for each in self._at.get(made.supersedes, ())
        ):
            raise RecordError(f"{signed.where} supersedes one at entry {made.supersedes}, which is not in the file.")
        if check.book.at[:10] > made.day:
            raise RecordError(f"{signed.where} is of an entry of a later day.")

    def at_the_end(self, check: Check) -> None:
        """Nothing is signed that the book does not have."""
        for number, marks in self._at.items():
            if number > check.entries:
                raise RecordError(f"{marks[0].where} is of entry {number}, and the book ends at {check.entries}.")

    def coverage(self, check: Check) -> Coverage | None:
        if not self._at:
            return None
        signed = self._at[max(self._at)][-1]
        made = signed.checkpoint
        return Coverage(made.day, made.number, signed.key, check.entries - made.number)
